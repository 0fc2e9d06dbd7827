/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report/distinct.h"

#include "tools/text/buffer.h"

#include <math.h>
#include <stdlib.h>

#include <xxhash.h>

enum { REGISTER_BITS = 14 };
_Static_assert(DISTINCT_REGISTERS == 1 << REGISTER_BITS, "an index for each");

void distinct_open(struct distinct *distinct, size_t cap, uint64_t secret)
{
    *distinct = (struct distinct){.slot_count = 1, .cap = cap, .secret = secret | 1};
    for (; distinct->slot_count < 2 * cap; distinct->slot_bits++)
        distinct->slot_count *= 2;
    distinct->hashes = buffer_zeros(distinct->slot_count, sizeof *distinct->hashes);
}

void distinct_close(struct distinct *distinct)
{
    free(distinct->hashes);
}

/* --- beyond the table --- */

/* The first bits of a hash choose a register. It holds the highest rank of the other bits: the
 * position of the first 1. */
static void count_zeros(struct distinct *distinct, uint64_t hash)
{
    size_t index = hash >> (64 - REGISTER_BITS);
    uint64_t rest = hash << REGISTER_BITS;
    uint8_t rank = (uint8_t)(rest ? __builtin_clzll(rest) + 1 : 64 - REGISTER_BITS + 1);

    if (distinct->registers[index] < rank)
        distinct->registers[index] = rank;
}

static void leave_table(struct distinct *distinct)
{
    distinct->estimated = true;
    for (size_t i = 0; i < distinct->slot_count; i++)
        if (distinct->hashes[i])
            count_zeros(distinct, distinct->hashes[i]);
}

/* HyperLogLog needs a correction for small numbers, but there are far more hashes than registers;
 * and one for large numbers, but not with 64 bits. The hash has no secret, so an attacker may set
 * the registers to any values: the result stays within what was counted. */
static uint64_t estimate(const struct distinct *distinct)
{
    double sum = 0, count = DISTINCT_REGISTERS, alpha = 0.7213 / (1 + 1.079 / count);

    for (size_t i = 0; i < DISTINCT_REGISTERS; i++)
        sum += ldexp(1, -distinct->registers[i]);
    double found = alpha * count * count / sum;
    if (found >= (double)distinct->added)
        return distinct->added;
    return found > (double)distinct->count ? (uint64_t)found : distinct->count;
}

/* --- the table --- */

/* Multiplies by a secret odd number. Whoever chooses the hashes, two collide as rarely as random
 * ones do (Dietzfelbinger and others, 1997). */
static size_t first_slot(const struct distinct *distinct, uint64_t hash)
{
    return (size_t)(hash * distinct->secret >> (64 - distinct->slot_bits));
}

void distinct_add(struct distinct *distinct, const void *key, size_t len)
{
    uint64_t hash = XXH3_64bits(key, len); /* no seed: the same log gives the same estimate */

    distinct->added++;
    hash += hash == 0;
    if (distinct->estimated) {
        count_zeros(distinct, hash);
        return;
    }
    size_t slot = first_slot(distinct, hash);
    while (distinct->hashes[slot] && distinct->hashes[slot] != hash)
        slot = (slot + 1) & (distinct->slot_count - 1);
    if (distinct->hashes[slot])
        return;
    distinct->hashes[slot] = hash;
    if (++distinct->count > distinct->cap)
        leave_table(distinct);
}

uint64_t distinct_count(const struct distinct *distinct, bool *estimated)
{
    *estimated = distinct->estimated;
    return distinct->estimated ? estimate(distinct) : distinct->count;
}
