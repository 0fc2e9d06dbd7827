/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/logs/time.h"

#include <string.h>
#include <time.h>

static int64_t in_range(int64_t seconds)
{
    return seconds >= LOGS_TIME_MIN && seconds < LOGS_TIME_MAX ? seconds : LOGS_NO_TIME;
}

/* --- [1700000000] --- */

static size_t read_epoch(const char *text, size_t len, int64_t *seconds)
{
    size_t at = 1;
    int64_t value = 0;

    for (; at < len && at < 14 && logs_is_digit(text[at]); at++)
        value = value * 10 + (text[at] - '0');
    if (at == 1 || at >= len || text[at] != ']')
        return 0;
    *seconds = in_range(value);
    return at + 1;
}

/* --- times of the calendar --- */

static const struct form {
    const char *shape;  /* `9`: a digit, `_`: a digit or a blank, `A`, `a`: a letter */
    const char *format; /* for strptime, up to the minutes */
    bool has_zone, has_year;
} forms[] = {
    {"9999-99-99T99:99:99", "%Y-%m-%dT%H:%M", true, true},
    {"9999-99-99 99:99:99", "%Y-%m-%d %H:%M", true, true},
    {"99-Aaa-9999 99:99:99", "%d-%b-%Y %H:%M", false, true},
    {"Aaa _9 99:99:99", "%b %d %H:%M", false, false},
};
enum { SECONDS = sizeof ":03" - 1, LEAP_YEARS_APART = 8 /* as from 1896 to 1904 */ };

static bool has_class(char c, char class)
{
    switch (class) {
    case '9':
        return logs_is_digit(c);
    case '_':
        return logs_is_digit(c) || c == ' ';
    case 'A':
        return c >= 'A' && c <= 'Z';
    case 'a':
        return c >= 'a' && c <= 'z';
    default:
        return c == class;
    }
}

static const struct form *form_of(const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *shape = forms[i].shape;
        size_t at = 0;

        while (shape[at] && at < len && has_class(text[at], shape[at]))
            at++;
        if (!shape[at])
            return &forms[i];
    }
    return NULL;
}

/* Returns when a minute begins. One without a year is in the last year that has this day and puts
 * it no later than tomorrow. Returns LOGS_NO_TIME if there is no such day. */
static int64_t begin_of(const struct form *form, struct tm minute, int64_t now)
{
    time_t seconds = (time_t)now;
    struct tm today = {0};

    localtime_r(&seconds, &today);
    for (int back = 0; back <= LEAP_YEARS_APART; back++) {
        struct tm then = minute;

        then.tm_isdst = -1;
        if (!form->has_year)
            then.tm_year = today.tm_year - back;
        int64_t begin = form->has_zone ? timegm(&then) : mktime(&then);
        if (then.tm_mday == minute.tm_mday && (form->has_year || begin <= now + DAY))
            return begin;
    }
    return LOGS_NO_TIME;
}

/* Reads the minute that a text of this form names. Returns false if it names none. Calendar
 * arithmetic is the slowest part of reading a time, and most lines are of the same minute as the
 * line before. */
static bool read_minute(struct logs_clock *clock, const struct form *form, const char *text)
{
    size_t len = strlen(form->shape) - SECONDS;
    char minute[sizeof clock->read] = "";
    struct tm named = {0};

    memcpy(minute, text, len);
    if (strcmp(minute, clock->read) == 0)
        return true;
    const char *end = strptime(minute, form->format, &named);
    if (!end || *end)
        return false;
    clock->begin = begin_of(form, named, clock->now);
    memcpy(clock->read, minute, sizeof minute);
    return true;
}

/* Reads "Z", "+0100" or "+01:00" as seconds east of Greenwich. Returns the number of octets read,
 * or 0. */
static size_t read_zone(const char *text, size_t len, int *east)
{
    int digits[4];
    size_t at = 1, count = 0;

    *east = 0;
    if (len > 0 && text[0] == 'Z')
        return 1;
    if (len == 0 || (text[0] != '+' && text[0] != '-'))
        return 0;
    for (; at < len && count < 4; at++) {
        if (logs_is_digit(text[at]))
            digits[count++] = text[at] - '0';
        else if (text[at] != ':' || at != 3)
            return 0;
    }
    if (count < 4)
        return 0;
    *east = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60;
    *east *= text[0] == '-' ? -1 : 1;
    return at;
}

static size_t read_calendar(struct logs_clock *clock, const struct form *form, const char *text,
                            size_t len, int64_t *seconds)
{
    size_t at = strlen(form->shape), zone_len;
    int second = (text[at - 2] - '0') * 10 + (text[at - 1] - '0'), east = 0;

    if (second > 60 || !read_minute(clock, form, text))
        return 0;
    if (form->has_year && at < len && (text[at] == '.' || text[at] == ','))
        for (at++; at < len && logs_is_digit(text[at]);)
            at++;
    if (form->has_zone) {
        zone_len = read_zone(text + at, len - at, &east);
        if (zone_len == 0 || clock->begin == LOGS_NO_TIME)
            return 0;
        at += zone_len;
    }
    /* a leap second counts as the second before it */
    *seconds = clock->begin == LOGS_NO_TIME
                   ? LOGS_NO_TIME
                   : in_range(clock->begin + (second == 60 ? 59 : second) - east);
    return at;
}

size_t logs_time_read(struct logs_clock *clock, const char *text, size_t len, int64_t *seconds)
{
    if (len > 0 && text[0] == '[')
        return read_epoch(text, len, seconds);
    const struct form *form = form_of(text, len);
    return form ? read_calendar(clock, form, text, len, seconds) : 0;
}

/* --- wall clocks --- */

int64_t logs_zone_wall(struct logs_zone *zone, int64_t time)
{
    time_t seconds = (time_t)time;
    struct tm local;

    if (time / MINUTE != zone->minute) {
        zone->minute = time / MINUTE;
        zone->ahead = localtime_r(&seconds, &local) ? local.tm_gmtoff : 0;
    }
    return time + zone->ahead;
}

const char *logs_zone_word(void)
{
    tzset();
    return strcmp(tzname[0], "UTC") == 0 ? "UTC" : "local time";
}
