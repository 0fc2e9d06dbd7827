/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what the module subnetcache, where Unbound has it, does with a query. */
#ifndef XNM_MODULE_UNBOUND_SUBNET_H
#define XNM_MODULE_UNBOUND_SUBNET_H

#include <stdbool.h>

struct module_qstate;

/* Was an upstream told the client's subnet? Then its answer may be for that alone. */
bool xnm_subnet_tells(const struct module_qstate *qstate);

/* Has subnetcache neither keep what the query now has nor ask anew without a subnet. */
void xnm_subnet_forget(struct module_qstate *qstate);

#endif
