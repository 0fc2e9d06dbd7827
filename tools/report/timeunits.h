/* SPDX-License-Identifier: BSD-3-Clause */
/* Units of time, in seconds. */
#ifndef XN_TOOLS_REPORT_TIMEUNITS_H
#define XN_TOOLS_REPORT_TIMEUNITS_H

#include <stdint.h>

#define MINUTE INT64_C(60)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define WEEK (7 * DAY)

/* A time when a week began, in seconds since 1970: 1 January 1970 was a Thursday. */
#define MONDAY (-3 * DAY)

#endif
