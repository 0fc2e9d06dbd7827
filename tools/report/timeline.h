/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts replies over time in bounded memory, for any times in any order. */
#ifndef XN_TOOLS_REPORT_TIMELINE_H
#define XN_TOOLS_REPORT_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

enum {
    TIMELINE_SERIES = 3,
    TIMELINE_BUCKETS = 200 /* the most buckets; they are as narrow as that allows */
};

struct timeline {
    int64_t first, last; /* the earliest and latest time; if count is 0, only count is set */
    uint64_t count;
    size_t level;   /* private: index of the width */
    int64_t bucket; /* private: number of the first bucket */
    size_t len;     /* number of buckets */
    uint64_t values[TIMELINE_BUCKETS][TIMELINE_SERIES];
};

/* Adds to the series at a time, in seconds since 1970 from LOGS_TIME_MIN to LOGS_TIME_MAX. */
void timeline_add(struct timeline *timeline, int64_t time, const uint64_t add[TIMELINE_SERIES]);

/* Return the width of a bucket in seconds (from one second to weeks, which begin on Mondays), and
 * when a bucket begins. */
int64_t timeline_width(const struct timeline *timeline);
int64_t timeline_start(const struct timeline *timeline, size_t bucket);

#endif
