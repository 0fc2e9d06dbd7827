/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash set of (owner, record) pairs, for zones whose owners have many records. */
#ifndef XNM_MODULE_BUILD_RECORDSET_H
#define XNM_MODULE_BUILD_RECORDSET_H

#include "module/base/arena.h"
#include "module/base/record.h"

/* Private. A record takes eight octets, and at most half of the places are filled. It is identified
 * by a 64-bit hash with a seed that the zone's author cannot know, like owners
 * (module/list/owners.h). */
struct xnm_recordset {
    struct xnm_arena memory; /* the places, in pages of their own */
    size_t cap, count;
    uint64_t seed;
};

typedef enum {
    XNM_RECORDSET_NEW,
    XNM_RECORDSET_KNOWN,
    XNM_RECORDSET_NO_MEMORY
} xnm_recordset_result;

/* Adds a record of an owner, which is any number the caller chooses. NEW: the set had no record of
 * this type and RDATA for this owner. A set that is {0} is empty. */
xnm_recordset_result xnm_recordset_add(struct xnm_recordset *set, uint64_t owner,
                                       const struct xnm_record *record);
void xnm_recordset_free(struct xnm_recordset *set); /* the set is empty afterwards */

#endif
