/* SPDX-License-Identifier: BSD-3-Clause */
/* Replies over time, in memory that has a bound, whatever times come in whatever order. */
#ifndef XN_TOOLS_REPORT_TIMELINE_H
#define XN_TOOLS_REPORT_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

enum {
    TIMELINE_SERIES = 3,
    TIMELINE_BUCKETS = 200 /* at most; no wider than it takes to have so few */
};

struct timeline {
    int64_t first, last; /* the earliest and the latest time; nothing but count is set where that is
                            0 */
    uint64_t count;
    size_t level;   /* private: which width */
    int64_t bucket; /* private: the number of the first bucket */
    size_t len;     /* buckets from there on */
    uint64_t values[TIMELINE_BUCKETS][TIMELINE_SERIES];
};

/* Adds to the series at a time (seconds since 1970; REPORT_TIME_MIN to _MAX). */
void timeline_add(struct timeline *timeline, int64_t time, const uint64_t add[TIMELINE_SERIES]);

/* Seconds of a bucket: one, five or fifteen; minutes, hours, a day; of weeks, from Mondays on. And
 * when a bucket begins. */
int64_t timeline_width(const struct timeline *timeline);
int64_t timeline_start(const struct timeline *timeline, size_t bucket);

#endif
