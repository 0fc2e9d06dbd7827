/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/answer.h"

#include "module/load/reload.h"
#include "module/unbound/action.h"
#include "module/unbound/alias.h"
#include "module/unbound/cachedb.h"
#include "module/unbound/message.h"
#include "module/unbound/synthesis.h"
#include "module/unbound/upstream.h"
#include "module/unbound/waiting.h"

#include <services/cache/dns.h>
#include <services/mesh.h>
#include <sldns/rrdef.h>
#include <util/data/dname.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/netevent.h>
#include <util/regional.h>

/* --- queries --- */

struct xnm_query *xnm_work_query(struct module_qstate *qstate, int id)
{
    if (!qstate->minfo[id])
        qstate->minfo[id] = regional_alloc_zero(qstate->region, sizeof(struct xnm_query));
    return qstate->minfo[id];
}

/* Does not assign = {…}: chain and decision have 2.6 kB, of which almost every query uses almost
 * nothing, and what is used is written first. */
void xnm_work_begin(struct xnm_work *work, struct xnm_state *state, struct module_qstate *qstate,
                    int id)
{
    struct mesh_reply *client = qstate ? qstate->mesh_info->reply_list : NULL;

    work->state = state;
    work->qstate = qstate;
    work->id = id;
    work->query = NULL;
    work->asker = client ? &client->query_reply.client_addr : NULL;
    work->policy = NULL;
    work->generation = 0;
    xnm_message_begin_chain(&work->chain);
    work->decision.verdict = NULL;
    work->decision.log_count = 0;
    work->decision.personal = false;
}

bool xnm_work_is_log_only(const struct xnm_work *work)
{
    return xnm_state_config(work->state)->policy_mode == XNM_POLICY_LOG_ONLY;
}

bool xnm_work_is_refused(const struct xnm_work *work)
{
    return !xnm_work_is_log_only(work) && xnm_decision_changes_answer(&work->decision);
}

bool xnm_work_is_personal(const struct xnm_work *work)
{
    return work->decision.personal && !xnm_work_is_log_only(work);
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
        xnm_match_from(work->policy, &work->decision, xnm_work_is_log_only(work), query->match);
}

/* --- chains --- */

static void add_client(struct xnm_work *work, struct xnm_question *question)
{
    if (work->asker && xnm_policy_has_audiences(work->policy) &&
        xnm_client_of(work->asker, &work->client))
        question->client = &work->client;
}

bool xnm_work_decide_chain(struct xnm_work *work)
{
    struct xnm_wirename looked_up;
    struct xnm_question question = xnm_synthesis_question(&work->qstate->qinfo, NULL, &looked_up);

    add_client(work, &question);
    question.from_a = work->query->from_a;
    work->chain.next = 0;
    return xnm_policy_decide_answer(work->policy, &question, xnm_alias_chain_next, &work->chain,
                                    &work->decision);
}

bool xnm_work_decide_answer(struct xnm_work *work, const struct query_info *info,
                            const struct reply_info *rep)
{
    struct xnm_wirename looked_up;
    struct xnm_question question = xnm_synthesis_question(info, rep, &looked_up);
    struct xnm_message_walk walk = {rep, 0, info->qname};

    add_client(work, &question);
    if (work->query)
        work->query->from_a = question.from_a;
    if (!rep || !xnm_message_has_chain(rep, info->qname))
        return xnm_policy_decide(work->policy, &question, &work->decision);
    return xnm_policy_decide_answer(work->policy, &question, xnm_message_next_target, &walk,
                                    &work->decision);
}

bool xnm_work_forbids_cache(struct xnm_work *work, const struct query_info *info,
                            const struct reply_info *rep)
{
    xnm_work_decide_answer(work, info, rep);
    return xnm_work_is_refused(work) || xnm_work_is_personal(work) ||
           xnm_message_refuses_additional(work->policy, rep);
}

/* --- before, behind and between the other modules --- */

/* Does the name's cached alias lead to a refused name? */
static bool is_refused_by_caches(struct xnm_work *work)
{
    xnm_alias_from_caches(work->qstate, &work->chain);
    if (work->chain.count == 0)
        return false;
    if (work->chain.is_longer)
        xnm_query_keep_out(work->qstate, work->query);
    bool matched = xnm_work_decide_chain(work);

    work->query->personal |= xnm_work_is_personal(work);
    return matched && xnm_work_is_refused(work) &&
           xnm_alias_chain_cut(&work->chain, work->decision.target);
}

