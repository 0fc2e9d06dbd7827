/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/answer.h"

#include "module/answer/response.h"
#include "module/load/reload.h"
#include "module/unbound/callback.h"
#include "module/unbound/daemon.h"
#include "module/unbound/message.h"
#include "module/unbound/qstate.h"
#include "module/unbound/reason.h"
#include "module/unbound/upstream.h"

#include <services/cache/dns.h>
#include <services/mesh.h>
#include <sldns/rrdef.h>
#include <util/data/dname.h>
#include <util/data/msgreply.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/netevent.h>
#include <util/regional.h>

/* --- carrying out --- */

/* Clears is_drop, which respip may have set for the answer that this one replaces. */
static void finish(struct xnm_qstate_work *work, int rcode, struct dns_msg *message)
{
    work->query->before = work->query->state;
    work->query->state = XNM_QSTATE_DONE;
    work->query->answer = XNM_QSTATE_BY_POLICY;
    work->qstate->is_drop = 0;
    work->qstate->return_rcode = rcode;
    work->qstate->return_msg = message;
    work->qstate->ext_state[work->id] = module_finished;
}

/* Passes the query on to the next module: BELOW. */
static void pass_down(struct xnm_qstate_work *work)
{
    work->query->state = XNM_QSTATE_BELOW;
    work->query->answer = XNM_QSTATE_BY_RESOLVER;
    xnm_daemon_pass_on(work->qstate, module_event_new, work->id);
}

/* Passes the resolver's answer back: DONE. */
static void pass_up(struct xnm_qstate_work *work)
{
    work->query->state = XNM_QSTATE_DONE;
    work->query->answer = XNM_QSTATE_BY_RESOLVER;
    xnm_daemon_pass_on(work->qstate, module_event_moddone, work->id);
}

/* Answers SERVFAIL: DONE. */
static void fail(struct xnm_qstate_work *work)
{
    finish(work, LDNS_RCODE_SERVFAIL, NULL);
}

/* Before 1.25.0 the mesh counts dropped clients as still waiting; if there are enough, it drops
 * clients that join other queries. */
void xnm_answer_clear(struct module_qstate *qstate, int id)
{
    const struct xnm_qstate *query = qstate->minfo[id];
    struct mesh_area *mesh = qstate->env->mesh;

    if (query && query->answer == XNM_QSTATE_DROPPED && mesh->num_reply_addrs > query->clients_left)
        mesh->num_reply_addrs = query->clients_left;
}

/* Undoes what was done to the query for an answer that is no longer wanted, as mesh_state_create
 * (services/mesh.c) leaves a new one, and makes the modules after this one
 * resolve it from the beginning: BELOW. */
static void restart(struct xnm_qstate_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct module_stack *modules = &qstate->env->mesh->mods;

    for (int behind = work->id + 1; behind < modules->num; behind++) {
        modules->mod[behind]->clear(qstate, behind);
        qstate->minfo[behind] = NULL;
        qstate->ext_state[behind] = module_state_initial;
    }
    xnm_answer_clear(qstate, work->id);
    *work->query = (struct xnm_qstate){.is_first = work->query->is_first,
                                       .is_client_specific = work->query->is_client_specific};
    qstate->no_cache_lookup = qstate->no_cache_store = 0;
    qstate->need_refetch = qstate->was_ratelimited = 0;
    qstate->errinf = NULL;
    qstate->blacklist = NULL;
    qstate->mesh_info->replies_sent = 0; /* clients may join again */
    qstate->edns_opts_front_out = NULL;  /* the policy's extended error, subnetcache's option */
    qstate->respip_action_info = NULL;
    qstate->is_drop = 0;
    qstate->return_rcode = LDNS_RCODE_NOERROR;
    qstate->return_msg = NULL;
    pass_down(work);
}

/* Looks up the alias's target in a sub-query of our own, which the policy does not decide. The
 * query continues after xnm_answer_take_target. What the cache has for the refused name is removed:
 * Unbound could serve it as expired while the query waits. */
