/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides queries within Unbound: what operate() does with a query. Per-query state is in
 * qstate->minfo[id], from the query's region. */
#ifndef XNM_MODULE_UNBOUND_ANSWER_H
#define XNM_MODULE_UNBOUND_ANSWER_H

#include "module/policy/match.h"
#include "module/run/state.h"
#include "module/unbound/action.h"
#include "module/unbound/host.h"

/* Implement operate() and inform_super(). */
void xnm_answer_operate(struct xnm_state *state, struct module_qstate *qstate, int event, int id);
void xnm_answer_inform_super(struct module_qstate *sub, int id, struct module_qstate *super);

/* Implements clear(). */
void xnm_answer_clear(struct module_qstate *qstate, int id);

/* --- one call; module/unbound/upstream.c, logged.c and bypass.c use these too --- */

/* Begins a call for the first client that waits (qstate may be NULL: none); work->query and
 * work->policy are NULL afterwards. */
void xnm_work_begin(struct xnm_work *work, struct xnm_state *state, struct module_qstate *qstate,
                    int id);

/* The state of a query, made if there is none yet. NULL: no memory. */
struct xnm_query *xnm_work_query(struct module_qstate *qstate, int id);

/* decide_answer decides the question `info` with the aliases of an answer (rep NULL: none);
 * decide_chain decides the call's query with work->chain. Both return whether any rule matches. */
bool xnm_work_decide_answer(struct xnm_work *work, const struct query_info *info,
                            const struct reply_info *rep);
bool xnm_work_decide_chain(struct xnm_work *work);

/* May the message not be in Unbound's cache: is it refused, for some client or for all, or an RRset
 * of its additional section? */
bool xnm_work_forbids_cache(struct xnm_work *work, const struct query_info *info,
                            const struct reply_info *rep);

bool xnm_work_is_log_only(const struct xnm_work *work);

/* Does the policy change the answer, and is it enforced? */
bool xnm_work_is_refused(const struct xnm_work *work);

/* Might another client, or this one at another time, get another answer? */
bool xnm_work_is_personal(const struct xnm_work *work);

#endif
