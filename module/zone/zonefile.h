/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads types and records in the form of zone files, Unicode included, and whole zone files.
 * Host-free; keeps nothing between calls. */
#ifndef XNM_MODULE_ZONE_ZONEFILE_H
#define XNM_MODULE_ZONE_ZONEFILE_H

#include "module/base/record.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xn_unicode;
struct xnm_diagnostics;

/* Reads a type in either case: "A" -> 1, "TYPE65280" -> 65280 (RFC 3597), "ANY" -> 255. All types
 * that a query may ask for are known, including RRSIG and DNSKEY. Returns 0 for an unknown type or
 * a meta type (RFC 6895, section 3.1: OPT, and 128 to 254, such as TSIG and AXFR). ANY is not a
 * type of data: xnm_zonefile_rdata refuses it. */
uint16_t xnm_zonefile_type(const char *text, size_t len);

/* Returns whether a type belongs to signed zones: DS, RRSIG, NSEC, DNSKEY, NSEC3, NSEC3PARAM, CDS,
 * CDNSKEY or ZONEMD. */
bool xnm_zonefile_is_dnssec(uint16_t type);

/* An error. `at` is its offset in octets in the text. */
struct xnm_zonefile_error {
    size_t at;
    char message[512];
};

/* Reads one line of text, as in zone files, as the wire-format RDATA of a type: its fields, or `\#
 * LENGTH HEXADECIMAL` (RFC 3597, section 5), which must have the type's form. Names and strings may
 * be Unicode; names are absolute and become lower case; comments are an error. Returns true, and
 * the caller owns record->rdata and sets record->ttl; or false with *error. Types with which no
 * rule answers are an error at the start of the text: CNAME and DNAME (the action cname makes
 * aliases), and types that are part of a zone: SOA, RRSIG, NSEC, NSEC3 and the like. Types with a
 * field that has no row in zonefile.c are accepted only as `\#`: those that ldns reads without care
 * (LOC, APL, WKS, HIP, IPSECKEY, NSAP), and rarely written ones (DS, DNSKEY, CERT, OPENPGPKEY,
 * EUI48, NID). */
bool xnm_zonefile_rdata(const struct xn_unicode *unicode, uint16_t type, const char *text,
                        size_t len, struct xnm_record *record, struct xnm_zonefile_error *error);

/* One record of a zone file. Its pointers are valid only during the call. */
struct xnm_zonefile_entry {
    const uint8_t *owner; /* wire format, lower case */
    size_t owner_len;
    uint16_t type;
    uint32_t ttl;
    const uint8_t
        *rdata; /* names in it are in lower case; empty for DNSSEC's types, which are not read */
    size_t rdata_len;
    size_t left;           /* octets of the text from the entry's first word on */
    unsigned line, column; /* of the entry's first word, which is the owner if the entry has one */
};

/* The settings of a reading. */
struct xnm_zonefile_options {
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics
        *diagnostics; /* NULL: nothing is reported, and the reading ends at the first error */
    const atomic_bool *stop; /* another thread sets it to end the reading; NULL: none does */
    bool (*entry)(void *arg, const struct xnm_zonefile_entry *entry); /* false: stop */
    void *arg;                                                        /* passed to entry() */
};

/* Reads the text of a zone file, whose owner names and names in RDATA may be Unicode. `origin` is
 * the origin of relative names before the first $ORIGIN. If its len is 0, that is the SOA's owner,
 * which must then be absolute or follow a $ORIGIN, and relative names before it are errors. A
 * record without a TTL has that of $TTL, else that of the record before, else, if it is the SOA,
 * its MINIMUM, else an hour. Calls entry() for each record in order until there is an error.
 * Reports errors with line and column, the first 20 of them, then their number; $INCLUDE, $GENERATE
 * and a class other than IN are errors too, a missing SOA is not. Returns true if there was no
 * error before the end, or before it was stopped; entry() may have been called before an error was
 * found. */
bool xnm_zonefile_read(const struct xnm_zonefile_options *options, const char *file,
                       const char *text, size_t len, const struct xnm_wirename *origin);

/* Finds the owner of the first SOA record in a zone file's text, and reports nothing. Returns
 * false, with origin->len 0, if there is none before the end of the text, the first error or the
 * stop. */
bool xnm_zonefile_origin(const struct xnm_zonefile_options *options, const char *text, size_t len,
                         struct xnm_wirename *origin);

#endif
