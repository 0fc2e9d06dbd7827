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

static void make_refused(struct reply_info *rep)
{
    rep->flags = BIT_QR | LDNS_RCODE_REFUSED;
    rep->an_numrrsets = rep->ns_numrrsets = rep->ar_numrrsets = rep->rrset_count = 0;
}

/* All clients of a query get the same expired message, and after the first of them it no longer
 * tells which rule refuses it. */
static void remember_refused(const struct xnm_host_call *call, struct xnm_query *query,
                             const struct xnm_match *match)
{
    query->expired_match = regional_alloc_init(call->qstate->region, match, sizeof *match);
    query->refused_expired = query->expired_match ? call->rep : NULL;
}

/* Call it between xnm_reload_enter and xnm_reload_leave. */
static bool refuse(struct xnm_work *work, const struct xnm_host_call *call, bool is_expired,
                   struct xnm_match *match)
{
    xnm_work_decide_answer(work, call->qinfo, call->rep);
    if (!(is_expired ? xnm_work_is_refused(work) : xnm_decision_refuses(&work->decision))) {
        xnm_message_drop_additional(work->policy, call->rep);
        return false;
    }
    xnm_match_from(work->policy, &work->decision, false, match);
    make_refused(call->rep);
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
    if (query && query->refused_expired == call->rep) {
        *match = *query->expired_match;
        return true;
    }
    xnm_work_begin(&work, state, call->qstate, 0);
    work.policy = xnm_reload_enter(xnm_state_force(state), NULL);
    refused = work.policy && refuse(&work, call, is_expired, match);
    xnm_reload_leave();
    if (refused && is_expired)
        xnm_answer_remove_from_cache(call->qstate);
    if (refused && query)
        remember_refused(call, query, match);
    return refused;
}

bool xnm_bypass_refuse(struct xnm_state *state, const struct xnm_host_call *call, int id,
                       struct xnm_match *match)
{
    return xnm_bypass_has(call) && refuse_bypassed(state, call, id, match);
}
