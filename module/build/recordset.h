/* SPDX-License-Identifier: BSD-3-Clause */
/* Which records the owners of a zone have, where they have many. */
#ifndef XNM_MODULE_BUILD_RECORDSET_H
#define XNM_MODULE_BUILD_RECORDSET_H

#include "module/base/arena.h"
#include "module/base/record.h"

/* Private. Eight octets a record, at most half of them filled. Records are known by a hash of 64
 * bits, with a seed that the zone's author cannot know, as owners are (module/list/owners.h). */
struct xnm_recordset {
    struct xnm_arena memory; /* the places: pages of their own */
    size_t cap, count;
    uint64_t seed;
};

typedef enum {
    XNM_RECORDSET_NEW,
    XNM_RECORDSET_KNOWN,
    XNM_RECORDSET_NO_MEMORY
} xnm_recordset_result;

/* {0} is none. Says that this owner, a number of the caller's, has this record: NEW, the first time
 * that this is said of its type and RDATA. */
xnm_recordset_result xnm_recordset_add(struct xnm_recordset *set, uint64_t owner,
                                       const struct xnm_record *record);
void xnm_recordset_free(struct xnm_recordset *set); /* it is none afterwards */

#endif
