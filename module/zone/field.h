/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the fields of each record type that libldns knows, for module/zone/zonerdata.c.
 * Implemented in module/zone/zonefile.c, the only user of libldns. */
#ifndef XNM_MODULE_ZONE_FIELD_H
#define XNM_MODULE_ZONE_FIELD_H

#include "module/base/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ways in which a field is written: as one word, a name or a text; or as the whole rest of an
 * entry, which is digits that white space may interrupt, or words. */
typedef enum {
    XNM_ZONEFIELD_WORD,
    XNM_ZONEFIELD_NAME,
    XNM_ZONEFIELD_TEXT,
    XNM_ZONEFIELD_DIGITS,
    XNM_ZONEFIELD_WORDS
} xnm_zonefield_writing;

/* The size of a field in wire format, unless it is a fixed number of octets. */
enum {
    XNM_ZONEFIELD_REST = 0,
    XNM_ZONEFIELD_WIRE_NAME = -1,
    XNM_ZONEFIELD_STRING = -2, /* the first octet is the length */
    XNM_ZONEFIELD_SVCPARAMS = -3
};

struct xnm_zonefield {
    int ldns_type; /* LDNS_RDF_TYPE_… */
    xnm_zonefield_writing writing;
    int8_t wire;
    bool (*has_form)(
        const char *text); /* NULL: ldns is strict enough; for WORDS it is called for each word */
    const char *expected;  /* "an IPv4 address" */
};

/* Returns the n-th field of a type's RDATA; n counts from 0 and is below *most. NULL: the field is
 * read in RFC 3597's generic form only, because ldns reads its text without enough care, or not at
 * all, or the type is rarely written. */
const struct xnm_zonefield *xnm_zonefield_of(uint16_t type, size_t n);

/* Sets the least and the largest number of fields in a type's RDATA. */
void xnm_zonefield_count(uint16_t type, size_t *least, size_t *most);

/* The fields of RFC 3597's generic form: the length of the RDATA, and its octets. */
extern const struct xnm_zonefield xnm_zonefield_length, xnm_zonefield_octets;

/* Reads a field other than a NAME. The text ends with a NUL and has the field's form. Writes the
 * wire format to dst. Returns false if ldns rejects the text, or has no memory; then errno is
 * ENOMEM. If *dst_len exceeds dst_cap, the field was too long, and dst is unchanged. */
bool xnm_zonefield_read(const struct xnm_zonefield *field, const char *text, uint8_t *dst,
                        size_t dst_cap, size_t *dst_len);

/* Reads a NAME, as xnm_zonetext_name writes it, that ends with a NUL, with or without a final dot,
 * as a wire-format name in lower case. Returns NULL; or, with name->len 0, an error with the
 * expected form: an empty label, a label over 63 octets, a name over 255. */
const char *xnm_zonefield_read_name(const char *text, struct xnm_wirename *name);

/* Returns the mnemonic, "MX", or, if ldns knows none, "TYPE65280", which it writes to word. */
enum { XNM_ZONEFIELD_TYPE_MAX = sizeof "TYPE65535" };
const char *xnm_zonefield_type_word(uint16_t type, char word[XNM_ZONEFIELD_TYPE_MAX]);

#endif
