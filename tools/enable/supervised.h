/* SPDX-License-Identifier: BSD-3-Clause */
/* Work that must come to an end, whatever it meets. */
#ifndef XN_TOOLS_ENABLE_SUPERVISED_H
#define XN_TOOLS_ENABLE_SUPERVISED_H

#include "tools/text/buffer.h"

#include <stdio.h>

/* Does a work in a process of its own, which is ended, with all processes it has started, when so
 * many seconds have passed. Returns NULL, and `found`, which was empty, has what the work wrote to
 * `out`; or why the work was not done: it crashed, or took longer. */
typedef void supervised_work(void *arg, FILE *out);
const char *supervised_run(unsigned seconds, supervised_work *work, void *arg,
                           struct buffer *found);

#endif