static void wait_for_target(struct xnm_qstate_work *work, const struct xnm_response *response)
{
    struct module_qstate *qstate = work->qstate;
    struct xnm_qstate *query = work->query;
    struct query_info *target = &query->target;

    *target = qstate->qinfo;
    target->qclass =
        LDNS_RR_CLASS_IN; /* for class ANY, too, which is answered with records of IN */
    target->local_alias = NULL;
    target->qname_len = response->alias.len;
    target->qname =
        regional_alloc_init(qstate->region, response->alias.octets, response->alias.len);
    if (!target->qname || !xnm_daemon_attach_sub(qstate, target)) {
        fail(work);
        return;
    }
    xnm_message_remove_from_cache(qstate->env, &qstate->qinfo);
    query->before = query->state;
    query->state = XNM_QSTATE_TARGET;
    query->has_target = false;
    qstate->ext_state[work->id] = module_wait_subquery;
}

static void answer_with(struct xnm_qstate_work *work, const struct xnm_response *response)
{
    const struct reply_info *target = response->follow_alias ? work->query->target_rep : NULL;
    struct dns_msg *message = xnm_message_make(work->qstate, response, target);

    if (!message) {
        fail(work);
        return;
    }
    if (target)
        xnm_message_drop_additional(work->policy, message->rep); /* which its server sent */
    xnm_reason_make(work, message->rep);
    finish(work, LDNS_RCODE_NOERROR, message);
}

static bool has_arrived(const struct xnm_qstate *query, const struct xnm_response *response)
{
    return query->has_target && query->target.qname_len == response->alias.len &&
           query_dname_compare(query->target.qname, (uint8_t *)response->alias.octets) == 0;
}

static void answer(struct xnm_qstate_work *work)
{
    const struct query_info *info = &work->qstate->qinfo;
    const struct xnm_question question = {.qname = info->qname,
                                          .qname_len = info->qname_len,
                                          .qtype = info->qtype,
                                          .qclass = info->qclass};
    struct xnm_qstate *query = work->query;
    struct xnm_response response;

    xnm_response_make(xnm_policy_settings(work->policy), &work->decision, &question, &work->chain,
                      &response);
    if (response.follow_alias && !has_arrived(query, &response)) {
        wait_for_target(work, &response);
    } else if (response.follow_alias && !query->target_rep) {
        finish(work, query->target_rcode, NULL);
    } else if (response.set_count == 0) {
        xnm_reason_make(work, NULL);
        finish(work, response.rcode, NULL);
    } else {
        answer_with(work, &response);
    }
}

/* The message is empty rather than absent, because without one Unbound crashes if another query
 * waits for this one. */
static struct dns_msg *make_truncated(const struct xnm_qstate_work *work)
{
    static const struct xnm_response empty;
    struct dns_msg *message = xnm_message_make(work->qstate, &empty, NULL);

    if (message)
        message->rep->flags |= BIT_TC;
    return message;
}

/* Leaves the resolver's own answer, which the gate decides for each client. */
static void leave_to_gate(struct xnm_qstate_work *work)
{
    if (work->query->state == XNM_QSTATE_BELOW)
        pass_up(work);
    else if (work->query->state == XNM_QSTATE_ENDED)
        restart(work);
    else
        pass_down(work);
}

/* Clients on UDP get no records, so that no server is asked for them alone. */
static void truncate_on_udp(struct xnm_qstate_work *work)
{
    if (work->query->state != XNM_QSTATE_BELOW && xnm_qstate_is_on_udp(work->qstate))
        finish(work, LDNS_RCODE_NOERROR, make_truncated(work));
    else
        leave_to_gate(work);
}

static void log_drop(struct xnm_qstate_work *work, const struct mesh_reply *client)
{
    struct module_qstate *qstate = work->qstate;
    struct query_info info = qstate->qinfo;
    struct mesh_reply waiting = *client;
    struct xnm_reply reply;

    info.qname = waiting.qname;
    info.local_alias = waiting.local_alias;
    const struct xnm_callback call = {
        XNM_FROM_RESOLUTION, &info, qstate, NULL,         0, &waiting.query_reply,
        &waiting.start_time, NULL,  NULL,   &waiting.edns};
    if (!xnm_callback_read_question(&call, &reply))
        return;
    xnm_callback_read_answer(xnm_state_forwarders(work->state), &call, &reply);
    reply.rcode = XNM_NO_RCODE;
    reply.rcode_name = NULL;
    reply.has_flags = false;
    reply.next_answer = NULL;
    reply.match = work->query->match;
    xnm_state_reply(work->state, &reply);
}

