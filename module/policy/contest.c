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

/* --- contests --- */

struct contest {
    const struct xnm_policy *policy;
    const struct xnm_question *question;
    const struct xnm_qname *name;
    uint32_t line;
    bool below;
    unsigned best_key; /* 0: none */
    const struct xnm_policy_entry *best;
};

static void consider(struct contest *contest, const struct xnm_policy_entry *entry, unsigned depth)
{
    const struct xnm_policy_verdict *verdict = xnm_entry_verdict(contest->policy, entry);
    const struct xnm_modifiers *modifiers = verdict->modifiers;
    xnm_scope scope = xnm_entry_scope(entry);
    unsigned key = 1 | depth << 2 | (scope == XNM_SCOPE_EXACT ? 2 : 0);

    if (verdict->line != contest->line ||
        !xnm_scope_covers(scope, depth == contest->name->labels + contest->below) ||
        (modifiers && !xnm_modifiers_hold(modifiers, contest->question, contest->name)))
        return;
    key |= modifiers ? (unsigned)modifiers->strength << 16 : 0;
    if (key <= contest->best_key)
        return;
    contest->best_key = key;
    contest->best = entry;
}

static void look_up(struct contest *contest, uint64_t hash, const uint8_t *suffix, size_t len,
                    unsigned depth)
{
    const struct xnm_policy *policy = contest->policy;
    const struct xnm_policy_slot *slot;

    for (size_t at = xnm_hash_place(hash, policy->slot_count);
         (slot = xnm_policy_slot(policy, at))->at != 0;
         at = xnm_hash_next(at, policy->slot_count)) {
        const struct xnm_policy_entry *entry =
            xnm_policy_entry(policy, (size_t)slot->at * XNM_ENTRY_UNIT);
        if (slot->tag == (uint32_t)hash && entry->len == len &&
            memcmp(entry->octets, suffix, len) == 0)
            consider(contest, entry, depth);
    }
}

const struct xnm_policy_entry *xnm_contest_winner(const struct xnm_policy *policy, uint32_t line,
                                                  const struct xnm_question *question,
                                                  const struct xnm_qname *name, bool below)
{
    struct contest contest = {
        .policy = policy, .question = question, .name = name, .line = line, .below = below};
    uint64_t hash = policy->seed;

    look_up(&contest, hash, name->octets + name->len - 1, 1, 0);
    for (unsigned depth = 1; depth <= name->labels; depth++) {
        unsigned at = name->label_at[name->labels - depth];
        hash = xnm_policy_hash(hash, name->octets + at);
        if (!xnm_filter_has(&policy->filter, hash))
            break;
        look_up(&contest, hash, name->octets + at, name->len - at, depth);
    }
    if (!contest.best)
        return NULL;
    const struct xnm_modifiers *modifiers = xnm_entry_verdict(policy, contest.best)->modifiers;
    return modifiers && modifiers->exempts ? NULL : contest.best;
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
