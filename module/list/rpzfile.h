/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads RPZ zone files (draft-vixie-dnsop-dns-rpz) into entries. Host-free. */
#ifndef XNM_MODULE_LIST_RPZFILE_H
#define XNM_MODULE_LIST_RPZFILE_H

#include "module/list/listtally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads the text of a zone file into the tally, each record as an entry of its own:
 * - the trigger is the owner without the origin (the rule's, or else the SOA's owner), exact or
 *   `*.`;
 * - a CNAME to `.`, `*.`, rpz-passthru., rpz-drop. or rpz-tcp-only. gives that action; a CNAME to
 *   the trigger itself, as in old zones, gives PASSTHRU; one to `*.w.` gives CNAME with `prefix`,
 *   and w in the record; one to any other name gives CNAME; any other record gives ANSWER;
 * - left out without a message: the SOA, NS at the origin, DNSSEC's records and ZONEMD;
 * - left out with one error for each kind: triggers on addresses and name servers, unless the rule
 *   skips them (skip=);
 * - left out with one warning for each kind: other triggers under rpz-, unknown targets under rpz-,
 *   NS elsewhere and DNAME, other records at the origin;
 * - left out with an error each: public suffixes, even with PASSTHRU (which would keep later lists
 *   from deciding for a whole top-level domain), and `*` alone, unless the rule allows them;
 * - an owner with only NS, DNAME, an unknown target or DNSSEC's records, and a public suffix that
 * is left out, give an entry with XNM_SCOPE_NONE: the zone has the name, so no wildcard covers it
 *   (RFC 4592).
 * Notes what the SOA says in the tally.
 * Returns false if the whole zone is refused, which is reported: an error that xnm_zonefile_read
 * finds, no SOA, two, or one that is not at the origin, a record outside the origin, a CNAME beside
 * other data or another CNAME. Also returns false if the tally was stopped. */
bool xnm_rpzfile_read(struct xnm_list_tally *tally, const char *text, size_t len);

/* True if a wire-format name is under rpz-, where RPZ has triggers and actions of its own. */
bool xnm_rpzfile_is_reserved(const uint8_t *name);

/* True for the types that RPZ answers with, CNAME included; false for those that belong to a zone:
 * SOA, NS, DNAME, and DNSSEC's. */
bool xnm_rpzfile_is_data(uint16_t type);

#endif
