/* SPDX-License-Identifier: BSD-3-Clause */
/* Bloom filters, probed before the hash tables, and the arithmetic that both share. */
#ifndef XNM_MODULE_TABLE_FILTER_H
#define XNM_MODULE_TABLE_FILTER_H

#include "module/base/arena.h"
#include <stdatomic.h>

/* A set of label counts; a name has at most 127 labels (XN_WIRE_LABELS_MAX). {0} is empty. */
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

/* Returns the counts that both sets have. */
static inline struct xnm_depths xnm_depths_both(const struct xnm_depths *a,
                                                const struct xnm_depths *b)
{
    return (struct xnm_depths){{a->bits[0] & b->bits[0], a->bits[1] & b->bits[1]}};
}

/* Returns all counts up to `last`. */
static inline struct xnm_depths xnm_depths_up_to(unsigned last)
{
    uint64_t half = UINT64_MAX >> (63 - last % 64);

    return (struct xnm_depths){{last < 64 ? half : UINT64_MAX, last < 64 ? 0 : half}};
}

static inline bool xnm_depths_is_empty(const struct xnm_depths *depths)
{
    return (depths->bits[0] | depths->bits[1]) == 0;
}

/* Removes the greatest count from a set that is not empty, and returns it. */
static inline unsigned xnm_depths_take_greatest(struct xnm_depths *depths)
{
    unsigned half = depths->bits[1] != 0;
    unsigned bit = 63 - (unsigned)__builtin_clzll(depths->bits[half]);

    depths->bits[half] ^= 1ULL << bit;
    return half * 64 + bit;
}

/* A Bloom filter of hashes: one memory access rules out most hashes that are not in the table. {0}
 * is empty and must not be probed. */
struct xnm_filter {
    struct xnm_arena words;
    uint64_t count;
};

/* Returns the place of a hash among `count` places (at most 2^32), from its upper half. */
static inline size_t xnm_hash_place(uint64_t hash, uint64_t count)
{
    return (size_t)((hash >> 32) * count >> 32);
}

/* Returns the next place; the last one wraps to the first. */
static inline size_t xnm_hash_next(size_t place, uint64_t count)
{
    return place + 1 == count ? 0 : place + 1;
}

/* Each hash sets three bits of one word, all chosen by its lower half. */
static inline uint64_t xnm_filter_bits(uint64_t hash)
{
    return 1ULL << (hash & 63) | 1ULL << (hash >> 6 & 63) | 1ULL << (hash >> 12 & 63);
}

static inline uint64_t *xnm_filter_word(const struct xnm_filter *filter, uint64_t hash)
{
    return (uint64_t *)(void *)filter->words.octets + xnm_hash_place(hash, filter->count);
}

static inline void xnm_filter_note(const struct xnm_filter *filter, uint64_t hash)
{
    *xnm_filter_word(filter, hash) |= xnm_filter_bits(hash);
}

/* Returns whether the filter may have the hash. `bits`: xnm_filter_bits(hash), computed once for
 * several filters. */
static inline bool xnm_filter_has_bits(const struct xnm_filter *filter, uint64_t hash,
                                       uint64_t bits)
{
    return (*xnm_filter_word(filter, hash) & bits) == bits;
}

static inline bool xnm_filter_has(const struct xnm_filter *filter, uint64_t hash)
{
    return xnm_filter_has_bits(filter, hash, xnm_filter_bits(hash));
}

/* Returns the words of a filter for this many hashes: a power of two, with two to four hashes
 * each. */
static inline uint64_t xnm_filter_words(size_t hashes)
{
    uint64_t words = 1;

    while (words < hashes / 4 + 1)
        words *= 2;
    return words;
}

/* Replaces the filter with an empty one of this many words. Returns false when out of memory. */
static inline bool xnm_filter_size(struct xnm_filter *filter, uint64_t words)
{
    xnm_arena_free(&filter->words);
    filter->count = words;
    return xnm_arena_add(&filter->words, words * sizeof(uint64_t)) != NULL;
}

/* Replaces the filter with an empty one for this many hashes. Returns false when out of memory. */
static inline bool xnm_filter_make(struct xnm_filter *filter, size_t hashes)
{
    return xnm_filter_size(filter, xnm_filter_words(hashes));
}

/* Adds the hashes of another filter, which has as many words or fewer. Each word of a smaller
 * filter is added to several words. */
static inline void xnm_filter_join(const struct xnm_filter *filter, const struct xnm_filter *other)
{
    uint64_t *words = (uint64_t *)(void *)filter->words.octets;
    const uint64_t *others = (const uint64_t *)(const void *)other->words.octets;
    uint64_t ratio = filter->count / other->count;

    for (uint64_t i = 0; i < filter->count; i++)
        words[i] |= others[i / ratio];
}

static inline void xnm_depths_join(struct xnm_depths *depths, const struct xnm_depths *other)
{
    depths->bits[0] |= other->bits[0];
    depths->bits[1] |= other->bits[1];
}

#endif
