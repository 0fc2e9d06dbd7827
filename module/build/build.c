/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/build.h"

#include "module/base/budget.h"
#include "module/build/clientset.h"
#include "module/build/policyline.h"
#include "module/build/shadowed.h"
#include "module/name/suffix.h"
#include "module/policy/match.h"
#include "module/rule/rule.h"

#include <stdlib.h>
#include <string.h>

/* The builder charges the budget for each name in advance, with the octets, at most, that the name
 * takes in the finished policy: */
enum {
    /* of a name in a rule file: slots, and words of filters */
    ENTRY_COST = 24,
    /* of a protected name, apart from the name itself: likewise */
    NAME_COST = 32,
    /* of a part of a protected name that near=, within= and the like look up */
    PART_COST = 24,
    /* the parts that near= adds, apart from the label without each letter: the label, and that
     * joined to `www` and to its suffix */
    NEAR_FORMS = 3
};

struct xnm_policy_builder {
    struct xnm_policy *policy;
    struct xnm_table_maker written;   /* the table of rule files */
    struct xnm_table_maker protected; /* of rule files; each answer is the number of its line */
    struct xnm_table_maker list;      /* the current list; its table is NULL if there is none */
    const atomic_bool *stop;
    uint32_t ranked, lists;  /* the number of lists with a rank of their own; of all lists */
    uint32_t line;           /* the current line */
    bool excepts;            /* the current list is that of the line's except= */
    size_t reserved;         /* octets that are charged in advance */
    struct xnm_joint *older; /* the filter of the previous policy; NULL: none */
};

/* --- the builder --- */

struct xnm_policy_builder *xnm_policy_builder_new(const struct xnm_policy_settings *settings)
{
    struct xnm_policy_builder *builder = calloc(1, sizeof *builder);
    struct xnm_policy *policy = calloc(1, sizeof *policy);

    if (!builder || !policy || !xnm_table_begin_making(&builder->written, XNM_TABLE_LIST) ||
        !xnm_table_begin_making(&builder->protected, XNM_TABLE_PROTECTED)) {
        if (builder)
            xnm_table_stop_making(&builder->written);
        free(builder);
        free(policy);
        return NULL;
    }
    policy->settings = *settings;
    policy->seed = xnm_table_seed();
    builder->policy = policy;
    return builder;
}

void xnm_policy_builder_free(struct xnm_policy_builder *builder)
{
    if (!builder)
        return;
    xnm_table_stop_making(&builder->list);
    xnm_table_stop_making(&builder->written);
    xnm_table_stop_making(&builder->protected);
    xnm_policy_free(builder->policy);
    free(builder);
}

void xnm_policy_builder_follow(struct xnm_policy_builder *builder, const struct xnm_policy *before,
                               const atomic_bool *stop)
{
    builder->older = before ? before->joint : NULL;
    builder->stop = stop;
}

/* --- lists --- */

static struct xnm_policy_line *current_line(const struct xnm_policy_builder *builder)
{
    return xnm_policy_line(builder->policy, builder->line);
}

/* Returns the place of the current list's table. */
static struct xnm_table **current_table(const struct xnm_policy_builder *builder)
{
    struct xnm_policy_line *line = current_line(builder);

    return builder->excepts ? &line->label_rule->except : &line->table;
}

static bool reserve(struct xnm_policy_builder *builder, size_t octets)
{
    if (!xnm_budget_take(octets))
        return false;
    builder->reserved += octets;
    return true;
}

/* Returns the octets that a protected name takes in the look-alike index. */
static size_t name_cost(const struct xnm_protection *protection, const uint8_t *name, size_t len)
{
    size_t longest = 0, cost = NAME_COST + xnm_lookalike_name_size(len);

    for (size_t at = 0; name[at] != 0; at += name[at] + 1U)
        longest = name[at] > longest ? name[at] : longest;
    if (protection->near)
        cost += (longest + NEAR_FORMS) * PART_COST;
    else if (protection->within || protection->words > 0)
        cost += PART_COST;
    return cost + (protection->elsewhere ? PART_COST : 0);
}

/* Returns the octets that the current list takes in the finished policy, apart from its table: in
 * the filter over all lists, or in the look-alike index. */
