/* SPDX-License-Identifier: BSD-3-Clause */
/* What is the same when protected names are put into their tables and when they are looked for: how
 * they are hashed. For lookalikes*.c alone. */
#ifndef XNM_MODULE_POLICY_LOOKALIKEHASH_H
#define XNM_MODULE_POLICY_LOOKALIKEHASH_H

#include "module/policy/data.h"

/* Of a name and all of its octets. */
static inline uint64_t xnm_lookalike_hash(const struct xnm_policy *policy, const uint8_t *name,
                                          size_t len)
{
    return XXH3_64bits_withSeed(name, len, policy->seed);
}

/* Of the loose key of a label. */
static inline uint64_t xnm_lookalike_label_hash(const struct xnm_policy *policy, const uint8_t *key,
                                                size_t len)
{
    return XXH3_64bits_withSeed(key, len, policy->seed);
}

/* What a name's rule asks for. */
static inline const struct xnm_protection *
xnm_lookalike_protection(const struct xnm_policy *policy, const struct xnm_protected_name *name)
{
    return &xnm_policy_line(policy, name->line)->label_rule->protection;
}

/* What is compared of names, in one table: whole names, or what stands left of a public suffix,
 * where one label or several may. Labels are joined from the right end, from these on. */
static inline uint64_t xnm_lookalike_whole(const struct xnm_policy *policy)
{
    return policy->seed;
}

static inline uint64_t xnm_lookalike_left(const struct xnm_policy *policy)
{
    return ~policy->seed;
}

static inline uint64_t xnm_lookalike_join(uint64_t behind, uint64_t label_hash)
{
    return XXH3_64bits_withSeed(&label_hash, sizeof label_hash, behind);
}

#endif
