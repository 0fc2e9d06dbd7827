/* SPDX-License-Identifier: BSD-3-Clause */
/* The start check: finds out whether Unbound would start with the module. */
#ifndef XN_TOOLS_ENABLE_STARTCHECK_H
#define XN_TOOLS_ENABLE_STARTCHECK_H

#include "tools/text/buffer.h"

#include <stdbool.h>

enum { START_SECONDS = 30 }; /* systemd gives a start 90 by default */

struct start_question {
    const char *daemon, *module, *config, *unbound_conf;
    const char *snippet; /* what would load the module, and is not there now */
    bool is_foreign;     /* that is somebody else's, and stays: the configuration is as it is */
};

typedef enum {
    START_GOOD,  /* it would start */
    START_BAD,   /* it would not, or not with the module */
    START_LOADED /* its configuration loads modules by itself, and `good` says how that ends */
} start_verdict;

struct startcheck {
    start_verdict verdict;
    bool good;
    struct buffer order; /* module-config with the module, and a NUL; empty: nobody could tell */
    struct buffer
        reason; /* why it is not good: a line, as a terminal may show it, without its end */
};

/* Runs the start check, as `unbound-idn check` does. The verdict is START_BAD, too, if the daemon
 * is missing or incomplete, or if the check crashes or takes longer than START_SECONDS. The result
 * must be freed in every case. */
void startcheck_find(const struct start_question *question, struct startcheck *result);
void startcheck_free(struct startcheck *result);

/* The snippet is there, with the order of `result`: does the configuration say so, and does
 * unbound-checkconf accept it? If not, `result` becomes START_BAD and says why. */
void startcheck_confirm(const struct start_question *question, struct startcheck *result);

#endif
