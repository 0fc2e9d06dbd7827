/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a policy. Derives the rank and the counter's key of one from its other members, both
 * for a line just read and for one of a compiled policy, which is not trusted for them. */
#ifndef XNM_MODULE_BUILD_LINE_H
#define XNM_MODULE_BUILD_LINE_H

#include "module/policy/data.h"

struct xnm_rule;

/* Is it a trigger of label rules (a look-alike or a condition)? */
bool xnm_policyline_is_label_rule(xnm_trigger trigger);

/* The rank of a line with this action and trigger. Each list that needs a rank of its own takes the
 * next one from *lists; call this in the order of the lines. */
uint32_t xnm_policyline_rank(xnm_action action, xnm_trigger trigger, bool log_only,
                             uint32_t *lists);

/* Sets *number to that of a tag, which is new if it is met first. False: too many tags, which *why
 * says, or no memory. */
bool xnm_policyline_tag(struct xnm_policy *policy, const char *tag, int8_t *number,
                        const char **why);

/* Gives the line its counter, by line->hits_key, if the policy's settings have counters. False: no
 * memory. */
bool xnm_policyline_count(const struct xnm_policy *policy, struct xnm_policy_line *line);

/* Writes line->hits_key, by which the line is known over reloads: made of all that others see of it
 * except its place, of its types, and of `unseen`. */
void xnm_policyline_name(const struct xnm_policy *policy, struct xnm_policy_line *line);

/* Fills in the members of a line of this rule, except for its counter. *lists is as for its rank.
 * False: no memory. */
bool xnm_policyline_write(struct xnm_policy *policy, const struct xnm_rule *rule, int8_t tag,
                          uint16_t audience, uint32_t *lists, struct xnm_policy_line *line);

#endif