/* The connection is not closed, because other clients behind a forwarder share it. */
static void drop(struct xnm_qstate_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct mesh_reply *clients = xnm_qstate_clients(qstate);

    if (!xnm_qstate_is_on_udp(qstate)) {
        xnm_reason_make(work, NULL);
        finish(work, LDNS_RCODE_REFUSED, NULL);
        return;
    }
    work->query->clients_left = qstate->env->mesh->num_reply_addrs;
    for (const struct mesh_reply *client = clients; client; client = client->next) {
        log_drop(work, client);
        work->query->clients_left--;
    }
    finish(work, LDNS_RCODE_REFUSED, NULL);
    work->query->answer = XNM_QSTATE_DROPPED;
    qstate->is_drop = 1;
}

/* No default, so that the compiler asks here what a new action does. */
static void carry_out(struct xnm_qstate_work *work)
{
    switch (work->decision.answer->action) {
    case XNM_NXDOMAIN:
    case XNM_NODATA:
    case XNM_REFUSE:
    case XNM_REDIRECT:
    case XNM_CNAME:
    case XNM_ANSWER:
        answer(work);
        break;
    case XNM_DROP:
        drop(work);
        break;
    case XNM_TCP_ONLY:
        truncate_on_udp(work);
        break;
    case XNM_PASSTHRU: /* these change no answer, so no caller asks for them */
    case XNM_LOG:
    case XNM_ACTION_NONE:
    case XNM_ACTION_COUNT:
        fail(work);
        break;
    }
}

/* Carries out a decision that changes answers: DONE, TARGET, or BELOW. work->chain ends with the
 * CNAME that leads to the refused name; it is empty if the query name is refused. If several
 * clients wait and the decision is client-specific, the resolver answers, and the gate decides for
 * each. */
static void act(struct xnm_qstate_work *work)
{
    if (!work->query->is_client_specific || !xnm_qstate_clients(work->qstate)->next) {
        carry_out(work);
        return;
    }
    work->query->match = NULL; /* the first client's */
    leave_to_gate(work);
}

/* --- a query begins --- */

/* Decides the aliases that the caches have for the name, after the name itself (`matched`). If they
 * do not lead to a refused name, the decision is about the name again. Returns whether any rule
 * matched. */
static bool decide_cached_aliases(struct xnm_qstate_work *work, bool matched)
{
    xnm_upstream_cached_aliases(work->qstate, &work->chain);
    if (work->chain.count == 0)
        return matched;
    bool chain_matched = xnm_qstate_decide_chain(work);
    xnm_qstate_note_client_specific(work);
    if (chain_matched && xnm_qstate_is_refused(work) &&
        xnm_aliaschain_cut(&work->chain, work->decision.target))
        return true;
    return xnm_qstate_decide_answer(work, &work->qstate->qinfo, NULL);
}

/* NEW to BELOW if the query is allowed or internal; else as act() says. The aliases in the
 * caches are decided only to save questions to servers. */
static void begin(struct xnm_qstate_work *work)
{
    struct module_qstate *qstate = work->qstate;

    work->query->state = XNM_QSTATE_NEW;
    if (!work->policy || !xnm_qstate_clients(qstate)) {
        pass_down(work);
        return;
    }
    bool matched = xnm_qstate_decide_answer(work, &qstate->qinfo, NULL);
    if (!xnm_decision_refuses(&work->decision) && xnm_policy_changes_answers(work->policy) &&
        !xnm_state_is_log_only(work->state))
        matched = decide_cached_aliases(work, matched);
    if (work->decision.target == 0)
        work->chain.count = 0;
    xnm_qstate_note(work, matched);
    if (work->query->is_client_specific)
        xnm_daemon_close(qstate);
    if (xnm_qstate_is_refused(work))
        act(work);
    else
        pass_down(work);
}

/* --- its answer comes --- */

/* Returns whether the chain ends with the alias to the refused name, which respip may have removed.
 */
static bool ends_with_target(const struct xnm_qstate_work *work)
{
    const struct xnm_aliaschain *chain = &work->chain;
    const struct xnm_wirename *target = &work->decision.target_name;

    return chain->count > 0 && query_dname_compare((uint8_t *)chain->links[chain->count - 1].rdata,
                                                   (uint8_t *)target->octets) == 0;
}

/* Refuses the resolver's answer, and keeps it for serve_unbound(). */
static void refuse_answer(struct xnm_qstate_work *work, const struct reply_info *rep)
{
    work->query->original_rcode = work->qstate->return_rcode;
    work->query->original = work->qstate->return_msg;
    if (work->decision.target > 0)
        xnm_message_chain(rep, &work->chain);
    if (work->decision.target == 0 ||
        (xnm_aliaschain_cut(&work->chain, work->decision.target) && ends_with_target(work)))
        act(work);
    else
        fail(work);
}

