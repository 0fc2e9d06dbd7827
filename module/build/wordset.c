/* SPDX-License-Identifier: BSD-3-Clause */
#define XXH_INLINE_ALL /* module/table/hash.h */
#include "module/build/wordset.h"

#include "module/policy/lookalikehash.h"

#include <string.h>

size_t xnm_wordset_count(const struct xnm_policy *policy)
{
    return policy->word_sets.len / sizeof(struct xnm_word_set);
}

uint8_t xnm_wordset_find(const struct xnm_policy *policy, const char *path)
{
    for (size_t n = 1; n <= xnm_wordset_count(policy); n++)
        if (strcmp(xnm_policy_word_set(policy, n)->path, path) == 0)
            return (uint8_t)n;
    return 0;
}

/* Adds an empty set with room for this many words, which take a third of the places. Returns NULL
 * when out of memory. */
static struct xnm_word_set *add_set(struct xnm_policy *policy, const char *path, size_t words)
{
    size_t places = 3 * words + 1;
    struct xnm_word_set set = {.places = places, .shortest = UINT16_MAX};

    set.path = xnm_pool_string(&policy->pool, path, strlen(path));
    set.hashes = xnm_pool_take(&policy->pool, places * sizeof *set.hashes);
    if (!set.path || !set.hashes)
        return NULL;
    memset(set.hashes, 0, places * sizeof *set.hashes);
    struct xnm_word_set *added = xnm_arena_add(&policy->word_sets, sizeof *added);
    if (added)
        *added = set;
    return added;
}

static void put_hash(struct xnm_word_set *set, uint64_t hash)
{
    size_t place = xnm_hash_place(hash, set->places);

    for (; set->hashes[place] != 0; place = xnm_hash_next(place, set->places))
        if (set->hashes[place] == hash)
            return;
    set->hashes[place] = hash;
    set->count++;
}

static void put_word(const struct xnm_policy *policy, struct xnm_word_set *set,
                     const uint8_t *label)
{
    uint8_t key[XN_KEY_MAX];
    size_t len = xn_lookalike_key(label + 1, label[0], XN_KEY_LOOSE, key);

    put_hash(set, xnm_lookalike_word_hash(xnm_lookalike_key_hash(policy, 0, key, len)));
    set->shortest = (uint16_t)len < set->shortest ? (uint16_t)len : set->shortest;
    set->longest = (uint16_t)len > set->longest ? (uint16_t)len : set->longest;
}

uint8_t xnm_wordset_add(struct xnm_policy *policy, const char *path, const uint8_t *labels,
                        size_t len)
{
    size_t words = 0;

    for (size_t at = 0; at < len; at += labels[at] + 1U)
        words++;
    struct xnm_word_set *set = add_set(policy, path, words);
    for (size_t at = 0; set && at < len; at += labels[at] + 1U)
        put_word(policy, set, labels + at);
    return set ? (uint8_t)xnm_wordset_count(policy) : 0;
}

long xnm_wordset_keep(struct xnm_policy *policy, const char *path, const struct xnm_policy *from,
                      uint8_t *number)
{
    size_t n = xnm_wordset_find(from, path);
    const struct xnm_word_set *other = n > 0 ? xnm_policy_word_set(from, n) : NULL;

    *number = 0;
    if (!other || other->count == 0)
        return 0;
    struct xnm_word_set *set = add_set(policy, path, other->count);
    if (!set)
        return -1;
    for (size_t i = 0; i < other->places; i++)
        if (other->hashes[i] != 0)
            put_hash(set, other->hashes[i]);
    set->shortest = other->shortest;
    set->longest = other->longest;
    *number = (uint8_t)xnm_wordset_count(policy);
    return (long)set->count;
}
