/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/index.h"

#include "core/wire/walk.h"
#include "module/base/budget.h"
#include "module/base/seed.h"
#include "module/build/audience.h"
#include "module/build/condition.h"
#include "module/build/line.h"
#include "module/name/suffix.h"
#include "module/policy/match.h"
#include "module/policy/policy.h"
#include "module/rule/entry.h"
#include "module/rule/rule.h"

#include <stdlib.h>
#include <string.h>

enum {
    PROMISED = 256, /* entries at a time for which there will be room in tables */
    VARIANTS_MAX = 256
};

/* The state of the builder before it took the entries of the list in hand, to which a list that is
 * refused goes back. */
struct mark {
    size_t entries_len, verdicts_len, entry_count, zone_entries, lookalike_len, lookalike_count,
        part_count;
    bool wildcards;
    struct xnm_pool_mark pool;
};

struct xnm_policy_builder {
    struct xnm_policy *policy;
    struct xnm_verdicts verdicts; /* of the list in hand */
    const atomic_bool *stop;
    uint32_t ranked, lists; /* lists that are told apart by their ranks; all lists */
    uint32_t line;          /* that came last */
    uint32_t verdict;       /* … and what its entries say, if its line tells */
    uint32_t rpz_verdicts[XNM_ACTION_COUNT][2];
    uint32_t variants[VARIANTS_MAX]; /* of the list in hand: verdicts with modifiers */
    unsigned variant_count;
    struct mark mark;
};

/* --- the builder --- */

struct xnm_policy_builder *xnm_policy_builder_new(const struct xnm_policy_settings *settings)
{
    struct xnm_policy_builder *builder = calloc(1, sizeof *builder);
    struct xnm_policy *policy = calloc(1, sizeof *policy);

    if (!builder || !policy || !xnm_arena_add(&policy->entries, XNM_ENTRY_FIRST)) {
        free(builder);
        free(policy);
        return NULL;
    }
    policy->settings = *settings;
    policy->seed = xnm_seed(policy);
    builder->policy = policy;
    return builder;
}

void xnm_policy_builder_free(struct xnm_policy_builder *builder)
{
    if (!builder)
        return;
    xnm_verdicts_forget(&builder->verdicts);
    xnm_policy_free(builder->policy);
    free(builder);
}

/* --- entries --- */

/* Reserves room for the tables of all entries, or one list could fail the whole policy. */
static bool promise_tables(const struct xnm_policy *policy)
{
    size_t marks = xnm_policy_marks_max(policy);

    marks += marks > 0 ? PROMISED : 0;
    return xnm_budget_promise(xnm_policy_tables_memory(policy->entry_count + PROMISED + marks) +
                              xnm_lookalike_tables_memory(&policy->lookalikes, PROMISED));
}

static bool add_entry(struct xnm_policy_builder *builder, uint32_t verdict, xnm_scope scope,
                      const uint8_t *name, size_t len)
{
    struct xnm_policy *policy = builder->policy;
    struct xnm_policy_line *line = xnm_policy_line(policy, builder->line);
    size_t at = policy->entries.len, marks = xnm_policy_marks_max(policy);
    struct xnm_policy_entry *entry = xnm_arena_add(&policy->entries, xnm_entry_size(len));

    if (!entry)
        return false;
    if (at / XNM_ENTRY_UNIT > UINT32_MAX) {
        policy->entries.len = at;
        return false;
    }
    entry->verdict_scope = verdict << 2 | (uint32_t)scope;
    entry->len = (uint8_t)len;
    memcpy(entry->octets, name, len);
    policy->entry_count++;
    line->shown.entry_count += scope != XNM_SCOPE_NONE;
    if (line->shown.trigger == XNM_TRIGGER_RPZ)
        xnm_policy_note_zoned(policy, scope);
    bool is_first = marks == 0 && policy->wildcards;
    return (policy->entry_count % PROMISED != 1 && !is_first) || promise_tables(policy);
}

static bool add_name(struct xnm_policy_builder *builder, const uint8_t *name, size_t len,
                     uint8_t min)
{
    return xnm_lookalike_add(builder->policy, builder->line, name, len, min) &&
           (builder->policy->lookalikes.count % PROMISED != 1 || promise_tables(builder->policy));
}

/* The verdict of the line's entries with these modifiers. If a list has more of these than are
 * remembered, they are stored more than once. */
