/* SPDX-License-Identifier: BSD-3-Clause */
/* The control flow of a query: what Unbound's events do with it, and how a decision is carried out.
 */
#ifndef XNM_MODULE_UNBOUND_ANSWER_H
#define XNM_MODULE_UNBOUND_ANSWER_H

struct module_qstate;
struct xnm_state;

/* Implements operate(). */
void xnm_answer_operate(struct xnm_state *state, struct module_qstate *qstate, int event, int id);

/* A sub-query has ended. If `super` waits for it as its target, keeps its answer, which nothing has
 * decided. */
void xnm_answer_take_target(const struct module_qstate *sub, const struct module_qstate *super,
                            int id);

/* Returns the places that the mesh keeps for clients who were dropped. */
void xnm_answer_clear(struct module_qstate *qstate, int id);

#endif
