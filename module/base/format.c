/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/format.h"

#include "core/text/tabulate.h"

#include <string.h>

const char xnm_format_pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

static char *put_below_10000(char *dst, unsigned number)
{
    if (number >= 1000)
        return xnm_format_pair(xnm_format_pair(dst, number / 100), number % 100);
    if (number >= 100) {
        *dst++ = (char)('0' + number / 100);
        return xnm_format_pair(dst, number % 100);
    }
    if (number >= 10)
        return xnm_format_pair(dst, number);
    *dst = (char)('0' + number);
    return dst + 1;
}

/* Takes four digits at a time: most numbers of a log line have at most eight. */
char *xnm_format_number(char *dst, uint64_t number)
{
    if (number < 10000)
        return put_below_10000(dst, (unsigned)number);
    unsigned last = (unsigned)(number % 10000);
    dst = number < 100000000 ? put_below_10000(dst, (unsigned)(number / 10000))
                             : xnm_format_number(dst, number / 10000);
    return xnm_format_pair(xnm_format_pair(dst, last / 100), last % 100);
}

/* Writes the date of a number of days since 1970-01-01. gmtime_r would take a lock for the time
 * zone. Years begin in March here, so that a leap day comes last: (153n + 2) / 5 days come before
 * the n-th month. 400 years have 146,097 days; the first 400 begin in March of the year 0, 719,468
 * days before 1970. */
static char *put_day(char *dst, uint64_t days)
{
    uint64_t since_0 = days + 719468, cycle = since_0 / 146097;
    unsigned day = (unsigned)(since_0 % 146097);
    unsigned year = (day - day / 1460 + day / 36524 - day / 146096) / 365;

    day -= 365 * year + year / 4 - year / 100;
    unsigned month = (5 * day + 2) / 153;
    year += (unsigned)cycle * 400 + (month >= 10);
    dst = xnm_format_pair(xnm_format_pair(dst, year / 100 % 100), year % 100);
    *dst++ = '-';
    dst = xnm_format_pair(dst, month < 10 ? month + 3 : month - 9);
    *dst++ = '-';
    return xnm_format_pair(dst, day - (153 * month + 2) / 5 + 1);
}

static void put_second(char *dst, uint64_t seconds)
{
    enum { DAY = 24 * 60 * 60 };
    unsigned second = (unsigned)(seconds % DAY);

    dst = put_day(dst, seconds / DAY);
    *dst++ = 'T';
    dst = xnm_format_pair(dst, second / 3600);
    *dst++ = ':';
    dst = xnm_format_pair(dst, second / 60 % 60);
    *dst++ = ':';
    dst = xnm_format_pair(dst, second % 60);
    *dst = '.';
}

struct second {
    uint64_t number;
    char text[20];
};

/* The last second written, since a thread writes thousands of lines in a second. A function, so
 * that the thread-local address is computed once. */
__attribute__((noinline)) static struct second *last_second(void)
{
    static _Thread_local struct second last = {0, "1970-01-01T00:00:00."};

    return &last;
}

char *xnm_format_time(char *dst, const struct timespec *when)
{
    struct second *last = last_second();

    if (last->number != (uint64_t)when->tv_sec) {
        last->number = (uint64_t)when->tv_sec;
        put_second(last->text, last->number);
    }
    memcpy(dst, last->text, sizeof last->text);
    dst = xnm_format_six(dst + sizeof last->text, (unsigned)when->tv_nsec / 1000);
    *dst++ = 'Z';
    return dst;
}

/* The decimal digits of each octet, and their number. */
#define DIGIT(number) (char)('0' + (number) % 10)
#define OCTET(n)                                                                                   \
    {                                                                                              \
        {(n) < 10    ? DIGIT(n)                                                                    \
         : (n) < 100 ? DIGIT((n) / 10)                                                             \
                     : DIGIT((n) / 100),                                                           \
         (n) < 100 ? DIGIT(n) : DIGIT((n) / 10), DIGIT(n)},                                        \
            (n) < 10    ? 1                                                                        \
            : (n) < 100 ? 2                                                                        \
                        : 3                                                                        \
    }
static const struct {
    char digits[3];
    uint8_t count;
} octets[256] = {OF_256(OCTET, 0)};

/* Copies all four octets; those after the digits are overwritten later, or ignored. */
static inline char *put_octet(char *dst, uint8_t octet)
{
    memcpy(dst, &octets[octet], sizeof octets[octet]);
    return dst + octets[octet].count;
}

char *xnm_format_ipv4(char *dst, const uint8_t address[4])
{
    dst = put_octet(dst, address[0]);
    for (int i = 1; i < 4; i++) {
        *dst++ = '.';
        dst = put_octet(dst, address[i]);
    }
    return dst;
}

/* Finds the groups that "::" replaces: the first of the longest runs of zeros, if longer than one
 * (RFC 5952, section 4.2). Returns their number, or 0. */
static int find_zeros(const unsigned groups[8], int *first)
{
    int longest = 1;

    for (int i = 0, run = 0; i < 8; i++) {
        run = groups[i] == 0 ? run + 1 : 0;
        if (run > longest) {
            longest = run;
            *first = i + 1 - run;
        }
    }
    return longest > 1 ? longest : 0;
}

static const char digits[] = "0123456789abcdef";

char *xnm_format_octets(char *dst, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        *dst++ = digits[data[i] >> 4];
        *dst++ = digits[data[i] & 0xF];
    }
    return dst;
}

static char *put_group(char *dst, unsigned group)
{
    int shift = group >= 0x1000 ? 12 : group >= 0x100 ? 8 : group >= 0x10 ? 4 : 0;

    for (; shift >= 0; shift -= 4)
        *dst++ = digits[group >> shift & 0xF];
    return dst;
}

char *xnm_format_ipv6(char *dst, const uint8_t address[16])
{
    unsigned groups[8];
    int zeros_at = 8;

    for (size_t i = 0; i < 8; i++)
        groups[i] = (unsigned)address[2 * i] << 8 | address[2 * i + 1];
    int zeros = find_zeros(groups, &zeros_at);
    for (int i = 0; i < 8; i++) {
        if (i == zeros_at) {
            dst = xnm_format(dst, i + zeros == 8 ? "::" : ":");
            i += zeros - 1;
            continue;
        }
        if (i > 0)
            *dst++ = ':';
        dst = put_group(dst, groups[i]);
    }
    return dst;
}
