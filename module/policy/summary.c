/* SPDX-License-Identifier: BSD-3-Clause */
/* Frees a policy, and reports its sizes, its parts and what its decisions change. */
#include "module/base/same.h"
#include "module/policy/data.h"

#include <stdlib.h>
#include <string.h>

/* The last line of a policy that is not complete may have no counter. */
static void leave_counters(const struct xnm_policy *policy)
{
    for (size_t i = 0; i < policy->line_count; i++) {
        const struct xnm_policy_rule *rule = xnm_policy_rule(policy, i);
        if (rule->counter)
            xnm_counters_leave(policy->settings.counters, rule->counter);
    }
}

static void leave_tables(const struct xnm_policy *policy)
{
    for (size_t i = 0; i < policy->line_count; i++) {
        const struct xnm_policy_line *line = xnm_policy_line(policy, i);
        xnm_table_leave(line->table);
        if (line->label_rule)
            xnm_table_leave(line->label_rule->except);
    }
    xnm_table_leave(policy->written);
}

static void free_lookalikes(struct xnm_lookalikeindex *lookalikes)
{
    xnm_arena_free(&lookalikes->names);
    xnm_arena_free(&lookalikes->exempt);
    xnm_arena_free(&lookalikes->slots);
    xnm_arena_free(&lookalikes->every.words);
    xnm_arena_free(&lookalikes->plain.words);
    xnm_arena_free(&lookalikes->powers);
}

void xnm_policy_free(struct xnm_policy *policy)
{
    if (!policy)
        return;
    leave_counters(policy);
    leave_tables(policy);
    free_lookalikes(&policy->lookalikes);
    xnm_arena_free(&policy->conditions);
    xnm_arena_free(&policy->lists);
    xnm_joint_leave(policy->joint);
    xnm_arena_free(&policy->lines);
    xnm_arena_free(&policy->client_sets);
    xnm_arena_free(&policy->limits);
    xnm_arena_free(&policy->word_sets);
    xnm_pool_free(&policy->pool);
    free(policy);
}

size_t xnm_policy_client_set_count(const struct xnm_policy *policy)
{
    return policy->client_sets.len / sizeof(struct xnm_client_set);
}

const struct xnm_client_set *xnm_policy_client_set(const struct xnm_policy *policy, size_t n)
{
    return (const struct xnm_client_set *)(const void *)policy->client_sets.octets + n;
}

size_t xnm_policy_rule_count(const struct xnm_policy *policy)
{
    return policy->line_count;
}

const struct xnm_policy_rule *xnm_policy_rule(const struct xnm_policy *policy, size_t n)
{
    return &xnm_policy_line(policy, n)->rule;
}

size_t xnm_policy_entry_count(const struct xnm_policy *policy)
{
    size_t count = policy->lookalikes.count;

    for (size_t i = 0; i < policy->line_count; i++)
        if (!xnm_policy_line(policy, i)->label_rule)
            count += xnm_policy_rule(policy, i)->entry_count;
    return count;
}

static size_t lookalike_memory(const struct xnm_lookalikeindex *lookalikes)
{
    return lookalikes->names.cap + lookalikes->exempt.cap + lookalikes->slots.cap +
           lookalikes->every.words.cap + lookalikes->plain.words.cap + lookalikes->powers.cap;
}

static size_t table_memory(const struct xnm_policy_line *line)
{
    const struct xnm_table *except = line->label_rule ? line->label_rule->except : NULL;

    return (line->table ? xnm_table_memory(line->table) : 0) +
           (except ? xnm_table_memory(except) : 0);
}

size_t xnm_policy_memory(const struct xnm_policy *policy)
{
    size_t memory = sizeof *policy + xnm_joint_memory(policy->joint) + policy->lines.cap +
                    policy->lists.cap + policy->conditions.cap + policy->client_sets.cap +
                    policy->limits.cap + policy->word_sets.cap +
                    lookalike_memory(&policy->lookalikes) + xnm_pool_memory(&policy->pool);

    if (policy->written)
        memory += xnm_table_memory(policy->written);
    for (size_t i = 0; i < policy->line_count; i++)
        memory += table_memory(xnm_policy_line(policy, i));
    return memory;
}

struct xnm_table *xnm_policy_table(const struct xnm_policy *policy, const struct xnm_rule *rule,
                                   bool excepts)
{
    for (size_t i = 0; i < policy->line_count; i++) {
        const struct xnm_policy_line *line = xnm_policy_line(policy, i);
        if (excepts && line->label_rule && xnm_same(line->label_rule->except_path, rule->path))
            return line->label_rule->except;
        if (!excepts && line->rule.trigger == rule->trigger && line->suffixes == rule->suffixes &&
            strcmp(line->rule.subject, rule->path) == 0)
            return line->table;
    }
    return NULL;
}

size_t xnm_policy_table_names(const struct xnm_table *table)
{
    return table->entry_count - table->inactive_count;
}

const struct xnm_policy_settings *xnm_policy_settings(const struct xnm_policy *policy)
{
    return &policy->settings;
}

bool xnm_policy_changes_answers(const struct xnm_policy *policy)
{
    return policy->changes_answers;
}

bool xnm_policy_protects(const struct xnm_policy *policy)
{
    return policy->protects;
}

bool xnm_policy_has_limits(const struct xnm_policy *policy)
{
    return policy->limits.len > 0;
}

const char *xnm_match_kind_word(xnm_match_kind match_kind)
{
    static const char *const words[XNM_MATCH_KIND_COUNT] = {"exact",  "strict", "words",
                                                            "within", "near",   "elsewhere"};

    return words[match_kind];
}

const char *xnm_policy_tag(const struct xnm_policy *policy, unsigned number)
{
    return number < policy->tag_count ? policy->tags[number] : NULL;
}

bool xnm_decision_changes_answer(const struct xnm_decision *decision)
{
    return decision->answer && decision->answer->action != XNM_PASSTHRU;
}

bool xnm_decision_refuses(const struct xnm_decision *decision)
{
    return xnm_decision_changes_answer(decision) && decision->answer->action != XNM_TCP_ONLY;
}

bool xnm_decision_forbids_cache(const struct xnm_decision *decision)
{
    return xnm_decision_changes_answer(decision) || decision->specific_answer;
}
