/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the owner names of a zone and the kind of data at each: a name with a CNAME has nothing
 * else (RFC 1034, section 3.6.2), however far apart in the file the two may stand. */
#ifndef XNM_MODULE_LIST_OWNERS_H
#define XNM_MODULE_LIST_OWNERS_H

#include "module/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Private. A name takes sixteen octets, and at most half of the slots are filled: 32 MiB for a
 * million names. A name is known by a 64-bit hash with a seed that the zone's author cannot know,
 * so two names collide only by chance, which practically never happens. */
struct xnm_owners {
    struct xnm_arena
        memory; /* the slots, on pages of their own, so that nothing stays in the heap */
    size_t cap, count;
    uint64_t seed;
};

typedef enum { XNM_OWNERS_AGREE, XNM_OWNERS_DIFFER, XNM_OWNERS_NO_MEMORY } xnm_owners_result;

/* {0} is an empty set. Adds an owner (wire format, lower case), the line of its record and the kind
 * of its data, a number that the caller chooses. XNM_OWNERS_DIFFER: the owner's first record was of
 * another kind, and *line becomes its line. */
xnm_owners_result xnm_owners_add(struct xnm_owners *owners, const uint8_t *owner, size_t len,
                                 uint32_t kind, unsigned *line);
void xnm_owners_free(struct xnm_owners *owners);

#endif
