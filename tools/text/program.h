/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs other programs by their paths, without a shell. */
#ifndef XN_TOOLS_TEXT_PROGRAM_H
#define XN_TOOLS_TEXT_PROGRAM_H

#include "tools/text/buffer.h"

enum { PROGRAM_OCTETS_MAX = 1 << 22 /* read from one stream */ };

/* Runs a program in a folder (NULL: the caller's) with an empty environment and no input. argv ends
 * with NULL. After `seconds` the program is killed with all processes that it has started. Returns
 * NULL, with its exit status in *status, what it printed in `output` and what it wrote to standard
 * error in `errors`; or returns why there is no exit status: it cannot be started, a signal
 * terminated it, it ran too long, or it wrote more than PROGRAM_OCTETS_MAX. The buffers, which were
 * empty, are the caller's to free in either case. */
const char *program_run(unsigned seconds, char *const argv[], const char *folder,
                        struct buffer *output, struct buffer *errors, int *status);

/* Runs a program with the caller's environment and streams, and waits until it terminates. Returns
 * its exit status; -1 if it cannot be started or a signal terminated it. */
int program_call(char *const argv[]);

#endif
