/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of entries from untrusted sources, each known by a 64-bit hash with a seed that their
 * authors cannot know: two collide only by chance, which practically never happens. */
#ifndef XNM_MODULE_BASE_HASHSET_H
#define XNM_MODULE_BASE_HASHSET_H

#include "module/base/arena.h"

/* {0} is an empty set. At most half of its slots are filled. */
struct xnm_hashset {
    struct xnm_arena memory;  /* private: the slots */
    size_t words, cap, count; /* private */
    uint64_t seed;            /* for the hashes, after the first reservation */
};

/* Reserves memory for one more entry of `words` words, one or two, which never changes. False: no
 * memory. */
bool xnm_hashset_reserve(struct xnm_hashset *set, size_t words);

/* Finds a hash, or adds it after a reservation. Returns its words: the first is the set's, the
 * other is the caller's and begins as 0. They are valid until the next reservation. */
uint64_t *xnm_hashset_add(struct xnm_hashset *set, uint64_t hash, bool *fresh);

/* Returns a seed for hashes that the author of the entries cannot predict, a new one at each call:
 * else he could choose names that all hash to one slot. Never waits: early in a boot, before the
 * kernel has randomness, it returns `address`, that of an object of the caller's. */
uint64_t xnm_hashset_seed(const void *address);

#endif
