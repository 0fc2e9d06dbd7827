/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the lines of a policy. */
#ifndef XNM_MODULE_BUILD_POLICYLINE_H
#define XNM_MODULE_BUILD_POLICYLINE_H

#include "module/policy/data.h"

struct xnm_rule;

/* Finds or adds a tag, and sets *number to its number. Returns false when out of memory, or if *why
 * has an error: too many tags. */
bool xnm_policyline_tag(struct xnm_policy *policy, const char *tag, int8_t *number,
                        const char **why);

/* Sets the line's counter, by line->counter_key, if the policy's settings have counters. Returns
 * false when out of memory. */
bool xnm_policyline_count(const struct xnm_policy *policy, struct xnm_policy_line *line);

/* Fills in the members of a rule's line, except for its counter. Each list that needs a rank of its
 * own takes the next one from *lists; call this in the order of the lines. Returns false when out
 * of memory. */
bool xnm_policyline_write(struct xnm_policy *policy, const struct xnm_rule *rule, int8_t tag,
                          uint16_t limit, uint32_t *lists, struct xnm_policy_line *line);

/* Returns whether a complete line changes an answer if it matches. */
bool xnm_policyline_changes_answers(const struct xnm_policy_line *line);

/* Returns whether a complete line makes xnm_policy_protects true. */
bool xnm_policyline_protects(const struct xnm_policy_line *line);

#endif