/* Keeps the resolver's answer for other queries that wait for this one. */
static void keep_original(struct xnm_work *work)
{
    work->query->replaced = true;
    work->query->original_rcode = work->qstate->return_rcode;
    work->query->original = work->qstate->return_msg;
}

/* Lets a decision that is the first client's alone be given to that client alone. The others go to
 * queries of their own; so does the first, if something in Unbound waits, too. False: there was no
 * room for all, and those who remain get SERVFAIL. */
static bool part_clients(struct xnm_work *work)
{
    work->query->personal = true;
    if (!xnm_waiting_is_shared(work->qstate) || xnm_waiting_part(work->qstate, work->id))
        return true;
    if (work->query->had_answer)
        keep_original(work);
    work->query->match = NULL;
    xnm_action_fail(work);
    return false;
}

static void look_at_query(struct xnm_work *work)
{
    bool matched = xnm_work_decide_answer(work, &work->qstate->qinfo, NULL);

    work->query->personal |= xnm_work_is_personal(work);
    work->chain.count = 0;
    if (xnm_policy_changes_answers(work->policy) && !xnm_decision_refuses(&work->decision) &&
        !xnm_work_is_log_only(work)) {
        if (is_refused_by_caches(work))
            matched = true;
        else if (work->chain.count > 0) /* another decision has taken the place of the name's */
            matched = xnm_work_decide_answer(work, &work->qstate->qinfo, NULL);
    }
    note_match(work, matched);
    if (work->query->personal) {
        xnm_waiting_close(work->qstate);
        xnm_query_keep_out(work->qstate, work->query);
        if (!part_clients(work))
            return;
    }
    if (xnm_work_is_refused(work) && xnm_work_clients(work->qstate))
        xnm_action_do(work);
    else
        xnm_action_leave(work);
}

/* Unbound's own lookup: whatever its cached alias leads to, the iterator would store it, and a slow
 * key keep it in the cache until look_at_answer. */
static void look_at_internal(struct xnm_work *work)
{
    if (xnm_policy_changes_answers(work->policy) && !xnm_work_is_log_only(work) &&
        (is_refused_by_caches(work) || work->query->personal))
        xnm_query_keep_chain_out(work->qstate, work->query);
    xnm_action_leave(work);
}

/* Removes the query's answer from Unbound's message cache, and what it has changed there. */
static void drop_answer(struct module_qstate *qstate)
{
    xnm_alias_unshare(qstate);
    xnm_message_remove_from_cache(qstate->env, &qstate->qinfo);
}

/* The validator stores an answer to another question as what it is. The callback keeps it out if
 * need be; but if dns64 then lets the query run again, subnetcache has let it be stored. */
static void drop_other(struct xnm_work *work)
{
    const struct dns_msg *message = work->qstate->return_msg;

    if (message && message->rep && !xnm_work_is_log_only(work) &&
        xnm_message_is_for_another(message, &work->qstate->qinfo) &&
        xnm_work_forbids_cache(work, &message->qinfo, message->rep))
        xnm_message_remove_from_cache(work->qstate->env, &message->qinfo);
}

/* respip may have changed the answer for some clients only, by their tags. */
static bool has_respip_acted(const struct xnm_work *work)
{
    const struct respip_action_info *action = work->qstate->respip_action_info;

    return action && action != work->query->truncation;
}

/* Has the chain the refused name's alias? respip may have left it out. */
static bool ends_with_target(const struct xnm_work *work)
{
    const struct xnm_alias_chain *chain = &work->chain;
    const struct xnm_wirename *target = &work->decision.target_name;

    return chain->count > 0 && query_dname_compare((uint8_t *)chain->links[chain->count - 1].rdata,
                                                   (uint8_t *)target->octets) == 0;
}

/* Refuses an answer whose chain leads to a refused name. */
static void refuse_chain(struct xnm_work *work, const struct reply_info *rep)
{
    xnm_message_chain(rep, &work->chain);
    if (xnm_alias_chain_cut(&work->chain, work->decision.target) && ends_with_target(work))
        xnm_action_do(work);
    else
        xnm_action_fail(work);
}

