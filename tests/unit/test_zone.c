/* SPDX-License-Identifier: BSD-3-Clause */
/* Wall clocks: at every time the C library's, at the changes of clocks above all; and TZ is left as
 * it was. */
#include "tests/unit/vectors.h"

#include "tests/unit/random.h"
#include "tools/logs/time.h"
#include "tools/logs/zone.h"

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

static void compare(struct zone *zone)
{
    uint32_t random = 3;

    for (int i = 0; i < 100000; i++) {
        int64_t time =
            REPORT_TIME_MIN + (int64_t)random_next(&random) % (REPORT_TIME_MAX - REPORT_TIME_MIN);
        assert_int_equal(zone_wall(zone, time), expected(time));
    }
    for (size_t i = 1; i < zone->count; i++)
        for (int64_t time = zone->from[i] - 2; time < zone->from[i] + 2; time++)
            assert_int_equal(zone_wall(zone, time), expected(time));
}

static void test_zones(void **state)
{
    static const char *const names[] = {"Europe/Berlin", "America/St_Johns",  "Australia/Lord_Howe",
                                        "Asia/Kolkata",  "Africa/Casablanca", "Pacific/Apia"};
    static struct zone zone;

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        use("America/New_York");
        assert_true(zone_open(&zone, names[i]));
        assert_string_equal(zone.word, names[i]);
        assert_string_equal(getenv("TZ"), "America/New_York");
        assert_int_equal(expected(1795651200), 1795651200 - 5 * HOUR);
        use(names[i]);
        compare(&zone);
        assert_true(zone_open(&zone, "local"));
        compare(&zone);
    }
    use("Europe/Berlin");
    assert_true(zone_open(&zone, NULL));
    assert_string_equal(zone.word, "UTC");
    assert_int_equal(zone_wall(&zone, 1795651200), 1795651200);
    assert_true(zone_open(&zone, "UTC"));
    unsetenv("TZ");
    assert_true(zone_open(&zone, "Asia/Tokyo"));
    assert_null(getenv("TZ"));
    assert_int_equal(zone_wall(&zone, 1795651200), 1795651200 + 9 * HOUR);
}

static void test_unknown(void **state)
{
    static const char *const names[] = {
        "", "Europe", "Europe/Nowhere", "../../etc/passwd", "/etc/passwd", "CET-1"};
    static struct zone zone;

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        assert_false(zone_open(&zone, names[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_zones),
                                       cmocka_unit_test(test_unknown)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
