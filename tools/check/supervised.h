/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs work in a process of its own, with a time limit. */
#ifndef XN_TOOLS_CHECK_SUPERVISED_H
#define XN_TOOLS_CHECK_SUPERVISED_H

#include "tools/text/buffer.h"

#include <stdio.h>

enum { SUPERVISED_OCTETS_MAX = 1 << 22 /* more than that nobody waits for */ };

/* Does work in a process of its own. After so many seconds, or when the caller ends, it is killed
 * with all processes that it has started. Returns NULL, and `found`, which was empty, holds what
 * the work wrote to `out`; or returns why the work was not done: it crashed, took longer, or wrote
 * more than SUPERVISED_OCTETS_MAX. */
typedef void supervised_work(void *arg, FILE *out);
const char *supervised_run(unsigned seconds, supervised_work *work, void *arg,
                           struct buffer *found);

/* Does the same with a program, run by its path in a folder (NULL: the caller's), without a shell
 * and with an empty environment. `found` gets its standard output, `said` its standard error; NULL:
 * that stream is not read, but one of them is. argv ends with NULL. Returns NULL, with its exit
 * status in *status; a program that cannot be run exits with 127 and writes why. */
const char *supervised_exec(unsigned seconds, char *const argv[], const char *folder,
                            struct buffer *found, struct buffer *said, int *status);

#endif
