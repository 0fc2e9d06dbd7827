/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/hits.h"

#include "module/seed.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct counter {
    _Atomic uint64_t hits;
    struct counter *next; /* of the same place */
    size_t len;
    uint8_t key[];
};

struct place {
    struct counter *first;
};

/* Of the process: grows, never shrinks. */
static struct {
    pthread_mutex_t lock;
    uint64_t seed; /* whoever makes a compiled policy writes keys, and is not to choose places */
    struct place *places;
    size_t place_count, used; /* place_count is a power of two */
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct place *place_of(struct place *places, size_t count, const void *key, size_t len)
{
    return &places[XXH3_64bits_withSeed(key, len, table.seed) & (count - 1)];
}

/* A table that cannot grow is slower, nothing else: only the first one is needed. */
static bool make_room(void)
{
    size_t count = table.place_count > 0 ? 2 * table.place_count : 64;
    struct counter *counter;
    struct place *places;

    if (table.used < table.place_count)
        return true;
    places = calloc(count, sizeof *places);
    if (!places)
        return table.place_count > 0;
    if (table.place_count == 0)
        table.seed = xnm_seed(places);
    for (size_t i = 0; i < table.place_count; i++) {
        while ((counter = table.places[i].first)) {
            struct place *place = place_of(places, count, counter->key, counter->len);
            table.places[i].first = counter->next;
            counter->next = place->first;
            place->first = counter;
        }
    }
    free(table.places);
    table.places = places;
    table.place_count = count;
    return true;
}

static struct counter *find_or_add(const void *key, size_t len)
{
    struct counter *counter;
    struct place *place;

    if (!make_room())
        return NULL;
    place = place_of(table.places, table.place_count, key, len);
    for (counter = place->first; counter; counter = counter->next) {
        if (counter->len == len && memcmp(counter->key, key, len) == 0)
            return counter;
    }
    counter = malloc(sizeof *counter + len);
    if (!counter)
        return NULL;
    atomic_init(&counter->hits, 0);
    counter->len = len;
    memcpy(counter->key, key, len);
    counter->next = place->first;
    place->first = counter;
    table.used++;
    return counter;
}

_Atomic uint64_t *xnm_hits_of(const void *key, size_t len)
{
    struct counter *counter;

    pthread_mutex_lock(&table.lock);
    counter = find_or_add(key, len);
    pthread_mutex_unlock(&table.lock);
    return counter ? &counter->hits : NULL;
}
