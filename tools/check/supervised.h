/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that must come to an end, whatever it meets. */
#ifndef XN_TOOLS_CHECK_SUPERVISED_H
#define XN_TOOLS_CHECK_SUPERVISED_H

#include "tools/text/buffer.h"

#include <stdio.h>

enum { SUPERVISED_OCTETS_MAX = 1 << 22 /* more than that nobody waits for */ };

/* Does a work in a process of its own, which is ended, with all processes it has started, when so
 * many seconds have passed, and no later than the caller. Returns NULL, and `found`, which was
 * empty, has what the work wrote to `out`; or why the work was not done: it crashed, took longer,
 * or wrote more than SUPERVISED_OCTETS_MAX. */
typedef void supervised_work(void *arg, FILE *out);
const char *supervised_run(unsigned seconds, supervised_work *work, void *arg,
                           struct buffer *found);

/* The same of a program, which is run by its path, in a folder (NULL: the caller's), without a
 * shell and with an empty environment: of its standard streams only `stream` (1 or 2) leads
 * anywhere, to `found`. argv ends with NULL. Returns NULL, and how it exited is in *status; one
 * that cannot be run exits with 127 and writes why. */
const char *supervised_exec(unsigned seconds, char *const argv[], const char *folder, int stream,
                            struct buffer *found, int *status);

#endif
