/* SPDX-License-Identifier: BSD-3-Clause */
/* The control flow of a query: what Unbound's events do with it. Per-query state is in
 * qstate->minfo[id], from the query's region. */
#ifndef XNM_MODULE_UNBOUND_ANSWER_H
#define XNM_MODULE_UNBOUND_ANSWER_H

struct module_qstate;
struct xnm_state;

/* Implements operate(). */
void xnm_answer_operate(struct xnm_state *state, struct module_qstate *qstate, int event, int id);

#endif
