/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/logs/zone.h"

#include "tools/logs/time.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static int32_t ahead_at(int64_t time)
{
    time_t seconds = (time_t)time;
    struct tm local;

    return localtime_r(&seconds, &local) ? (int32_t)local.tm_gmtoff : 0;
}

static void add_change(struct zone *zone, int64_t from, int32_t ahead)
{
    if (zone->count == ZONE_CHANGES_MAX)
        return;
    zone->from[zone->count] = from;
    zone->ahead[zone->count++] = ahead;
}

/* Looks at each week of the times that logs may have. No zone changed its clocks twice in one. */
static void find_changes(struct zone *zone)
{
    add_change(zone, INT64_MIN, ahead_at(REPORT_TIME_MIN));
    for (int64_t week = REPORT_TIME_MIN; week < REPORT_TIME_MAX; week += WEEK) {
        int64_t before = week, after = week + WEEK;
        int32_t ahead = ahead_at(after);

        if (ahead == zone->ahead[zone->count - 1])
            continue;
        while (after - before > 1) {
            int64_t middle = before + (after - before) / 2;
            *(ahead_at(middle) == ahead ? &after : &before) = middle;
        }
        add_change(zone, after, ahead);
    }
}

static bool is_known(const char *name)
{
    char path[PATH_MAX];
    struct stat about;
    const char *folder = getenv("TZDIR");

    snprintf(path, sizeof path, "%s/%s", folder ? folder : "/usr/share/zoneinfo", name);
    return *name && *name != '/' && !strstr(name, "..") && stat(path, &about) == 0 &&
           S_ISREG(about.st_mode);
}

bool zone_open(struct zone *zone, const char *name)
{
    bool is_local = name && strcmp(name, "local") == 0;

    *zone = (struct zone){.word = is_local ? "local time" : name};
    if (!name || strcmp(name, "UTC") == 0) {
        zone->word = "UTC";
        add_change(zone, INT64_MIN, 0);
        return true;
    }
    if (is_local) {
        find_changes(zone);
        return true;
    }
    if (!is_known(name))
        return false;
    const char *own = getenv("TZ");
    char *kept = own ? strdup(own) : NULL;
    setenv("TZ", name, 1);
    tzset();
    find_changes(zone);
    if (kept)
        setenv("TZ", kept, 1);
    else
        unsetenv("TZ");
    tzset();
    free(kept);
    return true;
}

int64_t zone_wall(struct zone *zone, int64_t time)
{
    size_t at = zone->last;

    while (at > 0 && time < zone->from[at])
        at--;
    while (at + 1 < zone->count && time >= zone->from[at + 1])
        at++;
    zone->last = at;
    return time + zone->ahead[at];
}
