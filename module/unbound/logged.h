/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the rule that a reply's log line names: the one that decided the query, or, for an answer
 * from the cache, one that leaves answers alone. */
#ifndef XNM_MODULE_UNBOUND_LOGGED_H
#define XNM_MODULE_UNBOUND_LOGGED_H

#include "module/policy/match.h"
#include "module/run/state.h"
#include "module/unbound/host.h"

/* Finds the rule to log for a reply callback; false: none. The state must have a policy. An answer
 * from the cache is decided again if the policy has rules that leave answers alone. */
bool xnm_logged_match(struct xnm_state *state, const struct xnm_host_call *call, int id,
                      struct xnm_match *match);

#endif
