/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares the callbacks that host.c registers with Unbound. */
#ifndef XNM_MODULE_UNBOUND_MODULE_H
#define XNM_MODULE_UNBOUND_MODULE_H

#include <util/module.h>

inplace_cb_reply_func_type xnm_on_reply, xnm_on_reply_cache, xnm_on_reply_local,
    xnm_on_reply_servfail;
inplace_cb_query_func_type xnm_on_query;
inplace_cb_query_response_func_type xnm_on_response;

#endif
