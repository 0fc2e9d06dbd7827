/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/owners.h"

#include "module/seed.h"

#include <stdbool.h>
#include <xxhash.h>

enum { FIRST_CAP = 1024 }; /* a power of two, as is every later one */

struct xnm_owners_slot {
    uint64_t hash; /* 0: free */
    uint32_t kind;
    uint32_t line;
};

static struct xnm_owners_slot *slot_at(const struct xnm_owners *owners, size_t at)
{
    return (struct xnm_owners_slot *)(void *)owners->memory.octets + at;
}

static struct xnm_owners_slot *find(const struct xnm_owners *owners, uint64_t hash)
{
    size_t at = hash & (owners->cap - 1);

    while (slot_at(owners, at)->hash != 0 && slot_at(owners, at)->hash != hash)
        at = (at + 1) & (owners->cap - 1);
    return slot_at(owners, at);
}

static bool grow(struct xnm_owners *owners)
{
    struct xnm_owners larger = *owners;

    larger.memory = (struct xnm_arena){0};
    larger.cap = owners->cap > 0 ? owners->cap * 2 : FIRST_CAP;
    if (!xnm_arena_add(&larger.memory, larger.cap * sizeof(struct xnm_owners_slot)))
        return false;
    if (owners->cap == 0)
        larger.seed = xnm_seed(larger.memory.octets);
    for (size_t i = 0; i < owners->cap; i++)
        if (slot_at(owners, i)->hash != 0)
            *find(&larger, slot_at(owners, i)->hash) = *slot_at(owners, i);
    xnm_arena_free(&owners->memory);
    *owners = larger;
    return true;
}

xnm_owners_result xnm_owners_add(struct xnm_owners *owners, const uint8_t *owner, size_t len,
                                 uint32_t kind, unsigned *line)
{
    if (owners->count * 2 >= owners->cap && !grow(owners))
        return XNM_OWNERS_NO_MEMORY;
    uint64_t hash = XXH3_64bits_withSeed(owner, len, owners->seed);
    hash += hash == 0;
    struct xnm_owners_slot *slot = find(owners, hash);
    if (slot->hash == 0) {
        *slot = (struct xnm_owners_slot){hash, kind, *line};
        owners->count++;
    } else if (slot->kind != kind) {
        *line = slot->line;
        return XNM_OWNERS_DIFFER;
    }
    return XNM_OWNERS_AGREE;
}

void xnm_owners_free(struct xnm_owners *owners)
{
    xnm_arena_free(&owners->memory);
}
