/* SPDX-License-Identifier: BSD-3-Clause */
/* A compiled policy -> what an RPZ zone must hold for resolvers to decide as the policy does: for
 * queries of class IN and by rules about names (draft-vixie-dnsop-dns-rpz). Host-free.
 *
 * RPZ has owners and `*.` owners, and no zones. Resolvers differ in how they look for the latter:
 * some take that of the nearest name above, some that of the closest encloser alone (RFC 4592),
 * which may be a name without records that has others below it. So wherever the zone has a name,
 * what is decided of it and what is decided below it are both written, and both ways of looking
 * agree. What says no more than the nearest `*.` above, and has nothing below it that does, is not
 * written. Where nothing is decided below a `*.`, which an RPZ zone can have that was read, it is
 * passthru that is written. */
#ifndef XNM_MODULE_LOAD_RPZEXPORT_H
#define XNM_MODULE_LOAD_RPZEXPORT_H

#include "core/wire/wire.h"
#include "module/policy/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- rules --- */

/* What every resolver's reader of zone files takes. Of RDATA so many octets, as hexadecimal digits
 * too: stock Unbound refuses a zone with a line of more than 10,240 characters. Of one owner so
 * many records: BIND refuses a zone with more (max-records-per-type, max-types-per-name). */
enum { XNM_RPZEXPORT_RDATA_MAX = 4096, XNM_RPZEXPORT_RECORDS_MAX = 100 };

/* Why a zone should not have a record of a rule or a list: a text in static storage, without a
 * final stop. NULL: every resolver reads it. Others refuse a zone whole for one record that they
 * read more strictly than the policy did, and whoever makes a list could so keep a fleet from every
 * change. */
const char *xnm_rpzexport_record_fault(const struct xnm_record *record);

/* Why a zone with an origin of so many octets cannot say a rule at all: a text in static storage,
 * without a final stop. NULL: it can, or it is a list, whose entries are looked at one by one. */
const char *xnm_rpzexport_refusal(const struct xnm_rule *rule, size_t origin_len);

/* --- the policy --- */

/* One owner of the zone and what is said there. */
struct xnm_rpzowner {
    const uint8_t *name; /* wire format, lower case, without the origin; never `*.` itself; the root
                            only with `wildcard` */
    size_t name_len;
    bool wildcard; /* `*.` before it: all below it */
    const struct xnm_verdict *verdict;
};

struct xnm_rpzexport {
    const struct xnm_policy *policy; /* of rules without a refusal */
    size_t origin_len;               /* octets of the origin in wire format */
    /* Called for each owner in order: names in canonical order (RFC 4034, section 6.1), each
     * followed by its `*.`. False: stop. */
    bool (*owner)(void *arg, const struct xnm_rpzowner *owner);
    /* Called for what is decided and cannot be said, since the zone cannot have that owner: it is
     * too long, it is a trigger of another kind (under rpz-), or it has `*` where that means
     * something else. What is above it decides then. Never for the root, whose owner is the origin.
     */
    void (*left_out)(void *arg, const struct xnm_rpzowner *owner, const char *why);
    void *arg;
};

/* Goes through a policy. Two runs over policies of the same files are the same. False: no memory,
 * or owner() said so. */
bool xnm_rpzexport(const struct xnm_rpzexport *how);

/* Do two verdicts have the same answer? NULL stands for none. */
bool xnm_rpzexport_is_same(const struct xnm_verdict *a, const struct xnm_verdict *b);

#endif
