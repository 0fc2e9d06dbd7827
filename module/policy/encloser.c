/* SPDX-License-Identifier: BSD-3-Clause */
#define XXH_INLINE_ALL /* module/policy/hash.h */
#include "module/policy/encloser.h"
#include "module/policy/hash.h"

bool xnm_entry_is_within(const struct xnm_policy_entry *entry, const uint8_t *name, size_t len)
{
    return xnm_wirename_before(entry->octets, entry->len, name, len) != SIZE_MAX;
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
           xnm_policy_line_has(policy, line, xnm_entry_is_within, hash, name->octets + at,
                               name->len - at);
}
