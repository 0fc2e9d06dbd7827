/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/referral.h"

#include "module/load/reload.h"
#include "module/unbound/message.h"
#include "module/unbound/synthesis.h"

#include <sldns/rrdef.h>
#include <util/data/msgreply.h>
#include <util/module.h>
#include <util/net_help.h>

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
           xnm_message_is_referral(call->rep) && !is_of_cache(call->rep);
}

static void make_refused(struct reply_info *rep)
{
    rep->flags = BIT_QR | LDNS_RCODE_REFUSED;
    rep->an_numrrsets = rep->ns_numrrsets = rep->ar_numrrsets = rep->rrset_count = 0;
}

/* Call it between xnm_reload_enter and xnm_reload_leave. */
static bool decide(const struct xnm_policy *policy, const struct xnm_host_call *call,
                   struct xnm_match *match)
{
    struct xnm_decision decision;
    struct xnm_wirename looked_up;
    const struct xnm_question question = xnm_synthesis_question(call->qinfo, NULL, &looked_up);

    if (!xnm_policy_decide(policy, &question, &decision) || !xnm_decision_refuses(&decision))
        return false;
    xnm_match_from(policy, &decision, false, match);
    return true;
}

bool xnm_referral_refuse(const struct xnm_state *state, const struct xnm_host_call *call,
                         struct xnm_match *match)
{
    bool refused;

    if (!is_referral(call) || !call->qinfo || !call->qinfo->qname ||
        xnm_state_config(state)->policy_mode == XNM_POLICY_LOG_ONLY)
        return false;
    const struct xnm_policy *policy = xnm_reload_enter(xnm_state_force(state), NULL);
    refused = policy && decide(policy, call, match);
    xnm_reload_leave();
    if (refused)
        make_refused(call->rep);
    return refused;
}
