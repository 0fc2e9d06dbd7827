/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/recordset.h"

#include "module/base/seed.h"

#include <xxhash.h>

enum { FIRST_CAP = 1024 }; /* a power of two, like every later size */

/* The place of a hash, or the free one (0) for it. */
static uint64_t *find(const struct xnm_recordset *set, uint64_t hash)
{
    uint64_t *places = (uint64_t *)(void *)set->memory.octets;
    size_t at = hash & (set->cap - 1);

    while (places[at] != 0 && places[at] != hash)
        at = (at + 1) & (set->cap - 1);
    return &places[at];
}

static bool grow(struct xnm_recordset *set)
{
    struct xnm_recordset larger = *set;
    const uint64_t *places = (const uint64_t *)(const void *)set->memory.octets;

    larger.memory = (struct xnm_arena){0};
    larger.cap = set->cap > 0 ? set->cap * 2 : FIRST_CAP;
    if (!xnm_arena_add(&larger.memory, larger.cap * sizeof *places))
        return false;
    if (set->cap == 0)
        larger.seed = xnm_seed(larger.memory.octets);
    for (size_t i = 0; i < set->cap; i++)
        if (places[i] != 0)
            *find(&larger, places[i]) = places[i];
    xnm_arena_free(&set->memory);
    *set = larger;
    return true;
}

static uint64_t hash_of(uint64_t seed, uint64_t owner, const struct xnm_record *record)
{
    const uint64_t whose[] = {owner, record->type};
    uint64_t hash = XXH3_64bits_withSeed(record->rdata, record->rdata_len,
                                         XXH3_64bits_withSeed(whose, sizeof whose, seed));

    return hash + (hash == 0);
}

xnm_recordset_result xnm_recordset_add(struct xnm_recordset *set, uint64_t owner,
                                       const struct xnm_record *record)
{
    if (set->count * 2 >= set->cap && !grow(set))
        return XNM_RECORDSET_NO_MEMORY;
    uint64_t hash = hash_of(set->seed, owner, record), *place = find(set, hash);
    if (*place == hash)
        return XNM_RECORDSET_KNOWN;
    *place = hash;
    set->count++;
    return XNM_RECORDSET_NEW;
}

void xnm_recordset_free(struct xnm_recordset *set)
{
    xnm_arena_free(&set->memory);
    *set = (struct xnm_recordset){0};
}
