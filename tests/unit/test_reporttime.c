/* SPDX-License-Identifier: BSD-3-Clause */
/* Times without a zone: what the C library writes for a moment is read as that moment. */
#include "tests/unit/vectors.h"

#include "tests/unit/exact.h"
#include "tools/logs/time.h"

#include <time.h>

enum { NOW = 1795300000 /* 2026-11-21 */, STEP = 5 * MINUTE + 7 };

/* Summer time of an hour, in north and south, and of half an hour; none, beside hours that do not
 * begin with Greenwich's. */
static char *zones[] = {"UTC0",
                        "CET-1CEST,M3.5.0,M10.5.0/3",
                        "NZST-12NZDT,M9.5.0,M4.1.0/3",
                        "NST3:30NDT,M3.2.0,M11.1.0",
                        "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
                        "<+0545>-5:45"};

static void write_time(int64_t seconds, char text[16])
{
    time_t time = (time_t)seconds;
    struct tm local;

    assert_non_null(localtime_r(&time, &local));
    assert_int_equal(strftime(text, 16, "%b %e %H:%M:%S", &local), 15);
}

static int64_t read_time(struct logs_clock *clock, const char *text)
{
    int64_t seconds = LOGS_NO_TIME;
    char *exact = exact_copy(text, 15);

    assert_int_equal(logs_time_read(clock, exact, 15, &seconds), 15);
    free(exact);
    return seconds;
}

/* Where a clock is put back, two moments have one text: it is either. */
static void reads_a_year(void **state)
{
    struct logs_clock clock = {.now = NOW};
    unsigned twice = 0;

    setenv("TZ", *state, 1);
    tzset();
    for (int64_t time = NOW - 364 * DAY; time < NOW; time += STEP) {
        char text[16], again[16];

        write_time(time, text);
        int64_t seconds = read_time(&clock, text);
        write_time(seconds, again);
        assert_string_equal(again, text);
        twice += seconds != time;
    }
    assert_in_range(twice, 0, 2 * HOUR / STEP + 2);
}

/* From 02:00 to 02:30 clocks were put forward: that half hour is none, and the next is what it
 * says. */
TEST(reads_half_hours, "summer time of half an hour")
{
    struct logs_clock clock = {.now = NOW};

    setenv("TZ", zones[4], 1);
    tzset();
    assert_int_equal(read_time(&clock, "Oct  4 01:59:59"), 1791041399);
    assert_int_equal(read_time(&clock, "Oct  4 02:30:00"), 1791041400);
    assert_int_equal(read_time(&clock, "Oct  4 02:59:59"), 1791043199);
    assert_int_equal(read_time(&clock, "Oct  4 03:00:00"), 1791043200);
}

/* The year of a leap day is that of the last one. */
TEST(reads_leap_days, "a leap day")
{
    const int64_t day = 86400, of_2024 = 1709208000, of_2096 = 3981355200;
    struct logs_clock clock = {.now = of_2024 + 700 * day};

    setenv("TZ", "UTC", 1);
    tzset();
    assert_int_equal(read_time(&clock, "Feb 29 12:00:00"), of_2024);
    clock = (struct logs_clock){.now = of_2024 - 2 * day};
    assert_int_equal(read_time(&clock, "Feb 29 12:00:00"), of_2024 - 4 * 365 * day - day);
    clock = (struct logs_clock){.now = of_2096 + 1400 * day};
    assert_int_equal(read_time(&clock, "Feb 29 12:00:00"), of_2096);
    assert_int_equal(read_time(&clock, "Feb 30 12:00:00"), LOGS_NO_TIME);
}

int main(void)
{
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
        add_test(zones[i], reads_a_year, zones[i]);
    return run_unit();
}
