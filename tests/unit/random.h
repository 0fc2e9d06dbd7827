/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that look random, and are the same in each run: Marsaglia's xorshift of 32 bits. */
#ifndef XN_TESTS_UNIT_RANDOM_H
#define XN_TESTS_UNIT_RANDOM_H

#include <stdint.h>

/* The seed is not 0. */
static inline uint32_t random_next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static inline uint32_t random_below(uint32_t *seed, uint32_t end)
{
    return random_next(seed) % end;
}

#endif
