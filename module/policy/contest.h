/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the entry of a list or zone that decides. In a list with modifiers, entries may be about
 * some types only, exempt names, or be important; in a response policy zone, a wildcard decides
 * only from the closest encloser of a name. */
#ifndef XNM_MODULE_POLICY_CONTEST_H
#define XNM_MODULE_POLICY_CONTEST_H

#include "module/policy/data.h"
#include "module/policy/qname.h"

/* --- lists with modifiers --- */

/* Is an entry with these modifiers about a name, and about a question for it? No type (0) is one
 * that an entry with types is about. */
bool xnm_modifiers_hold(const struct xnm_modifiers *modifiers, const struct xnm_question *question,
                        const struct xnm_qname *name);

/* --- response policy zones --- */

/* Is this entry the one that is looked for at a name? Within: its name is this one, or below it, as
 * a mark's is. */
typedef bool xnm_entry_test(const struct xnm_policy_entry *entry, const uint8_t *name, size_t len);
xnm_entry_test xnm_entry_is_within;

/* Has a line an entry or a mark at a name, which has this hash, that passes the test? */
static inline bool xnm_policy_line_has(const struct xnm_policy *policy, uint32_t line,
                                       xnm_entry_test *test, uint64_t hash, const uint8_t *name,
                                       size_t len)
{
    size_t at = xnm_hash_place(hash, policy->slot_count);
    const struct xnm_policy_slot *slot;

    for (; (slot = xnm_policy_slot(policy, at))->at != 0;
         at = xnm_hash_next(at, policy->slot_count)) {
        const struct xnm_policy_entry *entry =
            xnm_policy_entry(policy, (size_t)slot->at * XNM_ENTRY_UNIT);
        if (slot->tag == (uint32_t)hash && test(entry, name, len) &&
            xnm_entry_verdict(policy, entry)->line == line)
            return true;
    }
    return false;
}

/* A zone's wildcard matches at the closest encloser alone (RFC 4592, section 3.3.1). The zone of
 * this line has one below the suffix of `depth` labels, with this hash, of a name in hand: does it
 * match nothing, because the zone has the name one label longer, or because that is the wildcard's
 * own, which has nothing below it? `below`: all that is below the name is in hand. */
bool xnm_encloser_is_below(const struct xnm_policy *policy, uint32_t line,
                           const struct xnm_qname *name, bool below, uint64_t hash, unsigned depth);

#endif
