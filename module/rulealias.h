/* SPDX-License-Identifier: BSD-3-Clause */
/* Aliases that lead to a name of their own rule, which would then be an alias for itself. */
#ifndef XNM_MODULE_RULEALIAS_H
#define XNM_MODULE_RULEALIAS_H

#include "module/policy.h"

/* A cname rule as a policy has it, if it decides the name that its own alias leads to, for any type
 * that it is about. NULL: it does not, or is no cname rule. */
const struct xnm_policy_rule *xnm_rulealias_decider(const struct xnm_policy *policy,
                                                    const struct xnm_rule *rule);

#endif
