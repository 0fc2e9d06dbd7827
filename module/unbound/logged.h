/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the rule that a reply's log line names: the one that decided the query, or, for an answer
 * from the cache, one that leaves answers alone. */
#ifndef XNM_MODULE_UNBOUND_LOGGED_H
#define XNM_MODULE_UNBOUND_LOGGED_H

#include "module/policy/match.h"
#include "module/run/state.h"
#include "module/unbound/host.h"

/* Has the question an A-label, or can another name decide, which may have one? */
bool xnm_logged_may_have_ace(const struct xnm_host_call *call);

/* Is an answer from the cache decided again? It is if a rule may match that left it alone. The
 * state must have a policy. */
static inline bool xnm_logged_decides_hit(const struct xnm_state *state,
                                          const struct xnm_host_call *call)
{
    xnm_quiet quiet = xnm_reload_quiet(xnm_state_force(state));

    return quiet == XNM_QUIET_ANY || xnm_state_config(state)->policy_mode == XNM_POLICY_LOG_ONLY ||
           (quiet == XNM_QUIET_ACE && xnm_logged_may_have_ace(call));
}

/* Finds the rule to log for a reply callback. The state must have a policy. The result is valid as
 * long as the call and *room, in which it may be. NULL: none. */
const struct xnm_match *xnm_logged_match(struct xnm_state *state, const struct xnm_host_call *call,
                                         int id, struct xnm_match *room);

#endif
