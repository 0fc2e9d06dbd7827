/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/answer.h"

#include "module/action.h"
#include "module/message.h"
#include "module/reload.h"
#include "module/synthesis.h"

#include <services/cache/dns.h>
#include <services/mesh.h>
#include <sldns/rrdef.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/netevent.h>
#include <util/regional.h>

/* --- queries --- */

static struct xnm_query *query_of(struct module_qstate *qstate, int id)
{
    if (!qstate->minfo[id])
        qstate->minfo[id] = regional_alloc_zero(qstate->region, sizeof(struct xnm_query));
    return qstate->minfo[id];
}

/* Not = {…}: chain and decision are 2.6 kB, of which almost nothing is used for almost every query,
 * and what is used is written first. */
static void begin(struct xnm_work *work, struct xnm_state *state, struct module_qstate *qstate,
                  int id)
{
    work->state = state;
    work->qstate = qstate;
    work->id = id;
    work->query = NULL;
    work->policy = NULL;
    work->generation = 0;
    work->chain.count = work->chain.next = 0;
    work->decision.verdict = NULL;
    work->decision.log_count = 0;
}

static bool is_log_only(const struct xnm_work *work)
{
    return xnm_state_config(work->state)->policy_mode == XNM_POLICY_LOG_ONLY;
}

/* Has the policy another answer, and is it in force? */
static bool is_refused(const struct xnm_work *work)
{
    return !is_log_only(work) && xnm_decision_changes_answer(&work->decision);
}

static void note_match(struct xnm_work *work, bool matched)
{
    struct xnm_query *query = work->query;

    query->decided = true;
    query->matched = matched;
    query->generation = work->generation;
    query->match = NULL;
    if (matched)
        query->match = regional_alloc(work->qstate->region, sizeof *query->match);
    if (query->match)
        xnm_match_from(work->policy, &work->decision, is_log_only(work), query->match);
}

/* --- chains --- */

static bool recall_chain(struct xnm_work *work)
{
    const struct query_info *info = &work->qstate->qinfo;
    struct xnm_refused_chain *chain = &work->chain;

    chain->count = xnm_refused_find(info->qname, info->qname_len, info->qtype, work->generation,
                                    *work->qstate->env->now, chain->links, XNM_REFUSED_LINKS_MAX);
    return chain->count > 0;
}

static bool decide_chain(struct xnm_work *work)
{
    struct xnm_wirename looked_up;
    struct xnm_question question = xnm_synthesis_question(&work->qstate->qinfo, NULL, &looked_up);

    question.from_a = work->query->from_a;
    work->chain.next = 0;
    return xnm_policy_decide_answer(work->policy, &question, xnm_refused_next_target, &work->chain,
                                    &work->decision);
}

static bool decide_answer(struct xnm_work *work, const struct query_info *info,
                          const struct reply_info *rep)
{
    struct xnm_wirename looked_up;
    struct xnm_question question = xnm_synthesis_question(info, rep, &looked_up);
    struct xnm_message_walk walk = {rep, 0};

    if (work->query)
        work->query->from_a = question.from_a;
    if (!rep || !xnm_message_has_chain(rep))
        return xnm_policy_decide(work->policy, &question, &work->decision);
    return xnm_policy_decide_answer(work->policy, &question, xnm_message_next_target, &walk,
                                    &work->decision);
}

/* --- before, behind and between the other modules --- */

static void look_at_query(struct xnm_work *work)
{
    bool matched = decide_answer(work, &work->qstate->qinfo, NULL);

    work->chain.count = 0;
    if (!xnm_decision_refuses(&work->decision) && !is_log_only(work) && recall_chain(work))
        matched = decide_chain(work) && xnm_refused_cut(&work->chain, work->decision.target);
    note_match(work, matched);
    if (is_refused(work))
        xnm_action_do(work);
    else
        xnm_action_leave(work);
}

/* Unbound keeps AAAA apart by their CD flag. */
static void remove_from_cache(struct module_qstate *qstate)
{
    const struct query_info *info = &qstate->qinfo;
    static const uint16_t flags[] = {0, BIT_CD};

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        msg_cache_remove(qstate->env, info->qname, info->qname_len, info->qtype, info->qclass,
                         flags[i]);
}

