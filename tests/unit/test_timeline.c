/* SPDX-License-Identifier: BSD-3-Clause */
/* Replies over time: nothing is lost, whatever times come in whatever order. */
#include "tests/unit/vectors.h"

#include "tools/logs/time.h"
#include "tools/report/timeline.h"

static const uint64_t one[TIMELINE_SERIES] = {1, 2, 3};

static uint64_t sum_of(const struct timeline *timeline, size_t series)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < timeline->len; i++)
        sum += timeline->values[i][series];
    return sum;
}

/* From one time to another in so many steps, forwards or backwards. */
static const struct row {
    const char *name;
    int64_t from, to;
    unsigned steps;
    int64_t width;
} rows[] = {
    {"one second", 1795211763, 1795211763, 1000, 1},
    {"200 seconds", 1795211763, 1795211962, 199, 1},
    {"201 seconds", 1795211763, 1795211963, 200, 5},
    {"an hour", 1795211000, 1795214599, 3599, 60},
    {"a day", 1795132800, 1795219199, 86399, 600},
    {"a week", 1795132800, 1795737599, 100000, 3600},
    {"a month", 1795132800, 1797724800, 100000, 21600},
    {"a year", 1795132800, 1826668800, 100000, 604800},
    {"all times", LOGS_TIME_MIN, LOGS_TIME_MAX - 1, 100000, 52 * 7 * 86400},
};

static void expect(const struct timeline *timeline, const struct row *row)
{
    assert_int_equal(timeline->count, row->steps + 1);
    for (size_t series = 0; series < TIMELINE_SERIES; series++)
        assert_int_equal(sum_of(timeline, series), (series + 1) * (row->steps + 1));
    assert_int_equal(timeline->first, row->from);
    assert_int_equal(timeline->last, row->to);
    assert_int_equal(timeline_width(timeline), row->width);
    assert_true(timeline->len >= 1 && timeline->len <= TIMELINE_BUCKETS);
    assert_true(timeline_start(timeline, 0) <= row->from);
    assert_true(timeline_start(timeline, 1) > row->from);
    assert_true(timeline_start(timeline, timeline->len - 1) <= row->to);
    assert_true(timeline_start(timeline, timeline->len) > row->to);
}

TEST_ROWS(counts_a_stretch, rows, name)
{
    const struct row *row = *state;
    struct timeline up = {0}, down = {0}, inwards = {0};

    for (unsigned i = 0; i <= row->steps; i++) {
        int64_t ahead = (row->to - row->from) * i / row->steps;
        int64_t back = (row->to - row->from) * (row->steps - i) / row->steps;

        timeline_add(&up, row->from + ahead, one);
        timeline_add(&down, row->from + back, one);
        timeline_add(&inwards, row->from + (i & 1 ? ahead : back), one);
    }
    expect(&up, row);
    expect(&down, row);
    assert_memory_equal(up.values, down.values, sizeof up.values);
    assert_int_equal(sum_of(&inwards, 0), row->steps + 1);
}

/* Days begin at midnight, weeks with a Monday: 2026-11-16 was one. */
TEST(begins_with_the_calendar, "the calendar")
{
    struct timeline days = {0}, weeks = {0};

    timeline_add(&days, 1795211763, one);
    timeline_add(&days, 1795211763 + 150 * 86400, one);
    assert_int_equal(timeline_width(&days), 86400);
    assert_int_equal(timeline_start(&days, 0), 1795132800);
    timeline_add(&weeks, 1795211763, one);
    timeline_add(&weeks, 1795211763 + 300 * 86400, one);
    assert_int_equal(timeline_width(&weeks), 604800);
    assert_int_equal(timeline_start(&weeks, 0), 1794787200);
}

TEST_MAIN
