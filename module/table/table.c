/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/table/table.h"

#include "module/base/budget.h"
#include "module/base/hashset.h"

#include <pthread.h>
#include <stdlib.h>

static uint64_t seed;
static pthread_once_t seed_once = PTHREAD_ONCE_INIT;

static void make_seed(void)
{
    seed = xnm_hashset_seed(&seed);
}

uint64_t xnm_table_seed(void)
{
    pthread_once(&seed_once, make_seed);
    return seed;
}

struct xnm_table *xnm_table_share(struct xnm_table *table)
{
    atomic_fetch_add_explicit(&table->users, 1, memory_order_relaxed);
    return table;
}

void xnm_table_leave(struct xnm_table *table)
{
    if (!table || atomic_fetch_sub_explicit(&table->users, 1, memory_order_acq_rel) > 1)
        return;
    xnm_arena_free(&table->slots);
    xnm_arena_free(&table->filter.words);
    xnm_arena_free(&table->entries);
    xnm_arena_free(&table->answers);
    xnm_pool_free(&table->pool);
    xnm_budget_give(sizeof *table);
    free(table);
}

size_t xnm_table_memory(const struct xnm_table *table)
{
    return sizeof *table + table->slots.cap + table->filter.words.cap + table->entries.cap +
           table->answers.cap + xnm_pool_memory(&table->pool);
}
