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
 * - a CNAME to `.`, `*.`, rpz-passthru., rpz-drop. or rpz-tcp-only. becomes that action; a CNAME to
 *   the trigger itself, as in old zones, PASSTHRU; a CNAME to `*.w.` becomes CNAME with `prefix`,
 *   and w in the record; a CNAME to any other name CNAME; any other record ANSWER;
 * - left out without a message: the SOA, NS at the origin, DNSSEC's records and ZONEMD;
 * - left out with one error for each kind: triggers on addresses and name servers, unless the rule
 *   skips them (skip=);
 * - left out with one warning for each kind: other triggers under rpz-, unknown targets under rpz-,
 *   NS elsewhere and DNAME, other records at the origin;
 * - left out with an error each, unless the rule allows them: public suffixes, even with PASSTHRU
 *   (which would keep later lists from deciding a whole top-level domain), and `*` alone;
 * - an owner with only NS, DNAME, an unknown target or DNSSEC's records, and a public suffix that
 * is left out, become an entry with XNM_SCOPE_NONE: the name exists in the zone, so no wildcard
 *   covers it (RFC 4592).
 * Copies the numbers of the SOA to the tally.
 * Returns false if the whole zone is refused, which is reported: an error that xnm_zonefile_read
 * finds, no SOA, two, or one that is not at the origin, a record outside the origin, a CNAME beside
 * other data or another CNAME. Also returns false if the tally was stopped. */
bool xnm_rpzfile_read(struct xnm_list_tally *tally, const char *text, size_t len);

/* Returns whether a wire-format name is under rpz-, where RPZ has triggers and actions of its
 * own. */
bool xnm_rpzfile_is_reserved(const uint8_t *name);

/* Returns whether RPZ answers with a type, CNAME included. False for SOA, NS, DNAME and DNSSEC's
 * types, which are part of a zone. */
bool xnm_rpzfile_is_data(uint16_t type);

#endif
