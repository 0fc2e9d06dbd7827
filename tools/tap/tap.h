/* SPDX-License-Identifier: BSD-3-Clause */
/* The state that `tap` keeps while it runs: configuration, log, metrics and policy, and the counts
 * of frames. */
#ifndef XN_TOOLS_TAP_TAP_H
#define XN_TOOLS_TAP_TAP_H

#include "tools/tap/reply.h"
#include "tools/tap/senders.h"

struct tap {
    const char *config; /* path; NULL: the default, which may be missing */
    bool listens;       /* false: files are read */
    struct xnm_engine *engine;
    struct xnm_state *state; /* NULL: not open */
    struct tap_replies *replies;
    struct tap_senders *_Atomic senders; /* for the metrics; NULL: there are none */
    struct xnm_diagnostics diagnostics;
};

/* Writes a line on standard error: "unbound-idn tap: …". */
void tap_say(const char *line);

#endif
