/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/table/tableanswers.h"

#include "module/base/budget.h"
#include "module/base/record.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    FEW = 16, /* the most records that are searched one by one */
    /* The most records of one owner: a message of 65535 octets has no more, as each takes 12 octets
     * for a pointer, type, class, TTL and length. Further ones are left out. */
    RECORDS_MAX = 65535 / 12
};

void xnm_table_answers_forget(struct xnm_table_answers *answers)
{
    free(answers->places);
    xnm_budget_give(answers->place_count * sizeof *answers->places);
    xnm_arena_free(&answers->owned.memory);
    *answers = (struct xnm_table_answers){0};
}

static uint32_t push(struct xnm_table *table, struct xnm_table_answer **answer)
{
    size_t number = table->answers.len / sizeof **answer;

    if (number >= XNM_TABLE_ANSWERS_MAX)
        return XNM_NO_ANSWER;
    *answer = xnm_arena_add(&table->answers, sizeof **answer);
    return *answer ? (uint32_t)number : XNM_NO_ANSWER;
}

uint32_t xnm_table_answers_add(struct xnm_table *table, uint32_t line, xnm_action action,
                               bool prefix)
{
    struct xnm_table_answer *answer;
    uint32_t number = push(table, &answer);

    if (number != XNM_NO_ANSWER)
        *answer = (struct xnm_table_answer){.action = action, .prefix = prefix, .line = line};
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

uint32_t xnm_table_answers_modified(struct xnm_table *table, const struct xnm_modifiers *modifiers)
{
    size_t count = table->answers.len / sizeof(struct xnm_table_answer);
    struct xnm_table_answer *answer;
    struct xnm_modifiers *copy;

    for (size_t i = count; i-- > 0 && count - i <= XNM_TABLE_ANSWERS_RECENT;) {
        answer = xnm_table_answer(table, i);
        if (answer->modifiers && are_same(answer->modifiers, modifiers))
            return (uint32_t)i;
    }
    copy = xnm_pool_take(&table->pool, sizeof *copy + modifiers->denied_len);
    uint32_t number = copy ? push(table, &answer) : XNM_NO_ANSWER;
    if (number == XNM_NO_ANSWER)
        return number;
    *copy = *modifiers;
    copy->denied = (const uint8_t *)(copy + 1);
    if (modifiers->denied_len > 0)
        memcpy(copy + 1, modifiers->denied, modifiers->denied_len);
    *answer = (struct xnm_table_answer){.action = XNM_ACTION_NONE, .modifiers = copy};
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
    const struct xnm_table_answer *answer = xnm_table_answer(table, number);

    for (; answer->record; answer = xnm_table_answer(table, answer->parent)) {
        if (is_same(answer->record, record))
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
    const struct xnm_table_answer *answer = xnm_table_answer(table, number);

    return hash_of(xnm_table_seed(), answer->parent, answer->record);
}

/* Adds a number to the places. A place has a number plus one; 0: it is free. At most half of the
 * places are taken. */
static void place(uint32_t *places, size_t count, uint64_t hash, uint32_t number)
{
    size_t at = hash & (count - 1);

    while (places[at] != 0)
        at = (at + 1) & (count - 1);
    places[at] = number + 1;
}

static bool make_room(struct xnm_table_answers *answers, const struct xnm_table *table)
{
    size_t count = answers->place_count > 0 ? 2 * answers->place_count : 64;
    uint32_t *places;

    if (2 * (answers->used + 1) <= answers->place_count)
        return true;
    if (!xnm_budget_take(count * sizeof *places))
        return false;
    places = calloc(count, sizeof *places);
    if (!places) {
        xnm_budget_give(count * sizeof *places);
        return false;
    }
    for (size_t i = 0; i < answers->place_count; i++) {
        if (answers->places[i] != 0) {
            uint32_t number = answers->places[i] - 1;
            place(places, count, hash_of_number(table, number), number);
        }
    }
    free(answers->places);
    xnm_budget_give(answers->place_count * sizeof *places);
    answers->places = places;
    answers->place_count = count;
    return true;
}

static uint32_t find(const struct xnm_table_answers *answers, const struct xnm_table *table,
                     uint64_t hash, uint32_t parent, const struct xnm_record *record)
{
    const size_t mask = answers->place_count - 1;

    for (size_t at = hash & mask; answers->places[at] != 0; at = (at + 1) & mask) {
        uint32_t number = answers->places[at] - 1;
        const struct xnm_table_answer *answer = xnm_table_answer(table, number);
        if (answer->parent == parent && answer->record->ttl == record->ttl &&
            is_same(answer->record, record))
            return number;
    }
    return XNM_NO_ANSWER;
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

static uint32_t with_new(struct xnm_table_answers *answers, struct xnm_table *table,
                         uint32_t parent, const struct xnm_record *record)
{
    uint64_t hash = hash_of(xnm_table_seed(), parent, record);
    const struct xnm_record *copy;
    struct xnm_table_answer *answer;
    uint32_t number;

    if (xnm_table_answer(table, parent)->record_count == RECORDS_MAX)
        return parent;
    if (!make_room(answers, table))
        return XNM_NO_ANSWER;
    number = find(answers, table, hash, parent, record);
    if (number != XNM_NO_ANSWER)
        return number;
    copy = copy_record(&table->pool, record);
    number = copy ? push(table, &answer) : XNM_NO_ANSWER;
    if (number == XNM_NO_ANSWER)
        return number;
    *answer = *xnm_table_answer(table, parent);
    answer->record_count++;
    answer->record = copy;
    answer->parent = parent;
    place(answers->places, answers->place_count, hash, number);
    answers->used++;
    return number;
}

uint32_t xnm_table_answers_with(struct xnm_table_answers *answers, struct xnm_table *table,
                                uint32_t parent, const struct xnm_record *record)
{
    return has_record(table, parent, record) ? parent : with_new(answers, table, parent, record);
}

/* --- adding to many --- */

typedef enum { NEW, KNOWN, NO_MEMORY } owned_result;

/* Adds a record of an owner to the set. Returns whether it is new there. */
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

/* Does the same, but adds the owner's other records first, unless its last one is in the set. */
static owned_result add_last(struct xnm_hashset *owned, const struct xnm_table *table,
                             uint64_t owner, uint32_t parent, const struct xnm_record *record)
{
    const struct xnm_table_answer *answer = xnm_table_answer(table, parent);
    owned_result result = NEW;

    for (; answer->record && result == NEW; answer = xnm_table_answer(table, answer->parent))
        result = add_owned(owned, owner, answer->record);
    return result == NO_MEMORY ? result : add_owned(owned, owner, record);
}

static uint32_t with_one_of_many(struct xnm_table_answers *answers, struct xnm_table *table,
                                 uint64_t owner, uint32_t parent, const struct xnm_record *record)
{
    if (xnm_table_answer(table, parent)->record_count <= FEW)
        return xnm_table_answers_with(answers, table, parent, record);
    switch (add_last(&answers->owned, table, owner, parent, record)) {
    case NEW:
        return with_new(answers, table, parent, record);
    case KNOWN:
        return parent;
    default:
        return XNM_NO_ANSWER;
    }
}

uint32_t xnm_table_answers_with_all_of(struct xnm_table_answers *answers, struct xnm_table *table,
                                       uint64_t owner, uint32_t parent, uint32_t other)
{
    const struct xnm_record *records[RECORDS_MAX]; /* last one first */
    const struct xnm_table_answer *answer = xnm_table_answer(table, other);
    size_t count = 0;

    if (parent == other)
        return parent;
    for (; answer->record; answer = xnm_table_answer(table, answer->parent))
        records[count++] = answer->record;
    while (count-- > 0 && parent != XNM_NO_ANSWER)
        parent = with_one_of_many(answers, table, owner, parent, records[count]);
    return parent;
}

/* --- completing answers --- */

static bool write_records(struct xnm_table *table, struct xnm_table_answer *answer)
{
    size_t at = answer->record_count;
    struct xnm_record *records;

    if (at <= 1) {
        answer->records = answer->record;
        return true;
    }
    records = xnm_pool_take(&table->pool, at * sizeof *records);
    if (!records)
        return false;
    answer->records = records;
    while (answer->record) {
        records[--at] = *answer->record;
        answer = xnm_table_answer(table, answer->parent);
    }
    return true;
}

bool xnm_table_answers_finish(struct xnm_table *table)
{
    size_t count = table->answers.len / sizeof(struct xnm_table_answer);

    for (size_t i = 0; i < count; i++) {
        struct xnm_table_answer *answer = xnm_table_answer(table, i);
        if (answer->used && !write_records(table, answer))
            return false;
    }
    return true;
}
