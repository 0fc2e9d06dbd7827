/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policyindex.h"

#include <string.h>

enum { SHADOWED_TOLD_MAX = 20 }; /* rules that never decide; of more only the number is said */

struct index {
    struct xnm_policy *policy;
    struct xnm_verdicts *verdicts;
    const struct xnm_reporter *reporter;
    size_t shadowed; /* found so far */
};

/* --- the table --- */

/* At two thirds a name that is there is found at the second place on average, one that is not is
 * seldom looked for: the filter says so. Sixteen bits of it an entry. */
static bool make_table(struct xnm_policy *policy, size_t entries)
{
    uint64_t slots = entries + entries / 2 + 1, words = entries / 4 + 1;

    if (slots > UINT32_MAX)
        return false;
    xnm_arena_free(&policy->slots);
    xnm_arena_free(&policy->filter);
    policy->slot_count = slots;
    policy->filter_count = words;
    return xnm_arena_add(&policy->slots, slots * sizeof(struct xnm_policy_slot)) &&
           xnm_arena_add(&policy->filter, words * sizeof(uint64_t));
}

/* Notes the name's suffixes in the filter. Returns the hash of the whole. */
static uint64_t note_suffixes(struct xnm_policy *policy, const struct xnm_policy_entry *entry)
{
    uint64_t *filter = (uint64_t *)(void *)policy->filter.octets;
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    uint64_t hash = policy->seed;
    unsigned labels = 0;

    for (size_t at = 0; entry->octets[at] != 0; at += (size_t)entry->octets[at] + 1)
        label_at[labels++] = (uint8_t)at;
    policy->depths[labels / 64] |= 1ULL << labels % 64;
    while (labels-- > 0) {
        hash = xnm_policy_hash(hash, entry->octets + label_at[labels]);
        filter[xnm_policy_place(hash, policy->filter_count)] |= xnm_policy_filter_bits(hash);
    }
    return hash;
}

/* --- what was there before --- */

static bool asks_for_same(const struct xnm_policy_line *a, const struct xnm_policy_line *b)
{
    return a->type_count == b->type_count &&
           memcmp(a->types, b->types, a->type_count * sizeof *a->types) == 0;
}

static bool is_written(const struct xnm_policy_line *line)
{
    return line->rank == XNM_RANK_WRITTEN &&
           (line->shown.trigger == XNM_TRIGGER_NAME || line->shown.trigger == XNM_TRIGGER_ZONE);
}

static bool report_shadowed(struct index *index, const struct xnm_policy_line *earlier,
                            const struct xnm_policy_line *later)
{
    struct xnm_place place = {later->shown.file, later->shown.line, later->column};
    bool same_file = strcmp(earlier->shown.file, later->shown.file) == 0;

    if (++index->shadowed <= SHADOWED_TOLD_MAX)
        xnm_report(index->reporter, XNM_WARNING, &place,
                   "this rule never decides: line %u%s%s has '%s %s' already", earlier->shown.line,
                   same_file ? "" : " of ", same_file ? "" : earlier->shown.file,
                   xnm_trigger_word(earlier->shown.trigger), earlier->shown.subject);
    return true;
}

static void report_more_shadowed(const struct index *index)
{
    const struct xnm_policy_line *last =
        xnm_policy_line(index->policy, index->policy->line_count - 1);
    struct xnm_place place = {last->shown.file, 0, 0};

    xnm_report(index->reporter, XNM_WARNING, &place, "%zu more rules never decide",
               index->shadowed - SHADOWED_TOLD_MAX);
}

/* Two entries of one name and scope: does the earlier one make the later one needless? What the
 * later one adds to it is added. *failed: no memory. */
static bool replaces(struct index *index, struct xnm_policy_entry *earlier,
                     const struct xnm_policy_entry *later, bool *failed)
{
    const struct xnm_policy_verdict *a = xnm_entry_verdict(index->policy, earlier);
    const struct xnm_policy_verdict *b = xnm_entry_verdict(index->policy, later);
    const struct xnm_policy_line *a_line = xnm_policy_line(index->policy, a->line);
    const struct xnm_policy_line *b_line = xnm_policy_line(index->policy, b->line);
    bool same_line = a->line == b->line;

    if (!same_line && !(is_written(a_line) && is_written(b_line)))
        return false;
    if (a->shown.action == XNM_ANSWER && b->shown.action == XNM_ANSWER &&
        asks_for_same(a_line, b_line)) {
        uint32_t both = xnm_verdicts_with_all_of(
            index->verdicts, index->policy, earlier->verdict_scope >> 2, later->verdict_scope >> 2);
        *failed = both == XNM_NO_VERDICT;
        earlier->verdict_scope = both << 2 | (earlier->verdict_scope & 3);
        return true;
    }
    if (same_line)
        return true;
    if ((a->shown.action == XNM_PASSTHRU) != (b->shown.action == XNM_PASSTHRU) ||
        (a_line->type_count > 0 && !asks_for_same(a_line, b_line)))
        return false;
    return report_shadowed(index, a_line, b_line);
}

