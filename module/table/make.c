/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/table/make.h"

#include "core/wire/walk.h"
#include "module/base/budget.h"
#include "module/base/record.h"
#include "module/base/thread.h"
#include "module/table/hash.h"

#include <stdlib.h>
#include <string.h>

/* --- adding entries --- */

bool xnm_table_begin_making(struct xnm_table_maker *maker, xnm_table_kind kind)
{
    if (!xnm_budget_take(sizeof(struct xnm_table)))
        return false;
    struct xnm_table *table = calloc(1, sizeof *table);
    if (!table) {
        xnm_budget_give(sizeof *table);
        return false;
    }
    atomic_init(&table->users, 1);
    if (!xnm_arena_add(&table->entries, XNM_TABLE_FIRST)) {
        xnm_table_leave(table);
        return false;
    }
    table->is_zone = kind == XNM_TABLE_ZONE;
    maker->table = table;
    maker->kind = kind;
    return true;
}

void xnm_table_stop_making(struct xnm_table_maker *maker)
{
    xnm_table_answers_forget(&maker->answers);
    xnm_table_leave(maker->table);
    *maker = (struct xnm_table_maker){0};
}

bool xnm_table_add_entry(struct xnm_table_maker *maker, uint32_t answer, xnm_scope scope,
                         const uint8_t *name, size_t len)
{
    struct xnm_table *table = maker->table;
    size_t at = table->entries.len;
    struct xnm_table_entry *entry = xnm_arena_add(&table->entries, xnm_table_entry_size(len));

    if (!entry)
        return false;
    if (at / XNM_TABLE_UNIT > UINT32_MAX) {
        table->entries.len = at;
        return false;
    }
    entry->answer_scope = answer << 2 | (uint32_t)scope;
    entry->len = (uint8_t)len;
    memcpy(entry->octets, name, len);
    table->entry_count++;
    table->read_count += scope != XNM_SCOPE_NONE;
    table->has_wildcards |= table->is_zone && scope == XNM_SCOPE_BELOW;
    return true;
}

/* Finds or adds the answer of entries with this action and no records. */
static uint32_t plain_answer(struct xnm_table_maker *maker, xnm_action action, bool prefix)
{
    uint32_t *known = &maker->by_action[action][prefix];

    if (*known == 0) {
        uint32_t number = xnm_table_answers_add(maker->table, 0, action, prefix);
        if (number == XNM_NO_ANSWER)
            return number;
        *known = number + 1;
    }
    return *known - 1;
}

bool xnm_table_add(struct xnm_table_maker *maker, const struct xnm_list_entry *entry)
{
    struct xnm_table *table = maker->table;
    const struct xnm_modifiers *modifiers = entry->modifiers;
    uint32_t answer;

    if (maker->kind == XNM_TABLE_PROTECTED)
        return xnm_table_add_entry(maker, entry->min, XNM_SCOPE_EXACT, entry->name,
                                   entry->name_len);
    if (modifiers) {
        table->typed_count += modifiers->type_count > 0;
        answer = xnm_table_answers_modified(table, modifiers);
    } else {
        answer = plain_answer(maker, entry->action, entry->prefix);
    }
    if (answer != XNM_NO_ANSWER && entry->record)
        answer = xnm_table_answers_with(&maker->answers, table, answer, entry->record);
    return answer != XNM_NO_ANSWER &&
           xnm_table_add_entry(maker, answer, entry->scope, entry->name, entry->name_len);
}

/* --- slots --- */

/* At a load of two thirds, a name that is in the table is found in two places on average. Other
 * names are seldom looked up, because of the filter. */
static uint64_t slots_for(size_t entries)
{
    return entries + entries / 2 + 1;
}

static bool make_slots(struct xnm_table *table, size_t entries)
{
    uint64_t slots = slots_for(entries);

    if (slots > UINT32_MAX)
        return false;
    xnm_arena_free(&table->slots);
    table->slot_count = slots;
    return xnm_arena_add(&table->slots, slots * sizeof(struct xnm_table_slot)) &&
           xnm_filter_make(&table->filter, entries);
}

uint64_t xnm_table_note_name(const struct xnm_filter *filter, const uint8_t *name, unsigned *labels)
{
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    uint64_t hash = xnm_table_seed();
    unsigned count = *labels = xn_wire_find_labels(name, label_at);

    while (count-- > 0) {
        hash = xnm_table_hash(hash, name + label_at[count]);
        xnm_filter_note(filter, hash);
    }
    return hash;
}

static uint64_t note_suffixes(struct xnm_table *table, const struct xnm_table_entry *entry)
{
    unsigned labels;
    uint64_t hash = xnm_table_note_name(&table->filter, entry->octets, &labels);

    xnm_depths_note(&table->depths, labels);
    return hash;
}

/* Puts an entry into the next free slot. */
static void take_place(struct xnm_table *table, uint64_t hash, size_t at)
{
    size_t place = xnm_table_begin(table, hash);

    while (xnm_table_slot(table, place)->at != 0)
        place = xnm_hash_next(place, table->slot_count);
    *xnm_table_slot(table, place) =
        (struct xnm_table_slot){(uint32_t)hash, (uint32_t)(at / XNM_TABLE_UNIT)};
}