/* What respip did to the answer it may do for some clients alone, by their tags. */
static bool has_respip_acted(const struct xnm_work *work)
{
    const struct respip_action_info *action = work->qstate->respip_action_info;

    return action && action != work->query->truncation;
}

/* With subnetcache an answer may be for one subnet of clients: then subnetcache had kept it out of
 * the cache before the response was looked at here, or has had it in its own. What was kept out for
 * our sake is for all. */
static bool is_for_all_clients(const struct xnm_work *work)
{
    return !has_respip_acted(work) &&
           (!work->qstate->env->unique_mesh || work->query->chain_kept_out);
}

/* Was the target of a refused chain not to be had? Then there is no answer that could be refused,
 * and for our sake the failure is not cached: each client's query would be one more to servers that
 * fail. What fails inside of another query may be that one's fault. */
static bool is_failure_kept_out(const struct xnm_work *work)
{
    const struct module_qstate *qstate = work->qstate;

    return work->query->chain_kept_out && xnm_work_clients(qstate) && !qstate->return_msg &&
           qstate->return_rcode == LDNS_RCODE_SERVFAIL && !has_respip_acted(work);
}

/* The answer's chain leads to a refused name. */
static void refuse_chain(struct xnm_work *work, const struct reply_info *rep)
{
    const struct query_info *info = &work->qstate->qinfo;

    xnm_message_chain(rep, &work->chain);
    if (!xnm_refused_cut(&work->chain, work->decision.target)) {
        xnm_action_fail(work);
        return;
    }
    if (xnm_decision_refuses(&work->decision) && !xnm_message_is_bogus(rep) &&
        is_for_all_clients(work))
        xnm_refused_remember(info->qname, info->qname_len, info->qtype, work->generation,
                             *work->qstate->env->now, work->chain.links, work->chain.count);
    xnm_action_do(work);
}

/* respip may have put its own in place. */
static void forget_truncation(struct xnm_work *work)
{
    if (work->query->truncation && work->qstate->respip_action_info == work->query->truncation)
        work->qstate->respip_action_info = NULL;
    work->query->truncation = NULL;
}

/* Then the whole answer, which leads over a refused name that a passthru rule exempts, was kept out
 * with it. */
static bool is_one_response_kept_out(const struct xnm_query *query)
{
    return query->kept_out && !query->chain_kept_out;
}

static bool is_answer_kept_out(const struct xnm_work *work)
{
    return is_one_response_kept_out(work->query) && !has_respip_acted(work);
}

/* For other queries that wait for this one. */
static void keep_original(struct xnm_work *work)
{
    work->query->replaced = true;
    work->query->original_rcode = work->qstate->return_rcode;
    work->query->original = work->qstate->return_msg;
}

/* Internal lookups keep their answer, for Unbound's own use: a name server's address, a key. */
static void look_at_answer(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct reply_info *rep = qstate->return_msg ? qstate->return_msg->rep : NULL;
    bool matched = decide_answer(work, &qstate->qinfo, rep);

    work->chain.count = 0;
    if (is_refused(work))
        remove_from_cache(qstate);
    else if (is_answer_kept_out(work))
        xnm_host_store_answer(qstate);
    else if (is_failure_kept_out(work))
        xnm_host_store_failure(qstate);
    if (xnm_work_clients(qstate)) {
        forget_truncation(work);
        note_match(work, matched);
    }
    if (!xnm_work_clients(qstate) || !is_refused(work)) {
        xnm_action_leave(work);
        return;
    }
    if (work->decision.target > 0 && xnm_message_is_withheld(qstate, rep)) {
        work->query->match = NULL; /* nobody gets the chain: SERVFAIL */
        xnm_action_leave(work);
        return;
    }
    keep_original(work);
    if (work->decision.target > 0)
        refuse_chain(work, rep);
    else
        xnm_action_do(work);
}

/* The policy may have changed while the target was looked up. */
static void resume(struct xnm_work *work)
{
    work->chain = *work->query->chain;
    bool matched = decide_chain(work);

    note_match(work, matched);
    if (is_refused(work) && work->decision.verdict->action == XNM_CNAME &&
        xnm_refused_cut(&work->chain, work->decision.target)) {
        xnm_action_do(work);
        return;
    }
    work->query->stage = XNM_STAGE_BELOW;
    if (work->query->had_answer)
        look_at_answer(work);
    else
        look_at_query(work);
}

