/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/logged.h"

#include "core/wire/walk.h"
#include "module/load/reload.h"
#include "module/policy/unmatched.h"
#include "module/unbound/answer.h"
#include "module/unbound/message.h"
#include "module/unbound/synthesis.h"

#include <util/module.h>
#include <util/netevent.h>

/* Drops the verdict and its match details, which may not be those of the log rules. */
static void forget_verdict(struct xnm_decision *decision)
{
    decision->verdict = NULL;
    decision->name.len = 0;
    decision->lookalike = NULL;
    decision->label = 0;
    decision->target = 0;
}

static struct xnm_question question_of(const struct query_info *info)
{
    return (struct xnm_question){.qname = info->qname,
                                 .qname_len = info->qname_len,
                                 .qtype = info->qtype,
                                 .qclass = info->qclass};
}

/* Does the question alone say what the policy decides, whatever the answer holds? */
static bool is_decided_by_question(const struct xnm_host_call *call)
{
    return !xnm_synthesis_answers(call->qinfo->qtype) &&
           !(call->rep && xnm_message_has_chain(call->rep, NULL));
}

bool xnm_logged_may_have_ace(const struct xnm_host_call *call)
{
    return !call->qinfo || !call->qinfo->qname || !is_decided_by_question(call) ||
           xn_wire_has_ace(call->qinfo->qname, call->qinfo->qname_len);
}

/* An answer from the cache was not refused, even if a newer policy would refuse it. Call it between
 * xnm_reload_enter and xnm_reload_leave. Not inlined, to keep its stack frame out of its caller. */
__attribute__((noinline)) static bool
decide_hit(struct xnm_state *state, const struct xnm_policy *policy, uint64_t generation,
           const struct xnm_host_call *call, struct xnm_match *match)
{
    const struct xnm_question question = question_of(call->qinfo);
    struct xnm_work work;

    xnm_work_begin(&work, state, NULL, 0);
    work.policy = policy;
    work.asker = &call->repinfo->client_addr;
    if (!xnm_work_decide_answer(&work, call->qinfo, call->rep)) {
        if (is_decided_by_question(call) && !work.decision.varies)
            xnm_unmatched_note(&question, generation);
        return false;
    }
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
    const struct xnm_inforce *force = xnm_state_force(state);
    const struct xnm_question question = question_of(call->qinfo);
    uint64_t generation;

    if (!xnm_logged_decides_hit(state, call) ||
        (is_decided_by_question(call) &&
         xnm_unmatched_has(&question, xnm_reload_generation(force))))
        return false;
    const struct xnm_policy *policy = xnm_reload_enter(force, &generation);
    bool matched = policy && decide_hit(state, policy, generation, call, match);
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
