/* SPDX-License-Identifier: BSD-3-Clause */
/* What libldns knows of a record's fields, for module/zone/rdata.c; in module/zone/zonefile.c, its
 * only user. */
#ifndef XNM_MODULE_ZONE_FIELD_H
#define XNM_MODULE_ZONE_FIELD_H

#include "module/base/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a field is written: one word, a name, a text; and what takes the whole rest of an entry:
 * digits that white space may interrupt, words. */
typedef enum {
    XNM_ZONEFIELD_WORD,
    XNM_ZONEFIELD_NAME,
    XNM_ZONEFIELD_TEXT,
    XNM_ZONEFIELD_DIGITS,
    XNM_ZONEFIELD_WORDS
} xnm_zonefield_writing;

/* How many octets of wire format it has, if it is not a number of them. */
enum {
    XNM_ZONEFIELD_REST = 0,
    XNM_ZONEFIELD_WIRE_NAME = -1,
    XNM_ZONEFIELD_STRING = -2, /* its length in the first octet */
    XNM_ZONEFIELD_SVCPARAMS = -3
};

struct xnm_zonefield {
    int ldns_type; /* LDNS_RDF_TYPE_… */
    xnm_zonefield_writing writing;
    int8_t wire;
    bool (*has_form)(const char *text); /* NULL: ldns is strict enough. Of WORDS: each of them */
    const char *expected;               /* "an IPv4 address" */
};

/* The n-th field of a type's data, counted from 0 and below *most. NULL: one that ldns reads
 * without enough care, or not at all (LOC, APL, WKS, HIP, unknown types …). */
const struct xnm_zonefield *xnm_zonefield_of(uint16_t type, size_t n);

/* How many fields a type's data has. */
void xnm_zonefield_count(uint16_t type, size_t *least, size_t *most);

/* Those of RFC 3597: the data's length, and its octets. */
extern const struct xnm_zonefield xnm_zonefield_length, xnm_zonefield_octets;

/* Reads the text of a field that is no NAME, ended by a NUL and of its form, and writes its wire
 * format to dst. False: ldns refuses it, or has no memory for it; then errno is ENOMEM. *dst_len
 * over dst_cap: it was too long, and dst is as it was. */
bool xnm_zonefield_read(const struct xnm_zonefield *field, const char *text, uint8_t *dst,
                        size_t dst_cap, size_t *dst_len);

/* Reads a NAME, ended by a NUL, as xnm_zonefile_name does. Returns NULL, or what is wrong with it
 * and what was expected. */
const char *xnm_zonefield_read_name(const char *text, struct xnm_wirename *name);

/* "MX", "TYPE65280": into word unless it is known. */
enum { XNM_ZONEFIELD_TYPE_MAX = sizeof "TYPE65535" };
const char *xnm_zonefield_type_word(uint16_t type, char word[XNM_ZONEFIELD_TYPE_MAX]);

#endif
