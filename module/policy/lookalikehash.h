/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes protected names. Building the look-alike index and searching it share this. */
#ifndef XNM_MODULE_POLICY_LOOKALIKEHASH_H
#define XNM_MODULE_POLICY_LOOKALIKEHASH_H

#include "core/lookalike/letters.h"
#include "module/policy/data.h"
#include "module/rule/protection.h"
#include "module/table/hash.h"

#include <string.h>

/* Returns the hash of all octets of a name. */
static inline uint64_t xnm_lookalike_hash(const struct xnm_policy *policy, const uint8_t *name,
                                          size_t len)
{
    return XXH3_64bits_withSeed(name, len, policy->seed);
}

/* Returns the protection of a name's rule, with the name's own min=. */
static inline struct xnm_protection xnm_lookalike_protection(const struct xnm_policy *policy,
                                                             const struct xnm_protected_name *name)
{
    struct xnm_protection protection = xnm_policy_line(policy, name->line)->label_rule->protection;

    if (name->min > 0)
        xnm_protection_set_min(&protection, name->min);
    return protection;
}

static inline struct xnm_table_slot *
xnm_lookalike_slots(const struct xnm_lookalikeindex *lookalikes)
{
    return (struct xnm_table_slot *)(void *)lookalikes->slots.octets;
}

/* Returns where the label of a protected name begins that near=, within=, words= and elsewhere=
 * compare: the last one left of its public suffix. The label ends where name->end says, unless the
 * labels after it are compared. */
static inline size_t xnm_lookalike_part_start(const struct xnm_protection *protection,
                                              const struct xnm_protected_name *name)
{
    size_t at = name->start;

    if (!protection->any_tld && !protection->any_label)
        return xnm_protection_registrable(name->octets, name->len).start;
    while (at + name->octets[at] + 1U < name->end)
        at += name->octets[at] + 1U;
    return at;
}

/* Returns whether two labels in wire format have the same octets. Reads no octet behind either. */
static inline bool xnm_lookalike_is_same_label(const uint8_t *a, const uint8_t *b)
{
    return a[0] == b[0] && memcmp(a + 1, b + 1, a[0]) == 0;
}

/* The initial hashes for joining labels from the right. Both kinds of compared parts share one
 * table: whole names, and the labels left of a public suffix. */
static inline uint64_t xnm_lookalike_whole(const struct xnm_policy *policy)
{
    return policy->seed;
}

static inline uint64_t xnm_lookalike_left(const struct xnm_policy *policy)
{
    return ~policy->seed;
}

/* Returns the hash of labels: `after` is the hash of all but the first, `key_hash` that of the
 * first label's key. */
static inline uint64_t xnm_lookalike_join(uint64_t after, uint64_t key_hash)
{
    uint64_t hash = (after ^ key_hash) * 0x9E3779B97F4A7C15;

    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93;
    return hash ^ hash >> 32;
}

/* --- keys --- */

/* The base of the polynomials: odd, and secret. */
static inline uint64_t xnm_lookalike_base(const struct xnm_policy *policy)
{
    return policy->seed << 3 | 5;
}

/* Continues the polynomial of a key's beginning with more octets. */
static inline uint64_t xnm_lookalike_key_hash(const struct xnm_policy *policy, uint64_t before,
                                              const uint8_t *octets, size_t len)
{
    uint64_t base = xnm_lookalike_base(policy);

    for (size_t i = 0; i < len; i++)
        before = before * base + octets[i] + 1;
    return before;
}

/* Returns the hash of a word from the hash of its key, which may be the end of a polynomial. Never
 * 0. */
static inline uint64_t xnm_lookalike_word_hash(uint64_t key_hash)
{
    return xnm_lookalike_join(0, key_hash) | 1;
}

/* A label whose letters were read with the loose key, and the hashes of the key's beginnings. */
struct xnm_lookalike_letters {
    struct xn_letters letters;
    uint64_t
        before[XN_WIRE_LABEL_MAX + 1]; /* n: the hash of the key of the letters before letter n */
};

static inline void xnm_lookalike_letters_hash(const struct xnm_policy *policy,
                                              struct xnm_lookalike_letters *label)
{
    const struct xn_letters *letters = &label->letters;

    label->before[0] = 0;
    for (unsigned n = 0; n < letters->count; n++)
        label->before[n + 1] =
            xnm_lookalike_key_hash(policy, label->before[n], letters->key + letters->at[n],
                                   (size_t)(letters->at[n + 1] - letters->at[n]));
}

static inline uint64_t xnm_lookalike_power(const struct xnm_policy *policy, size_t n)
{
    return ((const uint64_t *)(const void *)policy->lookalikes.powers.octets)[n];
}

/* Returns the hash of a key that is followed by another one of second_len octets. */
static inline uint64_t xnm_lookalike_concatenate(const struct xnm_policy *policy, uint64_t first,
                                                 uint64_t second, size_t second_len)
{
    return first * xnm_lookalike_power(policy, second_len) + second;
}

/* Returns the hash of the key of the letters from `first` to `end`. */
static inline uint64_t xnm_lookalike_part_hash(const struct xnm_policy *policy,
                                               const struct xnm_lookalike_letters *label,
                                               unsigned first, unsigned end)
{
    size_t len = (size_t)(label->letters.at[end] - label->letters.at[first]);

    return label->before[end] - label->before[first] * xnm_lookalike_power(policy, len);
}

/* Returns the hash of the key without letter n: the octets after it then follow those before it. */
static inline uint64_t xnm_lookalike_hash_without(const struct xnm_policy *policy,
                                                  const struct xnm_lookalike_letters *label,
                                                  unsigned n)
{
    const struct xn_letters *letters = &label->letters;
    size_t len_after = xn_letters_len(letters) - letters->at[n + 1];

    return label->before[letters->count] -
           (label->before[n + 1] - label->before[n]) * xnm_lookalike_power(policy, len_after);
}

#endif
