/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rule/limit.h"

#include "module/base/number.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { DAYS = 7, DAY_MINUTES = 24 * 60 };
static const char days[DAYS][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

bool xnm_limit_next(const char **at, const char **part, size_t *len)
{
    *part = *at;
    if (!*at)
        return false;
    *len = strcspn(*at, ",");
    *at = (*at)[*len] == ',' ? *at + *len + 1 : NULL;
    return true;
}

/* --- clients --- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool xnm_group_is_name(const char *text, size_t len)
{
    bool good = len > 0 && len <= XNM_GROUP_NAME_MAX && is_letter(text[0]);

    for (size_t i = 0; i < len && good; i++)
        good = is_letter(text[i]) || is_digit(text[i]) || (text[i] && strchr("._-", text[i]));
    return good;
}

const char *xnm_limit_client_read(const char *text, size_t len, struct xnm_limit_client *client)
{
    *client = (struct xnm_limit_client){.but = len > 0 && text[0] == '!'};
    text += client->but;
    len -= client->but;
    if (len > 0 && (is_digit(text[0]) || memchr(text, ':', len) || memchr(text, '/', len)))
        return xnm_prefix_read(text, len, &client->prefix);
    if (!xnm_group_is_name(text, len))
        return "is not a client: expected the name of a group, an address or a prefix, or one of "
               "them after '!'";
    memcpy(client->group, text, len);
    return NULL;
}

char *xnm_limit_client_text(const struct xnm_limit_client *client, char dst[XNM_LIMIT_PART_MAX])
{
    char prefix[XNM_PREFIX_TEXT_MAX];

    _Static_assert((int)XNM_PREFIX_TEXT_MAX < (int)XNM_LIMIT_PART_MAX, "a prefix fits");
    snprintf(dst, XNM_LIMIT_PART_MAX, "%s%s", client->but ? "!" : "",
             client->group[0] ? client->group : xnm_prefix_text(&client->prefix, prefix));
    return dst;
}

/* --- times --- */

static bool read_day(const char *text, size_t len, uint8_t *day)
{
    for (*day = 0; *day < DAYS; ++*day)
        if (len == 3 && strncasecmp(text, days[*day], len) == 0)
            return true;
    return false;
}

/* Reads days such as "Mon" or "Mon-Fri". */
static bool read_days(const char *text, size_t len, struct xnm_limit_span *span)
{
    const char *hyphen = memchr(text, '-', len);
    size_t first_len = hyphen ? (size_t)(hyphen - text) : len;

    if (!read_day(text, first_len, &span->first))
        return false;
    span->last = span->first;
    return !hyphen || read_day(hyphen + 1, len - first_len - 1, &span->last);
}

/* Reads a time such as "08:00", five octets. */
static bool read_minute(const char *text, uint16_t *minute)
{
    uint32_t hours, minutes;

    if (text[2] != ':' || !xnm_number_read(text, 2, 24, &hours) ||
        !xnm_number_read(text + 3, 2, 59, &minutes) || hours * 60 + minutes > DAY_MINUTES)
        return false;
    *minute = (uint16_t)(hours * 60 + minutes);
    return true;
}

static bool read_minutes(const char *text, size_t len, struct xnm_limit_span *span)
{
    return len == 11 && text[5] == '-' && read_minute(text, &span->from) &&
           read_minute(text + 6, &span->before);
}

const char *xnm_limit_span_read(const char *text, size_t len, struct xnm_limit_span *span)
{
    const char *slash = memchr(text, '/', len);
    size_t days_len = slash ? (size_t)(slash - text) : len;
    const char *minutes = slash ? slash + 1 : text;
    size_t minutes_len = slash ? len - days_len - 1 : len;
    bool timed = slash || memchr(text, ':', len);

    *span = (struct xnm_limit_span){.first = 1, .last = 0, .before = DAY_MINUTES};
    if (((slash || !timed) && !read_days(text, days_len, span)) ||
        (timed && !read_minutes(minutes, minutes_len, span)))
        return "is not a time: expected days, hours or both, as in Sat-Sun, 22:00-06:00 or "
               "Mon-Fri/08:00-16:00";
    if (span->from == span->before || span->from == DAY_MINUTES)
        return "has no time in it: expected an end after its beginning, on this day or the next "
               "(the whole day is 00:00-24:00)";
    if (span->before == 0)
        span->before = DAY_MINUTES;
    if ((span->first + DAYS - 1) % DAYS == span->last) /* all days, from any first one */
        span->first = 1, span->last = 0;
    return NULL;
}

char *xnm_limit_span_text(const struct xnm_limit_span *span, char dst[XNM_LIMIT_PART_MAX])
{
    bool every_day = (span->first + DAYS - 1) % DAYS == span->last;
    bool whole_day = span->from == 0 && span->before == DAY_MINUTES;
    char *at = dst, *end = dst + XNM_LIMIT_PART_MAX;

    if (!every_day || whole_day)
        at += snprintf(at, (size_t)(end - at), "%s", days[span->first]);
    if (at > dst && span->last != span->first)
        at += snprintf(at, (size_t)(end - at), "-%s", days[span->last]);
    if (!whole_day)
        snprintf(at, (size_t)(end - at), "%s%02u:%02u-%02u:%02u", at > dst ? "/" : "",
                 span->from / 60U, span->from % 60U, span->before / 60U, span->before % 60U);
    return dst;
}

static bool has_day(const struct xnm_limit_span *span, unsigned day)
{
    return (day + DAYS - span->first) % DAYS <= (unsigned)(span->last + DAYS - span->first) % DAYS;
}

bool xnm_limit_span_has(const struct xnm_limit_span *span, unsigned day, unsigned minute)
{
    if (span->from < span->before)
        return has_day(span, day) && minute >= span->from && minute < span->before;
    return (has_day(span, day) && minute >= span->from) ||
           (has_day(span, (day + DAYS - 1) % DAYS) && minute < span->before);
}
