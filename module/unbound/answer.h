/* SPDX-License-Identifier: BSD-3-Clause */
/* The control flow of a query: what the module's entry points do with it. Per-query state is in
 * qstate->minfo[id], from the query's region. */
#ifndef XNM_MODULE_UNBOUND_ANSWER_H
#define XNM_MODULE_UNBOUND_ANSWER_H

struct module_qstate;
struct xnm_state;

/* Implement operate(), inform_super() and clear(). */
void xnm_answer_operate(struct xnm_state *state, struct module_qstate *qstate, int event, int id);
void xnm_answer_inform_super(struct module_qstate *sub, int id, struct module_qstate *super);
void xnm_answer_clear(struct module_qstate *qstate, int id);

#endif
