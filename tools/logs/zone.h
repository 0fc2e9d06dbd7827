/* SPDX-License-Identifier: BSD-3-Clause */
/* Wall clocks: the time that a clock on the wall shows, in the zone of TZ, or else the machine's.
 */
#ifndef XN_TOOLS_LOGS_ZONE_H
#define XN_TOOLS_LOGS_ZONE_H

#include <stdint.h>

/* {0} is valid. The fields are private: the last minute that was asked for, and by how many seconds
 * the wall clock was ahead of UTC in it. No zone changes its clocks within a minute. */
struct zone {
    int64_t minute, ahead;
};

/* Returns what the wall clock shows at a time after 1970, in seconds as if it were UTC. Of the hour
 * that comes twice in autumn, both are the same. */
int64_t zone_wall(struct zone *zone, int64_t time);

/* Returns "UTC" or "local time". */
const char *zone_word(void);

#endif
