/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/query.h"

#include "module/answer/response.h"
#include "module/load/reload.h"
#include "module/unbound/host.h"
#include "module/unbound/message.h"
#include "module/unbound/reason.h"
#include "module/unbound/synthesis.h"

#include <services/cache/dns.h>
#include <services/mesh.h>
#include <sldns/rrdef.h>
#include <util/data/dname.h>
#include <util/data/msgreply.h>
#include <util/net_help.h>
#include <util/netevent.h>
#include <util/regional.h>

/* --- state --- */

struct xnm_query *xnm_query_of(struct module_qstate *qstate, int id)
{
    if (!qstate->minfo[id])
        qstate->minfo[id] = regional_alloc_zero(qstate->region, sizeof(struct xnm_query));
    return qstate->minfo[id];
}

const struct mesh_reply *xnm_query_clients(const struct module_qstate *qstate)
{
    return qstate->mesh_info->reply_list;
}

/* Does not assign = {…}: chain and decision have 2.6 kB, of which almost every query uses almost
 * nothing, and what is used is written first. */
void xnm_query_begin_call(struct xnm_work *work, struct xnm_state *state,
                          struct module_qstate *qstate, int id)
{
    struct mesh_reply *client = qstate ? qstate->mesh_info->reply_list : NULL;

    work->state = state;
    work->qstate = qstate;
    work->id = id;
    work->query = NULL;
    work->asker = client ? &client->query_reply.client_addr : NULL;
    work->edns = client ? &client->edns : NULL;
    work->policy = NULL;
    work->generation = 0;
    xnm_message_begin_chain(&work->chain);
    work->decision.answer = NULL;
    work->decision.log_count = 0;
    work->decision.specific_answer = false;
}

static bool are_all_on_udp(const struct mesh_reply *client)
{
    for (; client; client = client->next) {
        if (client->query_reply.c->type != comm_udp)
            return false;
    }
    return true;
}

/* --- deciding --- */

static void add_client(struct xnm_work *work, struct xnm_question *question)
{
    if (work->asker && xnm_policy_has_limits(work->policy) &&
        xnm_host_client(xnm_state_forwarders(work->state), work->asker, work->edns, &work->client))
        question->client = &work->client;
}

bool xnm_query_decide_chain(struct xnm_work *work)
{
    struct xnm_wirename looked_up;
    struct xnm_question question = xnm_synthesis_question(&work->qstate->qinfo, NULL, &looked_up);

    add_client(work, &question);
    question.from_a = work->query->is_from_a;
    work->chain.next = 0;
    return xnm_policy_decide_answer(work->policy, &question, xnm_alias_chain_next, &work->chain,
                                    &work->decision);
}

bool xnm_query_decide_answer(struct xnm_work *work, const struct query_info *info,
                             const struct reply_info *rep)
{
    struct xnm_wirename looked_up;
    struct xnm_question question = xnm_synthesis_question(info, rep, &looked_up);
    struct xnm_message_walk walk = xnm_message_walk(rep, info);

    add_client(work, &question);
    if (work->query)
        work->query->is_from_a = question.from_a;
    if (!rep || !xnm_message_has_chain(rep, info))
        return xnm_policy_decide(work->policy, &question, &work->decision);
    return xnm_policy_decide_answer(work->policy, &question, xnm_message_next_target, &walk,
                                    &work->decision);
}

bool xnm_query_is_log_only(const struct xnm_work *work)
{
    return xnm_state_is_log_only(work->state);
}

bool xnm_query_is_refused(const struct xnm_work *work)
{
    return !xnm_query_is_log_only(work) && xnm_decision_changes_answer(&work->decision);
}

void xnm_query_note_personal(struct xnm_work *work)
{
    if (work->decision.specific_answer && !xnm_query_is_log_only(work))
        work->query->is_personal = true;
}

void xnm_query_note(struct xnm_work *work, bool matched)
{
    struct xnm_query *query = work->query;

    xnm_query_note_personal(work);
    query->unmatched_by = matched || work->decision.specific_decision ? 0 : work->generation;
    query->match = matched ? regional_alloc(work->qstate->region, sizeof *query->match) : NULL;
    if (query->match)
        xnm_match_from(work->policy, &work->decision, xnm_query_is_log_only(work), query->match);
}

bool xnm_query_is_settled(const struct xnm_query *query, const struct query_info *info,
                          const struct reply_info *rep, uint64_t generation)
{
    return query->unmatched_by == generation && !query->is_personal &&
           !xnm_synthesis_answers(info->qtype) &&
           !(rep && (xnm_message_has_chain(rep, info) || xnm_message_has_additional(rep)));
}

