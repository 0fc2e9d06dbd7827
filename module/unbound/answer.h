/* SPDX-License-Identifier: BSD-3-Clause */
/* Decisions at work: what operate() does with a query, how a decision becomes a reply, and what is
 * logged of it. Per-query state lives in qstate->minfo[id], allocated from the query's region. */
#ifndef XNM_MODULE_UNBOUND_ANSWER_H
#define XNM_MODULE_UNBOUND_ANSWER_H

#include "module/policy/match.h"
#include "module/run/state.h"
#include "module/unbound/action.h"
#include "module/unbound/host.h"

/* What operate() and inform_super() are. */
void xnm_answer_operate(struct xnm_state *state, struct module_qstate *qstate, int event, int id);
void xnm_answer_inform_super(struct module_qstate *sub, int id, struct module_qstate *super);

/* What clear() is. */
void xnm_answer_clear(struct module_qstate *qstate, int id);

/* What a reply callback's log line says of the policy, which the state has: false for nothing. For
 * an answer from the cache it is decided again, where the policy has rules that leave answers
 * alone. */
bool xnm_answer_match(struct xnm_state *state, const struct xnm_host_call *call, int id,
                      struct xnm_match *match);

/* --- of one call, for what an upstream says, too --- */

/* Begins a call; then query and policy are NULL. */
void xnm_work_begin(struct xnm_work *work, struct xnm_state *state, struct module_qstate *qstate,
                    int id);

/* What is kept of a query, which is made if there is nothing yet. NULL: no memory. */
struct xnm_query *xnm_work_query(struct module_qstate *qstate, int id);

/* Decide what info asks for with the aliases of an answer (rep NULL: none), or the call's query
 * with work->chain. Does any rule match? */
bool xnm_work_decide_answer(struct xnm_work *work, const struct query_info *info,
                            const struct reply_info *rep);
bool xnm_work_decide_chain(struct xnm_work *work);

bool xnm_work_is_log_only(const struct xnm_work *work);

/* Has the policy another answer, and is it in force? */
bool xnm_work_is_refused(const struct xnm_work *work);

/* Is no_cache_store set for one response alone? */
bool xnm_query_is_one_response_kept_out(const struct xnm_query *query);

#endif
