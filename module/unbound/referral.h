/* SPDX-License-Identifier: BSD-3-Clause */
/* Referrals that Unbound makes of what its cache knows of name servers, for a query without RD of a
 * client who may snoop (allow_snoop). No module sees such a query. */
#ifndef XNM_MODULE_UNBOUND_REFERRAL_H
#define XNM_MODULE_UNBOUND_REFERRAL_H

#include "module/policy/match.h"
#include "module/run/state.h"
#include "module/unbound/host.h"

/* Makes a referral for a name that the policy refuses REFUSED, and says in *match by what rule. A
 * tcp-only rule refuses none. False: it is no referral, or is left alone. */
bool xnm_referral_refuse(const struct xnm_state *state, const struct xnm_host_call *call,
                         struct xnm_match *match);

#endif