static uint32_t modified_verdict(struct xnm_policy_builder *builder,
                                 const struct xnm_modifiers *modifiers)
{
    uint32_t number;

    for (unsigned i = 0; i < builder->variant_count; i++)
        if (xnm_modifiers_are_same(
                xnm_policy_verdict(builder->policy, builder->variants[i])->modifiers, modifiers))
            return builder->variants[i];
    number = xnm_verdicts_modified(builder->policy, builder->verdict, modifiers);
    if (number != XNM_NO_VERDICT && builder->variant_count < VARIANTS_MAX)
        builder->variants[builder->variant_count++] = number;
    return number;
}

/* The verdict of an RPZ entry. */
static uint32_t rpz_verdict(struct xnm_policy_builder *builder, xnm_action action, bool prefix)
{
    uint32_t *number = &builder->rpz_verdicts[action][prefix];

    if (*number == XNM_NO_VERDICT)
        *number = xnm_verdicts_add(builder->policy, builder->line, action, prefix);
    return *number;
}

bool xnm_policy_builder_entry(struct xnm_policy_builder *builder,
                              const struct xnm_list_entry *entry)
{
    uint32_t verdict = builder->verdict;

    xnm_policy_line(builder->policy, builder->line)->given += entry->scope != XNM_SCOPE_NONE;
    if (xnm_policy_line(builder->policy, builder->line)->label_rule)
        return add_name(builder, entry->name, entry->name_len, entry->min);
    if (entry->modifiers && entry->modifiers->type_count > 0)
        xnm_policy_line(builder->policy, builder->line)->shown.typed_count++;
    if (entry->modifiers)
        verdict = modified_verdict(builder, entry->modifiers);
    else if (verdict == XNM_NO_VERDICT)
        verdict = rpz_verdict(builder, entry->action, entry->prefix);
    if (verdict != XNM_NO_VERDICT && entry->record && builder->verdict == XNM_NO_VERDICT)
        verdict = xnm_verdicts_with(&builder->verdicts, builder->policy, verdict, entry->record);
    return verdict != XNM_NO_VERDICT &&
           add_entry(builder, verdict, entry->scope, entry->name, entry->name_len);
}

/* --- rules --- */

/* The verdict of a line's own action and records, or of those that it puts in the place of a
 * zone's. */
static uint32_t line_verdict(struct xnm_policy_builder *builder, const struct xnm_rule *rule)
{
    xnm_action action = rule->action != XNM_ACTION_NONE ? rule->action : rule->override;
    uint32_t verdict = xnm_verdicts_add(builder->policy, builder->line, action, false);

    for (size_t i = 0; i < rule->record_count && verdict != XNM_NO_VERDICT; i++)
        verdict =
            xnm_verdicts_with(&builder->verdicts, builder->policy, verdict, &rule->records[i]);
    return verdict;
}

static void begin_list(struct xnm_policy_builder *builder)
{
    struct xnm_policy *policy = builder->policy;

    builder->mark = (struct mark){.entries_len = policy->entries.len,
                                  .verdicts_len = policy->verdicts.len,
                                  .entry_count = policy->entry_count,
                                  .zone_entries = policy->zone_entries,
                                  .wildcards = policy->wildcards,
                                  .lookalike_len = policy->lookalikes.names.len,
                                  .lookalike_count = policy->lookalikes.count,
                                  .part_count = policy->lookalikes.part_count,
                                  .pool = xnm_pool_mark(&policy->pool)};
    xnm_verdicts_forget(&builder->verdicts);
    builder->variant_count = 0;
    for (size_t i = 0; i < XNM_ACTION_COUNT; i++)
        builder->rpz_verdicts[i][0] = builder->rpz_verdicts[i][1] = XNM_NO_VERDICT;
}

/* Adds what a rule matches, unless a file holds it. */
static bool add_subject(struct xnm_policy_builder *builder, const struct xnm_rule *rule)
{
    if (xnm_trigger_has_path(rule->trigger))
        return true;
    if (xnm_trigger_is_condition(rule->trigger))
        return xnm_condition_add(builder->policy, builder->line);
    if (xnm_trigger_is_lookalike(rule->trigger))
        return add_name(builder, rule->name.octets, rule->name.len, 0);
    return add_entry(builder, builder->verdict, rule->scope, rule->name.octets, rule->name.len);
}

/* Every query looks at all conditions, and at what each list says of its name. NULL: there is room
 * for the rule. */
static const char *too_many(struct xnm_policy_builder *builder, const struct xnm_rule *rule)
{
    if (xnm_trigger_is_condition(rule->trigger) &&
        builder->policy->condition_count == XNM_CONDITIONS_MAX)
        return "too many conditions on labels: expected at most 1000";
    if (xnm_trigger_has_path(rule->trigger) && builder->lists++ == XNM_LISTS_MAX)
        return "too many lists and zones: expected at most 10000";
    return NULL;
}