/* Returns whether the answer remains the resolver's: the client may have it, or no client gets its
 * chain (SERVFAIL), or several clients wait, for each of which the gate decides it. */
static bool is_left_alone(struct xnm_qstate_work *work, const struct reply_info *rep)
{
    const struct mesh_reply *clients = xnm_qstate_clients(work->qstate);

    if (!clients || !xnm_qstate_is_refused(work))
        return true;
    return (work->decision.target > 0 && xnm_message_is_withheld(work->qstate, rep)) ||
           (work->query->is_client_specific && clients->next);
}

/* BELOW to DONE if the answer is allowed or internal; else as act() says. Other modules
 * have stored it: if a client may not have it, it is removed, so that refused hits are rare. */
static void take_answer(struct xnm_qstate_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct reply_info *rep = qstate->return_msg ? qstate->return_msg->rep : NULL;

    work->query->state = XNM_QSTATE_BELOW;
    if (!work->policy) {
        pass_up(work);
        return;
    }
    bool matched = xnm_qstate_decide_answer(work, &qstate->qinfo, rep);
    work->chain.count = 0;
    xnm_qstate_note_client_specific(work);
    if (work->query->is_client_specific ||
        (!xnm_state_is_log_only(work->state) && xnm_decision_refuses(&work->decision)))
        xnm_message_remove_from_cache(qstate->env, &qstate->qinfo);
    if (xnm_qstate_clients(qstate))
        xnm_qstate_note(work, matched);
    if (!is_left_alone(work, rep)) {
        refuse_answer(work, rep);
        return;
    }
    if (xnm_qstate_is_refused(work))
        work->query->match = NULL; /* the log line is the gate's, or a failure's */
    pass_up(work);
}

/* An ended iterator leaves no real answer. The chain at which it was ended is decided by the policy
 * now in force. ENDED to BELOW, from the beginning, if that no longer refuses it; to DONE if no
 * client is left; else as act() says. */
static void take_end(struct xnm_qstate_work *work)
{
    struct xnm_qstate *query = work->query;
    bool matched = false;

    query->state = XNM_QSTATE_ENDED;
    if (!xnm_qstate_clients(work->qstate)) {
        pass_up(work);
        return;
    }
    if (work->policy && query->chain) {
        work->chain = *query->chain;
        matched = xnm_qstate_decide_chain(work);
        xnm_qstate_note_client_specific(work);
    }
    if (query->records)
        xnm_daemon_store_records(work->qstate, query->records);
    query->records = NULL;
    if (!matched || !xnm_qstate_is_refused(work)) {
        restart(work);
        return;
    }
    xnm_qstate_note(work, matched);
    if (xnm_aliaschain_cut(&work->chain, work->decision.target))
        act(work);
    else
        fail(work);
}

/* --- the target of the policy's alias comes --- */

/* The event of the state before is taken again. If the decision is the same, the target is there
 * now: DONE. */
static void take_target(struct xnm_qstate_work *work)
{
    struct xnm_qstate *query = work->query;

    if (!query->has_target)
        return; /* another sub-query has ended */
    query->state = query->before;
    if (query->state == XNM_QSTATE_BELOW)
        take_answer(work);
    else if (query->state == XNM_QSTATE_ENDED && xnm_qstate_clients(work->qstate))
        take_end(work);
    else if (query->state == XNM_QSTATE_ENDED)
        restart(work);
    else
        begin(work);
}

/* --- the table --- */

enum event {
    BEGIN, /* Unbound begins the query, or runs this module again */
    ANSWER /* the modules after this one are done */
};
enum { EVENTS = ANSWER + 1 };
typedef void step(struct xnm_qstate_work *work);

static step *const steps[XNM_QSTATE_STATES][EVENTS] = {
    [XNM_QSTATE_NEW] = {[BEGIN] = begin, [ANSWER] = take_answer},
    [XNM_QSTATE_BELOW] = {[BEGIN] = begin, [ANSWER] = take_answer},
    [XNM_QSTATE_ENDED] = {[BEGIN] = begin, [ANSWER] = take_end},
    [XNM_QSTATE_TARGET] = {[BEGIN] = take_target, [ANSWER] = take_target},
    [XNM_QSTATE_DONE] = {[BEGIN] = begin, [ANSWER] = take_answer},
};

