/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows a log that is being written, and calls for a new page at intervals. */
#ifndef XN_TOOLS_REPORT_FOLLOW_H
#define XN_TOOLS_REPORT_FOLLOW_H

#include <stdbool.h>
#include <stdint.h>

struct follow {
    const char *path; /* of the log */
    void (*write)(void *arg);
    void *arg;
    uint32_t every; /* seconds between two pages */
    /* private */
    int file;
    int64_t next; /* when to write, in seconds of the monotonic clock */
    bool has_waited;
    bool is_moved; /* another file had the path a second ago */
};

/* Starts to follow an open file. SIGINT and SIGTERM end it from then on. */
void follow_open(struct follow *follow, int file);

/* Writes a page if it is time. Returns false if a signal has come. To be called now and then. */
bool follow_goes_on(struct follow *follow);

/* Waits at the end of the file for more: for struct linereader. The first call writes a page. Once
 * the path has belonged to another file for a second, that file goes on with the same descriptor; a
 * file that has become shorter is read from its start; *is_other is true for both. Returns false if
 * a signal has come. */
bool follow_wait(void *follow, bool *is_other);

#endif
