/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a command is, in one line on a terminal that is written anew, where it takes long. */
#ifndef XN_TOOLS_COMMAND_PROGRESS_H
#define XN_TOOLS_COMMAND_PROGRESS_H

#include "tools/text/linereader.h"

struct progress {
    uint64_t lines;  /* of files that were read before */
    uint64_t octets; /* private from here on: of the file in hand, when it was last looked at */
    bool on_terminal, shown;
    int64_t next; /* milliseconds of the clock that is never set */
};

void progress_open(struct progress *progress);

/* To be called at each line: a look at the clock for each block that is read. Nothing is shown in
 * the first two seconds, and nothing where standard error is no terminal. */
void progress_show(struct progress *progress, const char *name, const struct linereader *reader);
void progress_clear(struct progress *progress);

#endif
