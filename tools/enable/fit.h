/* SPDX-License-Identifier: BSD-3-Clause */
/* The start check: finds out whether Unbound would start with the module. */
#ifndef XN_TOOLS_ENABLE_FIT_H
#define XN_TOOLS_ENABLE_FIT_H

#include "tools/text/buffer.h"

#include <stdbool.h>

enum { FIT_SECONDS = 30 }; /* systemd gives a start 90 by default */

struct fit_question {
    const char *daemon, *module, *config, *unbound_conf;
    const char *snippet; /* what would load the module, and is not there now */
    bool is_foreign;     /* that is somebody else's, and stays: the configuration is as it is */
};

typedef enum {
    FIT_GOOD,  /* it would start */
    FIT_BAD,   /* it would not, or not with the module */
    FIT_LOADED /* its configuration loads modules by itself, and `good` says how that ends */
} fit_verdict;

struct fit {
    fit_verdict verdict;
    bool good;
    struct buffer order; /* module-config with the module, and a NUL; empty: nobody could tell */
    struct buffer
        reason; /* why it is not good: a line, as a terminal may show it, without its end */
};

/* Runs the start check, as `unbound-idn check` does. The verdict is FIT_BAD, too, if the daemon is
 * missing or incomplete, or if the check crashes or takes longer than FIT_SECONDS. The result must
 * be freed in every case. */
void fit_find(const struct fit_question *question, struct fit *fit);
void fit_free(struct fit *fit);

/* The snippet is there, with the order of `fit`: does the configuration say so, and does
 * unbound-checkconf accept it? If not, `fit` becomes FIT_BAD and says why. */
void fit_confirm(const struct fit_question *question, struct fit *fit);

#endif
