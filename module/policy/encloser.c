/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policy/encloser.h"
#include "module/policy/hash.h"

#include <string.h>

/* Is an entry's name this one, or below it? */
static bool is_within(const struct xnm_policy_entry *entry, const uint8_t *name, size_t len)
{
    size_t at = 0;

    if (entry->len < len || memcmp(entry->octets + entry->len - len, name, len) != 0)
        return false;
    while (entry->len - at > len)
        at += entry->octets[at] + 1U;
    return entry->len - at == len;
}

bool xnm_policy_line_has(const struct xnm_policy *policy, uint32_t line, uint64_t hash,
                         const uint8_t *name, size_t len)
{
    size_t at = xnm_hash_place(hash, policy->slot_count);
    const struct xnm_policy_slot *slot;

    for (; (slot = xnm_policy_slot(policy, at))->at != 0;
         at = xnm_hash_next(at, policy->slot_count)) {
        const struct xnm_policy_entry *entry =
            xnm_policy_entry(policy, (size_t)slot->at * XNM_ENTRY_UNIT);
        if (slot->tag == (uint32_t)hash && is_within(entry, name, len) &&
            xnm_entry_verdict(policy, entry)->line == line)
            return true;
    }
    return false;
}

bool xnm_encloser_is_below(const struct xnm_policy *policy, uint32_t line,
                           const struct xnm_qname *name, bool below, uint64_t hash, unsigned depth)
{
    if (depth == name->labels) /* all that is below it is in hand */
        return false;
    size_t at = name->label_at[name->labels - depth - 1];
    if (name->octets[at] == 1 && name->octets[at + 1] == '*')
        return depth + 1 < name->labels + below;
    hash = xnm_policy_hash(hash, name->octets + at);
    return xnm_filter_has(&policy->filter, hash) &&
           xnm_policy_line_has(policy, line, hash, name->octets + at, name->len - at);
}
