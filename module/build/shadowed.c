/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/shadowed.h"

#include "module/base/diagnostics.h"
#include "module/base/thread.h"

#include <string.h>

enum { REPORTED_MAX = 20 }; /* reported one by one; further ones only as a number */

bool xnm_shadowed_is_over(const struct xnm_shadowed *shadowed)
{
    return shadowed->refused || xnm_stop_is_set(shadowed->stop);
}

void xnm_shadowed_refuse(struct xnm_shadowed *shadowed, const struct xnm_policy_line *line)
{
    const struct xnm_place place = {line->rule.file, line->rule.line, line->column};

    shadowed->refused = true;
    xnm_diagnostics_add(
        shadowed->diagnostics, XNM_ERROR, &place,
        "too many rules with '%s %s' that can each decide a query: expected at most %d",
        xnm_trigger_word(line->rule.trigger), line->rule.subject, XNM_NEEDED_MAX);
}

static bool asks_for_same(const struct xnm_policy_line *a, const struct xnm_policy_line *b)
{
    return a->type_count == b->type_count &&
           memcmp(a->types, b->types, a->type_count * sizeof *a->types) == 0;
}

/* Returns whether `a` applies to all clients and times to which `b` applies. */
static bool applies_to_all_of(const struct xnm_policy_line *a, const struct xnm_policy_line *b)
{
    return a->limit == 0 || a->limit == b->limit;
}

static const struct xnm_policy_line *line_of(const struct xnm_shadowed *shadowed, uint32_t answer)
{
    return xnm_policy_line(shadowed->policy,
                           xnm_table_answer(shadowed->written->table, answer)->line);
}

static xnm_action action_of(const struct xnm_shadowed *shadowed, uint32_t answer)
{
    return line_of(shadowed, answer)->answer.action;
}

bool xnm_shadowed_merge(struct xnm_shadowed *shadowed, uint64_t owner, uint32_t *earlier,
                        uint32_t later)
{
    uint32_t both;

    if (action_of(shadowed, *earlier) != XNM_ANSWER || action_of(shadowed, later) != XNM_ANSWER ||
        !asks_for_same(line_of(shadowed, *earlier), line_of(shadowed, later)) ||
        line_of(shadowed, *earlier)->limit != line_of(shadowed, later)->limit)
        return false;
    both = xnm_table_answers_with_all_of(&shadowed->written->answers, shadowed->written->table,
                                         owner, *earlier, later);
    if (both != XNM_NO_ANSWER)
        *earlier = both;
    else
        shadowed->no_memory = true;
    return true;
}

static void report(struct xnm_shadowed *shadowed, const struct xnm_policy_line *deciding,
                   const struct xnm_policy_line *idle)
{
    struct xnm_place place = {idle->rule.file, idle->rule.line, idle->column};
    bool same_file = strcmp(deciding->rule.file, idle->rule.file) == 0;
    bool has_subject = deciding->rule.subject[0] != '\0';

    if (++shadowed->count > REPORTED_MAX)
        return;
    xnm_diagnostics_add(
        shadowed->diagnostics, XNM_WARNING, &place,
        "this rule never decides: line %u%s%s already has '%s%s%s'", deciding->rule.line,
        same_file ? "" : " of ", same_file ? "" : deciding->rule.file,
        xnm_trigger_word(deciding->rule.trigger), has_subject ? " " : "", deciding->rule.subject);
}

/* Returns whether rule `a` decides all queries that `b`, with the same trigger, would decide.
 * tcp-only leaves other rules in force; a rule that refuses leaves nothing for tcp-only. */
static bool settles(const struct xnm_policy_line *a, xnm_action a_action,
                    const struct xnm_policy_line *b, xnm_action b_action)
{
    if (a_action == XNM_LOG || b_action == XNM_LOG ||
        (a_action == XNM_PASSTHRU) != (b_action == XNM_PASSTHRU) ||
        (a_action == XNM_TCP_ONLY && b_action != XNM_TCP_ONLY) || !applies_to_all_of(a, b))
        return false;
    return a->type_count == 0 || asks_for_same(a, b);
}

/* Returns whether a passthru exempts from all that another rule with the same trigger decides, in
 * any order. A passthru with types= may not match a query for ANY. */
static bool exempts(const struct xnm_policy_line *passthru, xnm_action action,
                    const struct xnm_policy_line *other, xnm_action other_action)
{
    return action == XNM_PASSTHRU && other_action != XNM_PASSTHRU && other_action != XNM_LOG &&
           passthru->type_count == 0 && applies_to_all_of(passthru, other);
}

bool xnm_shadowed_is(struct xnm_shadowed *shadowed, uint64_t owner, uint32_t *earlier,
                     uint32_t later)
{
    const struct xnm_policy_line *a = line_of(shadowed, *earlier), *b = line_of(shadowed, later);
    xnm_action a_action = action_of(shadowed, *earlier), b_action = action_of(shadowed, later);

    if (xnm_shadowed_merge(shadowed, owner, earlier, later))
        return true;
    if (settles(a, a_action, b, b_action) || exempts(a, a_action, b, b_action)) {
        report(shadowed, a, b);
        return true;
    }
    if ((a_action == XNM_TCP_ONLY && settles(b, b_action, a, a_action)) ||
        exempts(b, b_action, a, a_action))
        report(shadowed, b, a);
    return false;
}

bool xnm_shadowed_entry(void *arg, uint64_t owner, uint32_t *earlier, uint32_t later)
{
    struct xnm_shadowed *shadowed = arg;

    if (shadowed->compared != later)
        shadowed->needed = 0;
    shadowed->compared = later;
    if (xnm_shadowed_is(shadowed, owner, earlier, later))
        return true;
    if (++shadowed->needed < XNM_NEEDED_MAX)
        return false;
    if (!shadowed->refused)
        xnm_shadowed_refuse(shadowed, line_of(shadowed, later));
    return true;
}

void xnm_shadowed_finish(const struct xnm_shadowed *shadowed)
{
    const struct xnm_policy *policy = shadowed->policy;

    if (shadowed->count <= REPORTED_MAX)
        return;
    const struct xnm_policy_line *last = xnm_policy_line(policy, policy->line_count - 1);
    const struct xnm_place place = {last->rule.file, 0, 0};

    xnm_diagnostics_add(shadowed->diagnostics, XNM_WARNING, &place, "%zu more rules never decide",
                        shadowed->count - REPORTED_MAX);
}

/* --- conditions --- */

bool xnm_shadowed_add_condition(struct xnm_policy *policy, uint32_t line)
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

/* Returns whether one of the first `count` conditions shadows the condition of this line. */
static bool is_shadowed(struct xnm_shadowed *shadowed, const uint32_t *lines, size_t count,
                        uint32_t line)
{
    const struct xnm_policy_line *later = xnm_policy_line(shadowed->policy, line);

    for (size_t i = 0; i < count; i++) {
        const struct xnm_policy_line *earlier = xnm_policy_line(shadowed->policy, lines[i]);
        if (earlier->rule.trigger == later->rule.trigger &&
            is_same_condition(&earlier->label_rule->condition, &later->label_rule->condition) &&
            xnm_shadowed_is(shadowed, XNM_OWNER_OF_LINE(lines[i]), &earlier->label_rule->answer,
                            later->label_rule->answer))
            return true;
    }
    return false;
}

void xnm_shadowed_conditions(struct xnm_shadowed *shadowed)
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
