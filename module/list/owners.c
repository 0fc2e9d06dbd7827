/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/owners.h"

#include "module/base/seed.h"

#include <stdbool.h>
#include <xxhash.h>

enum { FIRST_CAP = 1024 }; /* a power of two, like every later one */

struct xnm_owners_slot {
    uint64_t hash; /* 0: free */
    uint32_t kind;
    unsigned line : 31; /* enough for a file of 1 GiB */
    unsigned moved : 1; /* used only while the table grows */
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

/* Moves a slot's contents to their place in a larger table. Contents found there that have not been
 * moved yet give way, and are moved next. */
static void move(const struct xnm_owners *owners, struct xnm_owners_slot *slot)
{
    struct xnm_owners_slot moving = *slot;

    *slot = (struct xnm_owners_slot){0};
    while (moving.hash != 0) {
        size_t at = moving.hash & (owners->cap - 1);
        while (slot_at(owners, at)->moved)
            at = (at + 1) & (owners->cap - 1);
        struct xnm_owners_slot other = *slot_at(owners, at);
        *slot_at(owners, at) = moving;
        slot_at(owners, at)->moved = true;
        moving = other;
    }
}

/* Grows in place: an old and a new table of a million owners would take 48 MiB. */
static bool grow(struct xnm_owners *owners)
{
    size_t cap = owners->cap, more = cap > 0 ? cap : FIRST_CAP;

    if (!xnm_arena_add(&owners->memory, more * sizeof(struct xnm_owners_slot)))
        return false;
    if (cap == 0)
        owners->seed = xnm_seed(owners->memory.octets);
    owners->cap = cap + more;
    for (size_t i = 0; i < cap; i++)
        if (!slot_at(owners, i)->moved)
            move(owners, slot_at(owners, i));
    for (size_t i = 0; i < owners->cap; i++)
        slot_at(owners, i)->moved = false;
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
        *slot = (struct xnm_owners_slot){.hash = hash, .kind = kind, .line = *line & INT32_MAX};
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
