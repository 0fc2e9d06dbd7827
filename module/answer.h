/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions at work: what operate() does with a query, how a decision becomes a reply, and what is
 * logged of it. Per-query state lives in qstate->minfo[id], allocated from the query's region. */
#ifndef XNM_MODULE_ANSWER_H
#define XNM_MODULE_ANSWER_H

#include "module/host.h"
#include "module/match.h"
#include "module/state.h"

struct dns_msg;

/* What operate() and inform_super() are. */
void xnm_answer_operate(struct xnm_state *state, struct module_qstate *qstate, int event, int id);
void xnm_answer_inform_super(struct module_qstate *sub, int id, struct module_qstate *super);

/* What clear() is. */
void xnm_answer_clear(struct module_qstate *qstate, int id);

/* An upstream is about to be asked. */
void xnm_answer_look_at_upstream_query(struct module_qstate *qstate, int id);

/* An upstream's answer came in: one that leads to a refused name is kept out of the cache. Of an
 * internal lookup the records stay there, but not the message that clients would get. response may
 * be NULL: a timeout. */
void xnm_answer_look_at_response(struct xnm_state *state, struct module_qstate *qstate, int id,
                                 struct dns_msg *response);

/* What a reply callback's log line says of the policy, which the state has: false for nothing. For
 * an answer from the cache it is decided again, where the policy has rules that leave answers
 * alone. */
bool xnm_answer_match(struct xnm_state *state, const struct xnm_host_call *call, int id,
                      struct xnm_match *match);

#endif