/* Clears the truncation, unless respip has put its own in its place. */
static void forget_truncation(struct xnm_work *work)
{
    if (work->query->truncation && work->qstate->respip_action_info == work->query->truncation)
        work->qstate->respip_action_info = NULL;
    work->query->truncation = NULL;
}

static bool is_answer_kept_out(const struct xnm_work *work)
{
    return xnm_query_is_one_response_kept_out(work->query) && !has_respip_acted(work);
}

/* For records that the response's callback has not checked (from another cache, or from before a
 * swap), or has left to a query without clients. Returns whether refused ones are left to it now,
 * so that it must not be stored. */
static bool drop_additional(struct xnm_work *work)
{
    struct dns_msg *message = work->qstate->return_msg;

    if (!message || !message->rep || xnm_work_is_log_only(work) ||
        !xnm_message_refuses_additional(work->policy, message->rep))
        return false;
    xnm_message_remove_from_cache(work->qstate->env, &work->qstate->qinfo);
    if (!xnm_work_clients(work->qstate))
        return true;
    xnm_message_drop_additional(work->policy, message->rep);
    return false;
}

/* Internal lookups keep their answer, which Unbound needs: a name server's address, a key. */
static void look_at_answer(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct reply_info *rep = qstate->return_msg ? qstate->return_msg->rep : NULL;

    drop_other(work);
    bool matched = xnm_work_decide_answer(work, &qstate->qinfo, rep);

    work->chain.count = 0;
    bool must_stay_out = drop_additional(work);
    work->query->personal |= xnm_work_is_personal(work);
    if (xnm_work_is_refused(work) || work->query->personal ||
        (!xnm_work_is_log_only(work) && xnm_alias_is_displaced(qstate, rep)))
        drop_answer(qstate);
    else if (is_answer_kept_out(work) && !must_stay_out)
        xnm_host_store_answer(qstate);
    if (xnm_work_is_personal(work) && !part_clients(work))
        return;
    if (xnm_work_clients(qstate)) {
        forget_truncation(work);
        note_match(work, matched);
    }
    if (!xnm_work_clients(qstate) || !xnm_work_is_refused(work)) {
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

/* An ended iterator leaves no real answer. Decides the chain for which it was ended, by the policy
 * now in force. If that no longer refuses it, the query begins anew. */
static void look_at_end(struct xnm_work *work)
{
    drop_answer(work->qstate);
    if (!xnm_work_clients(work->qstate)) {
        xnm_action_leave(work);
        return;
    }
    bool matched = false;

    if (work->policy && work->query->chain) {
        work->chain = *work->query->chain;
        matched = xnm_work_decide_chain(work);
    }
    if (work->query->records)
        xnm_host_store_records(work->qstate, work->query->records);
    work->query->records = NULL;
    forget_truncation(work);
    if (xnm_work_is_personal(work) && !part_clients(work))
        return;
    if (!matched || !xnm_work_is_refused(work) || !xnm_work_clients(work->qstate)) {
        xnm_action_begin_anew(work);
        return;
    }
    note_match(work, matched);
    keep_original(work);
    if (xnm_alias_chain_cut(&work->chain, work->decision.target))
        xnm_action_do(work);
    else
        xnm_action_fail(work);
}

/* The policy may have changed while the target was looked up. */
static void resume(struct xnm_work *work)
{
    work->chain = *work->query->chain;
    bool matched = xnm_work_decide_chain(work);

    note_match(work, matched);
    if (xnm_work_is_personal(work) && !part_clients(work))
        return;
    bool has_clients = xnm_work_clients(work->qstate);
    if (has_clients && xnm_work_is_refused(work) && work->decision.verdict->action == XNM_CNAME &&
        xnm_alias_chain_cut(&work->chain, work->decision.target)) {
        xnm_action_do(work);
        return;
    }
    work->query->stage = XNM_STAGE_BELOW;
    if (work->query->ended && has_clients)
        look_at_end(work);
    else if (work->query->ended)
        xnm_action_begin_anew(work);
    else if (work->query->had_answer)
        look_at_answer(work);
    else if (has_clients)
        look_at_query(work);
    else
        xnm_action_leave(work);
}

static bool is_settled(const struct xnm_work *work)
{
    const struct xnm_query *query = work->query;
    const struct dns_msg *message = work->qstate->return_msg;

    return query->decided && query->generation == work->generation && !query->personal &&
           !query->truncation && !query->kept_out &&
           !xnm_synthesis_answers(work->qstate->qinfo.qtype) &&
           !(message && message->rep &&
             (xnm_message_is_for_another(message, &work->qstate->qinfo) ||
              xnm_message_has_chain(message->rep, work->qstate->qinfo.qname) ||
              xnm_message_has_additional(message->rep)));
}

static void look(struct xnm_work *work)
{
    struct xnm_query *query = work->query;

    if (work->policy && query->stage == XNM_STAGE_ARRIVED)
        resume(work);
    else if (query->ended && query->had_answer)
        look_at_end(work);
    else if (work->policy && query->had_answer)
        look_at_answer(work);
    else if (work->policy && !query->had_answer && xnm_work_clients(work->qstate))
        look_at_query(work);
    else if (work->policy && !query->had_answer)
        look_at_internal(work);
    else
        xnm_action_leave(work);
}

/* Whoever else waits for this query gets the resolver's own answer: a refusal is for clients,
 * whatever in Unbound asks. If there is none, since the iterator was ended or has not begun (the
 * policy's own alias came first), the query begins anew for them. */
static void give_original(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    struct xnm_query *query = work->query;

    if (!(query->made || query->replaced) || qstate->ext_state[work->id] != module_finished ||
        !xnm_host_is_waited_for(qstate))
        return;
    xnm_host_send_replies(qstate);
    if (query->ended || !query->replaced) {
        xnm_action_begin_anew(work);
        return;
    }
    query->replaced = false;
    query->made = false;
    qstate->return_rcode = query->original_rcode;
    qstate->return_msg = query->original;
}

static void decide(struct xnm_work *work)
{
    work->generation = xnm_reload_generation(xnm_state_force(work->state));
    if (work->query->had_answer && work->query->stage == XNM_STAGE_BELOW && is_settled(work)) {
        xnm_action_leave(work); /* nearly all */
        return;
    }
    work->policy = xnm_reload_enter(xnm_state_force(work->state), &work->generation);
    look(work);
    xnm_reload_leave();
    give_original(work);
}

void xnm_answer_operate(struct xnm_state *state, struct module_qstate *qstate, int event, int id)
{
    struct xnm_work work;

    xnm_work_begin(&work, state, qstate, id);
    if (event != module_event_new && event != module_event_pass && event != module_event_moddone) {
        xnm_host_pass_on(qstate, event, id);
        return;
    }
    work.query = xnm_work_query(qstate, id);
    if (!work.query) {
        qstate->ext_state[id] = module_error;
        return;
    }
    if (work.query->stage == XNM_STAGE_WAITING)
        return; /* another sub-query has ended */
    work.query->is_new = work.query->is_new || event == module_event_new;
    work.query->had_answer = work.query->had_answer || event == module_event_moddone;
    const bool decides = xnm_policy_decides_class(qstate->qinfo.qclass);
    if (decides)
        decide(&work);
    else
        xnm_action_leave(&work);
    if (work.query->had_answer)
        return;
    if (work.query->is_new)
        xnm_host_begin_next(qstate, id);
    if (decides)
        xnm_cachedb_run(&work);
}

void xnm_answer_inform_super(struct module_qstate *sub, int id, struct module_qstate *super)
{
    if (super->minfo[id])
        xnm_action_inform(sub, super, super->minfo[id]);
}

/* A query may end before its answer was decided: Unbound drops it to make room for others, or it is
 * a sub-query that dns64 began at itself. What has been stored for it must not stay. */
void xnm_answer_clear(struct module_qstate *qstate, int id)
{
    const struct xnm_query *query = qstate->minfo[id];

    if (!query)
        return;
    if (!query->made && !query->had_answer)
        drop_answer(qstate);
    xnm_action_clear(qstate, query);
    qstate->minfo[id] = NULL;
}
