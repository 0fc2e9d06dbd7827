/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds cname rules whose target the same rule decides, so that the target would be an alias for
 * itself. */
#ifndef XNM_MODULE_LOAD_ALIAS_H
#define XNM_MODULE_LOAD_ALIAS_H

#include "module/policy/policy.h"

/* Does a cname rule decide the name that its alias leads to, for any of its types? False for other
 * rules. */
bool xnm_rulealias_leads_back(const struct xnm_policy *policy, const struct xnm_rule *rule);

#endif
