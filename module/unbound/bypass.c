/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/bypass.h"

#include "module/load/reload.h"
#include "module/unbound/answer.h"
#include "module/unbound/message.h"

#include <sldns/rrdef.h>
#include <util/data/msgreply.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/netevent.h>
#include <util/regional.h>

/* In a cached message, which others read, RRsets are stored after the references to them; a message
 * made for one reply has no references (construct_reply_info_base and dns_msg_create, in all
 * versions). */
static bool is_of_cache(const struct reply_info *rep)
{
    return (const void *)rep->rrsets == (const void *)&rep->ref[rep->rrset_count];
}

static bool is_referral(const struct xnm_host_call *call)
{
    return call->origin == XNM_FROM_CACHE && !call->qstate && call->rep &&
           xnm_message_referral(call->rep) && !is_of_cache(call->rep);
}

bool xnm_bypass_has(const struct xnm_host_call *call)
{
    return is_referral(call) || xnm_host_is_expired(call);
}

static void make_empty(struct reply_info *rep, uint16_t flags)
{
    rep->flags = BIT_QR | flags;
    rep->an_numrrsets = rep->ns_numrrsets = rep->ar_numrrsets = rep->rrset_count = 0;
}

static void copy_counts(const struct reply_info *from, struct reply_info *to)
{
    to->flags = from->flags;
    to->an_numrrsets = from->an_numrrsets;
    to->ns_numrrsets = from->ns_numrrsets;
    to->ar_numrrsets = from->ar_numrrsets;
    to->rrset_count = from->rrset_count;
}

/* All clients of a query get the same expired message, and each must be decided by what it was. */
static void remember_whole(const struct xnm_host_call *call, struct xnm_query *query)
{
    struct reply_info *whole = regional_alloc_zero(call->qstate->region, sizeof *whole);

    if (whole)
        copy_counts(call->rep, whole);
    query->expired = whole;
    query->refused_expired = whole ? call->rep : NULL;
}

/* Clients on UDP get a truncated referral of a tcp-only name, others get it whole. Nobody gets
 * an expired answer. */
static bool is_tcp_only(const struct xnm_work *work, bool is_expired)
{
    return !is_expired && work->decision.verdict->action == XNM_TCP_ONLY;
}

/* `query` is of an expired message; NULL: none. Call it between xnm_reload_enter and
 * xnm_reload_leave. */
static bool refuse(struct xnm_work *work, const struct xnm_host_call *call, bool is_expired,
                   struct xnm_query *query, struct xnm_match *match)
{
    const bool is_on_udp = call->repinfo->c->type == comm_udp;

    if (query && query->refused_expired == call->rep)
        copy_counts(query->expired, call->rep);
    xnm_work_decide_answer(work, call->qinfo, call->rep);
    if (!xnm_work_is_refused(work) || (is_tcp_only(work, is_expired) && !is_on_udp)) {
        xnm_message_drop_additional(work->policy, call->rep);
        return false;
    }
    xnm_match_from(work->policy, &work->decision, false, match);
    if (query)
        remember_whole(call, query);
    make_empty(call->rep, is_tcp_only(work, is_expired) ? BIT_TC : LDNS_RCODE_REFUSED);
    return true;
}

/* Nothing expired in the cache is refused, except what cachedb has stored there: it calls nobody.
 * Not inlined, to keep its stack frame out of its caller, which runs for every reply. */
__attribute__((noinline)) static bool refuse_bypassed(struct xnm_state *state,
                                                      const struct xnm_host_call *call, int id,
                                                      struct xnm_match *match)
{
    const bool is_expired = xnm_host_is_expired(call);
    struct xnm_query *query = is_expired ? call->qstate->minfo[id] : NULL;
    struct xnm_work work;
    bool refused;

    if (!call->qinfo || !call->qinfo->qname || !xnm_policy_decides_class(call->qinfo->qclass) ||
        xnm_state_config(state)->policy_mode == XNM_POLICY_LOG_ONLY)
        return false;
    xnm_work_begin(&work, state, call->qstate, 0);
    work.asker = &call->repinfo->client_addr;
    work.policy = xnm_reload_enter(xnm_state_force(state), NULL);
    refused = work.policy && refuse(&work, call, is_expired, query, match);
    xnm_reload_leave();
    if (refused && is_expired)
        xnm_message_remove_from_cache(call->qstate->env, &call->qstate->qinfo);
    return refused;
}

bool xnm_bypass_refuse(struct xnm_state *state, const struct xnm_host_call *call, int id,
                       struct xnm_match *match)
{
    return xnm_bypass_has(call) && refuse_bypassed(state, call, id, match);
}
