/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts how long answers took, in bounded memory. */
#ifndef XN_TOOLS_REPORT_DURATIONS_H
#define XN_TOOLS_REPORT_DURATIONS_H

#include <stdint.h>

/* Steps of a power of two, so that a step is at most a 32nd of what it counts. */
enum { DURATIONS_STEPS = 32, DURATIONS_BITS = 40, DURATIONS_BUCKETS = 1152 };

struct durations {
    uint64_t count, sum; /* in microseconds, as durations are */
    uint64_t buckets[DURATIONS_BUCKETS];
};

/* Adds a duration, from 0 on; one of more than 2^40 microseconds counts as that. */
void durations_add(struct durations *durations, int64_t microseconds);

/* Returns the duration that a share of the answers, from 0 to 1, did not exceed: exact below 32
 * microseconds, else at most a 32nd too high, and never too low. 0 if there are none. */
int64_t durations_within(const struct durations *durations, double share);

#endif