bool xnm_query_needs_no_target(const struct xnm_work *work)
{
    return work->decision.answer->action != XNM_TCP_ONLY ||
           are_all_on_udp(xnm_query_clients(work->qstate));
}

/* --- giving answers --- */

/* Clears is_drop, which respip may have set for the answer that this one replaces. */
static void finish(struct xnm_work *work, int rcode, struct dns_msg *message)
{
    work->query->before = work->query->state;
    work->query->state = XNM_QUERY_DONE;
    work->query->answer = XNM_ANSWER_POLICYS;
    work->qstate->is_drop = 0;
    work->qstate->return_rcode = rcode;
    work->qstate->return_msg = message;
    work->qstate->ext_state[work->id] = module_finished;
}

void xnm_query_pass_down(struct xnm_work *work)
{
    work->query->state = XNM_QUERY_BELOW;
    work->query->answer = XNM_ANSWER_RESOLVERS;
    xnm_host_pass_on(work->qstate, module_event_new, work->id);
}

void xnm_query_pass_up(struct xnm_work *work)
{
    work->query->state = XNM_QUERY_DONE;
    work->query->answer = XNM_ANSWER_RESOLVERS;
    xnm_host_pass_on(work->qstate, module_event_moddone, work->id);
}

void xnm_query_fail(struct xnm_work *work)
{
    finish(work, LDNS_RCODE_SERVFAIL, NULL);
}

/* Undoes what was done to the query for an answer that is no longer wanted, as mesh_state_create
 * (services/mesh.c) leaves a new one. A module that is cleared begins as with any query. */
void xnm_query_restart(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct module_stack *modules = &qstate->env->mesh->mods;

    for (int behind = work->id + 1; behind < modules->num; behind++) {
        modules->mod[behind]->clear(qstate, behind);
        qstate->minfo[behind] = NULL;
        qstate->ext_state[behind] = module_state_initial;
    }
    xnm_query_clear(qstate, work->id);
    *work->query = (struct xnm_query){.is_first = work->query->is_first,
                                      .is_personal = work->query->is_personal};
    qstate->no_cache_lookup = qstate->no_cache_store = 0;
    qstate->need_refetch = qstate->was_ratelimited = 0;
    qstate->errinf = NULL;
    qstate->blacklist = NULL;
    qstate->mesh_info->replies_sent = 0; /* others may join */
    qstate->edns_opts_front_out = NULL;  /* the policy's extended error, subnetcache's option */
    qstate->respip_action_info = NULL;
    qstate->is_drop = 0;
    qstate->return_rcode = LDNS_RCODE_NOERROR;
    qstate->return_msg = NULL;
    xnm_query_pass_down(work);
}

/* Looks up the alias's target in a sub-query of our own, which nothing decides. The reply continues
 * after xnm_query_take_target. What the cache has for the refused name is removed: Unbound could
 * serve it as expired while the query waits. */
static void wait_for_target(struct xnm_work *work, const struct xnm_response *response)
{
    struct module_qstate *qstate = work->qstate;
    struct xnm_query *query = work->query;
    struct query_info *target = &query->target;

    *target = qstate->qinfo;
    target->qclass = LDNS_RR_CLASS_IN; /* of which the records of class ANY are, too */
    target->local_alias = NULL;
    target->qname_len = response->alias.len;
    target->qname =
        regional_alloc_init(qstate->region, response->alias.octets, response->alias.len);
    if (!target->qname || !xnm_host_attach_sub(qstate, target)) {
        xnm_query_fail(work);
        return;
    }
    xnm_message_remove_from_cache(qstate->env, &qstate->qinfo);
    query->before = query->state;
    query->state = XNM_QUERY_TARGET;
    query->has_target = false;
    qstate->ext_state[work->id] = module_wait_subquery;
}

static void answer_with(struct xnm_work *work, const struct xnm_response *response)
{
    const struct reply_info *target = response->follow_alias ? work->query->target_rep : NULL;
    struct dns_msg *message = xnm_message_make(work->qstate, response, target);

    if (!message) {
        xnm_query_fail(work);
        return;
    }
    if (target)
        xnm_message_drop_additional(work->policy, message->rep); /* which its server sent */
    xnm_reason_make(work, message->rep);
    finish(work, LDNS_RCODE_NOERROR, message);
}

