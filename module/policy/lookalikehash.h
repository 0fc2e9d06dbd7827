/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes protected names. Building the look-alike index and searching it share this. */
#ifndef XNM_MODULE_POLICY_LOOKALIKEHASH_H
#define XNM_MODULE_POLICY_LOOKALIKEHASH_H

#include "module/policy/data.h"
#include "module/rule/protection.h"
#include "module/table/hash.h"

/* The hash of a name, from all of its octets. */
static inline uint64_t xnm_lookalike_hash(const struct xnm_policy *policy, const uint8_t *name,
                                          size_t len)
{
    return XXH3_64bits_withSeed(name, len, policy->seed);
}

/* The hash of a label's loose key. */
static inline uint64_t xnm_lookalike_label_hash(const struct xnm_policy *policy, const uint8_t *key,
                                                size_t len)
{
    return XXH3_64bits_withSeed(key, len, policy->seed);
}

/* The protection that the rule of a name asks for, with the name's own min=. */
static inline struct xnm_protection xnm_lookalike_protection(const struct xnm_policy *policy,
                                                             const struct xnm_protected_name *name)
{
    struct xnm_protection protection = xnm_policy_line(policy, name->line)->label_rule->protection;

    if (name->min > 0)
        xnm_protection_set_min(&protection, name->min);
    return protection;
}

static inline struct xnm_table_slot *xnm_lookalike_slots(const struct xnm_lookalike_table *table)
{
    return (struct xnm_table_slot *)(void *)table->slots.octets;
}

/* Returns where the label of a protected name begins that near= and within= compare: the last one
 * left of its public suffix. The label ends where name->end says, unless the labels after it are
 * compared. */
static inline size_t xnm_lookalike_part_start(const struct xnm_policy *policy,
                                              const struct xnm_protected_name *name)
{
    const struct xnm_protection protection = xnm_lookalike_protection(policy, name);
    size_t at = name->start;

    if (!protection.any_tld && !protection.any_label)
        return xnm_protection_registrable(name->octets, name->len).start;
    while (at + name->octets[at] + 1U < name->end)
        at += name->octets[at] + 1U;
    return at;
}

/* Both kinds of compared parts share one table: whole names, and what is left of a public suffix.
 * Joining labels from the right starts with these values. */
static inline uint64_t xnm_lookalike_whole(const struct xnm_policy *policy)
{
    return policy->seed;
}

static inline uint64_t xnm_lookalike_left(const struct xnm_policy *policy)
{
    return ~policy->seed;
}

/* The hash of a label that near= and within= compare, by its key. `after` is the hash of the labels
 * after it, if they are compared, too; otherwise xnm_lookalike_left. */
static inline uint64_t xnm_lookalike_part_hash(uint64_t after, const uint8_t *key, size_t len)
{
    return XXH3_64bits_withSeed(key, len, after);
}

/* The bit of a length in a set of lengths of keys. The longest share one. */
static inline uint64_t xnm_lookalike_length(size_t len)
{
    return 1ULL << (len < 63 ? len : 63);
}

static inline uint64_t xnm_lookalike_join(uint64_t behind, uint64_t label_hash)
{
    return XXH3_64bits_withSeed(&label_hash, sizeof label_hash, behind);
}

#endif
