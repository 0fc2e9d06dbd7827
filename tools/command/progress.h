/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows how far a long-running command is, in one line on a terminal that is rewritten. */
#ifndef XN_TOOLS_COMMAND_PROGRESS_H
#define XN_TOOLS_COMMAND_PROGRESS_H

#include "tools/text/linereader.h"

struct progress {
    uint64_t lines;  /* lines of the files read before */
    uint64_t octets; /* private from here on: octets of the current file at the last look */
    bool on_terminal, shown;
    int64_t next; /* when to show the next line, in milliseconds of the monotonic clock */
};

void progress_open(struct progress *progress);

/* Call it for each line; it looks at the clock once for each block read. Shows nothing in the first
 * two seconds, or if standard error is not a terminal. */
void progress_show(struct progress *progress, const char *name, const struct linereader *reader);
void progress_clear(struct progress *progress);

#endif
