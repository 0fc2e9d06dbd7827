/* SPDX-License-Identifier: BSD-3-Clause */
/* The only user of ldns: names and records as zone files write them, in Unicode too, and RPZ zone
 * files. Host-free; nothing is kept between calls. */
#ifndef XNM_MODULE_ZONE_ZONEFILE_H
#define XNM_MODULE_ZONE_ZONEFILE_H

#include "core/idna/unicode.h"
#include "module/base/diagnostics.h"
#include "module/base/record.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes a wire-format name of ASCII labels in presentation format (with `\DDD` and `\X`), with or
 * without a final dot, in lower case. text is ended by a NUL. False: no name, or too long: an empty
 * label, one over 63 octets, a name over 255, a bad escape; white space, control characters,
 * quotes, parentheses or `;` without `\` before them; anything that is not ASCII. name->len is 0
 * then. */
bool xnm_zonefile_name(const char *text, struct xnm_wirename *name);

/* Writes a name in wire format and lower case, with its final dot, so that every reader of zone
 * files takes it for that name wherever it stands: `\DDD` for all but a to z, 0 to 9, `-` and `_`.
 * text has room for XN_WIRE_TEXT_MAX + 1 octets, a NUL with them. ldns reads it back: returns the
 * length of the text; 0, where that is another name, or none. */
size_t xnm_zonefile_name_text(const uint8_t *wire, size_t len, char *text);

/* "A" -> 1, "TYPE65280" -> 65280 (RFC 3597), "ANY" -> 255, in any case: what a query may ask for,
 * RRSIG and DNSKEY with it. 0: no such type, or a meta type (RFC 6895, section 3.1: OPT, and 128 to
 * 254, such as TSIG and AXFR). ANY is no type of data: xnm_zonefile_rdata refuses it. */
uint16_t xnm_zonefile_type(const char *text, size_t len);

/* What an error is about: `at` is its offset in octets in the text given. */
struct xnm_zonefile_error {
    size_t at;
    char message[512];
};

/* Makes the wire-format RDATA of a type from text as zone files have it, one line: its fields, or
 * `\# LENGTH HEXADECIMAL` (RFC 3597, section 5), which is tested for the type's form. Names in it,
 * and text in strings, may be Unicode; names are absolute and come out in lower case; comments are
 * an error. Returns true, and the caller owns record->rdata and sets record->ttl; or false: *error
 * says what is wrong. No rule answers with CNAME and DNAME (the action cname does) nor with what
 * belongs to a zone: SOA, RRSIG, NSEC, NSEC3 and their like; such a type is an error at the start
 * of the text. Types whose text ldns reads without care (LOC, APL, WKS, HIP, IPSECKEY, NSAP …) are
 * accepted as `\#` alone. */
bool xnm_zonefile_rdata(const struct xn_unicode *unicode, uint16_t type, const char *text,
                        size_t len, struct xnm_record *record, struct xnm_zonefile_error *error);

/* Can an answer hold such a record: is it of a type of data, and has its RDATA the form of that? */
bool xnm_zonefile_has_form(const struct xnm_record *record);

/* Writes type and RDATA of a record, which has the form of its type, in one line without its end,
 * as every reader of zone files takes it: `MX 10 mail.example.` by ldns, if ldns and
 * xnm_zonefile_rdata read that back as the same and there is nothing odd in it; else `TYPE15 \# 4
 * 000a0000`, and always where older resolvers do not know the type by name (SVCB, say). No NUL.
 * Returns the octets written, at most XNM_ZONEFILE_RECORD_MAX and at most twice those of the RDATA
 * and 64. */
enum { XNM_ZONEFILE_RECORD_MAX = 64 + 2 * 65535 };
size_t xnm_zonefile_record_text(const struct xn_unicode *unicode, const struct xnm_record *record,
                                char *dst);

/* One record of a zone file. Its pointers are valid for the call alone. */
struct xnm_zonefile_entry {
    const uint8_t *owner; /* wire format, lower case */
    size_t owner_len;
    uint16_t type;
    uint32_t ttl;
    const uint8_t *rdata; /* names in it are in lower case */
    size_t rdata_len;
    unsigned line, column; /* of its first word: the owner, if it has its own */
    const char *unread;    /* where it begins in the text: what stands before is not looked at any
                              more */
};

/* Who reads a zone file. */
struct xnm_zonefile_options {
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics
        *diagnostics;        /* NULL: nothing is told, and the first error is the end */
    const atomic_bool *stop; /* set by another thread: it is not wanted any more. NULL: no */
    bool (*entry)(void *arg, const struct xnm_zonefile_entry *entry); /* false: stop */
    void *arg;                                                        /* entry()'s */
};

/* Reads the text of a zone file, whose owner names and names in RDATA may be Unicode. origin: what
 * relative names end with before the first $ORIGIN; len 0: the SOA's owner (which must then be
 * absolute, or stand behind a $ORIGIN), and relative names before it are errors. A record without a
 * TTL has that of $TTL, else of the record before, else of the SOA's own (its MINIMUM), else an
 * hour. Calls entry() for each record in its order, until there is an error. Errors, a $INCLUDE, a
 * $GENERATE and a class other than IN among them, are reported with line and column, the first 20
 * of them, then the number of the rest. Returns whether there was none before the end, or before it
 * was told to stop; entry() may have been called before one was found. That there is no SOA is no
 * error here. */
bool xnm_zonefile_read(const struct xnm_zonefile_options *options, const char *file,
                       const char *text, size_t len, const struct xnm_wirename *origin);

/* The owner of the first SOA record of a zone file's text, of which nothing is told. False, and
 * origin->len is 0: there is none before the text's end or first error, or before *stop is set. */
bool xnm_zonefile_origin(const struct xnm_zonefile_options *options, const char *text, size_t len,
                         struct xnm_wirename *origin);

#endif
