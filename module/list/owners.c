/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/owners.h"

#include <xxhash.h>

xnm_owners_result xnm_owners_add(struct xnm_owners *owners, const uint8_t *owner, size_t len,
                                 uint32_t kind, unsigned *line)
{
    struct xnm_hashset *set = &owners->set;
    bool fresh;

    if (!xnm_hashset_reserve(set, 2))
        return XNM_OWNERS_NO_MEMORY;
    uint64_t *said = xnm_hashset_add(set, XXH3_64bits_withSeed(owner, len, set->seed), &fresh) + 1;
    if (fresh)
        *said = (uint64_t)kind << 32 | *line;
    if (*said >> 32 == kind)
        return XNM_OWNERS_AGREE;
    *line = (unsigned)*said;
    return XNM_OWNERS_DIFFER;
}

void xnm_owners_free(struct xnm_owners *owners)
{
    xnm_arena_free(&owners->set.memory);
}
