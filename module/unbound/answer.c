/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/answer.h"

#include "module/load/reload.h"
#include "module/unbound/host.h"
#include "module/unbound/message.h"
#include "module/unbound/query.h"
#include "module/unbound/upstream.h"

#include <services/cache/dns.h>
#include <services/mesh.h>
#include <util/data/dname.h>
#include <util/data/msgreply.h>
#include <util/module.h>

/* --- a query begins --- */

/* Decides the aliases that the caches have for the name, after the name itself (`matched`). If they
 * do not lead to a refused name, the decision is about the name again. Returns whether any rule
 * matched. */
static bool decide_cached_aliases(struct xnm_work *work, bool matched)
{
    xnm_upstream_cached_aliases(work->qstate, &work->chain);
    if (work->chain.count == 0)
        return matched;
    bool chain_matched = xnm_query_decide_chain(work);
    xnm_query_note_personal(work);
    if (chain_matched && xnm_query_is_refused(work) &&
        xnm_alias_chain_cut(&work->chain, work->decision.target))
        return true;
    return xnm_query_decide_answer(work, &work->qstate->qinfo, NULL);
}

/* NEW to BELOW if the query is allowed or internal; else as xnm_query_act says. The aliases in the
 * caches are decided only to spare questions to servers. */
static void begin(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;

    work->query->state = XNM_QUERY_NEW;
    if (!work->policy || !xnm_query_clients(qstate)) {
        xnm_query_pass_down(work);
        return;
    }
    bool matched = xnm_query_decide_answer(work, &qstate->qinfo, NULL);
    if (!xnm_decision_refuses(&work->decision) && xnm_policy_changes_answers(work->policy) &&
        !xnm_query_is_log_only(work))
        matched = decide_cached_aliases(work, matched);
    if (work->decision.target == 0)
        work->chain.count = 0;
    xnm_query_note(work, matched);
    if (work->query->is_personal)
        xnm_host_close(qstate);
    if (xnm_query_is_refused(work))
        xnm_query_act(work);
    else
        xnm_query_pass_down(work);
}

/* --- its answer comes --- */

/* Returns whether the chain ends with the alias to the refused name. respip may have left it out.
 */
static bool ends_with_target(const struct xnm_work *work)
{
    const struct xnm_alias_chain *chain = &work->chain;
    const struct xnm_wirename *target = &work->decision.target_name;

    return chain->count > 0 && query_dname_compare((uint8_t *)chain->links[chain->count - 1].rdata,
                                                   (uint8_t *)target->octets) == 0;
}

/* Refuses an answer of the resolver's. */
static void refuse_answer(struct xnm_work *work, const struct reply_info *rep)
{
    work->query->original_rcode = work->qstate->return_rcode;
    work->query->original = work->qstate->return_msg;
    if (work->decision.target > 0)
        xnm_message_chain(rep, &work->chain);
    if (work->decision.target == 0 ||
        (xnm_alias_chain_cut(&work->chain, work->decision.target) && ends_with_target(work)))
        xnm_query_act(work);
    else
        xnm_query_fail(work);
}

/* Returns whether the answer stays the resolver's: the client may have it, or nobody gets its chain
 * (SERVFAIL), or several clients wait, for each of which the gate decides it. */
static bool stays(struct xnm_work *work, const struct reply_info *rep)
{
    const struct mesh_reply *clients = xnm_query_clients(work->qstate);

    if (!clients || !xnm_query_is_refused(work))
        return true;
    return (work->decision.target > 0 && xnm_message_is_withheld(work->qstate, rep)) ||
           (work->query->is_personal && clients->next);
}

/* BELOW to DONE if the answer is allowed or internal; else as xnm_query_act says. Other modules
 * have stored it: what a client may not have is removed, so that refused hits are rare. */
static void take_answer(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct reply_info *rep = qstate->return_msg ? qstate->return_msg->rep : NULL;

    work->query->state = XNM_QUERY_BELOW;
    if (!work->policy) {
        xnm_query_pass_up(work);
        return;
    }
    bool matched = xnm_query_decide_answer(work, &qstate->qinfo, rep);
    work->chain.count = 0;
    xnm_query_note_personal(work);
    if (work->query->is_personal ||
        (!xnm_query_is_log_only(work) && xnm_decision_refuses(&work->decision)))
        xnm_message_remove_from_cache(qstate->env, &qstate->qinfo);
    if (xnm_query_clients(qstate))
        xnm_query_note(work, matched);
    if (!stays(work, rep)) {
        refuse_answer(work, rep);
        return;
    }
    if (xnm_query_is_refused(work))
        work->query->match = NULL; /* the log line is the gate's, or a failure's */
    xnm_query_pass_up(work);
}

/* An ended iterator leaves no real answer. The chain at which it was ended is decided by the policy
 * now in force. ENDED to BELOW, from the beginning, if that no longer refuses it; to DONE if no
 * client is left; else as xnm_query_act says. */
