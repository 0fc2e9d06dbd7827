/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles responses from upstream servers: what may be cached, and whether to ask more. */
#ifndef XNM_MODULE_UNBOUND_UPSTREAM_H
#define XNM_MODULE_UNBOUND_UPSTREAM_H

#include "module/run/state.h"

#include <stdbool.h>

struct dns_msg;
struct module_qstate;
struct xnm_query;

/* Must be called before an upstream is asked. */
void xnm_upstream_query(struct module_qstate *qstate, int id);

/* Must be called for each upstream response; NULL means a timeout. If it leads to a refused name,
 * only its records may be cached; a query that only clients wait for ends with it. */
void xnm_upstream_response(struct xnm_state *state, struct module_qstate *qstate, int id,
                           struct dns_msg *response);

/* --- what is kept out of Unbound's caches --- */

/* Is no_cache_store set for one response only? */
bool xnm_query_is_one_response_kept_out(const struct xnm_query *query);

/* Sets it so, unless it is set. */
void xnm_query_keep_out(struct module_qstate *qstate, struct xnm_query *query);

/* Sets it for whatever else the query gets. */
void xnm_query_keep_chain_out(struct module_qstate *qstate, struct xnm_query *query);

/* --- what the module subnetcache, where Unbound has it, does with a query --- */

/* Was an upstream told the client's subnet? Then its answer may be for that alone. */
bool xnm_subnet_tells(const struct module_qstate *qstate);

/* Has subnetcache neither keep what the query now has nor ask anew without a subnet. */
void xnm_subnet_forget(struct module_qstate *qstate);

#endif
