/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report/timeline.h"

#include "tools/logs/time.h"

#include <string.h>

/* A time when a week began, in seconds since 1970: 1 January 1970 was a Thursday. */
#define MONDAY (-3 * DAY)

/* Widths of buckets. Each is a multiple of the one before, so that buckets can be joined. With the
 * last, all times that are read fit. */
static const int64_t widths[] = {1,           5,           15,   MINUTE,   5 * MINUTE,
                                 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR,
                                 12 * HOUR,   DAY,         WEEK, 4 * WEEK, 52 * WEEK};

static int64_t bucket_at(int64_t time, size_t level)
{
    return (time - MONDAY) / widths[level];
}

int64_t timeline_width(const struct timeline *timeline)
{
    return widths[timeline->level];
}

int64_t timeline_start(const struct timeline *timeline, size_t bucket)
{
    return MONDAY + (timeline->bucket + (int64_t)bucket) * widths[timeline->level];
}

/* Joins the buckets to buckets of the next width. */
static void widen(struct timeline *timeline)
{
    int64_t times = widths[timeline->level + 1] / widths[timeline->level];
    int64_t first = timeline->bucket / times;
    uint64_t joined[TIMELINE_BUCKETS][TIMELINE_SERIES] = {0};
    size_t len = 0;

    for (size_t i = 0; i < timeline->len; i++) {
        size_t to = (size_t)((timeline->bucket + (int64_t)i) / times - first);

        for (size_t series = 0; series < TIMELINE_SERIES; series++)
            joined[to][series] += timeline->values[i][series];
        len = to + 1;
    }
    memcpy(timeline->values, joined, sizeof joined);
    timeline->bucket = first;
    timeline->len = len;
    timeline->level++;
}

/* Inserts empty buckets before the first. */
static void extend_left(struct timeline *timeline, int64_t bucket)
{
    size_t more = (size_t)(timeline->bucket - bucket);

    memmove(timeline->values + more, timeline->values, timeline->len * sizeof *timeline->values);
    memset(timeline->values, 0, more * sizeof *timeline->values);
    timeline->bucket = bucket;
    timeline->len += more;
}

/* Returns how many buckets there are from the first to the last of these times. */
static int64_t span_of(const struct timeline *timeline)
{
    return bucket_at(timeline->last, timeline->level) -
           bucket_at(timeline->first, timeline->level) + 1;
}

void timeline_add(struct timeline *timeline, int64_t time, const uint64_t add[TIMELINE_SERIES])
{
    if (timeline->count++ == 0) {
        timeline->first = timeline->last = time;
        timeline->bucket = bucket_at(time, timeline->level);
    }
    timeline->first = time < timeline->first ? time : timeline->first;
    timeline->last = time > timeline->last ? time : timeline->last;
    while (span_of(timeline) > TIMELINE_BUCKETS)
        widen(timeline);
    int64_t bucket = bucket_at(time, timeline->level);
    if (bucket < timeline->bucket)
        extend_left(timeline, bucket);
    size_t at = (size_t)(bucket - timeline->bucket);
    timeline->len = at < timeline->len ? timeline->len : at + 1;
    for (size_t series = 0; series < TIMELINE_SERIES; series++)
        timeline->values[at][series] += add[series];
}
