/* SPDX-License-Identifier: BSD-3-Clause */
/* Wall clocks: the time that a clock on the wall of a time zone shows. */
#ifndef XN_TOOLS_LOGS_ZONE_H
#define XN_TOOLS_LOGS_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ZONE_CHANGES_MAX = 512 };

/* All fields but `word` are private. */
struct zone {
    const char *word; /* for the page: "UTC", "Europe/Berlin", or "local time" */
    int64_t from[ZONE_CHANGES_MAX];
    int32_t ahead[ZONE_CHANGES_MAX]; /* seconds, from then on */
    size_t count, last;
};

/* Reads a zone: "UTC" (NULL is the same), "local" (TZ, or the machine's), or the name of a zone
 * that the machine knows, such as "Europe/Berlin". Returns false if it knows none of that name.
 * Sets TZ for a moment, so no other thread may ask for a local time. */
bool zone_open(struct zone *zone, const char *name);

/* Returns what the wall clock shows at a time, in seconds as if it were UTC. Of the hour that comes
 * twice in autumn, both are the same. */
int64_t zone_wall(struct zone *zone, int64_t time);

#endif
