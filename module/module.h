/* SPDX-License-Identifier: BSD-3-Clause */
/* The reply callbacks that host.c hands to Unbound, with the signature of Unbound's
 * inplace_cb_reply_func_type. */
#ifndef XNM_MODULE_MODULE_H
#define XNM_MODULE_MODULE_H

#include <util/module.h>

inplace_cb_reply_func_type xnm_on_reply, xnm_on_reply_cache, xnm_on_reply_local,
    xnm_on_reply_servfail;

#endif