/* --- filling it --- */

/* Puts an entry behind the others of its name, or says that it is not needed. */
static bool put_entry(struct index *index, size_t at, bool *needless)
{
    struct xnm_policy *policy = index->policy;
    const struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
    uint64_t hash = note_suffixes(policy, entry);
    size_t place = xnm_policy_place(hash, policy->slot_count);
    struct xnm_policy_slot *slot;
    bool failed = false;

    *needless = false;
    while ((slot = xnm_policy_slot(policy, place))->at != 0) {
        struct xnm_policy_entry *other =
            xnm_policy_entry(policy, (size_t)slot->at * XNM_ENTRY_UNIT);
        if (slot->tag == (uint32_t)hash && other->len == entry->len &&
            xnm_entry_scope(other) == xnm_entry_scope(entry) &&
            memcmp(other->octets, entry->octets, entry->len) == 0) {
            *needless = replaces(index, other, entry, &failed);
            if (*needless)
                return !failed;
        }
        if (++place == policy->slot_count)
            place = 0;
    }
    *slot = (struct xnm_policy_slot){(uint32_t)hash, (uint32_t)(at / XNM_ENTRY_UNIT)};
    return true;
}

static void count_entry(struct xnm_policy *policy, size_t at, size_t end)
{
    struct xnm_policy_line *line =
        xnm_policy_line(policy, xnm_entry_verdict(policy, xnm_policy_entry(policy, at))->line);

    if (line->shown.entry_count++ == 0)
        line->entries_at = at;
    line->entries_end = end;
    policy->entry_count++;
}

/* Puts all entries into the table, and moves them together where some are left out. */
static bool put_entries(struct index *index)
{
    struct xnm_policy *policy = index->policy;
    size_t kept = XNM_ENTRY_FIRST;
    bool needless;

    policy->entry_count = 0;
    for (size_t i = 0; i < policy->line_count; i++)
        xnm_policy_line(policy, i)->shown.entry_count = 0;
    for (size_t at = XNM_ENTRY_FIRST; at < policy->entries.len;) {
        struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
        size_t size = xnm_entry_size(entry->len);
        memmove(xnm_policy_entry(policy, kept), entry, size);
        if (!put_entry(index, kept, &needless))
            return false;
        if (!needless) {
            count_entry(policy, kept, kept + size);
            kept += size;
        }
        at += size;
    }
    policy->entries.len = kept;
    return true;
}

/* A table made for many entries more than there are is made again. */
static bool fit_table(struct xnm_policy *policy, size_t expected)
{
    if (expected - policy->entry_count < expected / 8)
        return true;
    if (!make_table(policy, policy->entry_count))
        return false;
    for (size_t at = XNM_ENTRY_FIRST; at < policy->entries.len;) {
        const struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
        uint64_t hash = note_suffixes(policy, entry);
        size_t place = xnm_policy_place(hash, policy->slot_count);
        while (xnm_policy_slot(policy, place)->at != 0)
            place = place + 1 == policy->slot_count ? 0 : place + 1;
        *xnm_policy_slot(policy, place) =
            (struct xnm_policy_slot){(uint32_t)hash, (uint32_t)(at / XNM_ENTRY_UNIT)};
        at += xnm_entry_size(entry->len);
    }
    return true;
}

static void note_actions(struct xnm_policy *policy)
{
    for (size_t at = XNM_ENTRY_FIRST; at < policy->entries.len;) {
        const struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
        struct xnm_policy_verdict *verdict = xnm_entry_verdict(policy, entry);
        bool quiet = verdict->shown.action == XNM_LOG || verdict->shown.action == XNM_PASSTHRU;
        verdict->used = true;
        policy->quiet |= quiet;
        policy->changing |= !quiet;
        at += xnm_entry_size(entry->len);
    }
}

bool xnm_policy_index(struct xnm_policy *policy, struct xnm_verdicts *verdicts,
                      const struct xnm_reporter *reporter)
{
    struct index index = {policy, verdicts, reporter, 0};
    size_t expected = policy->entry_count;

    if (!make_table(policy, expected) || !put_entries(&index) || !fit_table(policy, expected))
        return false;
    if (index.shadowed > SHADOWED_TOLD_MAX)
        report_more_shadowed(&index);
    note_actions(policy);
    xnm_arena_trim(&policy->slots);
    xnm_arena_trim(&policy->filter);
    xnm_arena_trim(&policy->entries);
    xnm_arena_trim(&policy->lines);
    xnm_arena_trim(&policy->verdicts);
    return xnm_verdicts_finish(policy);
}
