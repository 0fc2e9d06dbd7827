/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policy/condition.h"

#include "module/policy/qname.h"
#include "module/build/shadowed.h"

#include <string.h>

/* --- building --- */

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

/* Is one of the first `count` conditions the same, and makes it shadowed? */
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

/* --- asking --- */

bool xnm_condition_excepts(const struct xnm_condition *condition, const uint8_t *tld, size_t len)
{
    for (size_t i = 0; i < condition->except_count; i++)
        if (condition->except[i].len == len && memcmp(condition->except[i].octets, tld, len) == 0)
            return true;
    return false;
}

bool xnm_condition_is_met(const struct xn_unicode *unicode, xnm_trigger trigger,
                          const struct xnm_condition *condition, const struct xn_shape *shape)
{
    const uint32_t *label = shape->code_points;
    size_t len = shape->len;

    if (trigger == XNM_TRIGGER_INVALID)
        return !xnm_shape_is_valid(unicode, shape);
    if (!shape->ace)
        return false;
    switch (trigger) {
    case XNM_TRIGGER_SCRIPT:
        return (condition->outside ? xn_script_find_outside(&condition->scripts, label, len)
                                   : xn_script_find_in(&condition->scripts, label, len)) < len;
    case XNM_TRIGGER_SCRIPT_LEVEL:
        return xn_script_level(unicode, label, len) > condition->level;
    case XNM_TRIGGER_MIXED_DIGITS:
        return xn_script_find_mixed_digit(label, len) < len;
    case XNM_TRIGGER_RESTRICTED:
        return xn_script_find_restricted(unicode, label, len) < len;
    case XNM_TRIGGER_WHOLESCRIPT:
        return xn_script_is_wholescript(label, len);
    case XNM_TRIGGER_EMOJI:
        return xn_script_find_emoji(label, len) < len;
    case XNM_TRIGGER_BIDI:
        return xn_script_find_rtl(label, len) < len;
    default:
        return false;
    }
}

static bool meets(const struct xn_unicode *unicode, const struct xnm_policy_line *line,
                  struct xnm_shapes *shapes, unsigned label)
{
    if (line->shown.trigger == XNM_TRIGGER_INVALID)
        return !xnm_shapes_is_valid(shapes, unicode, label);
    return xnm_condition_is_met(unicode, line->shown.trigger, &line->label_rule->condition,
                                xnm_shapes_label(shapes, label));
}

unsigned xnm_condition_find(const struct xn_unicode *unicode, const struct xnm_policy_line *line,
                            struct xnm_shapes *shapes)
{
    const struct xnm_condition *condition = &line->label_rule->condition;
    const struct xnm_qname *name = shapes->name;
    size_t tld_at = name->label_at[name->labels - 1];

    if (xnm_condition_excepts(condition, name->octets + tld_at, name->len - tld_at))
        return 0;
    for (unsigned label = 0; label < name->labels; label++)
        if (xnm_qname_is_ace(name, label) && meets(unicode, line, shapes, label))
            return label + 1;
    return 0;
}
