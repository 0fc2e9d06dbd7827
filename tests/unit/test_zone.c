/* SPDX-License-Identifier: BSD-3-Clause */
/* Wall clocks: at every time the C library's, at the changes of clocks above all. */
#include "tests/unit/vectors.h"

#include "tests/unit/random.h"
#include "tools/logs/time.h"

#include <time.h>

static void use(const char *name)
{
    setenv("TZ", name, 1);
    tzset();
}

static int64_t expected(int64_t time)
{
    time_t seconds = (time_t)time;
    struct tm local;

    localtime_r(&seconds, &local);
    return time + local.tm_gmtoff;
}

static void compare(struct logs_zone *zone)
{
    uint32_t random = 3;

    for (int i = 0; i < 100000; i++) {
        int64_t time =
            LOGS_TIME_MIN + (int64_t)random_next(&random) % (LOGS_TIME_MAX - LOGS_TIME_MIN);
        assert_int_equal(logs_zone_wall(zone, time), expected(time));
    }
    for (int64_t week = LOGS_TIME_MIN; week < LOGS_TIME_MAX - WEEK; week += WEEK) {
        int64_t before = week, after = week + WEEK, ahead = expected(week) - week;
        if (expected(after) - after == ahead)
            continue;
        while (after - before > 1) {
            int64_t middle = before + (after - before) / 2;
            *(expected(middle) - middle == ahead ? &before : &after) = middle;
        }
        for (int64_t time = after - 2; time < after + 2; time++)
            assert_int_equal(logs_zone_wall(zone, time), expected(time));
    }
}

TEST(test_zones, "zones")
{
    static const char *const names[] = {
        "UTC",          "Europe/Berlin",     "America/St_Johns", "Australia/Lord_Howe",
        "Asia/Kolkata", "Africa/Casablanca", "Pacific/Apia"};

    for (size_t i = 0; i < COUNT(names); i++) {
        struct logs_zone zone = {0};
        use(names[i]);
        compare(&zone);
        assert_string_equal(logs_zone_word(), i == 0 ? "UTC" : "local time");
    }
}

TEST_MAIN