static size_t list_cost(const struct xnm_policy_builder *builder, const struct xnm_table *table)
{
    const struct xnm_policy_line *line = current_line(builder);
    size_t cost = 0;

    if (builder->excepts)
        return 0;
    if (!line->label_rule)
        return xnm_joint_cost(table);
    for (const struct xnm_table_entry *entry = NULL; (entry = xnm_table_walk(table, entry));) {
        cost += name_cost(&line->label_rule->protection, entry->octets, entry->len);
    }
    return cost;
}

/* Makes this the table of the current list, which takes over one of its users. Returns false when
 * out of memory. */
static bool take_table(struct xnm_policy_builder *builder, struct xnm_table *table)
{
    if (!reserve(builder, list_cost(builder, table)))
        return false;
    *current_table(builder) = table;
    return true;
}

void xnm_policy_builder_list(struct xnm_policy_builder *builder, size_t rule, bool excepts)
{
    builder->line = (uint32_t)rule;
    builder->excepts = excepts;
}

static xnm_table_kind kind_of_list(const struct xnm_policy_builder *builder)
{
    const struct xnm_policy_line *line = current_line(builder);

    if (builder->excepts)
        return XNM_TABLE_LIST;
    if (line->label_rule)
        return XNM_TABLE_PROTECTED;
    return line->rule.trigger == XNM_TRIGGER_RPZ ? XNM_TABLE_ZONE : XNM_TABLE_LIST;
}

bool xnm_policy_builder_entry(struct xnm_policy_builder *builder,
                              const struct xnm_list_entry *entry)
{
    if (!builder->list.table) {
        xnm_policy_builder_forget_list(builder);
        if (!xnm_table_begin_making(&builder->list, kind_of_list(builder)))
            return false;
    }
    return xnm_table_add(&builder->list, entry);
}

bool xnm_policy_builder_end_list(struct xnm_policy_builder *builder)
{
    if (!builder->list.table)
        return true;
    builder->list.stop = builder->stop;
    struct xnm_table *table = xnm_table_end_making(&builder->list);
    if (table && take_table(builder, table))
        return true;
    xnm_table_leave(table);
    return false;
}

struct xnm_table *xnm_policy_builder_table(const struct xnm_policy_builder *builder)
{
    return *current_table(builder);
}

void xnm_policy_builder_forget_list(struct xnm_policy_builder *builder)
{
    struct xnm_table **table = current_table(builder);

    xnm_table_stop_making(&builder->list);
    if (!*table)
        return;
    size_t cost = list_cost(builder, *table);
    builder->reserved -= cost;
    xnm_budget_give(cost);
    if (atomic_load(&(*table)->users) > 1) /* another policy keeps its memory */
        xnm_budget_give(xnm_table_memory(*table));
    xnm_table_leave(*table);
    *table = NULL;
}

bool xnm_policy_builder_share_list(struct xnm_policy_builder *builder, struct xnm_table *table)
{
    xnm_policy_builder_forget_list(builder);
    if (!xnm_budget_take(xnm_table_memory(table)))
        return false;
    if (take_table(builder, xnm_table_share(table)))
        return true;
    xnm_budget_give(xnm_table_memory(table));
    xnm_table_leave(table);
    return false;
}

/* --- rules --- */

/* Returns an error if there are too many conditions or lists, all of which each query searches.
 * NULL: there is room for the rule. */
static const char *too_many(struct xnm_policy_builder *builder, const struct xnm_rule *rule)
{
    if (xnm_trigger_is_condition(rule->trigger) &&
        builder->policy->condition_count == XNM_CONDITIONS_MAX)
        return "too many conditions on labels: expected at most 1000";
    builder->lists += (xnm_trigger_has_path(rule->trigger) ? 1U : 0U) + (rule->except ? 1U : 0U);
    if (builder->lists > XNM_LISTS_MAX)
        return "too many lists and zones: expected at most 10000";
    return NULL;
}

/* Adds the answer of a rule in a rule file: its line and its action, with the records of an
 * `answer` rule. Returns the answer's number; XNM_NO_ANSWER when out of memory. */
static uint32_t written_answer(struct xnm_policy_builder *builder, const struct xnm_rule *rule)
{
    struct xnm_table *table = builder->written.table;
    uint32_t answer = xnm_table_answers_add(table, builder->line, rule->action, false);

    for (size_t i = 0; rule->action == XNM_ANSWER && i < rule->record_count; i++)
        if (answer != XNM_NO_ANSWER)
            answer =
                xnm_table_answers_with(&builder->written.answers, table, answer, &rule->records[i]);
    return answer;
}

