/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/index.h"

#include "module/base/thread.h"
#include "module/build/condition.h"
#include "module/policy/contest.h"
#include "module/policy/hash.h"

#include <string.h>

/* --- the table --- */

/* At a load of two thirds, a name that is in the table is found in two places on average. Names
 * that are not are seldom looked up, because of the filter. */
static uint64_t slots_for(size_t entries)
{
    return entries + entries / 2 + 1;
}

size_t xnm_policy_tables_memory(size_t entries)
{
    return slots_for(entries) * sizeof(struct xnm_policy_slot) + xnm_filter_memory(entries);
}

void xnm_policy_note_zoned(struct xnm_policy *policy, xnm_scope scope)
{
    policy->zone_entries++;
    policy->wildcards |= scope == XNM_SCOPE_BELOW;
}

size_t xnm_policy_marks_max(const struct xnm_policy *policy)
{
    return policy->wildcards ? policy->zone_entries : 0;
}

static bool make_table(struct xnm_policy *policy, size_t entries)
{
    uint64_t slots = slots_for(entries);

    if (slots > UINT32_MAX)
        return false;
    xnm_arena_free(&policy->slots);
    policy->slot_count = slots;
    return xnm_arena_add(&policy->slots, slots * sizeof(struct xnm_policy_slot)) &&
           xnm_filter_make(&policy->filter, entries);
}

/* Adds the name's suffixes to the filter. Returns the hash of the whole name. */
static uint64_t note_suffixes(struct xnm_policy *policy, const struct xnm_policy_entry *entry)
{
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    uint64_t hash = policy->seed;
    unsigned labels = 0;

    for (size_t at = 0; entry->octets[at] != 0; at += (size_t)entry->octets[at] + 1)
        label_at[labels++] = (uint8_t)at;
    xnm_depths_note(&policy->depths, labels);
    while (labels-- > 0) {
        hash = xnm_policy_hash(hash, entry->octets + label_at[labels]);
        xnm_filter_note(&policy->filter, hash);
    }
    return hash;
}

/* --- earlier entries of the same name --- */

static bool is_written(const struct xnm_policy_line *line)
{
    return line->rank == XNM_RANK_WRITTEN &&
           (line->shown.trigger == XNM_TRIGGER_NAME || line->shown.trigger == XNM_TRIGGER_ZONE);
}

/* Does the earlier of two entries with the same name and scope shadow the later one? If they
 * merge, adds the later one's records to the earlier one. */
static bool replaces(struct xnm_shadowed *shadowed, struct xnm_policy_entry *earlier,
                     const struct xnm_policy_entry *later)
{
    const struct xnm_policy *policy = shadowed->policy;
    const uint64_t owner = (uint64_t)((const uint8_t *)earlier - policy->entries.octets);
    uint32_t a = earlier->verdict_scope >> 2, b = later->verdict_scope >> 2;
    uint32_t a_line = xnm_policy_verdict(policy, a)->line;
    uint32_t b_line = xnm_policy_verdict(policy, b)->line;
    bool replaced = a_line == b_line;

    if (replaced &&
        (xnm_policy_verdict(policy, a)->modifiers || xnm_policy_verdict(policy, b)->modifiers))
        return a == b;
    if (replaced)
        xnm_shadowed_merge(shadowed, owner, &a, b); /* else the first of them counts */
    else
        replaced = is_written(xnm_policy_line(policy, a_line)) &&
                   is_written(xnm_policy_line(policy, b_line)) &&
                   xnm_shadowed_is(shadowed, owner, &a, b);
    earlier->verdict_scope = a << 2 | (earlier->verdict_scope & 3);
    return replaced;
}

/* --- filling it --- */

static const struct xnm_policy_line *line_of(const struct xnm_policy *policy,
                                             const struct xnm_policy_entry *entry)
{
    return xnm_policy_line(policy, xnm_entry_verdict(policy, entry)->line);
}

/* Is the entry a rule of its own rather than a list's? */
static bool is_rule(const struct xnm_policy *policy, const struct xnm_policy_entry *entry)
{
    return !xnm_trigger_has_path(line_of(policy, entry)->shown.trigger);
}

