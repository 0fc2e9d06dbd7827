/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/table/joint.h"

#include "module/base/budget.h"
#include "module/base/thread.h"
#include "module/table/make.h"

#include <stdlib.h>
#include <string.h>

/* The most names for each word of a filter before the filter is made from nothing; a new filter has
 * two to four. With eight, a third of its bits is set, and one in thirty names that are in no list
 * is looked up in all of them. */
enum { WORD_MAX = 8 };

static size_t size_of(size_t count)
{
    return sizeof(struct xnm_joint) + count * sizeof(struct xnm_table *);
}

void xnm_joint_leave(struct xnm_joint *joint)
{
    if (!joint || atomic_fetch_sub_explicit(&joint->users, 1, memory_order_acq_rel) > 1)
        return;
    xnm_arena_free(&joint->filter.words);
    xnm_budget_give(size_of(joint->table_count));
    free(joint);
}

size_t xnm_joint_memory(const struct xnm_joint *joint)
{
    return size_of(joint->table_count) + joint->filter.words.cap;
}

/* Twice the size of its own filter, because the sizes of both are powers of two. */
size_t xnm_joint_cost(const struct xnm_table *table)
{
    return 2 * table->filter.count * sizeof(uint64_t);
}

static bool has_table(const struct xnm_joint *joint, const struct xnm_table *table)
{
    for (size_t i = 0; i < joint->table_count; i++)
        if (joint->tables[i] == table)
            return true;
    return false;
}

static bool is_of(const struct xnm_joint *joint, const struct xnm_table *const *tables,
                  size_t count)
{
    return joint->table_count == count &&
           (count == 0 || memcmp(joint->tables, tables, count * sizeof *tables) == 0);
}

/* Returns the number of entries in tables that `but` (may be NULL) does not have. */
static size_t count_entries(const struct xnm_joint *joint, const struct xnm_joint *but)
{
    size_t entries = 0;

    for (size_t i = 0; i < joint->table_count; i++)
        if (!but || !has_table(but, joint->tables[i]))
            entries += joint->tables[i]->entry_count;
    return entries;
}

/* Returns the table with the largest filter; NULL: there is none. A filter over all tables begins
 * with it if it has at least half of the words. */
static const struct xnm_table *find_largest(const struct xnm_joint *joint)
{
    const struct xnm_table *largest = NULL;

    for (size_t i = 0; i < joint->table_count; i++)
        if (!largest || joint->tables[i]->filter.count > largest->filter.count)
            largest = joint->tables[i];
    return largest;
}

/* Adds the names of a table. Returns false if *stop was set. */
static bool note_table(struct xnm_joint *joint, const struct xnm_table *table,
                       const atomic_bool *stop)
{
    unsigned labels;

    for (const struct xnm_table_entry *entry = NULL; (entry = xnm_table_walk(table, entry));) {
        if (xnm_stop_is_set(stop))
            return false;
        xnm_table_note_name(&joint->filter, entry->octets, &labels);
    }
    joint->noted += table->entry_count;
    return true;
}

/* Adds all tables, except those of `first` and the table `largest`, which the filter already
 * has. */
static bool note_rest(struct xnm_joint *joint, const struct xnm_joint *first,
                      const struct xnm_table *largest, const atomic_bool *stop)
{
    for (size_t i = 0; i < joint->table_count; i++) {
        const struct xnm_table *table = joint->tables[i];
        if (table != largest && !(first && has_table(first, table)) &&
            !note_table(joint, table, stop))
            return false;
    }
    return true;
}

/* Makes and fills the filter. Returns false when out of memory, or if *stop was set. */
static bool fill(struct xnm_joint *joint, const struct xnm_joint *older, const atomic_bool *stop)
{
    const struct xnm_table *largest = find_largest(joint);
    uint64_t words = xnm_filter_words(count_entries(joint, NULL));

    if (largest && largest->filter.count > words)
        words = largest->filter.count;
    if (!xnm_filter_size(&joint->filter, words))
        return false;
    if (older && older->filter.count == words &&
        older->noted + count_entries(joint, older) <= WORD_MAX * words) {
        xnm_filter_join(&joint->filter, &older->filter);
        joint->noted = older->noted;
        return note_rest(joint, older, NULL, stop);
    }
    if (!largest || 2 * largest->filter.count < words)
        return note_rest(joint, NULL, NULL, stop);
    xnm_filter_join(&joint->filter, &largest->filter);
    joint->noted = largest->entry_count;
    return note_rest(joint, NULL, largest, stop);
}

struct xnm_joint *xnm_joint_make(const struct xnm_table *const *tables, size_t count,
                                 struct xnm_joint *older, const atomic_bool *stop)
{
    if (older && is_of(older, tables, count)) {
        if (!xnm_budget_take(xnm_joint_memory(older)))
            return NULL;
        atomic_fetch_add_explicit(&older->users, 1, memory_order_relaxed);
        return older;
    }
    if (!xnm_budget_take(size_of(count)))
        return NULL;
    struct xnm_joint *joint = calloc(1, size_of(count));
    if (!joint) {
        xnm_budget_give(size_of(count));
        return NULL;
    }
    atomic_init(&joint->users, 1);
    joint->table_count = count;
    if (count > 0)
        memcpy(joint->tables, tables, count * sizeof *tables);
    if (fill(joint, older, stop))
        return joint;
    xnm_joint_leave(joint);
    return NULL;
}
