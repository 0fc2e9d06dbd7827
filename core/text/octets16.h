/* SPDX-License-Identifier: BSD-3-Clause */
/* Works on sixteen octets at once, with the vectors that GCC and clang have for every processor. A
 * comparison gives 0xFF where it holds, else 0. */
#ifndef XN_CORE_TEXT_OCTETS16_H
#define XN_CORE_TEXT_OCTETS16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t xn_octets16 __attribute__((vector_size(16)));
enum { XN_OCTETS16 = 16 };

/* The index of each octet. */
static const xn_octets16 xn_octets16_places = {0, 1, 2,  3,  4,  5,  6,  7,
                                               8, 9, 10, 11, 12, 13, 14, 15};

static inline xn_octets16 xn_octets16_load(const uint8_t *octets)
{
    xn_octets16 loaded;

    memcpy(&loaded, octets, sizeof loaded);
    return loaded;
}

static inline void xn_octets16_store(uint8_t *dst, xn_octets16 octets)
{
    memcpy(dst, &octets, sizeof octets);
}

static inline bool xn_octets16_any(xn_octets16 octets)
{
    uint64_t halves[2];

    memcpy(halves, &octets, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

/* Returns the sum of all sixteen octets, which must be at most 255. */
static inline uint64_t xn_octets16_sum(xn_octets16 octets)
{
    uint64_t halves[2];

    memcpy(halves, &octets, sizeof halves);
    return (halves[0] + halves[1]) * 0x0101010101010101 >> 56;
}

/* Reads seventeen octets and marks each of the first sixteen that is a hyphen before a hyphen.
 * Text without "--" has no A-label. */
static inline xn_octets16 xn_octets16_hyphen_pairs(const uint8_t *octets)
{
    return (xn_octets16)((xn_octets16_load(octets) == '-') & (xn_octets16_load(octets + 1) == '-'));
}

#endif
