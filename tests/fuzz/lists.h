/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a list or a zone of others, looks at each entry, and makes the policy that they are. */
#ifndef XN_TESTS_FUZZ_LISTS_H
#define XN_TESTS_FUZZ_LISTS_H

#include "module/build/build.h"
#include "module/rule/rule.h"
#include "tests/fuzz/decisions.h"
#include "tests/fuzz/reports.h"
#include "tests/fuzz/zonelines.h"

#include "module/list/list.h"

struct list {
    size_t entries;
    struct xnm_wirename last; /* the name of the last entry, and … */
    xnm_scope last_scope;
    bool protected; /* they are protected names */
    bool modified;  /* some entries leave out questions that their names match */
    struct xnm_policy_builder *builder;
    struct xnm_list_counts counts;
};

static inline void expect_record(const struct xnm_list_entry *entry)
{
    assert_int_equal(entry->record != NULL,
                     entry->action == XNM_CNAME || entry->action == XNM_ANSWER);
    if (!entry->record)
        return;
    assert_int_equal(entry->record->ttl, entry->ttl);
    expect_record_text(entry->record);
}

static inline bool expect_entry(void *arg, const struct xnm_list_entry *entry)
{
    struct list *list = arg;
    struct xn_wire_cursor cursor;

    assert_int_equal(xn_wire_open(&cursor, entry->name, entry->name_len), XN_OK);
    for (size_t i = 0; i < entry->name_len; i++)
        assert_false(entry->name[i] >= 'A' && entry->name[i] <= 'Z');
    expect_name_text(entry->name, entry->name_len);
    assert_in_range(entry->scope, XNM_SCOPE_EXACT, XNM_SCOPE_NONE);
    assert_in_range(entry->action, XNM_ACTION_NONE, XNM_ACTION_COUNT - 1);
    assert_in_range(entry->ttl, 0, INT32_MAX);
    assert_in_range(entry->min, 0, list->protected ? XN_WIRE_LABEL_MAX : 0);
    expect_record(entry);
    assert_true(xnm_policy_builder_entry(list->builder, entry));
    list->modified |= entry->modifiers != NULL;
    if (entry->scope == XNM_SCOPE_NONE)
        return true;
    list->last.len = (uint8_t)entry->name_len;
    memcpy(list->last.octets, entry->name, entry->name_len);
    list->last_scope = entry->scope;
    list->entries++;
    return true;
}

static inline struct xnm_policy_builder *builder_of(const struct xnm_rule *rule)
{
    const struct xnm_policy_settings settings = {
        .ttl = 60, .soa_mname = {1, {0}}, .soa_rname = {1, {0}}};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);

    assert_non_null(builder);
    assert_true(xnm_policy_builder_rule(builder, rule, NULL));
    return builder;
}

static inline void expect_policy(struct list *list, const struct xnm_rule *rule,
                                 const struct xnm_diagnostics *diagnostics)
{
    struct xnm_policy *policy = xnm_policy_finish(list->builder, diagnostics, NULL);

    assert_non_null(policy);
    assert_true(xnm_policy_entry_count(policy) <= list->entries);
    if (list->entries > 0 && !list->modified && !xnm_trigger_is_lookalike(rule->trigger))
        expect_decided(policy, &list->last, list->last_scope, 1);
    xnm_policy_free(policy);
}

/* Returns what was read, whose pointers are dead. */
static inline struct list expect_list(const struct xnm_rule *rule, const uint8_t *data, size_t size,
                                      bool *good)
{
    struct reports reports = reports_of(data, size);
    const struct xnm_diagnostics diagnostics = {expect_report, &reports};
    char *text = exact_copy(data, size);
    struct list list = {.protected = xnm_trigger_is_lookalike(rule->trigger),
                        .builder = builder_of(rule)};

    const struct xnm_list_options options = {.unicode = target_unicode(),
                                             .diagnostics = &diagnostics,
                                             .entry = expect_entry,
                                             .arg = &list};
    *good = xnm_list_read(&options, rule, REPORTS_FILE, text, size, &list.counts);
    assert_int_equal(list.counts.entries, list.entries);
    if (!*good || list.counts.bad > 0 || list.counts.suffixes > 0)
        assert_true(reports.errors > 0);
    if (list.counts.skipped > 0 || list.counts.short_names > 0)
        assert_true(reports.warnings > 0 || (list.counts.unmet != 0 && reports.errors > 0));
    expect_policy(&list, rule, &diagnostics);
    free(text);
    return list;
}

#endif
