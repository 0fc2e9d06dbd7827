/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of logs: none, or one in range whose text the C library writes for it. An input is an octet
 * for the time zone, four for the present, and lines, as a log has them: the clock remembers the
 * hour of the line before. */
#include "tests/fuzz/target.h"

#include "tools/logs/time.h"

#include <time.h>

/* Chooses a time zone: with summer time in the north or the south, or without; with hours that
 * begin with Greenwich's or not; and Lord Howe Island's, whose summer time is half an hour. */
static void choose_zone(uint8_t number)
{
    static const char *const zones[] = {"UTC0", "CET-1CEST,M3.5.0,M10.5.0/3",
                                        "NZST-12NZDT,M9.5.0,M4.1.0/3", "NST3:30NDT,M3.2.0,M11.1.0",
                                        "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"};
    const char *zone = zones[number % (sizeof zones / sizeof *zones)];

    if (getenv("TZ") && strcmp(getenv("TZ"), zone) == 0)
        return;
    setenv("TZ", zone, 1);
    tzset();
}

static int64_t take_now(const uint8_t **data, size_t *size)
{
    uint32_t now = 0;

    for (int i = 0; i < 4; i++)
        now = now << 8 | take_octet(data, size);
    return LOGS_TIME_MIN + now % (LOGS_TIME_MAX - LOGS_TIME_MIN);
}

/* A leap second is the one before. */
static void without_leap(char *time_of_day)
{
    if (memcmp(time_of_day + 6, "60", 2) == 0)
        memcpy(time_of_day + 6, "59", 2);
}

/* Asserts that the seconds are the date and time in the text, in the zone that follows them. */
static void expect_iso(const char *text, size_t len, int64_t seconds)
{
    static const char digits[] = "0123456789";
    char want[20] = "", got[80], zone[8] = "";
    struct tm utc;
    size_t at = 19;
    int hours = 0, minutes = 0;

    memcpy(want, text, 19);
    want[10] = 'T';
    without_leap(want + 11);
    if (text[at] == '.' || text[at] == ',')
        for (at++; at < len && memchr(digits, text[at], 10);)
            at++;
    assert_in_range(len - at, 1, 6);
    memcpy(zone, text + at, len - at);
    if (strcmp(zone, "Z") != 0)
        assert_int_equal(
            sscanf(zone + 1, strchr(zone, ':') ? "%2d:%2d" : "%2d%2d", &hours, &minutes), 2);
    time_t local =
        (time_t)(seconds + (zone[0] == '-' ? -1 : 1) * (hours * HOUR + minutes * MINUTE));
    assert_non_null(gmtime_r(&local, &utc));
    strftime(got, sizeof got, "%Y-%m-%dT%H:%M:%S", &utc);
    assert_string_equal(got, want);
}

static void write_local(int64_t seconds, const char *format, char text[80])
{
    time_t time = (time_t)seconds;
    struct tm local;

    assert_non_null(localtime_r(&time, &local));
    strftime(text, 80, format, &local);
}

/* The text is that time, in the local zone; or the text's time was left out for summer. */
static void expect_local(const char *want, const char *format, size_t date_len, int64_t seconds)
{
    char got[80];

    write_local(seconds, format, got);
    if (strcmp(got, want) == 0)
        return;
    for (int64_t shift = -DAY; shift <= DAY; shift += HOUR / 2) {
        write_local(seconds + shift, format, got);
        assert_string_not_equal(got, want);
    }
    write_local(seconds - HOUR, format, got);
    bool hour_before = memcmp(got, want, date_len) == 0;
    write_local(seconds + HOUR, format, got);
    assert_true(hour_before || memcmp(got, want, date_len) == 0);
}

/* Is not after tomorrow. */
static void expect_syslog(const char *text, int64_t now, int64_t seconds)
{
    char want[16] = "";

    assert_true(seconds - seconds % HOUR <= now + DAY + HOUR);
    memcpy(want, text, 15);
    without_leap(want + 7);
    if (want[4] == '0')
        want[4] = ' ';
    expect_local(want, "%b %e %H:%M:%S", 6, seconds);
}

/* BIND writes such times, with the year. */
static void expect_dated(const char *text, int64_t seconds)
{
    char want[21] = "";

    memcpy(want, text, 20);
    without_leap(want + 12);
    expect_local(want, "%d-%b-%Y %H:%M:%S", 11, seconds);
}

static void expect_time(struct logs_clock *clock, const uint8_t *line, size_t len)
{
    char *text = exact_copy(line, len);
    struct logs_clock fresh = {.now = clock->now};
    int64_t seconds = LOGS_NO_TIME, seconds_again = LOGS_NO_TIME;
    size_t read = logs_time_read(clock, text, len, &seconds);

    assert_in_range(read, 0, len);
    assert_int_equal(logs_time_read(&fresh, text, len, &seconds_again), read);
    assert_true(seconds == seconds_again);
    if (read > 0 && seconds != LOGS_NO_TIME) {
        assert_true(seconds >= LOGS_TIME_MIN && seconds < LOGS_TIME_MAX);
        if (text[0] == '[')
            assert_true(strtoll(text + 1, NULL, 10) == seconds);
        else if (text[2] == '-')
            expect_dated(text, seconds);
        else if (text[0] >= '0' && text[0] <= '9')
            expect_iso(text, read, seconds);
        else
            expect_syslog(text, clock->now, seconds);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct logs_clock clock = {0};
    const uint8_t *line;

    choose_zone(take_octet(&data, &size));
    clock.now = take_now(&data, &size);
    while (size > 0) {
        size_t len = take_line(&data, &size, &line);
        expect_time(&clock, line, len);
    }
    return 0;
}
