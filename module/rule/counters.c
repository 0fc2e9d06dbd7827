/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rule/counters.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

struct counter {
    _Atomic uint64_t count; /* must be first: callers have a pointer to it */
    struct counter *next;   /* in the same list of the table */
    size_t users;
    TAILQ_ENTRY(counter) idle; /* in the list of counters without users */
    uint8_t key[XNM_COUNTERS_KEY];
};

struct place {
    struct counter *first;
};

/* The table never shrinks. */
struct xnm_counters {
    pthread_mutex_t lock;
    struct place *places;
    size_t place_count, used;   /* place_count is a power of two */
    TAILQ_HEAD(, counter) idle; /* the one that has been idle longest comes first */
    size_t idle_count;
};

static struct place *place_of(struct place *places, size_t count, const uint8_t *key)
{
    uint64_t hash;

    memcpy(&hash, key, sizeof hash); /* a key is a digest */
    return &places[hash & (count - 1)];
}

/* Makes room for one more counter. A table that cannot grow is only slower; without a first table
 * there are no counters. */
static bool make_room(struct xnm_counters *table)
{
    size_t count = table->place_count > 0 ? 2 * table->place_count : 64;
    struct counter *counter;
    struct place *places;

    if (table->used < table->place_count)
        return true;
    places = calloc(count, sizeof *places);
    if (!places)
        return table->place_count > 0;
    for (size_t i = 0; i < table->place_count; i++) {
        while ((counter = table->places[i].first)) {
            struct place *place = place_of(places, count, counter->key);
            table->places[i].first = counter->next;
            counter->next = place->first;
            place->first = counter;
        }
    }
    free(table->places);
    table->places = places;
    table->place_count = count;
    return true;
}

/* --- idle counters --- */

static void add_idle(struct xnm_counters *table, struct counter *counter)
{
    TAILQ_INSERT_TAIL(&table->idle, counter, idle);
    table->idle_count++;
}

static void remove_idle(struct xnm_counters *table, struct counter *counter)
{
    TAILQ_REMOVE(&table->idle, counter, idle);
    table->idle_count--;
}

/* Unlinks the counter that has been idle longest, if more are idle than are kept. */
static struct counter *take_idle(struct xnm_counters *table)
{
    struct counter *counter = TAILQ_FIRST(&table->idle), **link;

    if (table->idle_count <= XNM_COUNTERS_IDLE_MAX)
        return NULL;
    remove_idle(table, counter);
    link = &place_of(table->places, table->place_count, counter->key)->first;
    while (*link != counter) /* NOLINT(clang-analyzer-core.NullDereference): it is in that list */
        link = &(*link)->next;
    *link = counter->next;
    table->used--;
    return counter;
}

/* --- all counters --- */

struct xnm_counters *xnm_counters_new(void)
{
    struct xnm_counters *table = calloc(1, sizeof *table);

    if (!table || pthread_mutex_init(&table->lock, NULL) != 0) {
        free(table);
        return NULL;
    }
    TAILQ_INIT(&table->idle);
    return table;
}

void xnm_counters_free(struct xnm_counters *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->place_count; i++) {
        for (struct counter *counter = table->places[i].first, *next; counter; counter = next) {
            next = counter->next;
            free(counter);
        }
    }
    free(table->places);
    pthread_mutex_destroy(&table->lock);
    free(table);
}

static struct counter *add(struct xnm_counters *table, struct place *place, const uint8_t *key)
{
    struct counter *counter = take_idle(table);

    if (!counter)
        counter = malloc(sizeof *counter);
    if (!counter)
        return NULL;
    atomic_store_explicit(&counter->count, 0, memory_order_relaxed);
    counter->users = 0;
    memcpy(counter->key, key, XNM_COUNTERS_KEY);
    counter->next = place->first;
    place->first = counter;
    table->used++;
    return counter;
}

static struct counter *find_or_add(struct xnm_counters *table, const uint8_t *key)
{
    struct counter *counter;
    struct place *place;

    if (!make_room(table))
        return NULL;
    place = place_of(table->places, table->place_count, key);
    for (counter = place->first; counter; counter = counter->next)
        if (memcmp(counter->key, key, XNM_COUNTERS_KEY) == 0)
            break;
    if (!counter)
        counter = add(table, place, key);
    else if (counter->users == 0)
        remove_idle(table, counter);
    if (counter)
        counter->users++;
    return counter;
}

_Atomic uint64_t *xnm_counters_take(struct xnm_counters *table, const uint8_t key[XNM_COUNTERS_KEY])
{
    struct counter *counter;

    pthread_mutex_lock(&table->lock);
    counter = find_or_add(table, key);
    pthread_mutex_unlock(&table->lock);
    return counter ? &counter->count : NULL;
}

void xnm_counters_leave(struct xnm_counters *table, _Atomic uint64_t *count)
{
    struct counter *counter = (struct counter *)(void *)count;

    pthread_mutex_lock(&table->lock);
    if (--counter->users == 0)
        add_idle(table, counter);
    pthread_mutex_unlock(&table->lock);
}
