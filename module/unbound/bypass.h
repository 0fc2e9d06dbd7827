/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses what Unbound makes of its caches without asking the modules: a referral, for a query
 * without RD from a client that may snoop (allow_snoop), and an expired answer. */
#ifndef XNM_MODULE_UNBOUND_BYPASS_H
#define XNM_MODULE_UNBOUND_BYPASS_H

#include "module/policy/match.h"
#include "module/run/state.h"
#include "module/unbound/host.h"

/* Is it such an answer? */
bool xnm_bypass_has(const struct xnm_host_call *call);

/* Turns such an answer into REFUSED if the policy refuses it, or else removes the RRsets of refused
 * names from its additional section. A referral of a tcp-only name is truncated over UDP. *match is
 * the rule that decides. False: it is no such answer, or no rule changes it. */
bool xnm_bypass_refuse(struct xnm_state *state, const struct xnm_host_call *call, int id,
                       struct xnm_match *match);

#endif
