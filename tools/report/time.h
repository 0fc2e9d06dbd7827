/* SPDX-License-Identifier: BSD-3-Clause */
/* Times as logs write them. */
#ifndef XN_TOOLS_REPORT_TIME_H
#define XN_TOOLS_REPORT_TIME_H

#include <stddef.h>
#include <stdint.h>

/* Times before 1990 and after 2100 are none: a clock that was never set, or no time at all. */
#define REPORT_NO_TIME INT64_MIN
#define REPORT_TIME_MIN INT64_C(631152000)
#define REPORT_TIME_MAX INT64_C(4102444800)

/* What is needed to read a time that has neither a year nor a zone, as syslog writes it: it is
 * local, and not after `now` by more than a day. */
struct report_clock {
    int64_t now;
    /* Private: the ten minutes that were read last, "Nov 20 21:5" or "2026-11-20T21:5". */
    char read[16];
    int64_t begin;
};

/* Reads the time that text begins with:
 *   [1700000000]                                       Unbound's log
 *   2026-11-20T21:56:03.000214Z  2026-11-20T21:56:03+01:00  the module's log, RFC 5424, journalctl
 *   Nov 20 21:56:03                                    syslog, and Unbound's log-time-ascii
 * Returns the octets it takes, 0 if there is none. *seconds is REPORT_NO_TIME for one that is no
 * time or out of range. */
size_t report_time_read(struct report_clock *clock, const char *text, size_t len, int64_t *seconds);

#endif
