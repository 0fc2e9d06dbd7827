/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/cnamecheck.h"

#include <xxhash.h>

xnm_cnamecheck_result xnm_cnamecheck_add(struct xnm_cnamecheck *owners, const uint8_t *owner,
                                         size_t len, uint32_t kind, unsigned *line)
{
    struct xnm_hashset *set = &owners->set;
    bool fresh;

    if (!xnm_hashset_reserve(set, 2))
        return XNM_CNAMECHECK_NO_MEMORY;
    uint64_t *said = xnm_hashset_add(set, XXH3_64bits_withSeed(owner, len, set->seed), &fresh) + 1;
    if (fresh)
        *said = (uint64_t)kind << 32 | *line;
    if (*said >> 32 == kind)
        return XNM_CNAMECHECK_AGREE;
    *line = (unsigned)*said;
    return XNM_CNAMECHECK_DIFFER;
}

void xnm_cnamecheck_free(struct xnm_cnamecheck *owners)
{
    xnm_arena_free(&owners->set.memory);
}
