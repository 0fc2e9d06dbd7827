/* SPDX-License-Identifier: BSD-3-Clause */
#define XXH_INLINE_ALL /* module/policy/hash.h */
#include "module/policy/contest.h"

#include "module/base/rrtype.h"
#include "module/policy/hash.h"
#include "module/policy/search.h"

#include <string.h>

/* --- conditions --- */

/* An answer to ANY may hold every type, and DNS64 makes answers from A records, as for the types of
 * rules (policy.h): an exemption must name the query's type. */
static bool has_type(const struct xnm_modifiers *modifiers, const struct xnm_question *question)
{
    bool any = question->qtype == XNM_TYPE_ANY, listed = false, may_hold = false;

    for (unsigned i = 0; i < modifiers->type_count; i++) {
        listed |= modifiers->types[i] == question->qtype;
        may_hold |= xnm_may_hold(question, modifiers->types[i]);
    }
    if (modifiers->but_types)
        return !listed && !(any && modifiers->exempts);
    return listed || (may_hold && !modifiers->exempts);
}

static bool is_within(const struct xnm_qname *name, const uint8_t *other, size_t len)
{
    return len <= name->len && memcmp(name->octets + name->len - len, other, len) == 0 &&
           (len == name->len || memchr(name->label_at, (int)(name->len - len), name->labels));
}

bool xnm_modifiers_hold(const struct xnm_modifiers *modifiers, const struct xnm_question *question,
                        const struct xnm_qname *name)
{
    if (modifiers->type_count > 0 && (question->qtype == 0 || !has_type(modifiers, question)))
        return false;
    for (uint32_t at = 0, len; at < modifiers->denied_len; at += len) {
        const uint8_t *other = modifiers->denied + at;
        for (len = 0; other[len] != 0; len += other[len] + 1u)
            ;
        if (is_within(name, other, ++len))
            return false;
    }
    return true;
}

/* --- response policy zones --- */

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