/* --- entries that are there twice --- */

/* Returns whether an earlier entry replaces an equal later one. A protected name counts once with
 * each min=. In a list the first of two entries counts. In a zone, the records of an owner are
 * added to those of the first. */
static bool replaces_of_list(struct xnm_table_maker *maker, uint64_t owner, uint32_t *earlier,
                             uint32_t later)
{
    const struct xnm_table *table = maker->table;

    if (maker->kind == XNM_TABLE_PROTECTED)
        return *earlier == later;
    const struct xnm_table_answer *a = xnm_table_answer(table, *earlier);
    const struct xnm_table_answer *b = xnm_table_answer(table, later);

    if (a->modifiers || b->modifiers)
        return *earlier == later;
    if (a->action != XNM_ANSWER || b->action != XNM_ANSWER)
        return true;
    *earlier = xnm_table_answers_with_all_of(&maker->answers, maker->table, owner, *earlier, later);
    return true;
}

/* Returns whether an earlier entry of the same name and scope replaces this one. *failed becomes
 * true when out of memory. */
static bool is_replaced(struct xnm_table_maker *maker, const struct xnm_table_entry *entry,
                        uint64_t hash, bool *failed)
{
    struct xnm_table *table = maker->table;
    size_t place = xnm_table_begin(table, hash);
    struct xnm_table_entry *other;

    while ((other = xnm_table_next(table, hash, &place))) {
        size_t owner = (size_t)((const uint8_t *)other - table->entries.octets);
        if (other->len != entry->len ||
            xnm_table_entry_scope(other) != xnm_table_entry_scope(entry) ||
            memcmp(other->octets, entry->octets, entry->len) != 0)
            continue;
        uint32_t earlier = other->answer_scope >> 2, later = entry->answer_scope >> 2;
        bool replaced = maker->replaces ? maker->replaces(maker->arg, owner, &earlier, later)
                                        : replaces_of_list(maker, owner, &earlier, later);
        *failed |= earlier == XNM_NO_ANSWER;
        if (*failed)
            return true;
        other->answer_scope = earlier << 2 | (other->answer_scope & 3);
        if (replaced)
            return true;
    }
    return false;
}

/* Inserts all entries, and closes the gaps that left out entries leave in the arena. Returns false
 * when out of memory, or if *stop was set. */
static bool put_entries(struct xnm_table_maker *maker)
{
    struct xnm_table *table = maker->table;
    size_t kept = XNM_TABLE_FIRST;
    bool failed = false;

    table->entry_count = table->inactive_count = 0;
    for (size_t at = XNM_TABLE_FIRST; at < table->entries.len;) {
        struct xnm_table_entry *entry = xnm_table_entry(table, at);
        size_t size = xnm_table_entry_size(entry->len);
        memmove(xnm_table_entry(table, kept), entry, size);
        entry = xnm_table_entry(table, kept);
        uint64_t hash = note_suffixes(table, entry);
        if (!is_replaced(maker, entry, hash, &failed)) {
            take_place(table, hash, kept);
            table->entry_count++;
            table->inactive_count += xnm_table_entry_scope(entry) == XNM_SCOPE_NONE;
            kept += size;
        }
        if (failed || xnm_stop_is_set(maker->stop))
            return false;
        at += size;
    }
    table->entries.len = kept;
    return true;
}

/* --- marks --- */

/* Returns whether a name is a wildcard's own name. */
static bool is_star(const uint8_t *name)
{
    return name[0] == 1 && name[1] == '*';
}

/* Returns whether a table has an entry or a mark at a name in wire format, which has this hash. */
static bool has_name(const struct xnm_table *table, uint64_t hash, const uint8_t *name, size_t len)
{
    size_t place = xnm_table_begin(table, hash);
    const struct xnm_table_entry *entry;

    while ((entry = xnm_table_next(table, hash, &place))) {
        if (xnm_wirename_before(entry->octets, entry->len, name, len) != SIZE_MAX)
            return true;
    }
    return false;
}

/* Returns whether a table has an entry for all names below a name. */
static bool has_wildcard(const struct xnm_table *table, uint64_t hash, const uint8_t *name,
                         size_t len)
{
    size_t place = xnm_table_begin(table, hash);
    const struct xnm_table_entry *entry;

    while ((entry = xnm_table_next(table, hash, &place))) {
        if (entry->len == len && xnm_table_entry_scope(entry) == XNM_SCOPE_BELOW &&
            memcmp(entry->octets, name, len) == 0)
            return true;
    }
    return false;
}

/* Marks the names directly below wildcards that an entry of a zone is at or below. Returns the
 * number of new marks. Each is the first one below the nearest name above the entry that has a
 * wildcard, so there are no more marks than entries. */
