/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/action.h"

#include "module/answer/response.h"
#include "module/load/reload.h"
#include "module/unbound/answer.h"
#include "module/unbound/host.h"
#include "module/unbound/message.h"
#include "module/unbound/upstream.h"

#include <respip/respip.h>
#include <services/cache/dns.h>
#include <services/mesh.h>
#include <sldns/rrdef.h>
#include <util/data/dname.h>
#include <util/data/msgreply.h>
#include <util/net_help.h>
#include <util/netevent.h>
#include <util/regional.h>

/* --- queries --- */

/* Callbacks of Unbound itself (trust anchors, zone transfers) are not clients. */
const struct mesh_reply *xnm_work_clients(const struct module_qstate *qstate)
{
    return qstate->mesh_info->reply_list;
}

static bool are_all_on_udp(const struct mesh_reply *client)
{
    for (; client; client = client->next) {
        if (client->query_reply.c->type != comm_udp)
            return false;
    }
    return true;
}

static struct xnm_question question_of(const struct query_info *info)
{
    return (struct xnm_question){.qname = info->qname,
                                 .qname_len = info->qname_len,
                                 .qtype = info->qtype,
                                 .qclass = info->qclass};
}

bool xnm_action_keep_chain(struct xnm_work *work)
{
    struct regional *region = work->qstate->region;
    struct xnm_alias_chain *kept = regional_alloc_init(region, &work->chain, sizeof *kept);

    for (size_t i = 0; kept && i < kept->count; i++) {
        struct xnm_alias_link *link = &kept->links[i];

        link->owner = regional_alloc_init(region, link->owner, link->owner_len);
        link->rdata = regional_alloc_init(region, link->rdata, link->rdata_len);
        if (!link->owner || !link->rdata)
            return false;
    }
    work->query->chain = kept;
    return kept;
}

/* tcp-only gives the target's own answer to clients that do not use UDP. */
bool xnm_action_needs_no_target(const struct xnm_work *work)
{
    return work->decision.verdict->action != XNM_TCP_ONLY ||
           are_all_on_udp(xnm_work_clients(work->qstate));
}

/* --- giving answers --- */

/* Clears is_drop, which respip may have set for the answer that this one replaces. */
static void finish(struct xnm_work *work, int rcode, struct dns_msg *message)
{
    work->query->made = true;
    work->qstate->is_drop = 0;
    work->qstate->return_rcode = rcode;
    work->qstate->return_msg = message;
    work->qstate->ext_state[work->id] = module_finished;
}

void xnm_action_leave(struct xnm_work *work)
{
    xnm_host_pass_on(
        work->qstate,
        work->query && work->query->had_answer ? module_event_moddone : module_event_new, work->id);
}

void xnm_action_fail(struct xnm_work *work)
{
    finish(work, LDNS_RCODE_SERVFAIL, NULL);
}

/* Keeps nothing of the query: what was done to it was done for an answer that is no longer wanted.
 * A module that is cleared begins as with any query. */
void xnm_action_begin_anew(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct module_stack *modules = &qstate->env->mesh->mods;

    for (int behind = work->id + 1; behind < modules->num; behind++) {
        modules->mod[behind]->clear(qstate, behind);
        qstate->minfo[behind] = NULL;
        qstate->ext_state[behind] = module_state_initial;
    }
    xnm_action_clear(qstate, work->query);
    *work->query =
        (struct xnm_query){.is_new = work->query->is_new, .personal = work->query->personal};
    xnm_query_keep_chain_out(qstate, work->query); /* nobody has looked where cached aliases lead */
    qstate->mesh_info->replies_sent = 0;           /* others may join */
    qstate->edns_opts_front_out = NULL; /* the policy's extended error, subnetcache's option */
    qstate->respip_action_info = NULL;
    qstate->is_drop = 0;
    qstate->return_rcode = LDNS_RCODE_NOERROR;
    qstate->return_msg = NULL;
    xnm_action_leave(work);
}

/* Replaces the extended error of an earlier decision. */
static void give_ede(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    uint8_t option[XNM_EDE_OPTION_MAX];
    size_t len = xnm_response_ede(work->decision.verdict, option);

    edns_opt_list_remove(&qstate->edns_opts_front_out, LDNS_EDNS_EDE);
    if (len > 0)
        edns_opt_list_append(&qstate->edns_opts_front_out, LDNS_EDNS_EDE, len, option,
                             qstate->region);
}

/* Looks up the alias's target in a sub-query of our own, which nothing decides. The reply continues
 * after xnm_answer_inform_super. */
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
    if (!xnm_action_keep_chain(work) || !target->qname || !xnm_host_attach_sub(qstate, target)) {
        xnm_action_fail(work);
        return;
    }
    query->stage = XNM_STAGE_WAITING;
    qstate->ext_state[work->id] = module_wait_subquery;
}