/* Adds one rule. Returns false if there is no memory, or if *why says what is wrong. */
static bool add_rule(struct xnm_policy_builder *builder, const struct xnm_rule *rule,
                     const char **why)
{
    struct xnm_policy *policy = builder->policy;
    struct xnm_policy_line line = {.column = 0}, *added;
    uint16_t audience = 0;
    int8_t tag = -1;

    *why = too_many(builder, rule);
    if (*why)
        return false;
    if (rule->tag && !xnm_policyline_tag(policy, rule->tag, &tag, why))
        return false;
    if (!xnm_audience_number(policy, rule->client, rule->when, &audience, why))
        return false;
    if (!xnm_policyline_write(policy, rule, tag, audience, &builder->ranked, &line))
        return false;
    added = xnm_arena_add(&policy->lines, sizeof *added);
    if (!added)
        return false;
    *added = line;
    builder->line = (uint32_t)policy->line_count++;
    if (!xnm_policyline_count(policy, added))
        return false;
    xnm_verdicts_forget(&builder->verdicts);
    builder->verdict = XNM_NO_VERDICT;
    if (rule->action != XNM_ACTION_NONE || rule->override != XNM_ACTION_NONE) {
        builder->verdict = line_verdict(builder, rule);
        if (builder->verdict == XNM_NO_VERDICT)
            return false;
    }
    if (added->label_rule)
        added->label_rule->verdict = builder->verdict;
    begin_list(builder);
    return add_subject(builder, rule);
}

bool xnm_policy_builder_rule(struct xnm_policy_builder *builder, const struct xnm_rule *rule,
                             const char **why)
{
    const char *reason = NULL;
    bool good = add_rule(builder, rule, &reason);

    if (why)
        *why = good || reason ? reason : xnm_budget_trouble();
    return good;
}

/* --- groups --- */

bool xnm_policy_builder_group(struct xnm_policy_builder *builder, const char *group,
                              const char *path, const struct xnm_prefix *prefixes, size_t count)
{
    return xnm_audience_add_set(builder->policy, group, path, prefixes, count);
}

long xnm_policy_builder_keep_group(struct xnm_policy_builder *builder, const char *group,
                                   const char *path, const struct xnm_policy *from)
{
    return xnm_audience_keep_set(builder->policy, group, path, from);
}

/* --- lists, as a whole --- */

void xnm_policy_builder_forget_list(struct xnm_policy_builder *builder)
{
    struct xnm_policy *policy = builder->policy;

    policy->entries.len = builder->mark.entries_len;
    policy->verdicts.len = builder->mark.verdicts_len;
    policy->entry_count = builder->mark.entry_count;
    policy->zone_entries = builder->mark.zone_entries;
    policy->wildcards = builder->mark.wildcards;
    policy->lookalikes.names.len = builder->mark.lookalike_len;
    policy->lookalikes.count = builder->mark.lookalike_count;
    policy->lookalikes.part_count = builder->mark.part_count;
    xnm_pool_release(&policy->pool, builder->mark.pool);
    xnm_policy_line(policy, builder->line)->shown.entry_count = 0;
    xnm_policy_line(policy, builder->line)->given = 0;
    xnm_policy_trim(policy);
    promise_tables(policy);
    begin_list(builder);
}

static bool is_same_rule(const struct xnm_policy_line *a, const struct xnm_policy_line *b)
{
    return memcmp(a->hits_key, b->hits_key, sizeof a->hits_key) == 0;
}

/* Finds the same rule in `from`, or else one with the same trigger and file, which may be about
 * other names of it. */
static const struct xnm_policy_line *same_list(const struct xnm_policy *from,
                                               const struct xnm_policy_line *line)
{
    const struct xnm_policy_line *same_file = NULL;

    for (size_t i = 0; i < from->line_count; i++) {
        const struct xnm_policy_line *older = xnm_policy_line(from, i);
        if (older->shown.trigger != line->shown.trigger)
            continue;
        if (is_same_rule(older, line))
            return older;
        if (!same_file && strcmp(older->shown.subject, line->shown.subject) == 0)
            same_file = older;
    }
    return same_file;
}

/* The verdict of an entry of an older policy, as a verdict of this one. */
static uint32_t same_verdict(struct xnm_policy_builder *builder,
                             const struct xnm_policy_verdict *older)
{
    uint32_t verdict = builder->verdict;

    if (older->modifiers && verdict != XNM_NO_VERDICT)
        return modified_verdict(builder, older->modifiers);
    if (verdict != XNM_NO_VERDICT)
        return verdict;
    verdict = rpz_verdict(builder, older->shown.action, older->shown.prefix);
    for (size_t i = 0; i < older->shown.record_count && verdict != XNM_NO_VERDICT; i++)
        verdict = xnm_verdicts_with_new(&builder->verdicts, builder->policy, verdict,
                                        &older->shown.records[i]);
    return verdict;
}