static size_t mark_above(struct xnm_table *table, size_t at)
{
    const struct xnm_table_entry *entry = xnm_table_entry(table, at);
    const uint8_t *end = entry->octets + entry->len, *above = end - 1;
    uint64_t hash = xnm_table_seed(), above_hash;
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    unsigned labels = xn_wire_find_labels(entry->octets, label_at);
    size_t count = 0;

    for (unsigned depth = 0; depth < labels; depth++) {
        const uint8_t *name = entry->octets + label_at[labels - depth - 1];
        above_hash = hash;
        hash = xnm_table_hash(hash, name);
        if (!is_star(name) && xnm_depths_has(&table->depths, depth) &&
            has_wildcard(table, above_hash, above, (size_t)(end - above)) &&
            !has_name(table, hash, name, (size_t)(end - name))) {
            take_place(table, hash, at);
            xnm_depths_note(&table->depths, depth + 1);
            count++;
        }
        above = name;
    }
    return count;
}

/* Inserts all marks that there is room for. Returns false if there was no room for the last one,
 * and sets the size to twice as much, or if *stop was set. */
static bool put_marks(struct xnm_table *table, const atomic_bool *stop)
{
    size_t count = 0, most = table->has_wildcards ? table->entry_count : 0;

    for (size_t at = XNM_TABLE_FIRST; most > 0 && at < table->entries.len;) {
        count += mark_above(table, at);
        if (xnm_stop_is_set(stop))
            return false;
        if (count > table->marks) {
            table->marks = count <= most / 2 ? 2 * count : most;
            return false;
        }
        at += xnm_table_entry_size(xnm_table_entry(table, at)->len);
    }
    table->marks = count;
    return true;
}

/* --- the end --- */

/* Returns false if *stop was set. */
static bool place_entries(struct xnm_table *table, const atomic_bool *stop)
{
    for (size_t at = XNM_TABLE_FIRST; at < table->entries.len;) {
        const struct xnm_table_entry *entry = xnm_table_entry(table, at);
        if (xnm_stop_is_set(stop))
            return false;
        take_place(table, note_suffixes(table, entry), at);
        at += xnm_table_entry_size(entry->len);
    }
    return true;
}

/* Makes the slots again, for the present entries and marks. Returns false when out of memory, or if
 * *stop was set. */
static bool make_again(struct xnm_table *table, const atomic_bool *stop)
{
    do {
        if (!make_slots(table, table->entry_count + table->marks) || !place_entries(table, stop))
            return false;
    } while (!put_marks(table, stop) && !xnm_stop_is_set(stop));
    return !xnm_stop_is_set(stop);
}

/* Inserts the marks, with room for one for every eight entries. The slots are made again if they
 * were made for many more entries than there are, or for too few marks. */
static bool fit(struct xnm_table *table, size_t expected, const atomic_bool *stop)
{
    table->marks = table->has_wildcards ? table->entry_count / 8 : 0;
    return (expected - table->entry_count < expected / 8 && put_marks(table, stop)) ||
           make_again(table, stop);
}

static void note_answers(struct xnm_table *table)
{
    for (const struct xnm_table_entry *entry = NULL; (entry = xnm_table_walk(table, entry));) {
        struct xnm_table_answer *answer = xnm_table_entry_answer(table, entry);
        const struct xnm_modifiers *modifiers = answer->modifiers;

        answer->used = true;
        table->has_modifiers |= modifiers != NULL;
        table->has_tcp_only |= answer->action == XNM_TCP_ONLY;
        table->has_refusals |= xnm_table_entry_scope(entry) != XNM_SCOPE_NONE &&
                               answer->action != XNM_PASSTHRU && !(modifiers && modifiers->exempts);
    }
}

static void trim(struct xnm_table *table)
{
    xnm_arena_trim(&table->slots);
    xnm_arena_trim(&table->filter.words);
    xnm_arena_trim(&table->entries);
    xnm_arena_trim(&table->answers);
}

bool xnm_table_fill(struct xnm_table_maker *maker)
{
    size_t expected = maker->table->entry_count;

    maker->is_filled = make_slots(maker->table, expected) && put_entries(maker) &&
                       fit(maker->table, expected, maker->stop);
    return maker->is_filled;
}

/* A table of protected names needs no slots, since nothing is looked up in it. */
static void end_protected(struct xnm_table *table)
{
    xnm_arena_free(&table->slots);
    xnm_arena_free(&table->filter.words);
    xnm_arena_trim(&table->entries);
    table->filter.count = table->slot_count = 0;
}

struct xnm_table *xnm_table_end_making(struct xnm_table_maker *maker)
{
    struct xnm_table *table = maker->table;
    bool good = maker->is_filled || xnm_table_fill(maker);

    if (good && maker->kind == XNM_TABLE_PROTECTED) {
        end_protected(table);
    } else if (good) {
        note_answers(table);
        trim(table);
        good = xnm_table_answers_finish(table);
    }
    if (good)
        maker->table = NULL;
    else
        table = NULL;
    xnm_table_stop_making(maker);
    return table;
}
