/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/logged.h"

#include "module/load/reload.h"
#include "module/unbound/answer.h"

#include <util/module.h>

/* Drops the verdict and its match details, which may not be those of the log rules. */
static void forget_verdict(struct xnm_decision *decision)
{
    decision->verdict = NULL;
    decision->name.len = 0;
    decision->lookalike = NULL;
    decision->label = 0;
    decision->target = 0;
}

/* An answer from the cache was not refused, even if a newer policy would refuse it. */
static bool decide_hit(struct xnm_state *state, const struct xnm_policy *policy,
                       const struct xnm_host_call *call, struct xnm_match *match)
{
    struct xnm_work work;

    xnm_work_begin(&work, state, NULL, 0);
    work.policy = policy;
    if (!xnm_work_decide_answer(&work, call->qinfo, call->rep))
        return false;
    if (xnm_work_is_refused(&work))
        forget_verdict(&work.decision);
    if (!work.decision.verdict && work.decision.log_count == 0)
        return false;
    xnm_match_from(policy, &work.decision, xnm_work_is_log_only(&work), match);
    return true;
}

static bool match_hit(struct xnm_state *state, const struct xnm_host_call *call,
                      struct xnm_match *match)
{
    if (!xnm_logged_decides_hits(state))
        return false;
    const struct xnm_policy *policy = xnm_reload_enter(xnm_state_force(state), NULL);
    bool matched = policy && decide_hit(state, policy, call, match);
    xnm_reload_leave();
    return matched;
}

/* The policy never sees names that local zones or Unbound's own RPZ zones answer. */
const struct xnm_match *xnm_logged_match(struct xnm_state *state, const struct xnm_host_call *call,
                                         int id, struct xnm_match *room)
{
    if (!call->qinfo || !call->qinfo->qname || !xnm_policy_decides_class(call->qinfo->qclass) ||
        call->origin == XNM_FROM_LOCAL)
        return NULL;
    if (!call->qstate)
        return match_hit(state, call, room) ? room : NULL;
    const struct xnm_query *query = call->qstate->minfo[id];
    return query ? query->match : NULL;
}
