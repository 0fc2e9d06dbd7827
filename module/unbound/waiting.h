/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells who waits for a query: clients, other queries, callbacks of Unbound's own. An answer that
 * depends on the client needs a query that nobody else can join. */
#ifndef XNM_MODULE_UNBOUND_WAITING_H
#define XNM_MODULE_UNBOUND_WAITING_H

#include <stdbool.h>

struct module_qstate;

/* Do several clients wait, or a client and anything else? */
bool xnm_waiting_is_shared(const struct module_qstate *qstate);

/* Lets nobody join a query that has just begun for one client: each later client of the same name
 * begins a query of its own. Does nothing to a query that is shared or has gone further. */
void xnm_waiting_close(struct module_qstate *qstate);

/* Gives the clients of a shared query queries of their own, which nobody can join and which begin
 * anew. If nothing else waits, one client keeps this query. `id` is this module's. False: no
 * memory, or no room in the mesh (num-queries-per-thread); the clients that remain are still
 * waiting here. */
bool xnm_waiting_part(struct module_qstate *qstate, int id);

#endif
