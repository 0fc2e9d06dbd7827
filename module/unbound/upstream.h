/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides responses of upstream servers, before the iterator uses them: finds the targets of a
 * query's aliases, and makes the iterator stop. All memory is from the query's region. */
#ifndef XNM_MODULE_UNBOUND_UPSTREAM_H
#define XNM_MODULE_UNBOUND_UPSTREAM_H

struct dns_msg;
struct module_qstate;
struct xnm_aliaschain;
struct xnm_state;

/* Call it for each upstream response (NULL: a timeout). If it leads to a refused name, only its
 * records may be cached, and a query that only clients wait for is ended (XNM_QSTATE_ENDED). */
void xnm_upstream_take(struct xnm_state *state, struct module_qstate *qstate, int id,
                       struct dns_msg *response);

/* Writes the CNAMEs of the query name that are in the cache of records, with relative TTLs. */
void xnm_upstream_cached_aliases(struct module_qstate *qstate, struct xnm_aliaschain *chain);

#endif
