/* SPDX-License-Identifier: BSD-3-Clause */
/* Exports a policy as an RPZ zone: the owners and actions with which other resolvers
 * decide like the policy, for class IN and rules about names (draft-vixie-dnsop-dns-rpz).
 * Host-free.
 *
 * RPZ has owners and `*.` owners, but no zones. Resolvers look up `*.` owners in different ways:
 * some take that of the nearest name above, others only that of the closest encloser (RFC 4592),
 * which may be an empty non-terminal. So wherever the zone has a name, it has both the decision
 * for that name and that for the names below it; then both ways agree. An owner with the answer of
 * the nearest `*.` above, as all names below it have, is not written. If nothing is decided
 * below a `*.`, which happens with an RPZ zone that was read, PASSTHRU is written. */
#ifndef XN_TOOLS_RULES_RPZEXPORT_H
#define XN_TOOLS_RULES_RPZEXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_policy;
struct xnm_record;
struct xnm_policy_answer;
struct xnm_rule;

/* --- rules --- */

/* The limits within which every resolver reads a zone. The first is in octets of RDATA, even if it
 * is written in hexadecimal: stock Unbound refuses a zone with a line of more than 10,240
 * characters. The second is in records of one owner: BIND refuses a zone with more
 * (max-records-per-type, max-types-per-name). */
enum { RPZEXPORT_RDATA_MAX = 4096, RPZEXPORT_RECORDS_MAX = 100 };

/* Returns why a zone should not have this record of a rule or a list: a static text without a final
 * full stop. NULL: every resolver reads it. Some resolvers refuse a whole zone for one record that
 * they read more strictly than the policy did, so the author of one list could keep all of an
 * operator's resolvers from every change. */
const char *rpzexport_record_fault(const struct xnm_record *record);

/* Returns why a zone cannot express a rule; origin_len is the origin's length in octets. A static
 * text without a final full stop. NULL: it can, or the rule is a list, whose entries are checked
 * one by one. */
const char *rpzexport_refusal(const struct xnm_rule *rule, size_t origin_len);

/* --- the policy --- */

/* One owner of the zone, and its answer. */
struct rpzowner {
    const uint8_t *name; /* wire format, lower case, without the origin; never `*.` itself; the root
                            only with `wildcard` */
    size_t name_len;
    bool wildcard; /* the owner is `*.` and this name: everything below it */
    const struct xnm_policy_answer *answer;
};

struct rpzexport {
    const struct xnm_policy *policy; /* made of rules without a refusal */
    size_t origin_len;               /* octets of the origin in wire format */
    /* Called for each owner: names in canonical order (RFC 4034, section 6.1), each followed by its
       `*.`. False: stop. */
    bool (*owner)(void *arg, const struct rpzowner *owner);
    /* Called for a decision that cannot be written, because the zone cannot have that owner: it is
     * too long, it is another kind of trigger (under rpz-), or its `*` would have another meaning.
     * The names above it then decide. Never for the root, whose owner is the origin. */
    void (*left_out)(void *arg, const struct rpzowner *owner, const char *why);
    void *arg;
};

/* Walks a policy. Policies made from the same files give the same calls. False: no memory, or
 * owner() returned false. */
bool rpzexport(const struct rpzexport *how);

/* Returns whether two answers are the same. NULL is no answer. */
bool rpzexport_is_same(const struct xnm_policy_answer *a, const struct xnm_policy_answer *b);

#endif
