/* SPDX-License-Identifier: BSD-3-Clause */
/* A Bloom filter of libpsl's list, which rules out most names that are no public suffixes. It is
 * private to suffix.c and to tools/tables/suffixes.c, which makes it. */
#ifndef XNM_MODULE_NAME_SUFFIXFILTER_H
#define XNM_MODULE_NAME_SUFFIXFILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

/* Eight times the bits that are set: one in a hundred other names passes. */
enum { XNM_SUFFIX_BITS = 1 << 17 };

/* The hash of a rule's name in wire format, in lower case, without its `*` or `!`. */
static inline uint64_t xnm_suffix_hash(const uint8_t *name, size_t len, bool wildcard)
{
    return XXH3_64bits_withSeed(name, len, wildcard);
}

/* The two bits of a hash. */
static inline size_t xnm_suffix_bit(uint64_t hash, bool second)
{
    return (second ? hash >> 32 : hash) % XNM_SUFFIX_BITS;
}

#endif
