/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of what others write, each known by a 64-bit hash with a seed that they cannot know: two
 * collide only by chance, which practically never happens. */
#ifndef XNM_MODULE_BASE_HASHSET_H
#define XNM_MODULE_BASE_HASHSET_H

#include "module/base/arena.h"

/* {0} is an empty set. At most half of its slots are filled. */
struct xnm_hashset {
    struct xnm_arena memory;  /* private: the slots */
    size_t words, cap, count; /* private */
    uint64_t seed;            /* for the hashes, once there is room */
};

/* Makes room for one more, which takes `words` words, one or two, always as many. False: no
 * memory. */
bool xnm_hashset_reserve(struct xnm_hashset *set, size_t words);

/* Finds a hash, or adds it, for which there must be room. Returns its words: the first is the
 * set's, all others are the caller's and begin as 0. They are valid until the next reservation. */
uint64_t *xnm_hashset_add(struct xnm_hashset *set, uint64_t hash, bool *fresh);

#endif
