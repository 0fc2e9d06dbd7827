/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the owner names of a zone and the kind of data at each: a name with a CNAME has nothing
 * else (RFC 1034, section 3.6.2), however far apart in the file the two may stand. */
#ifndef XNM_MODULE_LIST_CNAMECHECK_H
#define XNM_MODULE_LIST_CNAMECHECK_H

#include "module/base/hashset.h"

/* A name takes sixteen octets: 32 MiB for a million names. */
struct xnm_cnamecheck {
    struct xnm_hashset set; /* private */
};

typedef enum {
    XNM_CNAMECHECK_AGREE,
    XNM_CNAMECHECK_DIFFER,
    XNM_CNAMECHECK_NO_MEMORY
} xnm_cnamecheck_result;

/* {0} is an empty set. Adds an owner (wire format, lower case), the line of its record and the kind
 * of its data, a number that the caller chooses. XNM_CNAMECHECK_DIFFER: the owner's first record
 * was of another kind, and *line becomes its line. */
xnm_cnamecheck_result xnm_cnamecheck_add(struct xnm_cnamecheck *owners, const uint8_t *owner,
                                         size_t len, uint32_t kind, unsigned *line);
void xnm_cnamecheck_free(struct xnm_cnamecheck *owners);

#endif
