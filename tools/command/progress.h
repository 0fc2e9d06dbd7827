/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows the progress of a long command, in one line on a terminal that is rewritten. Shows
 * nothing in the first two seconds, or if standard error is not a terminal. */
#ifndef XN_TOOLS_COMMAND_PROGRESS_H
#define XN_TOOLS_COMMAND_PROGRESS_H

#include <stdint.h>

struct linereader;

/* Starts the two seconds. Without a call nothing is ever shown. */
void progress_open(void);

/* Shows the lines that were read: `before`, and those of the reader, with its share of a regular
 * file. Call it for each line: it looks at the clock once for each block read. */
void progress_lines(const char *name, uint64_t before, const struct linereader *reader);

/* Shows which share of a thing is done. It may be called often. */
void progress_share(const char *name, uint64_t done, uint64_t size);

/* Removes the line. Call it before anything else is written. */
void progress_clear(void);

#endif