/* Inserts an entry after the others of its name. False: it is not needed. */
static bool put_entry(struct xnm_shadowed *shadowed, size_t at)
{
    struct xnm_policy *policy = shadowed->policy;
    const struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
    uint64_t hash = note_suffixes(policy, entry);
    size_t place = xnm_hash_place(hash, policy->slot_count);
    struct xnm_policy_slot *slot;
    unsigned rules = 0; /* rules with the same name and scope */

    while ((slot = xnm_policy_slot(policy, place))->at != 0) {
        struct xnm_policy_entry *other =
            xnm_policy_entry(policy, (size_t)slot->at * XNM_ENTRY_UNIT);
        if (slot->tag == (uint32_t)hash && other->len == entry->len &&
            xnm_entry_scope(other) == xnm_entry_scope(entry) &&
            memcmp(other->octets, entry->octets, entry->len) == 0) {
            if (replaces(shadowed, other, entry))
                return false;
            rules += is_rule(policy, other);
        }
        place = xnm_hash_next(place, policy->slot_count);
    }
    if (rules >= XNM_NEEDED_MAX && is_rule(policy, entry))
        xnm_shadowed_refuse(shadowed, line_of(policy, entry));
    *slot = (struct xnm_policy_slot){(uint32_t)hash, (uint32_t)(at / XNM_ENTRY_UNIT)};
    return true;
}

static void count_entry(struct xnm_policy *policy, size_t at, size_t end)
{
    const struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
    const struct xnm_policy_verdict *verdict = xnm_entry_verdict(policy, entry);
    struct xnm_policy_line *line = xnm_policy_line(policy, verdict->line);

    xnm_policy_line_add(line, at, end, xnm_entry_scope(entry) != XNM_SCOPE_NONE);
    policy->entry_count++;
    policy->bare_count += xnm_entry_scope(entry) == XNM_SCOPE_NONE;
    if (verdict->zoned)
        xnm_policy_note_zoned(policy, xnm_entry_scope(entry));
}

/* Inserts all entries into the table, and closes the gaps that dropped ones leave in the arena. */
static void put_entries(struct xnm_shadowed *shadowed)
{
    struct xnm_policy *policy = shadowed->policy;
    size_t kept = XNM_ENTRY_FIRST;

    policy->entry_count = policy->zone_entries = 0;
    policy->wildcards = false;
    for (size_t i = 0; i < policy->line_count; i++)
        xnm_policy_line_clear(xnm_policy_line(policy, i));
    for (size_t at = XNM_ENTRY_FIRST;
         at < policy->entries.len && !xnm_shadowed_is_over(shadowed);) {
        struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
        size_t size = xnm_entry_size(entry->len);
        memmove(xnm_policy_entry(policy, kept), entry, size);
        if (put_entry(shadowed, kept)) {
            count_entry(policy, kept, kept + size);
            kept += size;
        }
        at += size;
    }
    policy->entries.len = kept;
}

/* Puts an entry into the next free slot. */
static void take_place(struct xnm_policy *policy, uint64_t hash, size_t at)
{
    size_t place = xnm_hash_place(hash, policy->slot_count);

    while (xnm_policy_slot(policy, place)->at != 0)
        place = xnm_hash_next(place, policy->slot_count);
    *xnm_policy_slot(policy, place) =
        (struct xnm_policy_slot){(uint32_t)hash, (uint32_t)(at / XNM_ENTRY_UNIT)};
}

/* --- marks --- */

static bool is_wildcard(const struct xnm_policy_entry *entry, const uint8_t *name, size_t len)
{
    return entry->len == len && xnm_entry_scope(entry) == XNM_SCOPE_BELOW &&
           memcmp(entry->octets, name, len) == 0;
}

/* Marks the names directly below wildcards of an entry's own zone that it is at or below. Returns
 * how many were new. A new one is the first below the nearest name
 * above the entry that has one, too: of all entries together there are no more than entries. */
static size_t mark_above(struct xnm_policy *policy, size_t at)
{
    const struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
    const uint32_t line = xnm_entry_verdict(policy, entry)->line;
    const uint8_t *end = entry->octets + entry->len, *above = end - 1;
    uint64_t hash = policy->seed, above_hash;
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    unsigned labels = 0;
    size_t count = 0;

    for (size_t label = 0; entry->octets[label] != 0; label += entry->octets[label] + 1U)
        label_at[labels++] = (uint8_t)label;
    for (unsigned depth = 0; depth < labels; depth++) {
        const uint8_t *name = entry->octets + label_at[labels - depth - 1];
        above_hash = hash;
        hash = xnm_policy_hash(hash, name);
        if (xnm_depths_has(&policy->depths, depth) &&
            xnm_policy_line_has(policy, line, is_wildcard, above_hash, above,
                                (size_t)(end - above)) &&
            !xnm_policy_line_has(policy, line, xnm_entry_is_within, hash, name,
                                 (size_t)(end - name))) {
            take_place(policy, hash, at);
            count++;
        }
        above = name;
    }
    return count;
}

/* Inserts all marks that there is room for. False: the last one had no room, and twice as much is
 * now requested; or *stop was set. */
