/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads times as logs write them. */
#ifndef XN_TOOLS_LOGS_TIME_H
#define XN_TOOLS_LOGS_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Units of time, in seconds. */
#define MINUTE INT64_C(60)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define WEEK (7 * DAY)

/* Times before 1990 and after 2100 are rejected: the clock was never set, or it is not a time. */
#define LOGS_NO_TIME INT64_MIN
#define LOGS_TIME_MIN INT64_C(631152000)
#define LOGS_TIME_MAX INT64_C(4102444800)

/* The state for reading times. A time without year and zone, as syslog writes it, is local, and at
 * most a day after `now`. */
struct logs_clock {
    int64_t now;
    /* Private: the last minute read, such as "Nov 20 21:56" or "2026-11-20T21:56". */
    char read[20];
    int64_t begin;
};

/* Reads the time that text begins with:
 *   [1700000000]                                       Unbound's log
 *   2026-11-20T21:56:03.000214Z  2026-11-20T21:56:03+01:00  the module's log, RFC 5424, journalctl
 *   Nov 20 21:56:03                                    syslog, and Unbound's log-time-ascii
 *   20-Nov-2026 21:56:03.000                           BIND's log, in local time
 * Returns the number of octets read, or 0 if there is no time. *seconds is LOGS_NO_TIME if the
 * time does not exist or is out of range. */
size_t logs_time_read(struct logs_clock *clock, const char *text, size_t len, int64_t *seconds);

/* A wall clock: what a clock shows in the zone of TZ, or else in the machine's. {0} is valid. The
 * fields are private: the last minute that was asked for, and by how many seconds the wall clock
 * was ahead of UTC in it. No zone changes its clocks within a minute. */
struct logs_zone {
    int64_t minute, ahead;
};

/* Returns what the wall clock shows at a time after 1970, in seconds as if it were UTC. The hour
 * that comes twice in autumn has the same values twice. */
int64_t logs_zone_wall(struct logs_zone *zone, int64_t time);

/* Returns "UTC" or "local time". */
const char *logs_zone_word(void);

static inline bool logs_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif
