/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/condition.h"

#include <string.h>

bool xnm_condition_add(struct xnm_policy *policy, uint32_t line)
{
    uint32_t *added = xnm_arena_add(&policy->conditions, sizeof *added);

    if (!added)
        return false;
    *added = line;
    policy->condition_count++;
    return true;
}

static bool is_same_condition(const struct xnm_condition *a, const struct xnm_condition *b)
{
    if (memcmp(&a->scripts, &b->scripts, sizeof a->scripts) != 0 || a->outside != b->outside ||
        a->level != b->level || a->except_count != b->except_count)
        return false;
    for (size_t i = 0; i < a->except_count; i++)
        if (a->except[i].len != b->except[i].len ||
            memcmp(a->except[i].octets, b->except[i].octets, a->except[i].len) != 0)
            return false;
    return true;
}

/* Does one of the first `count` conditions shadow this one? */
static bool is_shadowed(struct xnm_shadowed *shadowed, const uint32_t *lines, size_t count,
                        uint32_t line)
{
    const struct xnm_policy_line *later = xnm_policy_line(shadowed->policy, line);

    for (size_t i = 0; i < count; i++) {
        const struct xnm_policy_line *earlier = xnm_policy_line(shadowed->policy, lines[i]);
        if (earlier->shown.trigger == later->shown.trigger &&
            is_same_condition(&earlier->label_rule->condition, &later->label_rule->condition) &&
            xnm_shadowed_is(shadowed, XNM_OWNER_OF_LINE(lines[i]), &earlier->label_rule->verdict,
                            later->label_rule->verdict))
            return true;
    }
    return false;
}

void xnm_condition_index(struct xnm_shadowed *shadowed)
{
    struct xnm_policy *policy = shadowed->policy;
    uint32_t *lines = (uint32_t *)(void *)policy->conditions.octets;
    size_t kept = 0;

    for (size_t i = 0; i < policy->condition_count; i++)
        if (!is_shadowed(shadowed, lines, kept, lines[i]))
            lines[kept++] = lines[i];
    policy->condition_count = kept;
    policy->conditions.len = kept * sizeof *lines;
}
