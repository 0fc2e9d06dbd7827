/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/logs/time.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a number of so many digits. Returns -1 if there is another octet. */
static int digits(const char *text, size_t count)
{
    int number = 0;

    for (size_t i = 0; i < count; i++) {
        if (!is_digit(text[i]))
            return -1;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

static int64_t in_range(int64_t seconds)
{
    return seconds >= REPORT_TIME_MIN && seconds < REPORT_TIME_MAX ? seconds : REPORT_NO_TIME;
}

/* Reads "21:56:03" as seconds of the day. Returns -1 if malformed; a leap second counts as the
 * second before it. */
static int clock_time(const char *text)
{
    int hour = digits(text, 2), minute = digits(text + 3, 2), second = digits(text + 6, 2);

    if (text[2] != ':' || text[5] != ':' || hour < 0 || hour > 23 || minute < 0 || minute > 59 ||
        second < 0 || second > 60)
        return -1;
    return hour * 3600 + minute * 60 + (second == 60 ? 59 : second);
}

/* Returns when the ten minutes begin that the first `len` octets name. Calendar arithmetic is the
 * slowest part of reading a time, and most lines are of the same ten minutes as the line before. We
 * do not use whole hours, since summer time of half an hour may begin at half past. */
static int64_t cached(struct report_clock *clock, const char *text, size_t len,
                      int64_t (*begin_of)(const struct report_clock *clock, const char *text))
{
    if (memcmp(clock->read, text, len) != 0) {
        clock->begin = begin_of(clock, text);
        memcpy(clock->read, text, len);
    }
    return clock->begin;
}

/* --- [1700000000] --- */

static size_t read_epoch(const char *text, size_t len, int64_t *seconds)
{
    size_t at = 1;
    int64_t value = 0;

    for (; at < len && at < 14 && is_digit(text[at]); at++)
        value = value * 10 + (text[at] - '0');
    if (at == 1 || at >= len || text[at] != ']')
        return 0;
    *seconds = in_range(value);
    return at + 1;
}

/* --- 2026-11-20T21:56:03.000214+01:00 --- */

/* Reads "Z", "+0100" or "+01:00" as seconds east of Greenwich. Returns the number of octets read,
 * or 0. */
static size_t read_zone(const char *text, size_t len, int *east)
{
    *east = 0;
    if (len > 0 && text[0] == 'Z')
        return 1;
    if (len < 5 || (text[0] != '+' && text[0] != '-'))
        return 0;
    size_t minutes_at = text[3] == ':' ? 4 : 3;
    if (len < minutes_at + 2)
        return 0;
    int hours = digits(text + 1, 2), minutes = digits(text + minutes_at, 2);
    if (hours < 0 || minutes < 0)
        return 0;
    *east = (hours * 3600 + minutes * 60) * (text[0] == '-' ? -1 : 1);
    return minutes_at + 2;
}

/* Returns when "2026-11-20T21:5" begins, as if it were UTC. */
static int64_t utc_begin(const struct report_clock *clock, const char *text)
{
    int year = digits(text, 4), month = digits(text + 5, 2), day = digits(text + 8, 2);
    struct tm utc = {.tm_year = year - 1900,
                     .tm_mon = month - 1,
                     .tm_mday = day,
                     .tm_hour = digits(text + 11, 2),
                     .tm_min = 10 * digits(text + 14, 1)};

    (void)clock;
    if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31)
        return REPORT_NO_TIME;
    int64_t begin = (int64_t)timegm(&utc);
    return utc.tm_mday == day ? begin : REPORT_NO_TIME; /* there is no 31 February */
}

static size_t read_iso(struct report_clock *clock, const char *text, size_t len, int64_t *seconds)
{
    enum { LEN = sizeof "2026-11-20T21:5" - 1, FRACTION_AT = sizeof "2026-11-20T21:56:03" - 1 };
    size_t at = FRACTION_AT, zone_len;
    int east;

    if (len < FRACTION_AT || text[4] != '-' || text[7] != '-' ||
        (text[10] != 'T' && text[10] != ' '))
        return 0;
    int of_day = clock_time(text + FRACTION_AT - 8);
    int64_t begin = of_day < 0 ? REPORT_NO_TIME : cached(clock, text, LEN, utc_begin);
    if (begin == REPORT_NO_TIME)
        return 0;
    if (at < len && (text[at] == '.' || text[at] == ','))
        for (at++; at < len && is_digit(text[at]);)
            at++;
    zone_len = read_zone(text + at, len - at, &east);
    if (zone_len == 0)
        return 0;
    *seconds = in_range(begin + of_day % 600 - east);
    return at + zone_len;
}

/* --- Nov 20 21:56:03 --- */

static int month_of(const char *text)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

    for (size_t at = 0; at < sizeof months - 1; at += 3)
        if (memcmp(months + at, text, 3) == 0)
            return (int)(at / 3);
    return -1;
}