static void take_end(struct xnm_work *work)
{
    struct xnm_query *query = work->query;
    bool matched = false;

    query->state = XNM_QUERY_ENDED;
    if (!xnm_query_clients(work->qstate)) {
        xnm_query_pass_up(work);
        return;
    }
    if (work->policy && query->chain) {
        work->chain = *query->chain;
        matched = xnm_query_decide_chain(work);
        xnm_query_note_personal(work);
    }
    if (query->records)
        xnm_host_store_records(work->qstate, query->records);
    query->records = NULL;
    if (!matched || !xnm_query_is_refused(work)) {
        xnm_query_restart(work);
        return;
    }
    xnm_query_note(work, matched);
    if (xnm_alias_chain_cut(&work->chain, work->decision.target))
        xnm_query_act(work);
    else
        xnm_query_fail(work);
}

/* --- the target of the policy's alias comes --- */

/* The event of the state before is taken again. If the decision is the same, the target is there
 * now: DONE. */
static void take_target(struct xnm_work *work)
{
    struct xnm_query *query = work->query;

    if (!query->has_target)
        return; /* another sub-query has ended */
    query->state = query->before;
    if (query->state == XNM_QUERY_BELOW)
        take_answer(work);
    else if (query->state == XNM_QUERY_ENDED && xnm_query_clients(work->qstate))
        take_end(work);
    else if (query->state == XNM_QUERY_ENDED)
        xnm_query_restart(work);
    else
        begin(work);
}

/* --- the table --- */

enum event {
    BEGIN, /* Unbound begins the query, or runs this module again */
    ANSWER /* the modules after this one are done */
};
enum { EVENTS = ANSWER + 1 };
typedef void step(struct xnm_work *work);

static step *const steps[XNM_QUERY_STATES][EVENTS] = {
    [XNM_QUERY_NEW] = {[BEGIN] = begin, [ANSWER] = take_answer},
    [XNM_QUERY_BELOW] = {[BEGIN] = begin, [ANSWER] = take_answer},
    [XNM_QUERY_ENDED] = {[BEGIN] = begin, [ANSWER] = take_end},
    [XNM_QUERY_TARGET] = {[BEGIN] = take_target, [ANSWER] = take_target},
    [XNM_QUERY_DONE] = {[BEGIN] = begin, [ANSWER] = take_answer},
};

/* DONE, and something in Unbound waits for the query: another query, or a callback (a zone
 * transfer, a trust anchor). A refusal is for clients, so they get their replies first; whatever
 * else waits gets the resolver's own answer. If there is none, since the iterator was ended or has
 * not begun, the query restarts. */
static void serve_unbound(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    struct xnm_query *query = work->query;

    if (query->answer == XNM_ANSWER_RESOLVERS || qstate->ext_state[work->id] != module_finished ||
        !xnm_host_is_waited_for(qstate))
        return;
    xnm_host_send_replies(qstate);
    if (query->before != XNM_QUERY_BELOW) {
        xnm_query_restart(work);
        return;
    }
    xnm_query_clear(qstate, work->id);
    query->answer = XNM_ANSWER_RESOLVERS;
    qstate->is_drop = 0;
    qstate->return_rcode = query->original_rcode;
    qstate->return_msg = query->original;
}

/* Returns whether the answer needs no decision: so it is for nearly all queries. */
static bool is_settled(const struct xnm_work *work, enum event event)
{
    const struct dns_msg *message = work->qstate->return_msg;

    return event == ANSWER && work->query->state == XNM_QUERY_BELOW &&
           xnm_query_is_settled(work->query, &work->qstate->qinfo, message ? message->rep : NULL,
                                xnm_policyhandle_generation(xnm_state_force(work->state)));
}

static void take(struct xnm_work *work, enum event event)
{
    const struct dns_msg *message = work->qstate->return_msg;
    bool settled = is_settled(work, event);

    work->query->settled = settled && message ? message->rep : NULL;
    if (settled) {
        xnm_query_pass_up(work);
    } else {
        work->policy = xnm_policyhandle_enter(xnm_state_force(work->state), &work->generation);
        steps[work->query->state][event](work);
        xnm_policyhandle_leave();
    }
    serve_unbound(work);
}

/* --- entry point --- */

void xnm_answer_operate(struct xnm_state *state, struct module_qstate *qstate, int event, int id)
{
    struct xnm_work work;

    xnm_query_begin_call(&work, state, qstate, id);
    if (event != module_event_new && event != module_event_pass && event != module_event_moddone) {
        xnm_host_pass_on(qstate, event, id);
        return;
    }
    work.query = xnm_query_of(qstate, id);
    if (!work.query) {
        qstate->ext_state[id] = module_error;
        return;
    }
    work.query->is_first |= event == module_event_new;
    if (xnm_policy_decides_class(qstate->qinfo.qclass))
        take(&work, event == module_event_moddone ? ANSWER : BEGIN);
    else
        xnm_host_pass_on(qstate, event, id);
    if (work.query->is_first)
        xnm_host_begin_next(qstate, id);
}
