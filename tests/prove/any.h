/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions and blocks that Frama-C's Eva does not know, for the programs of `make prove`. Each
 * program is analysed, never run, for the lengths from FIRST to LAST. A block of exactly as many
 * elements as a caller may give begins and ends where there is no memory; the other block of the
 * same call is larger than it has to be. A first wrong access beside either block shows in the call
 * where that block is exact: see doc/testing.md. */
#ifndef XN_TESTS_PROVE_ANY_H
#define XN_TESTS_PROVE_ANY_H

#include <__fc_builtin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* A macro, so that each has a block of its own. Nothing has been written to it. */
#define EXACT(type, count) ((type *)malloc((count) * sizeof(type)))

static inline size_t any_size(size_t max)
{
    return Frama_C_size_t_interval(0, max);
}

static inline bool any_bool(void)
{
    return Frama_C_interval(0, 1);
}

/* Numbers only: an octet that is neither 0 nor 1 is no bool. */
static inline void fill(void *block, size_t size)
{
    Frama_C_make_unknown(block, size);
}

#endif
