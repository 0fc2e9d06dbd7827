/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/logs/zone.h"

#include "tools/logs/time.h"

#include <string.h>
#include <time.h>

int64_t zone_wall(struct zone *zone, int64_t time)
{
    time_t seconds = (time_t)time;
    struct tm local;

    if (time / MINUTE != zone->minute) {
        zone->minute = time / MINUTE;
        zone->ahead = localtime_r(&seconds, &local) ? local.tm_gmtoff : 0;
    }
    return time + zone->ahead;
}

const char *zone_word(void)
{
    tzset();
    return strcmp(tzname[0], "UTC") == 0 ? "UTC" : "local time";
}
