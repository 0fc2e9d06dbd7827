/* SPDX-License-Identifier: BSD-3-Clause */
/* The gate: decides each reply as it leaves Unbound, by the policy then in force and for the client
 * that gets it. It does not matter which cache the reply comes from, or who stored it there.
 *
 * Every reply with records passes one of two callbacks of Unbound, inplace_cb_reply (replies to
 * queries) and inplace_cb_reply_cache (hits). Local zones, Unbound's own RPZ and auth-zones with
 * for-downstream are exempt: they are the operator's own and take precedence over every rule. */
#ifndef XNM_MODULE_UNBOUND_GATE_H
#define XNM_MODULE_UNBOUND_GATE_H

#include "module/policy/match.h"
#include "module/run/state.h"
#include "module/unbound/callback.h"

/* Call it in init(), before any reply. */
void xnm_gate_open(const struct module_env *env);

/* Returns whether a client gets the reply, this thread has decided this very hit before, or the
 * query its answer, and no rule of the policy in force matched any of its names for any
 * client. Nearly all replies end here. */
bool xnm_gate_knows(const struct xnm_state *state, const struct xnm_callback *call, int id);

/* Call it for a callback of Unbound's own, which has no client. Unbound writes its answer after the
 * replies to the query's clients: this undoes what may have truncated the last of them. */
void xnm_gate_release(const struct xnm_callback *call, int id);

/* Decides a reply, and withholds it if the client may not have it: the client gets a truncated
 * reply without records (one that asks without RD and gets a referral: REFUSED), with the policy's
 * extended error, and the cached message is made useless, so that the next query (the same
 * client's, over TCP) gets the policy's own answer. The state must have a policy, and the call a
 * client. *match is the rule for the log line, in *storage or valid as long as the call; NULL: no
 * rule matched. */
void xnm_gate_decide(struct xnm_state *state, const struct xnm_callback *call, int id,
                     struct xnm_match *storage, const struct xnm_match **match);

#endif
