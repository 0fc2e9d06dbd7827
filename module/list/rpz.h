/* SPDX-License-Identifier: BSD-3-Clause */
/* RPZ zone files -> entries (draft-vixie-dnsop-dns-rpz). Host-free. */
#ifndef XNM_MODULE_LIST_RPZ_H
#define XNM_MODULE_LIST_RPZ_H

#include "module/list/tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the text of a zone file into the tally, each record as an entry of its own:
 * - the trigger is the owner less the origin (the rule's, or else the SOA's owner), exact or `*.`;
 * - CNAME to `.`, `*.`, rpz-passthru., rpz-drop., rpz-tcp-only.: these actions; to the trigger
 *   itself, as old zones have it: PASSTHRU; to `*.w.`: CNAME with `prefix`, and w in the record;
 *   to any other name: CNAME; any other record: ANSWER;
 * - left out without a word: the SOA, NS at the origin, DNSSEC's records and ZONEMD;
 * - left out with one error a kind: triggers on addresses and name servers, unless the rule says
 *   that they may be (skip=);
 * - left out with one warning a kind: other triggers under rpz-, unknown targets under rpz-, NS
 * elsewhere and DNAME, other records at the origin;
 * - left out with an error each: public suffixes, PASSTHRU too (it would keep later lists from
 *   deciding for a whole top-level domain), and `*` alone, unless the rule means them;
 * - of an owner with NS, DNAME, an unknown target or DNSSEC's records alone, and of a public suffix
 * that is left out, an entry with XNM_SCOPE_NONE: the zone has the name, so no wildcard of it
 * covers that (RFC 4592). Returns false where the zone is refused whole, which is reported: what
 * xnm_zonefile_read finds, no SOA or two or one that is not at the origin, a record outside the
 * origin, a CNAME beside other data or another CNAME. False, too, where the tally was stopped. */
bool xnm_rpz_read(struct xnm_list_tally *tally, const char *text, size_t len);

/* Is a name in wire format one under rpz-, of which RPZ makes triggers and actions of its own? */
bool xnm_rpz_is_reserved(const uint8_t *name);

/* Is it a type that RPZ answers with, and takes CNAME for? Not those that belong to a zone: SOA,
 * NS, DNAME, and DNSSEC's. */
bool xnm_rpz_is_data(uint16_t type);

#endif
