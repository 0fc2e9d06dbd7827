/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes names and records as the text of zone files. */
#ifndef XNM_MODULE_ZONE_ZONEWRITE_H
#define XNM_MODULE_ZONE_ZONEWRITE_H

#include <stddef.h>
#include <stdint.h>

struct xn_unicode;
struct xnm_record;

/* Writes a wire-format name in lower case as text with its final dot, so that every reader of zone
 * files reads that name in any context: all octets except a to z, 0 to 9, `-` and `_` become
 * `\DDD`. text has room for XN_WIRE_TEXT_MAX + 1 octets, including a NUL. Returns its length; 0 if
 * ldns reads another name, or none, from it. */
size_t xnm_zonewrite_name(const uint8_t *wire, size_t len, char *text);

/* Writes the type and RDATA of a record, which has the form of its type, on one line without its
 * end, so that every reader of zone files accepts it: `MX 10 mail.example.` as ldns writes it, if
 * ldns and xnm_zonefile_rdata read the same back and the text is plain; else `TYPE15 \# 4
 * 000a0000`. Types that older resolvers do not know by name, such as SVCB, always get the latter.
 * The result has no NUL. Returns the octets written: at most XNM_ZONEWRITE_RECORD_MAX, and at most
 * 64 more than twice those of the RDATA. */
enum { XNM_ZONEWRITE_RECORD_MAX = 64 + 2 * 65535 };
size_t xnm_zonewrite_record(const struct xn_unicode *unicode, const struct xnm_record *record,
                            char *dst);

#endif
