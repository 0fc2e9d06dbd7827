/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a list or a zone of others, looks at each entry, and makes the policy that they are. */
#ifndef XN_TESTS_FUZZ_FEEDS_H
#define XN_TESTS_FUZZ_FEEDS_H

#include "tests/fuzz/decisions.h"
#include "tests/fuzz/reports.h"
#include "tests/fuzz/zonelines.h"

#include "module/list/feed.h"

struct feed {
    char *start, *unread, *end;
    size_t entries;
    struct xnm_wirename last; /* the name of the last entry, and … */
    xnm_scope last_scope;
    struct xnm_policy_builder *builder;
    struct xnm_feed_counts counts;
};

static inline void expect_record(const struct xnm_feed_entry *entry)
{
    assert_int_equal(entry->record != NULL,
                     entry->action == XNM_CNAME || entry->action == XNM_ANSWER);
    if (!entry->record)
        return;
    assert_int_equal(entry->record->ttl, entry->ttl);
    expect_record_text(entry->record);
}

/* What nobody may look at any more is spoilt. */
static inline bool expect_entry(void *arg, const struct xnm_feed_entry *entry)
{
    struct feed *feed = arg;
    struct xn_wire_cursor cursor;

    assert_int_equal(xn_wire_open(&cursor, entry->name, entry->name_len), XN_OK);
    for (size_t i = 0; i < entry->name_len; i++)
        assert_false(entry->name[i] >= 'A' && entry->name[i] <= 'Z');
    expect_name_text(entry->name, entry->name_len);
    assert_in_range(entry->scope, XNM_SCOPE_EXACT, XNM_SCOPE_NONE);
    assert_in_range(entry->action, XNM_ACTION_NONE, XNM_ACTION_COUNT - 1);
    assert_in_range(entry->ttl, 0, INT32_MAX);
    expect_record(entry);
    assert_true(entry->unread >= feed->unread && entry->unread <= feed->end);
    while (feed->unread < entry->unread)
        *feed->unread++ = '(';
    assert_true(xnm_policy_builder_entry(feed->builder, entry));
    if (entry->scope == XNM_SCOPE_NONE)
        return true;
    feed->last.len = (uint8_t)entry->name_len;
    memcpy(feed->last.octets, entry->name, entry->name_len);
    feed->last_scope = entry->scope;
    feed->entries++;
    return true;
}

static inline struct xnm_policy_builder *builder_of(const struct xnm_rule *rule)
{
    const struct xnm_policy_settings settings = {
        .unicode = target_unicode(), .ttl = 60, .soa_mname = {1, {0}}, .soa_rname = {1, {0}}};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);

    assert_non_null(builder);
    assert_true(xnm_policy_builder_rule(builder, rule, NULL));
    return builder;
}

static inline void expect_policy(struct feed *feed, const struct xnm_rule *rule,
                                 const struct xnm_reporter *reporter)
{
    struct xnm_policy *policy = xnm_policy_finish(feed->builder, reporter, NULL);

    assert_non_null(policy);
    assert_true(xnm_policy_entry_count(policy) <= feed->entries);
    if (feed->entries > 0 && !xnm_trigger_is_lookalike(rule->trigger))
        expect_decided(policy, &feed->last, feed->last_scope, 1);
    xnm_policy_free(policy);
}

/* Returns what was read, whose pointers are dead. */
static inline struct feed expect_feed(const struct xnm_rule *rule, const uint8_t *data, size_t size,
                                      bool *good)
{
    struct reports reports = reports_of(data, size);
    const struct xnm_reporter reporter = {expect_report, &reports};
    char *text = exact_copy(data, size);
    struct feed feed = {
        .start = text, .unread = text, .end = text + size, .builder = builder_of(rule)};

    const struct xnm_feed_options options = {
        .unicode = target_unicode(), .reporter = &reporter, .entry = expect_entry, .arg = &feed};
    *good = xnm_feed_read(&options, rule, REPORTS_FILE, text, size, &feed.counts);
    assert_int_equal(feed.counts.entries, feed.entries);
    if (!*good || feed.counts.bad > 0 || feed.counts.suffixes > 0)
        assert_true(reports.errors > 0);
    if (feed.counts.skipped > 0 || feed.counts.short_names > 0)
        assert_true(reports.warnings > 0 || (feed.counts.unmet != 0 && reports.errors > 0));
    expect_policy(&feed, rule, &reporter);
    free(text);
    return feed;
}

#endif
