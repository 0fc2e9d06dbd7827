/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/hashset.h"

#include <sys/random.h>

uint64_t xnm_hashset_seed(const void *address)
{
    uint64_t seed;

    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
        seed = (uint64_t)(uintptr_t)address;
    return seed;
}

enum { FIRST_CAP = 1024 }; /* a power of two, like every later one */

/* Its first word is a hash; 0: it is free. */
static uint64_t *slot_at(const struct xnm_hashset *set, size_t at)
{
    return (uint64_t *)(void *)set->memory.octets + (at & (set->cap - 1)) * set->words;
}

static uint64_t *find(const struct xnm_hashset *set, uint64_t hash)
{
    size_t at = hash;

    while (*slot_at(set, at) != 0 && *slot_at(set, at) != hash)
        at++;
    return slot_at(set, at);
}

/* Grows in place: an old and a new table of a million names would take 48 MiB. Slots are moved in
 * order, from a free one on: those between the new place of a hash and its old one are then
 * already moved, so that no search ends too early. */
static bool grow(struct xnm_hashset *set)
{
    size_t cap = set->cap, more = cap > 0 ? cap : FIRST_CAP, first = 0;
    size_t last = set->words - 1;

    if (!xnm_arena_add(&set->memory, more * set->words * sizeof(uint64_t)))
        return false;
    if (cap == 0)
        set->seed = xnm_hashset_seed(set->memory.octets);
    while (first < cap && *slot_at(set, first) != 0)
        first++;
    set->cap = cap + more;
    for (size_t i = 0; i < cap; i++) {
        uint64_t *from = slot_at(set, (first + i) & (cap - 1)), hash = from[0], rest = from[last];
        if (hash == 0)
            continue;
        from[0] = from[last] = 0;
        uint64_t *to = find(set, hash);
        to[last] = rest;
        to[0] = hash;
    }
    return true;
}

bool xnm_hashset_reserve(struct xnm_hashset *set, size_t words)
{
    set->words = words;
    return set->count * 2 < set->cap || grow(set);
}

uint64_t *xnm_hashset_add(struct xnm_hashset *set, uint64_t hash, bool *fresh)
{
    hash += hash == 0;
    uint64_t *slot = find(set, hash);
    *fresh = *slot == 0;
    set->count += *fresh;
    *slot = hash;
    return slot;
}