static long keep_names(struct xnm_policy_builder *builder, const struct xnm_policy *from,
                       const struct xnm_policy_line *line, bool suffixes)
{
    long kept = 0;

    for (size_t at = line->entries_at; at < line->entries_end;) {
        const struct xnm_protected_name *name = xnm_lookalike_name(&from->lookalikes, at);
        at += xnm_lookalike_name_size(name->len);
        if (!suffixes && xnm_suffix_is_public(name->octets, name->len))
            continue;
        if (!add_name(builder, name->octets, name->len, name->min))
            return -1;
        kept++;
    }
    return kept;
}

static long keep_entries(struct xnm_policy_builder *builder, const struct xnm_policy *from,
                         const struct xnm_policy_line *line, bool suffixes)
{
    long kept = 0;

    for (size_t at = line->entries_at; at < line->entries_end;) {
        const struct xnm_policy_entry *entry = xnm_policy_entry(from, at);
        xnm_scope scope = xnm_entry_scope(entry);
        at += xnm_entry_size(entry->len);
        if (!suffixes && xnm_suffix_is_public(entry->octets, entry->len)) {
            if (!xnm_entry_verdict(from, entry)->zoned)
                continue;
            scope = XNM_SCOPE_NONE; /* the zone has the name all the same */
        }
        uint32_t verdict = same_verdict(builder, xnm_entry_verdict(from, entry));
        if (verdict == XNM_NO_VERDICT ||
            !add_entry(builder, verdict, scope, entry->octets, entry->len))
            return -1;
        kept += scope != XNM_SCOPE_NONE;
    }
    return kept;
}

long xnm_policy_builder_keep_list(struct xnm_policy_builder *builder, const struct xnm_policy *from,
                                  bool suffixes)
{
    struct xnm_policy_line *line = xnm_policy_line(builder->policy, builder->line);
    const struct xnm_policy_line *older = same_list(from, line);

    if (!older)
        return 0;
    long kept = older->label_rule ? keep_names(builder, from, older, suffixes)
                                  : keep_entries(builder, from, older, suffixes);
    line->given = is_same_rule(older, line) ? older->given : kept > 0 ? (size_t)kept : 0;
    return kept;
}

size_t xnm_policy_builder_held(const struct xnm_policy_builder *builder,
                               const struct xnm_policy *from)
{
    const struct xnm_policy_line *line = xnm_policy_line(builder->policy, builder->line);
    const struct xnm_policy_line *older = same_list(from, line);

    return older && is_same_rule(older, line) && older->shown.entry_count > 0 ? older->given : 0;
}

size_t xnm_policy_list_memory(const struct xnm_policy *policy, xnm_trigger trigger,
                              const char *path)
{
    for (size_t i = 0; i < policy->line_count; i++) {
        const struct xnm_policy_line *line = xnm_policy_line(policy, i);
        size_t count = line->shown.entry_count;
        if (line->shown.trigger != trigger || strcmp(line->shown.subject, path) != 0)
            continue;
        const struct xnm_lookalike_index names = {.count = line->label_rule ? count : 0};
        return line->entries_end - line->entries_at + xnm_lookalike_tables_memory(&names, 0) +
               xnm_policy_tables_memory(line->label_rule ? 0 : count);
    }
    return 0;
}

/* --- the end --- */

void xnm_policy_builder_stop(struct xnm_policy_builder *builder, const atomic_bool *stop)
{
    builder->stop = stop;
}

struct xnm_policy *xnm_policy_finish(struct xnm_policy_builder *builder,
                                     const struct xnm_diagnostics *diagnostics,
                                     struct xnm_policy_failure *failure)
{
    struct xnm_policy *policy = builder->policy;
    struct xnm_shadowed shadowed = {.policy = policy,
                                    .verdicts = &builder->verdicts,
                                    .diagnostics = diagnostics,
                                    .stop = builder->stop};

    xnm_verdicts_forget(&builder->verdicts);
    xnm_budget_promise(0);
    bool good = xnm_policy_index(&shadowed);
    if (!good) {
        if (failure)
            *failure = (struct xnm_policy_failure){.no_memory = !xnm_shadowed_is_over(&shadowed),
                                                   .of_rule = shadowed.no_memory,
                                                   .rule = shadowed.short_line};
        xnm_policy_builder_free(builder);
        return NULL;
    }
    builder->policy = NULL;
    xnm_policy_builder_free(builder);
    return policy;
}
