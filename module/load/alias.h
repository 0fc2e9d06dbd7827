/* SPDX-License-Identifier: BSD-3-Clause */
/* Aliases that lead to a name of their own rule, which would then be an alias for itself. */
#ifndef XNM_MODULE_LOAD_ALIAS_H
#define XNM_MODULE_LOAD_ALIAS_H

#include "module/policy/policy.h"

/* Does a cname rule decide the name that its own alias leads to, for any type that it is about?
 * False for other rules. */
bool xnm_rulealias_leads_back(const struct xnm_policy *policy, const struct xnm_rule *rule);

#endif
