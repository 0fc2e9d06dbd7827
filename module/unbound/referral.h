/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses referrals that Unbound makes from its cache for a query without RD, if the client may
 * snoop (allow_snoop). No module sees such a query. */
#ifndef XNM_MODULE_UNBOUND_REFERRAL_H
#define XNM_MODULE_UNBOUND_REFERRAL_H

#include "module/policy/match.h"
#include "module/run/state.h"
#include "module/unbound/host.h"

/* Turns a referral for a name that the policy refuses into REFUSED; *match is the rule. A tcp-only
 * rule refuses none. False: not a referral, or left alone. */
bool xnm_referral_refuse(const struct xnm_state *state, const struct xnm_host_call *call,
                         struct xnm_match *match);

#endif
