/* SPDX-License-Identifier: BSD-3-Clause */
/* Which owner names a zone had so far, and what kind of data at each: a name with a CNAME has
 * nothing else (RFC 1034, section 3.6.2), however far apart in the file the two may stand. */
#ifndef XNM_MODULE_LIST_OWNERS_H
#define XNM_MODULE_LIST_OWNERS_H

#include "module/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Private. Sixteen octets a name, at most half of them filled: 32 MiB for a million. Names are
 * known by a hash of 64 bits, with a seed that the zone's author cannot know: two that collide by
 * chance do not come along. */
struct xnm_owners {
    struct xnm_arena memory; /* the slots: pages of their own, of which nothing stays in the heap */
    size_t cap, count;
    uint64_t seed;
};

typedef enum { XNM_OWNERS_AGREE, XNM_OWNERS_DIFFER, XNM_OWNERS_NO_MEMORY } xnm_owners_result;

/* {0} is none. Says that the record at a line has this owner (wire format, lower case) and data of
 * this kind, a number of the caller's. XNM_OWNERS_DIFFER: the owner's first record was of another
 * kind, and *line becomes its line. */
xnm_owners_result xnm_owners_add(struct xnm_owners *owners, const uint8_t *owner, size_t len,
                                 uint32_t kind, unsigned *line);
void xnm_owners_free(struct xnm_owners *owners);

#endif
