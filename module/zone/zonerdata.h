/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the fields of a zone file's record to wire format. Shared by the two sources of
 * module/zone/zonefile.h, zonefile.c and read.c. */
#ifndef XNM_MODULE_ZONE_ZONERDATA_H
#define XNM_MODULE_ZONE_ZONERDATA_H

#include "module/base/record.h"
#include "module/zone/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xn_unicode;

enum { XNM_RDATA_MAX = 65535 }; /* octets */

/* RDATA, and room for the text of one field, each octet of which may be written as `\DDD`. Allocate
 * one for many records. */
struct xnm_zonerdata {
    size_t len, text_cap;
    uint8_t octets[XNM_RDATA_MAX];
    char text[]; /* of text_cap octets */
};

/* Makes the memory for records of at most `len` octets of text each, which the caller frees with
 * free(). Returns NULL when out of memory. */
struct xnm_zonerdata *xnm_zonerdata_new(size_t len);

/* Reads a token, which may be Unicode, as a wire-format name in lower case. A relative name ends
 * with the origin, and `@` is the origin itself. With origin NULL a relative name ends with the
 * root, and `@` is a fault; origin->len 0 means that the origin is unknown, and both are faults.
 * Returns false with the reason in *fault. */
bool xnm_zonerdata_name(const struct xn_unicode *unicode, const struct xnm_zonetoken *token,
                        const struct xnm_wirename *origin, struct xnm_wirename *name,
                        struct xnm_zonefault *fault);

/* Reads the rest of an entry as the RDATA of a type: its fields, or `\#` (RFC 3597, section 5). It
 * then has exactly the fields of its type. Names become lower case. Returns false with the reason
 * in *fault. */
bool xnm_zonerdata_read(const struct xn_unicode *unicode, uint16_t type,
                        struct xnm_zonetokens *tokens, const struct xnm_wirename *origin,
                        struct xnm_zonerdata *rdata, struct xnm_zonefault *fault);

#endif
