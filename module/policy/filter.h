/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is none of, told before a table is asked. For policy*.c, lookalikes*.c and image*.c.
 */
#ifndef XNM_MODULE_POLICY_FILTER_H
#define XNM_MODULE_POLICY_FILTER_H

#include "module/base/arena.h"
#include "module/base/thread.h"

/* Of how many labels names are, which is at most 127 (XN_WIRE_LABELS_MAX). {0}: there are none. */
struct xnm_depths {
    uint64_t bits[2];
};

static inline void xnm_depths_note(struct xnm_depths *depths, unsigned labels)
{
    depths->bits[labels / 64] |= 1ULL << labels % 64;
}

static inline bool xnm_depths_has(const struct xnm_depths *depths, unsigned labels)
{
    return depths->bits[labels / 64] >> labels % 64 & 1;
}

/* Which hashes there are, or may be: one access to memory tells most of those that there are not.
 * {0} is an empty one, which cannot be asked. */
struct xnm_filter {
    struct xnm_arena words;
    uint64_t count;
};

/* Which of `count` (at most 2^32) a hash stands for: by its upper half. */
static inline size_t xnm_hash_place(uint64_t hash, uint64_t count)
{
    return (size_t)((hash >> 32) * count >> 32);
}

/* The place behind one; behind the last is the first. */
static inline size_t xnm_hash_next(size_t place, uint64_t count)
{
    return place + 1 == count ? 0 : place + 1;
}

/* How far from its own place in a table anything may stand, and whether something would have had to
 * stand further: whoever writes names that collide could else have a table made for hours. */
struct xnm_run_limit {
    size_t max;
    const atomic_bool *stop; /* set by another thread: the table is not wanted any more. NULL: no */
    bool exceeded;           /* either */
};

/* Would something be so many places from its own, and is that too far, or has it to stop? Notes it.
 */
static inline bool xnm_run_exceeds(struct xnm_run_limit *limit, size_t run)
{
    limit->exceeded = run > limit->max || xnm_stop_is_set(limit->stop);
    return limit->exceeded;
}

/* A word has two bits for each hash, both of its lower half. */
static inline uint64_t xnm_filter_bits(uint64_t hash)
{
    return 1ULL << (hash & 63) | 1ULL << (hash >> 6 & 63);
}

static inline uint64_t *xnm_filter_word(const struct xnm_filter *filter, uint64_t hash)
{
    return (uint64_t *)(void *)filter->words.octets + xnm_hash_place(hash, filter->count);
}

static inline void xnm_filter_note(const struct xnm_filter *filter, uint64_t hash)
{
    *xnm_filter_word(filter, hash) |= xnm_filter_bits(hash);
}

static inline bool xnm_filter_has(const struct xnm_filter *filter, uint64_t hash)
{
    uint64_t bits = xnm_filter_bits(hash);

    return (*xnm_filter_word(filter, hash) & bits) == bits;
}

/* The words of one for so many hashes, each with sixteen bits; and its octets. */
static inline size_t xnm_filter_words(size_t hashes)
{
    return hashes / 4 + 1;
}

static inline size_t xnm_filter_memory(size_t hashes)
{
    return xnm_arena_memory(xnm_filter_words(hashes) * sizeof(uint64_t));
}

/* Makes it anew, for so many hashes. False: no memory. */
static inline bool xnm_filter_make(struct xnm_filter *filter, size_t hashes)
{
    xnm_arena_free(&filter->words);
    filter->count = xnm_filter_words(hashes);
    return xnm_arena_add(&filter->words, filter->count * sizeof(uint64_t)) != NULL;
}

#endif
