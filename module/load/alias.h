/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds cname rules whose target the same rule decides, so that the target would be an alias for
 * itself. */
#ifndef XNM_MODULE_LOAD_ALIAS_H
#define XNM_MODULE_LOAD_ALIAS_H

#include <stdbool.h>

struct xnm_policy;
struct xnm_rule;
struct xnm_ruleline;

/* Does a cname rule decide the name that its alias leads to, for any of its types and one of those
 * that it is for? It asks for clients at the ends of their prefixes (of a group's file, of the
 * first 64 ranges of each family), when spans begin. So true is certain. False for other rules. */
bool xnm_rulealias_leads_back(const struct xnm_policy *policy, const struct xnm_rule *rule);

/* A check of struct xnm_rules_options: reports an error if the rule's alias leads to a name that
 * the rule covers. Passes over rules with a file, whose names are not known yet. */
void xnm_rulealias_check(struct xnm_ruleline *line);

#endif