static bool is_settled(const struct xnm_work *work)
{
    const struct xnm_query *query = work->query;
    const struct dns_msg *message = work->qstate->return_msg;

    return query->decided && query->generation == work->generation && !query->truncation &&
           !query->kept_out && !xnm_synthesis_answers(work->qstate->qinfo.qtype) &&
           !(message && message->rep && xnm_message_has_chain(message->rep));
}

static void look(struct xnm_work *work)
{
    struct xnm_query *query = work->query;

    if (work->policy && query->stage == XNM_STAGE_ARRIVED)
        resume(work);
    else if (work->policy && query->had_answer)
        look_at_answer(work);
    else if (work->policy && !query->had_answer && xnm_work_clients(work->qstate))
        look_at_query(work);
    else
        xnm_action_leave(work);
}

/* Other queries that wait for this one get the resolver's own answer: what is refused is refused
 * to clients, whichever of Unbound's modules asks. */
static void give_original(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    struct xnm_query *query = work->query;

    if (!query->replaced || qstate->ext_state[work->id] != module_finished ||
        !xnm_host_is_waited_for(qstate))
        return;
    xnm_host_send_replies(qstate);
    query->replaced = false;
    query->made = false;
    qstate->return_rcode = query->original_rcode;
    qstate->return_msg = query->original;
}

static void decide(struct xnm_work *work)
{
    work->generation = xnm_reload_generation();
    if (work->query->had_answer && work->query->stage == XNM_STAGE_BELOW && is_settled(work)) {
        xnm_action_leave(work); /* nearly all */
        return;
    }
    work->policy = xnm_reload_enter(&work->generation);
    look(work);
    xnm_reload_leave();
    give_original(work);
}

void xnm_answer_operate(struct xnm_state *state, struct module_qstate *qstate, int event, int id)
{
    struct xnm_work work;

    begin(&work, state, qstate, id);
    if (event != module_event_new && event != module_event_pass && event != module_event_moddone) {
        xnm_host_pass_on(qstate, event, id);
        return;
    }
    work.query = query_of(qstate, id);
    if (!work.query) {
        qstate->ext_state[id] = module_error;
        return;
    }
    if (work.query->stage == XNM_STAGE_WAITING)
        return; /* another sub-query has ended */
    work.query->is_new = work.query->is_new || event == module_event_new;
    work.query->had_answer = work.query->had_answer || event == module_event_moddone;
    if (xnm_policy_decides_class(qstate->qinfo.qclass))
        decide(&work);
    else
        xnm_action_leave(&work);
    if (work.query->is_new && !work.query->had_answer)
        xnm_host_begin_next(qstate, id);
}

void xnm_answer_inform_super(struct module_qstate *sub, int id, struct module_qstate *super)
{
    if (super->minfo[id])
        xnm_action_inform(sub, sub->minfo[id], super, super->minfo[id]);
}

void xnm_answer_clear(struct module_qstate *qstate, int id)
{
    if (qstate->minfo[id])
        xnm_action_clear(qstate, qstate->minfo[id]);
    qstate->minfo[id] = NULL;
}

/* --- what an upstream says --- */

/* No rule matched the query, by the policy that is in force now, and there is nothing else in the
 * response: the answer of almost every query. */
static bool is_known_to_be_allowed(const struct xnm_work *work, const struct dns_msg *response)
{
    const struct query_info *asked = &work->qstate->qinfo;
    const struct xnm_query *query = work->query;

    return query->decided && !query->matched && query->generation == work->generation &&
           !query->chain_kept_out && !xnm_synthesis_answers(asked->qtype) &&
           !xnm_message_has_chain(response->rep) && asked->qtype == response->qinfo.qtype &&
           asked->qname_len == response->qinfo.qname_len &&
           memcmp(asked->qname, response->qinfo.qname, asked->qname_len) == 0;
}

/* A response is stored under the name that it was asked by: the query's, an alias's target, or, by
 * QNAME minimisation, a name above them. That it is refused is of no matter to the next response,
 * but a refused chain is to all that follow. */
