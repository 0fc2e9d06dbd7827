/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report/durations.h"

#include <stddef.h>

enum { STEP_BITS = 5 };
_Static_assert((int)DURATIONS_STEPS == 1 << STEP_BITS, "steps by their bits");
_Static_assert((int)DURATIONS_BUCKETS == (DURATIONS_BITS - STEP_BITS + 1) * DURATIONS_STEPS,
               "a bucket for each duration below 2^40");

/* Durations below 32 have a bucket each; each power of two after that has 32. */
static size_t bucket_of(uint64_t duration)
{
    if (duration < DURATIONS_STEPS)
        return (size_t)duration;
    unsigned power = 63 - (unsigned)__builtin_clzll(duration) - STEP_BITS;
    return power * DURATIONS_STEPS + (size_t)(duration >> power);
}

/* Returns the longest duration of a bucket. */
static int64_t end_of(size_t bucket)
{
    size_t power = bucket < DURATIONS_STEPS ? 0 : bucket / DURATIONS_STEPS - 1;

    return ((int64_t)(bucket - power * DURATIONS_STEPS) + 1) * (INT64_C(1) << power) - 1;
}

void durations_add(struct durations *durations, int64_t microseconds)
{
    const int64_t most = (INT64_C(1) << DURATIONS_BITS) - 1;

    microseconds = microseconds < most ? microseconds : most;
    durations->count++;
    durations->sum += (uint64_t)microseconds;
    durations->buckets[bucket_of((uint64_t)microseconds)]++;
}

int64_t durations_within(const struct durations *durations, double share)
{
    double wanted = share * (double)durations->count;
    uint64_t found = 0;

    for (size_t i = 0; i < DURATIONS_BUCKETS; i++) {
        found += durations->buckets[i];
        if (found > 0 && (double)found >= wanted)
            return end_of(i);
    }
    return 0;
}
