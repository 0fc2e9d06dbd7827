/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a zone file's record -> wire format. Between the two sources of
 * module/zone/zonefile.h.
 */
#ifndef XNM_MODULE_ZONE_RDATA_H
#define XNM_MODULE_ZONE_RDATA_H

#include "core/idna/unicode.h"
#include "module/base/record.h"
#include "module/zone/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XNM_RDATA_MAX = 65535 }; /* octets */

/* RDATA, and room for one of its fields as text, of which each octet may be `\DDD`. To be allocated
 * once for many records. */
struct xnm_zonerdata {
    size_t len;
    uint8_t octets[XNM_RDATA_MAX];
    char text[4 * XNM_RDATA_MAX + 1];
};

/* Makes a wire-format name, in lower case, of a token, which may be Unicode. What a relative name
 * ends with is the origin: NULL: the root; len 0: nobody knows, and it is a fault. `@` is the
 * origin. False: *fault says why. */
bool xnm_zonerdata_name(const struct xn_unicode *unicode, const struct xnm_zonetoken *token,
                        const struct xnm_wirename *origin, struct xnm_wirename *name,
                        struct xnm_zonefault *fault);

/* Reads what is left of an entry, up to its end, as the RDATA of a type: its fields, or `\#` (RFC
 * 3597, section 5). Names come out in lower case. False: *fault says why. */
bool xnm_zonerdata_read(const struct xn_unicode *unicode, uint16_t type,
                        struct xnm_zonetokens *tokens, const struct xnm_wirename *origin,
                        struct xnm_zonerdata *rdata, struct xnm_zonefault *fault);

/* Has RDATA the fields of its type, and nothing else? Whoever uses it may rely on that. Where it
 * has not, *expected (may be NULL) is what should stand where it goes wrong. */
bool xnm_zonerdata_has_form(uint16_t type, const uint8_t *octets, size_t len,
                            const char **expected);

#endif
