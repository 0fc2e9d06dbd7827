/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/qstate.h"

#include "module/answer/dns64.h"
#include "module/base/order.h"
#include "module/unbound/callback.h"
#include "module/unbound/message.h"

#include <string.h>

#include <services/mesh.h>
#include <sldns/rrdef.h>
#include <util/config_file.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/netevent.h>
#include <util/regional.h>

/* --- state --- */

struct xnm_qstate *xnm_qstate_of(struct module_qstate *qstate, int id)
{
    if (!qstate->minfo[id])
        qstate->minfo[id] = regional_alloc_zero(qstate->region, sizeof(struct xnm_qstate));
    return qstate->minfo[id];
}

const struct mesh_reply *xnm_qstate_clients(const struct module_qstate *qstate)
{
    return qstate->mesh_info->reply_list;
}

/* Does not assign = {…}: chain and decision have 2.6 kB, of which almost every query uses almost
 * nothing, and what is used is written first. */
void xnm_qstate_begin_call(struct xnm_qstate_work *work, struct xnm_state *state,
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

bool xnm_qstate_is_on_udp(const struct module_qstate *qstate)
{
    for (const struct mesh_reply *client = xnm_qstate_clients(qstate); client;
         client = client->next)
        if (client->query_reply.c->type != comm_udp)
            return false;
    return true;
}

/* --- dns64 --- */

/* The settings of dns64, which hold for the life of the module's instance. */
static struct xnm_dns64 dns64;

static bool has_dns64(const char *order)
{
    size_t len;

    for (const char *word; (word = xnm_order_word(&order, &len));) {
        if (len == strlen("dns64") && memcmp(word, "dns64", len) == 0)
            return true;
    }
    return false;
}

/* Unbound exits for anything that dns64 does not accept. */
void xnm_qstate_open(const struct module_env *env)
{
    const char *prefix = env->cfg->dns64_prefix ? env->cfg->dns64_prefix : "64:ff9b::/96";
    struct sockaddr_storage address;
    socklen_t address_len;
    int bits;

    dns64.bits = 0;
    if (!has_dns64(env->cfg->module_conf) ||
        !netblockstrtoaddr(prefix, 0, &address, &address_len, &bits) ||
        address.ss_family != AF_INET6)
        return;
    dns64.bits = (unsigned)bits;
    memcpy(dns64.prefix, &((const struct sockaddr_in6 *)(const void *)&address)->sin6_addr,
           sizeof dns64.prefix);
}

bool xnm_qstate_is_synthesized(uint16_t qtype)
{
    return dns64.bits > 0 && (qtype == LDNS_RR_TYPE_AAAA || qtype == LDNS_RR_TYPE_PTR);
}

static bool has_made_address(const struct packed_rrset_data *data)
{
    for (size_t i = 0; i < data->count; i++) {
        if (data->rr_len[i] == 2 + XNM_IPV6_LEN && xnm_dns64_has(&dns64, data->rr_data[i] + 2))
            return true;
    }
    return false;
}

static bool is_made(const struct reply_info *rep)
{
    for (size_t i = 0; rep && i < rep->an_numrrsets; i++) {
        if (ntohs(rep->rrsets[i]->rk.type) == LDNS_RR_TYPE_AAAA &&
            has_made_address(rep->rrsets[i]->entry.data))
            return true;
    }
    return false;
}

static struct xnm_question make_question(const struct query_info *info,
                                         const struct reply_info *rep,
                                         struct xnm_wirename *looked_up)
{
    struct xnm_question question = {.qname = info->qname,
                                    .qname_len = info->qname_len,
                                    .qtype = info->qtype,
                                    .qclass = info->qclass};

    if (!xnm_qstate_is_synthesized(info->qtype))
        return question;
    if (info->qtype == LDNS_RR_TYPE_AAAA)
        question.from_a = is_made(rep);
    else if (xnm_dns64_pointer(&dns64, info->qname, info->qname_len, looked_up))
        question.looked_up = looked_up;
    return question;
}

/* --- deciding --- */

static void add_client(struct xnm_qstate_work *work, struct xnm_question *question)
{
    if (work->asker && xnm_policy_has_limits(work->policy) &&
        xnm_callback_client(xnm_state_forwarders(work->state), work->asker, work->edns,
                            &work->client))
        question->client = &work->client;
}

bool xnm_qstate_decide_chain(struct xnm_qstate_work *work)
{
    struct xnm_wirename looked_up;
    struct xnm_question question = make_question(&work->qstate->qinfo, NULL, &looked_up);

    add_client(work, &question);
    question.from_a = work->query->is_from_a;
    work->chain.next = 0;
    return xnm_policy_decide_answer(work->policy, &question, xnm_aliaschain_next, &work->chain,
                                    &work->decision);
}

bool xnm_qstate_decide_answer(struct xnm_qstate_work *work, const struct query_info *info,
                              const struct reply_info *rep)
{
    struct xnm_wirename looked_up;
    struct xnm_question question = make_question(info, rep, &looked_up);
    struct xnm_message_walk walk = xnm_message_walk(rep, info);

    add_client(work, &question);
    if (work->query)
        work->query->is_from_a = question.from_a;
    if (!rep || !xnm_message_has_chain(rep, info))
        return xnm_policy_decide(work->policy, &question, &work->decision);
    return xnm_policy_decide_answer(work->policy, &question, xnm_message_next_target, &walk,
                                    &work->decision);
}

bool xnm_qstate_is_refused(const struct xnm_qstate_work *work)
{
    return !xnm_state_is_log_only(work->state) && xnm_decision_changes_answer(&work->decision);
}

void xnm_qstate_note_client_specific(struct xnm_qstate_work *work)
{
    if (work->decision.specific_answer && !xnm_state_is_log_only(work->state))
        work->query->is_client_specific = true;
}

void xnm_qstate_note(struct xnm_qstate_work *work, bool matched)
{
    struct xnm_qstate *query = work->query;

    xnm_qstate_note_client_specific(work);
    query->unmatched_by = matched || work->decision.specific_decision ? 0 : work->generation;
    query->match = matched ? regional_alloc(work->qstate->region, sizeof *query->match) : NULL;
    if (query->match)
        xnm_match_from(work->policy, &work->decision, xnm_state_is_log_only(work->state),
                       query->match);
}

bool xnm_qstate_is_settled(const struct xnm_qstate *query, const struct query_info *info,
                           const struct reply_info *rep, uint64_t generation)
{
    return query->unmatched_by == generation && !query->is_client_specific &&
           !xnm_qstate_is_synthesized(info->qtype) &&
           !(rep && (xnm_message_has_chain(rep, info) || xnm_message_has_additional(rep)));
}
