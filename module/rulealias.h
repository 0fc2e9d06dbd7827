/* SPDX-License-Identifier: BSD-3-Clause */
/* Aliases that lead to a name of their own rule, which would then be an alias for itself. */
#ifndef XNM_MODULE_RULEALIAS_H
#define XNM_MODULE_RULEALIAS_H

#include "module/policy.h"

/* Which rule of a policy decides the name that a cname rule's alias leads to, asked for with a type
 * that this one is about? NULL: none, or it is no cname rule. */
const struct xnm_policy_rule *xnm_rulealias_decider(const struct xnm_policy *policy,
                                                    const struct xnm_rule *rule);

#endif