/* DONE, and something in Unbound waits for the query: another query, or a callback (a zone
 * transfer, a trust anchor). A refusal is for clients, so they get their replies first; Unbound
 * gets the resolver's own answer. If there is none, since the iterator was ended or has
 * not begun, the query restarts. */
static void serve_unbound(struct xnm_qstate_work *work)
{
    struct module_qstate *qstate = work->qstate;
    struct xnm_qstate *query = work->query;

    if (query->answer == XNM_QSTATE_BY_RESOLVER || qstate->ext_state[work->id] != module_finished ||
        !xnm_daemon_is_waited_for(qstate))
        return;
    xnm_daemon_send_replies(qstate);
    if (query->before != XNM_QSTATE_BELOW) {
        restart(work);
        return;
    }
    xnm_answer_clear(qstate, work->id);
    query->answer = XNM_QSTATE_BY_RESOLVER;
    qstate->is_drop = 0;
    qstate->return_rcode = query->original_rcode;
    qstate->return_msg = query->original;
}

/* Returns whether the answer needs no decision. True for nearly all queries. */
static bool is_settled(const struct xnm_qstate_work *work, enum event event)
{
    const struct dns_msg *message = work->qstate->return_msg;

    return event == ANSWER && work->query->state == XNM_QSTATE_BELOW &&
           xnm_qstate_is_settled(work->query, &work->qstate->qinfo, message ? message->rep : NULL,
                                 xnm_policyhandle_generation(xnm_state_force(work->state)));
}

static void take(struct xnm_qstate_work *work, enum event event)
{
    const struct dns_msg *message = work->qstate->return_msg;
    bool settled = is_settled(work, event);

    work->query->settled = settled && message ? message->rep : NULL;
    if (settled) {
        pass_up(work);
    } else {
        work->policy = xnm_policyhandle_enter(xnm_state_force(work->state), &work->generation);
        steps[work->query->state][event](work);
        xnm_policyhandle_leave();
    }
    serve_unbound(work);
}

/* --- entry points --- */

/* Returns whether a sub-query is the one that wait_for_target() began: the query may also wait for
 * sub-queries of its iterator. */
static bool is_for_target(const struct module_qstate *sub, const struct module_qstate *super,
                          const struct query_info *target)
{
    return sub->qinfo.qtype == target->qtype && sub->qinfo.qclass == target->qclass &&
           !sub->is_priming && !sub->is_valrec &&
           (sub->query_flags & BIT_CD) == (super->query_flags & BIT_CD) &&
           query_dname_compare(sub->qinfo.qname, target->qname) == 0;
}

void xnm_answer_take_target(const struct module_qstate *sub, const struct module_qstate *super,
                            int id)
{
    const struct dns_msg *message = sub->return_msg;
    struct xnm_qstate *query = super->minfo[id];

    if (!query || query->state != XNM_QSTATE_TARGET || query->has_target ||
        !is_for_target(sub, super, &query->target))
        return;
    query->has_target = true;
    query->target_rcode = sub->return_rcode;
    query->target_rep = NULL;
    if (query->target_rcode == LDNS_RCODE_NOERROR && message && message->rep &&
        FLAGS_GET_RCODE(message->rep->flags) != LDNS_RCODE_SERVFAIL && /* from the cache */
        !xnm_message_is_withheld(sub, message->rep))
        query->target_rep = xnm_message_copy(message->rep, super->region);
    if (!query->target_rep && query->target_rcode == LDNS_RCODE_NOERROR)
        query->target_rcode = LDNS_RCODE_SERVFAIL;
}

void xnm_answer_operate(struct xnm_state *state, struct module_qstate *qstate, int event, int id)
{
    struct xnm_qstate_work work;

    xnm_qstate_begin_call(&work, state, qstate, id);
    if (event != module_event_new && event != module_event_pass && event != module_event_moddone) {
        xnm_daemon_pass_on(qstate, event, id);
        return;
    }
    work.query = xnm_qstate_of(qstate, id);
    if (!work.query) {
        qstate->ext_state[id] = module_error;
        return;
    }
    work.query->is_first |= event == module_event_new;
    if (xnm_policy_decides_class(qstate->qinfo.qclass))
        take(&work, event == module_event_moddone ? ANSWER : BEGIN);
    else
        xnm_daemon_pass_on(qstate, event, id);
    if (work.query->is_first)
        xnm_daemon_begin_next(qstate, id);
}
