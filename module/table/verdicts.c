/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/table/verdicts.h"

#include "module/base/budget.h"
#include "module/base/record.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    FEW = 16, /* records that are searched one by one */
    /* The most records of one owner: a message of 65535 octets holds no more, as each takes 12
       octets for a pointer, type, class, TTL and length. Any more are left out. */
    RECORDS_MAX = 65535 / 12
};

void xnm_verdicts_forget(struct xnm_verdicts *verdicts)
{
    free(verdicts->places);
    xnm_budget_give(verdicts->place_count * sizeof *verdicts->places);
    xnm_arena_free(&verdicts->owned.memory);
    *verdicts = (struct xnm_verdicts){0};
}

static uint32_t push(struct xnm_table *table, struct xnm_table_verdict **verdict)
{
    size_t number = table->verdicts.len / sizeof **verdict;

    if (number >= XNM_TABLE_VERDICTS_MAX)
        return XNM_NO_VERDICT;
    *verdict = xnm_arena_add(&table->verdicts, sizeof **verdict);
    return *verdict ? (uint32_t)number : XNM_NO_VERDICT;
}

uint32_t xnm_verdicts_add(struct xnm_table *table, uint32_t line, xnm_action action, bool prefix)
{
    struct xnm_table_verdict *verdict;
    uint32_t number = push(table, &verdict);

    if (number != XNM_NO_VERDICT)
        *verdict = (struct xnm_table_verdict){.action = action, .prefix = prefix, .line = line};
    return number;
}

/* --- modifiers --- */

static bool are_same(const struct xnm_modifiers *a, const struct xnm_modifiers *b)
{
    return a->exempts == b->exempts && a->strength == b->strength && a->but_types == b->but_types &&
           a->type_count == b->type_count && a->denied_len == b->denied_len &&
           memcmp(a->types, b->types, a->type_count * sizeof *a->types) == 0 &&
           (a->denied_len == 0 || memcmp(a->denied, b->denied, a->denied_len) == 0);
}

uint32_t xnm_verdicts_modified(struct xnm_table *table, const struct xnm_modifiers *modifiers)
{
    size_t count = table->verdicts.len / sizeof(struct xnm_table_verdict);
    struct xnm_table_verdict *verdict;
    struct xnm_modifiers *copy;

    for (size_t i = count; i-- > 0 && count - i <= XNM_VERDICTS_RECENT;) {
        verdict = xnm_table_verdict(table, i);
        if (verdict->modifiers && are_same(verdict->modifiers, modifiers))
            return (uint32_t)i;
    }
    copy = xnm_pool_take(&table->pool, sizeof *copy + modifiers->denied_len);
    uint32_t number = copy ? push(table, &verdict) : XNM_NO_VERDICT;
    if (number == XNM_NO_VERDICT)
        return number;
    *copy = *modifiers;
    copy->denied = (const uint8_t *)(copy + 1);
    if (modifiers->denied_len > 0)
        memcpy(copy + 1, modifiers->denied, modifiers->denied_len);
    *verdict = (struct xnm_table_verdict){.action = XNM_ACTION_NONE, .modifiers = copy};
    return number;
}

/* --- adding a record --- */

static bool is_same(const struct xnm_record *a, const struct xnm_record *b)
{
    return a->type == b->type && a->rdata_len == b->rdata_len &&
           memcmp(a->rdata, b->rdata, a->rdata_len) == 0;
}

static bool has_record(const struct xnm_table *table, uint32_t number,
                       const struct xnm_record *record)
{
    const struct xnm_table_verdict *verdict = xnm_table_verdict(table, number);

    for (; verdict->record; verdict = xnm_table_verdict(table, verdict->parent)) {
        if (is_same(verdict->record, record))
            return true;
    }
    return false;
}

static uint64_t hash_of(uint64_t seed, uint32_t parent, const struct xnm_record *record)
{
    const uint32_t rest[] = {parent, record->type, record->ttl};

    return XXH3_64bits_withSeed(record->rdata, record->rdata_len,
                                XXH3_64bits_withSeed(rest, sizeof rest, seed));
}

static uint64_t hash_of_number(const struct xnm_table *table, uint32_t number)
{
    const struct xnm_table_verdict *verdict = xnm_table_verdict(table, number);

    return hash_of(xnm_table_seed(), verdict->parent, verdict->record);
}

/* A place holds a number plus one; 0 is free. The table is at most half full. */
static void place(uint32_t *places, size_t count, uint64_t hash, uint32_t number)
{
    size_t at = hash & (count - 1);

    while (places[at] != 0)
        at = (at + 1) & (count - 1);
    places[at] = number + 1;
}

static bool make_room(struct xnm_verdicts *verdicts, const struct xnm_table *table)
{
    size_t count = verdicts->place_count > 0 ? 2 * verdicts->place_count : 64;
    uint32_t *places;

    if (2 * (verdicts->used + 1) <= verdicts->place_count)
        return true;
    if (!xnm_budget_take(count * sizeof *places))
        return false;
    places = calloc(count, sizeof *places);
    if (!places) {
        xnm_budget_give(count * sizeof *places);
        return false;
    }
    for (size_t i = 0; i < verdicts->place_count; i++) {
        if (verdicts->places[i] != 0) {
            uint32_t number = verdicts->places[i] - 1;
            place(places, count, hash_of_number(table, number), number);
        }
    }
    free(verdicts->places);
    xnm_budget_give(verdicts->place_count * sizeof *places);
    verdicts->places = places;
    verdicts->place_count = count;
    return true;
}

