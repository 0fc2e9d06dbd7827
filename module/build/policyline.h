/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a policy; the groups of clients, and its audiences, each stored once. */
#ifndef XNM_MODULE_BUILD_POLICYLINE_H
#define XNM_MODULE_BUILD_POLICYLINE_H

#include "module/policy/data.h"

struct xnm_rule;

/* Sets *number to that of a tag, which is new if it is met first. False: too many tags, which *why
 * says, or no memory. */
bool xnm_policyline_tag(struct xnm_policy *policy, const char *tag, int8_t *number,
                        const char **why);

/* Gives the line its counter, by line->counter_key, if the policy's settings have counters. False:
 * no memory. */
bool xnm_policyline_count(const struct xnm_policy *policy, struct xnm_policy_line *line);

/* Fills in the members of a line of this rule, except for its counter. Each list that needs a rank
 * of its own takes the next one from *lists; call this in the order of the lines. False: no memory.
 */
bool xnm_policyline_write(struct xnm_policy *policy, const struct xnm_rule *rule, int8_t tag,
                          uint16_t limit, uint32_t *lists, struct xnm_policy_line *line);

/* Returns whether a finished line changes an answer, if it matches. */
bool xnm_policyline_changes_answers(const struct xnm_policy_line *line);

/* Returns whether a finished line makes xnm_policy_protects true. */
bool xnm_policyline_protects(const struct xnm_policy_line *line);

#endif