/* Adds the subject of a rule, unless it is in a file. */
static bool add_subject(struct xnm_policy_builder *builder, const struct xnm_rule *rule)
{
    struct xnm_policy_line *line = current_line(builder);
    uint32_t answer = XNM_NO_ANSWER;

    if (line->label_rule || !xnm_trigger_has_path(rule->trigger)) {
        answer = written_answer(builder, rule);
        if (answer == XNM_NO_ANSWER)
            return false;
    }
    if (line->label_rule)
        line->label_rule->answer = answer;
    if (xnm_trigger_has_path(rule->trigger))
        return true;
    if (xnm_trigger_is_condition(rule->trigger))
        return xnm_shadowed_add_condition(builder->policy, builder->line);
    if (xnm_trigger_is_lookalike(rule->trigger))
        return xnm_table_add_entry(&builder->protected, builder->line, XNM_SCOPE_EXACT,
                                   rule->name.octets, rule->name.len) &&
               reserve(builder, name_cost(&rule->protection, rule->name.octets, rule->name.len));
    return reserve(builder, ENTRY_COST) &&
           xnm_table_add_entry(&builder->written, answer, rule->scope, rule->name.octets,
                               rule->name.len);
}

/* Adds one rule. Returns false when out of memory, or if *why has an error. */
static bool add_rule(struct xnm_policy_builder *builder, const struct xnm_rule *rule,
                     const char **why)
{
    struct xnm_policy *policy = builder->policy;
    struct xnm_policy_line line = {.column = 0}, *added;
    uint16_t limit = 0;
    int8_t tag = -1;

    *why = too_many(builder, rule);
    if (*why || !xnm_policy_builder_end_list(builder))
        return false;
    if (rule->tag && !xnm_policyline_tag(policy, rule->tag, &tag, why))
        return false;
    if (!xnm_clientset_limit(policy, rule->client, rule->when, &limit, why))
        return false;
    if (!xnm_policyline_write(policy, rule, tag, limit, &builder->ranked, &line))
        return false;
    added = xnm_arena_add(&policy->lines, sizeof *added);
    if (!added)
        return false;
    *added = line;
    xnm_policy_builder_list(builder, policy->line_count++, false);
    return xnm_policyline_count(policy, added) && add_subject(builder, rule);
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

struct xnm_policy *xnm_policy_builder_policy(const struct xnm_policy_builder *builder)
{
    return builder->policy;
}

/* --- the end --- */

static void count_written(const struct xnm_policy *policy)
{
    const struct xnm_table *written = policy->written;

    for (const struct xnm_table_entry *entry = NULL; (entry = xnm_table_walk(written, entry));) {
        uint32_t line = xnm_table_entry_answer(written, entry)->line;
        xnm_policy_line(policy, line)->rule.entry_count++;
    }
}

static bool add_list(struct xnm_policy *policy, uint32_t number)
{
    struct xnm_policy_list *added = xnm_arena_add(&policy->lists, sizeof *added);

    if (added)
        *added = (struct xnm_policy_list){xnm_policy_line(policy, number)->table, number};
    return added;
}

enum kind { EXEMPTING, DECIDING, LOGGING, KINDS };

static enum kind kind_of(const struct xnm_policy_line *line)
{
    if (line->rank == XNM_RANK_LOG)
        return LOGGING;
    return line->rank == XNM_RANK_WRITTEN ? EXEMPTING : DECIDING;
}

/* Sorts the lists into the order in which they are searched. */
static bool order_lists(struct xnm_policy *policy)
{
    size_t *const counts[KINDS] = {&policy->exempting, &policy->deciding, &policy->logging};

    for (unsigned kind = EXEMPTING; kind < KINDS; kind++) {
        for (size_t i = 0; i < policy->line_count; i++) {
            const struct xnm_policy_line *line = xnm_policy_line(policy, i);
            if (!xnm_policy_line_list(line) || kind_of(line) != kind)
                continue;
            if (!add_list(policy, (uint32_t)i))
                return false;
            ++*counts[kind];
        }
    }
    return true;
}

/* Makes the filter over all lists, and sets what the policy has because of them. */
static bool join_lists(struct xnm_policy *policy, struct xnm_joint *older, const atomic_bool *stop)
{
    size_t count = policy->lists.len / sizeof(struct xnm_policy_list);
    const struct xnm_table **tables = calloc(count + 1, sizeof *tables); /* never 0 octets */

    policy->depths = policy->written->depths;
    for (size_t i = 0; tables && i < count; i++) {
        const struct xnm_policy_list *list = xnm_policy_list(policy, i);
        tables[i] = list->table;
        xnm_depths_join(&policy->depths, &list->table->depths);
        policy->has_tcp_only |= list->table->has_tcp_only ||
                                xnm_policy_line(policy, list->line)->answer.action == XNM_TCP_ONLY;
    }
    if (tables)
        policy->joint = xnm_joint_make(tables, count, older, stop);
    free(tables);
    return policy->joint;
}

/* Sets the counts of each line, and what the policy has because of its lines. */
static void note_lines(struct xnm_policy *policy)
{
    for (size_t i = 0; i < policy->line_count; i++) {
        struct xnm_policy_line *line = xnm_policy_line(policy, i);
        if (xnm_policy_line_list(line)) {
            line->rule.entry_count = xnm_policy_table_names(line->table);
            line->rule.typed_count = line->table->typed_count;
        }
        policy->changes_answers |= xnm_policyline_changes_answers(line);
        policy->protects |= xnm_policyline_protects(line);
    }
    for (size_t i = 0; i < policy->condition_count; i++) {
        uint32_t number = ((const uint32_t *)(const void *)policy->conditions.octets)[i];
        const struct xnm_policy_line *line = xnm_policy_line(policy, number);
        policy->changes_answers |=
            line->rank != XNM_RANK_LOG && line->answer.action != XNM_PASSTHRU;
    }
    policy->label_rule = policy->condition_count + policy->lookalikes.count > 0;
    policy->empty =
        !policy->label_rule && policy->written->entry_count == 0 && policy->lists.len == 0;
}

/* Marks the answers of label rules, which have no entry, as used. */
static void use_label_rules(struct xnm_policy_builder *builder)
{
    for (size_t i = 0; i < builder->policy->line_count; i++) {
        const struct xnm_policy_line *line = xnm_policy_line(builder->policy, i);
        if (line->label_rule)
            xnm_table_answer(builder->written.table, line->label_rule->answer)->used = true;
    }
}

static bool finish(struct xnm_policy_builder *builder, struct xnm_shadowed *shadowed)
{
    struct xnm_policy *policy = builder->policy;

    if (!xnm_policy_builder_end_list(builder))
        return false;
    xnm_budget_give(builder->reserved);
    builder->reserved = 0;
    builder->written.replaces = xnm_shadowed_entry;
    builder->written.arg = shadowed;
    builder->written.stop = builder->stop;
    if (!xnm_table_fill(&builder->written) || xnm_shadowed_is_over(shadowed) ||
        !xnm_lookalikeindex_make(shadowed, builder->protected.table))
        return false;
    xnm_shadowed_conditions(shadowed);
    if (shadowed->no_memory)
        return false;
    xnm_shadowed_finish(shadowed);
    use_label_rules(builder);
    policy->written = xnm_table_end_making(&builder->written);
    if (!policy->written || !order_lists(policy) ||
        !join_lists(policy, builder->older, builder->stop))
        return false;
    count_written(policy);
    note_lines(policy);
    xnm_arena_trim(&policy->lines);
    xnm_arena_trim(&policy->conditions);
    xnm_lookalikeindex_trim(&policy->lookalikes);
    return true;
}

struct xnm_policy *xnm_policy_finish(struct xnm_policy_builder *builder,
                                     const struct xnm_diagnostics *diagnostics, bool *no_memory)
{
    struct xnm_policy *policy = builder->policy;
    struct xnm_shadowed shadowed = {.policy = policy,
                                    .written = &builder->written,
                                    .diagnostics = diagnostics,
                                    .stop = builder->stop};

    if (!finish(builder, &shadowed)) {
        if (no_memory)
            *no_memory = !xnm_shadowed_is_over(&shadowed);
        xnm_policy_builder_free(builder);
        return NULL;
    }
    builder->policy = NULL;
    xnm_policy_builder_free(builder);
    return policy;
}