static uint32_t find(const struct xnm_verdicts *verdicts, const struct xnm_table *table,
                     uint64_t hash, uint32_t parent, const struct xnm_record *record)
{
    const size_t mask = verdicts->place_count - 1;

    for (size_t at = hash & mask; verdicts->places[at] != 0; at = (at + 1) & mask) {
        uint32_t number = verdicts->places[at] - 1;
        const struct xnm_table_verdict *verdict = xnm_table_verdict(table, number);
        if (verdict->parent == parent && verdict->record->ttl == record->ttl &&
            is_same(verdict->record, record))
            return number;
    }
    return XNM_NO_VERDICT;
}

static struct xnm_record *copy_record(struct xnm_pool *pool, const struct xnm_record *record)
{
    struct xnm_record *copy = xnm_pool_take(pool, sizeof *copy + record->rdata_len);

    if (!copy)
        return NULL;
    *copy = *record;
    copy->rdata = (uint8_t *)(copy + 1);
    if (record->rdata_len > 0)
        memcpy(copy->rdata, record->rdata, record->rdata_len);
    return copy;
}

static uint32_t with_new(struct xnm_verdicts *verdicts, struct xnm_table *table, uint32_t parent,
                         const struct xnm_record *record)
{
    uint64_t hash = hash_of(xnm_table_seed(), parent, record);
    const struct xnm_record *copy;
    struct xnm_table_verdict *verdict;
    uint32_t number;

    if (xnm_table_verdict(table, parent)->record_count == RECORDS_MAX)
        return parent;
    if (!make_room(verdicts, table))
        return XNM_NO_VERDICT;
    number = find(verdicts, table, hash, parent, record);
    if (number != XNM_NO_VERDICT)
        return number;
    copy = copy_record(&table->pool, record);
    number = copy ? push(table, &verdict) : XNM_NO_VERDICT;
    if (number == XNM_NO_VERDICT)
        return number;
    *verdict = *xnm_table_verdict(table, parent);
    verdict->record_count++;
    verdict->record = copy;
    verdict->parent = parent;
    place(verdicts->places, verdicts->place_count, hash, number);
    verdicts->used++;
    return number;
}

uint32_t xnm_verdicts_with(struct xnm_verdicts *verdicts, struct xnm_table *table, uint32_t parent,
                           const struct xnm_record *record)
{
    return has_record(table, parent, record) ? parent : with_new(verdicts, table, parent, record);
}

/* --- adding to many --- */

typedef enum { NEW, KNOWN, NO_MEMORY } owned_result;

/* Adds a record of an owner to the set: is it new there? */
static owned_result add_owned(struct xnm_hashset *owned, uint64_t owner,
                              const struct xnm_record *record)
{
    const uint64_t whose[] = {owner, record->type};
    bool fresh;

    if (!xnm_hashset_reserve(owned, 1))
        return NO_MEMORY;
    xnm_hashset_add(owned,
                    XXH3_64bits_withSeed(record->rdata, record->rdata_len,
                                         XXH3_64bits_withSeed(whose, sizeof whose, owned->seed)),
                    &fresh);
    return fresh ? NEW : KNOWN;
}

/* Does the same as the function above, but adds the owner's other records first, unless its last
 * one is there. */
static owned_result add_last(struct xnm_hashset *owned, const struct xnm_table *table,
                             uint64_t owner, uint32_t parent, const struct xnm_record *record)
{
    const struct xnm_table_verdict *verdict = xnm_table_verdict(table, parent);
    owned_result result = NEW;

    for (; verdict->record && result == NEW; verdict = xnm_table_verdict(table, verdict->parent))
        result = add_owned(owned, owner, verdict->record);
    return result == NO_MEMORY ? result : add_owned(owned, owner, record);
}

static uint32_t with_one_of_many(struct xnm_verdicts *verdicts, struct xnm_table *table,
                                 uint64_t owner, uint32_t parent, const struct xnm_record *record)
{
    if (xnm_table_verdict(table, parent)->record_count <= FEW)
        return xnm_verdicts_with(verdicts, table, parent, record);
    switch (add_last(&verdicts->owned, table, owner, parent, record)) {
    case NEW:
        return with_new(verdicts, table, parent, record);
    case KNOWN:
        return parent;
    default:
        return XNM_NO_VERDICT;
    }
}

uint32_t xnm_verdicts_with_all_of(struct xnm_verdicts *verdicts, struct xnm_table *table,
                                  uint64_t owner, uint32_t parent, uint32_t other)
{
    const struct xnm_record *records[RECORDS_MAX]; /* last one first */
    const struct xnm_table_verdict *verdict = xnm_table_verdict(table, other);
    size_t count = 0;

    if (parent == other)
        return parent;
    for (; verdict->record; verdict = xnm_table_verdict(table, verdict->parent))
        records[count++] = verdict->record;
    while (count-- > 0 && parent != XNM_NO_VERDICT)
        parent = with_one_of_many(verdicts, table, owner, parent, records[count]);
    return parent;
}

/* --- completing verdicts --- */

static bool show_records(struct xnm_table *table, struct xnm_table_verdict *verdict)
{
    size_t at = verdict->record_count;
    struct xnm_record *records;

    if (at <= 1) {
        verdict->records = verdict->record;
        return true;
    }
    records = xnm_pool_take(&table->pool, at * sizeof *records);
    if (!records)
        return false;
    verdict->records = records;
    while (verdict->record) {
        records[--at] = *verdict->record;
        verdict = xnm_table_verdict(table, verdict->parent);
    }
    return true;
}

bool xnm_verdicts_finish(struct xnm_table *table)
{
    size_t count = table->verdicts.len / sizeof(struct xnm_table_verdict);

    for (size_t i = 0; i < count; i++) {
        struct xnm_table_verdict *verdict = xnm_table_verdict(table, i);
        if (verdict->used && !show_records(table, verdict))
            return false;
    }
    return true;
}