enum { LEAP_YEARS_APART = 8 /* as from 1896 to 1904, and from 2096 to 2104 */ };

/* Returns when "Nov 20 21:5" begins, in the last year that has this day and puts it no later than
 * tomorrow. */
static int64_t local_begin(const struct report_clock *clock, const char *text)
{
    time_t now = (time_t)clock->now;
    struct tm then = {0}, today;
    int month = month_of(text),
        day = digits(text[4] == ' ' ? text + 5 : text + 4, text[4] == ' ' ? 1 : 2);

    if (month < 0 || day < 1 || day > 31 || !localtime_r(&now, &today))
        return REPORT_NO_TIME;
    for (int back = 0; back <= LEAP_YEARS_APART; back++) {
        then = (struct tm){.tm_year = today.tm_year - back,
                           .tm_mon = month,
                           .tm_mday = day,
                           .tm_hour = digits(text + 7, 2),
                           .tm_min = 10 * digits(text + 10, 1),
                           .tm_isdst = -1};
        int64_t time = (int64_t)mktime(&then);
        if (time <= clock->now + DAY && then.tm_mday == day)
            return time;
    }
    return REPORT_NO_TIME;
}

static size_t read_syslog(struct report_clock *clock, const char *text, size_t len,
                          int64_t *seconds)
{
    enum { TIME_AT = sizeof "Nov 20 " - 1, LEN = TIME_AT + 8 };

    if (len < LEN || text[3] != ' ' || text[6] != ' ' || month_of(text) < 0)
        return 0;
    int of_day = clock_time(text + TIME_AT);
    if (of_day < 0)
        return 0;
    int64_t begin = cached(clock, text, TIME_AT + 4, local_begin);
    *seconds = begin == REPORT_NO_TIME ? begin : in_range(begin + of_day % 600);
    return LEN;
}

/* --- 20-Nov-2026 21:56:03.000 --- */

/* Returns when "20-Nov-2026 21:5" begins. */
static int64_t dated_begin(const struct report_clock *clock, const char *text)
{
    int day = digits(text, 2), year = digits(text + 7, 4);
    struct tm local = {.tm_year = year - 1900,
                       .tm_mon = month_of(text + 3),
                       .tm_mday = day,
                       .tm_hour = digits(text + 12, 2),
                       .tm_min = 10 * digits(text + 15, 1),
                       .tm_isdst = -1};

    (void)clock;
    if (year < 0 || day < 1)
        return REPORT_NO_TIME;
    int64_t begin = (int64_t)mktime(&local);
    return local.tm_mday == day ? begin : REPORT_NO_TIME;
}

static size_t read_dated(struct report_clock *clock, const char *text, size_t len, int64_t *seconds)
{
    enum { TIME_AT = sizeof "20-Nov-2026 " - 1, LEN = TIME_AT + 8 };
    size_t at = LEN;

    if (len < LEN || text[2] != '-' || text[6] != '-' || text[11] != ' ' || month_of(text + 3) < 0)
        return 0;
    int of_day = clock_time(text + TIME_AT);
    if (of_day < 0)
        return 0;
    int64_t begin = cached(clock, text, TIME_AT + 4, dated_begin);
    *seconds = begin == REPORT_NO_TIME ? begin : in_range(begin + of_day % 600);
    if (at < len && text[at] == '.')
        for (at++; at < len && is_digit(text[at]);)
            at++;
    return at;
}

size_t report_time_read(struct report_clock *clock, const char *text, size_t len, int64_t *seconds)
{
    if (len == 0)
        return 0;
    if (text[0] == '[')
        return read_epoch(text, len, seconds);
    if (is_digit(text[0]) && len > 2 && text[2] == '-')
        return read_dated(clock, text, len, seconds);
    if (is_digit(text[0]))
        return read_iso(clock, text, len, seconds);
    return read_syslog(clock, text, len, seconds);
}