static bool put_marks(struct xnm_policy *policy, const atomic_bool *stop)
{
    size_t count = 0, most = xnm_policy_marks_max(policy);

    for (size_t at = XNM_ENTRY_FIRST; most > 0 && at < policy->entries.len;) {
        const struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
        if (xnm_entry_verdict(policy, entry)->zoned)
            count += mark_above(policy, at);
        if (xnm_stop_is_set(stop))
            return false;
        if (count > policy->marks) {
            policy->marks = count <= most / 2 ? 2 * count : most;
            return false;
        }
        at += xnm_entry_size(entry->len);
    }
    policy->marks = count;
    return true;
}

/* --- rebuilding --- */

/* False: *stop was set. */
static bool place_entries(struct xnm_policy *policy, const atomic_bool *stop)
{
    for (size_t at = XNM_ENTRY_FIRST; at < policy->entries.len;) {
        const struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
        if (xnm_stop_is_set(stop))
            return false;
        take_place(policy, note_suffixes(policy, entry), at);
        at += xnm_entry_size(entry->len);
    }
    return true;
}

/* Rebuilds the table for the present entries and marks. False: no memory, or *stop was set. */
static bool make_again(struct xnm_policy *policy, const atomic_bool *stop)
{
    do {
        if (!make_table(policy, policy->entry_count + policy->marks) ||
            !place_entries(policy, stop))
            return false;
    } while (!put_marks(policy, stop) && !xnm_stop_is_set(stop));
    return !xnm_stop_is_set(stop);
}

/* Inserts the marks. The table has room for one mark for every eight entries. It is rebuilt if it
 * was made for many more entries than there are, or for too few marks. */
static bool fit_table(const struct xnm_shadowed *shadowed, size_t expected)
{
    struct xnm_policy *policy = shadowed->policy;

    policy->marks = policy->entry_count / 8;
    return (expected - policy->entry_count < expected / 8 && put_marks(policy, shadowed->stop)) ||
           make_again(policy, shadowed->stop);
}

/* Records that some entry or label rule has this verdict. */
static void note_action(struct xnm_policy *policy, struct xnm_policy_verdict *verdict)
{
    verdict->used = true;
    if (verdict->rank != XNM_RANK_LOG && verdict->shown.action != XNM_PASSTHRU)
        policy->changing = true;
}

static void note_actions(struct xnm_policy *policy)
{
    for (size_t at = XNM_ENTRY_FIRST; at < policy->entries.len;) {
        const struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
        struct xnm_policy_verdict *verdict = xnm_entry_verdict(policy, entry);
        verdict->used = true;
        if (xnm_entry_scope(entry) != XNM_SCOPE_NONE)
            note_action(policy, verdict);
        at += xnm_entry_size(entry->len);
    }
}

/* Only conditions, and look-alike rules with a name, have something to match. */
static void note_label_rule_actions(struct xnm_policy *policy)
{
    const uint32_t *conditions = (const uint32_t *)(const void *)policy->conditions.octets;

    for (size_t i = 0; i < policy->condition_count; i++)
        note_action(policy, xnm_label_rule_verdict(policy, conditions[i]));
    for (size_t i = 0; i < policy->line_count; i++) {
        const struct xnm_policy_line *line = xnm_policy_line(policy, i);
        if (line->label_rule && line->shown.entry_count > 0)
            note_action(policy, xnm_label_rule_verdict(policy, (uint32_t)i));
    }
    policy->label_rule = policy->condition_count + policy->lookalikes.count > 0;
    policy->empty = !policy->label_rule && policy->entry_count == 0;
}

void xnm_policy_trim(struct xnm_policy *policy)
{
    xnm_arena_trim(&policy->slots);
    xnm_arena_trim(&policy->filter.words);
    xnm_arena_trim(&policy->entries);
    xnm_arena_trim(&policy->lines);
    xnm_arena_trim(&policy->verdicts);
    xnm_arena_trim(&policy->conditions);
    xnm_lookalike_trim(&policy->lookalikes);
}

bool xnm_policy_index(struct xnm_shadowed *shadowed)
{
    struct xnm_policy *policy = shadowed->policy;
    size_t expected = policy->entry_count;

    if (!make_table(policy, expected))
        return false;
    put_entries(shadowed);
    if (xnm_shadowed_is_over(shadowed) || !fit_table(shadowed, expected) ||
        !xnm_lookalike_make_index(shadowed))
        return false;
    xnm_condition_index(shadowed);
    if (shadowed->no_memory)
        return false;
    xnm_shadowed_finish(shadowed);
    note_actions(policy);
    note_label_rule_actions(policy);
    xnm_verdicts_note_contests(policy);
    xnm_policy_trim(policy);
    uint32_t line;
    bool good = xnm_verdicts_finish(policy, &line);
    if (!good)
        xnm_shadowed_note_memory(shadowed, line);
    return good;
}