static void answer_with(struct xnm_work *work, const struct xnm_response *response)
{
    const struct reply_info *target = response->follow_alias ? work->query->target_rep : NULL;
    struct dns_msg *message = xnm_message_make(work->qstate, response, target);

    if (!message) {
        xnm_action_fail(work);
        return;
    }
    xnm_message_drop_additional(work->policy, message->rep); /* which the target's server sent */
    give_ede(work);
    finish(work, LDNS_RCODE_NOERROR, message);
}

static bool has_arrived(const struct xnm_query *query, const struct xnm_response *response)
{
    return query->stage == XNM_STAGE_ARRIVED && query->target.qname_len == response->alias.len &&
           query_dname_compare(query->target.qname, (uint8_t *)response->alias.octets) == 0;
}

static void answer(struct xnm_work *work)
{
    struct xnm_question question = question_of(&work->qstate->qinfo);
    struct xnm_query *query = work->query;
    struct xnm_response response;

    xnm_response_make(xnm_policy_settings(work->policy), &work->decision, &question, &work->chain,
                      &response);
    if (response.follow_alias && !has_arrived(query, &response)) {
        wait_for_target(work, &response);
    } else if (response.follow_alias && !query->target_rep) {
        finish(work, query->target_rcode, NULL);
    } else if (response.set_count == 0) {
        give_ede(work);
        finish(work, response.rcode, NULL);
    } else {
        answer_with(work, &response);
    }
}

/* Truncates by respip's own means. respip clears this at moddone, so we set it twice. The message
 * is empty rather than absent, because without one Unbound crashes if another query waits for this
 * one. */
static void truncate_on_udp(struct xnm_work *work)
{
    static const struct respip_action_info truncated = {.action = respip_truncate, .rpz_used = 1};
    static const struct xnm_response empty;
    struct module_qstate *qstate = work->qstate;

    qstate->respip_action_info = regional_alloc_init(qstate->region, &truncated, sizeof truncated);
    work->query->truncation = qstate->respip_action_info;
    qstate->no_cache_store = 1;
    if (!qstate->respip_action_info)
        xnm_action_fail(work);
    else if ((!work->query->had_answer || work->query->ended) &&
             are_all_on_udp(xnm_work_clients(qstate)))
        finish(work, LDNS_RCODE_NOERROR, xnm_message_make(qstate, &empty, NULL));
    else if (work->query->ended)
        xnm_action_begin_anew(work); /* a client on TCP has joined, while dns64 went on */
    else
        xnm_action_leave(work);
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
        XNM_FROM_RESOLUTION, &info, qstate, NULL, 0, &waiting.query_reply, &waiting.start_time};
    if (!xnm_host_read_question(&call, &reply))
        return;
    xnm_host_read_answer(&call, &reply);
    reply.rcode = XNM_NO_RCODE;
    reply.rcode_name = NULL;
    reply.match = work->query->match;
    xnm_state_reply(work->state, &reply);
}

/* The connection is not closed, because others behind a forwarder share it. */
static void drop(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct mesh_reply *clients = xnm_work_clients(qstate);

    if (!are_all_on_udp(clients)) {
        give_ede(work);
        finish(work, LDNS_RCODE_REFUSED, NULL);
        return;
    }
    work->query->clients_left = qstate->env->mesh->num_reply_addrs;
    for (const struct mesh_reply *client = clients; client; client = client->next) {
        log_drop(work, client);
        work->query->clients_left--;
    }
    work->query->dropped = true;
    finish(work, LDNS_RCODE_REFUSED, NULL);
    qstate->is_drop = 1;
}

/* No default, so that the compiler asks here what a new action does. */
void xnm_action_do(struct xnm_work *work)
{
    switch (work->decision.verdict->action) {
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
    case XNM_PASSTHRU: /* these change nothing, and are not asked for */
    case XNM_LOG:
    case XNM_ACTION_NONE:
    case XNM_ACTION_COUNT:
        xnm_action_leave(work);
        break;
    }
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

void xnm_action_inform(const struct module_qstate *sub, const struct module_qstate *super,
                       struct xnm_query *query)
{
    const struct dns_msg *message = sub->return_msg;

    if (query->stage != XNM_STAGE_WAITING || !is_for_target(sub, super, &query->target))
        return;
    query->stage = XNM_STAGE_ARRIVED;
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
void xnm_action_clear(struct module_qstate *qstate, const struct xnm_query *query)
{
    struct mesh_area *mesh = qstate->env->mesh;

    if (query->dropped && mesh->num_reply_addrs > query->clients_left)
        mesh->num_reply_addrs = query->clients_left;
}