static bool has_arrived(const struct xnm_query *query, const struct xnm_response *response)
{
    return query->has_target && query->target.qname_len == response->alias.len &&
           query_dname_compare(query->target.qname, (uint8_t *)response->alias.octets) == 0;
}

static void answer(struct xnm_work *work)
{
    const struct query_info *info = &work->qstate->qinfo;
    const struct xnm_question question = {.qname = info->qname,
                                          .qname_len = info->qname_len,
                                          .qtype = info->qtype,
                                          .qclass = info->qclass};
    struct xnm_query *query = work->query;
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
static struct dns_msg *make_truncated(const struct xnm_work *work)
{
    static const struct xnm_response empty;
    struct dns_msg *message = xnm_message_make(work->qstate, &empty, NULL);

    if (message)
        message->rep->flags |= BIT_TC;
    return message;
}

/* Gives the resolver's own answer, which the gate decides for each client. */
static void leave_to_gate(struct xnm_work *work)
{
    if (work->query->state == XNM_QUERY_BELOW)
        xnm_query_pass_up(work);
    else if (work->query->state == XNM_QUERY_ENDED)
        xnm_query_restart(work);
    else
        xnm_query_pass_down(work);
}

/* Clients on UDP get no records, so that nothing is asked for them alone. */
static void truncate_on_udp(struct xnm_work *work)
{
    if (work->query->state != XNM_QUERY_BELOW && are_all_on_udp(xnm_query_clients(work->qstate)))
        finish(work, LDNS_RCODE_NOERROR, make_truncated(work));
    else
        leave_to_gate(work);
}

static void log_drop(struct xnm_work *work, const struct mesh_reply *client)
{
    struct module_qstate *qstate = work->qstate;
    struct query_info info = qstate->qinfo;
    struct mesh_reply waiting = *client;
    struct xnm_reply reply;

    info.qname = waiting.qname;
    info.local_alias = waiting.local_alias;
    const struct xnm_host_call call = {
        XNM_FROM_RESOLUTION, &info, qstate, NULL,         0, &waiting.query_reply,
        &waiting.start_time, NULL,  NULL,   &waiting.edns};
    if (!xnm_host_read_question(&call, &reply))
        return;
    xnm_host_read_answer(xnm_state_forwarders(work->state), &call, &reply);
    reply.rcode = XNM_NO_RCODE;
    reply.rcode_name = NULL;
    reply.has_flags = false;
    reply.next_answer = NULL;
    reply.match = work->query->match;
    xnm_state_reply(work->state, &reply);
}

/* The connection is not closed, because others behind a forwarder share it. */
static void drop(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct mesh_reply *clients = xnm_query_clients(qstate);

    if (!are_all_on_udp(clients)) {
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
    work->query->answer = XNM_ANSWER_DROPPED;
    qstate->is_drop = 1;
}

/* No default, so that the compiler asks here what a new action does. */
static void carry_out(struct xnm_work *work)
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
        xnm_query_fail(work);
        break;
    }
}

void xnm_query_act(struct xnm_work *work)
{
    if (!work->query->is_personal || !xnm_query_clients(work->qstate)->next) {
        carry_out(work);
        return;
    }
    work->query->match = NULL; /* the first client's */
    leave_to_gate(work);
}

/* --- what an alias waits for --- */

/* Our query may also wait for sub-queries that its iterator has left behind. */
static bool is_for_target(const struct module_qstate *sub, const struct module_qstate *super,
                          const struct query_info *target)
{
    return sub->qinfo.qtype == target->qtype && sub->qinfo.qclass == target->qclass &&
           !sub->is_priming && !sub->is_valrec &&
           (sub->query_flags & BIT_CD) == (super->query_flags & BIT_CD) &&
           query_dname_compare(sub->qinfo.qname, target->qname) == 0;
}

void xnm_query_take_target(const struct module_qstate *sub, const struct module_qstate *super,
                           int id)
{
    const struct dns_msg *message = sub->return_msg;
    struct xnm_query *query = super->minfo[id];

    if (!query || query->state != XNM_QUERY_TARGET || query->has_target ||
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

/* Before 1.25.0 the mesh counts dropped clients as still waiting; if there are enough, it drops
 * clients that join other queries. */
void xnm_query_clear(struct module_qstate *qstate, int id)
{
    const struct xnm_query *query = qstate->minfo[id];
    struct mesh_area *mesh = qstate->env->mesh;

    if (query && query->answer == XNM_ANSWER_DROPPED && mesh->num_reply_addrs > query->clients_left)
        mesh->num_reply_addrs = query->clients_left;
}
