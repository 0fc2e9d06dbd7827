/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the owner names of a zone and the kind of data at each: a name with a CNAME has nothing
 * else (RFC 1034, section 3.6.2), however far apart in the file the two may stand. */
#ifndef XNM_MODULE_LIST_OWNERS_H
#define XNM_MODULE_LIST_OWNERS_H

#include "module/base/hashset.h"

/* A name takes sixteen octets: 32 MiB for a million names. */
struct xnm_owners {
    struct xnm_hashset set; /* private */
};

typedef enum { XNM_OWNERS_AGREE, XNM_OWNERS_DIFFER, XNM_OWNERS_NO_MEMORY } xnm_owners_result;

/* {0} is an empty set. Adds an owner (wire format, lower case), the line of its record and the kind
 * of its data, a number that the caller chooses. XNM_OWNERS_DIFFER: the owner's first record was of
 * another kind, and *line becomes its line. */
xnm_owners_result xnm_owners_add(struct xnm_owners *owners, const uint8_t *owner, size_t len,
                                 uint32_t kind, unsigned *line);
void xnm_owners_free(struct xnm_owners *owners);

#endif