static bool must_not_be_stored(struct xnm_work *work, const struct dns_msg *response)
{
    if (work->query->chain_kept_out)
        return true;
    decide_answer(work, &work->qstate->qinfo, response->rep);
    work->query->chain_kept_out = is_refused(work);
    decide_answer(work, &response->qinfo, response->rep);
    return work->query->chain_kept_out || is_refused(work);
}

/* Has the iterator come to a stub or forward zone with no-cache? Then what it says holds for all
 * that follows, and is not to be taken back with what is said here. It forbids to look into the
 * cache, too, by which it is told. */
static bool is_cache_forbidden(const struct module_qstate *qstate)
{
    return qstate->no_cache_lookup;
}

static void let_be_stored(struct module_qstate *qstate)
{
    if (!is_cache_forbidden(qstate))
        qstate->no_cache_store = 0;
}

/* What one response was kept out for is over; subnetcache may keep the next one out, once it is
 * here. */
void xnm_answer_look_at_upstream_query(struct module_qstate *qstate, int id)
{
    struct xnm_query *query = qstate->minfo[id];

    if (!query || !is_one_response_kept_out(query))
        return;
    query->kept_out = false;
    let_be_stored(qstate);
}

void xnm_answer_look_at_response(struct xnm_state *state, struct module_qstate *qstate, int id,
                                 struct dns_msg *response)
{
    struct xnm_work work;

    begin(&work, state, qstate, id);
    if (!xnm_state_has_policy(state) || !response || !response->rep ||
        !xnm_policy_decides_class(qstate->qinfo.qclass) || !(work.query = query_of(qstate, id)) ||
        (qstate->no_cache_store && !work.query->kept_out))
        return;
    if (xnm_message_is_referral(response->rep)) {
        let_be_stored(qstate);
        return;
    }
    work.generation = xnm_reload_generation();
    if (is_known_to_be_allowed(&work, response)) {
        work.query->kept_out = false;
        return;
    }
    work.policy = xnm_reload_enter(&work.generation);
    work.query->kept_out = work.policy && xnm_policy_changes_answers(work.policy) &&
                           must_not_be_stored(&work, response);
    xnm_reload_leave();
    if (!work.query->kept_out)
        return;
    qstate->no_cache_store = 1;
    if (!xnm_work_clients(qstate) && !is_cache_forbidden(qstate))
        xnm_host_store_records(qstate, response);
}

/* --- for the log --- */

/* With it what it says of what matched, which may not be what the log rules matched. */
static void forget_verdict(struct xnm_decision *decision)
{
    decision->verdict = NULL;
    decision->name.len = 0;
    decision->lookalike = NULL;
    decision->label = 0;
    decision->target = 0;
}

/* What the cache gave is not refused, whatever a policy says that has come since. */
static bool decide_hit(struct xnm_state *state, const struct xnm_policy *policy,
                       const struct xnm_host_call *call, struct xnm_match *match)
{
    struct xnm_work work;

    begin(&work, state, NULL, 0);
    work.policy = policy;
    if (!decide_answer(&work, call->qinfo, call->rep))
        return false;
    if (is_refused(&work))
        forget_verdict(&work.decision);
    if (!work.decision.verdict && work.decision.log_count == 0)
        return false;
    xnm_match_from(policy, &work.decision, is_log_only(&work), match);
    return true;
}

static bool match_hit(struct xnm_state *state, const struct xnm_host_call *call,
                      struct xnm_match *match)
{
    bool log_only = xnm_state_config(state)->policy_mode == XNM_POLICY_LOG_ONLY;

    if (!log_only && !xnm_reload_has_quiet_rules())
        return false;
    const struct xnm_policy *policy = xnm_reload_enter(NULL);
    bool matched = policy && decide_hit(state, policy, call, match);
    xnm_reload_leave();
    return matched;
}

/* Names that local zones and RPZ zones of Unbound's own answer never come to the policy. */
bool xnm_answer_match(struct xnm_state *state, const struct xnm_host_call *call, int id,
                      struct xnm_match *match)
{
    if (!call->qinfo || !call->qinfo->qname || !xnm_policy_decides_class(call->qinfo->qclass) ||
        call->origin == XNM_FROM_LOCAL)
        return false;
    if (!call->qstate)
        return match_hit(state, call, match);
    const struct xnm_query *query = call->qstate->minfo[id];
    if (!query || !query->match)
        return false;
    *match = *query->match;
    return true;
}
