/* SPDX-License-Identifier: BSD-3-Clause */
/* The callbacks that init() registers, for a test that starts the module without dynlib. */
#ifndef XNM_MODULE_UNBOUND_MODULE_H
#define XNM_MODULE_UNBOUND_MODULE_H

#include "module/unbound/daemon.h"

extern const struct xnm_daemon_callbacks xnm_module_callbacks;

#endif
