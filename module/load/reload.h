/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the policy from the operator's files, puts it in force, and replaces it when they change.
 * Host-free: hooks do what the resolver's cache needs.
 *
 * What is in force (module/load/inforce.h) outlives this: after a reload the next instance takes it
 * over if no file has changed, or if the new files are broken. */
#ifndef XNM_MODULE_LOAD_RELOAD_H
#define XNM_MODULE_LOAD_RELOAD_H

#include "module/base/diagnostics.h"
#include "module/load/inforce.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_config;
struct xn_unicode;

struct xnm_reload_options {
    struct xnm_inforce *force;       /* no other may be open for it; must outlive this */
    const struct xnm_config *config; /* copied; the rest must outlive the watcher */
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    struct xnm_log_sink log; /* reports a swap or a changed policy-mode */
    const char *no_clients;  /* see xnm_policyfiles_options */
    bool threads;            /* false: no watcher */
    bool later;              /* the watcher is started by xnm_reload_start */
    bool behind; /* all but the first reading for `force` is the watcher's, and opening waits for
                    none; there is no cache, and not `later` */
    /* Sets, for tests, the milliseconds between two looks at the files; 0 sets the default.
     * XN_LOOK_MS in the environment, 1 to 1000, sets it for tests with daemons. */
    unsigned look_ms;
};

enum { XNM_RELOAD_LOOK_MS = 250 };

struct xnm_reload;

/* Reads the policy that the configuration names, unless the one in force was made from the same,
 * unchanged files, and publishes it. Starts the watcher if it has work: files to watch (`watch`),
 * or files to read at opening. Errors are reported. After an error in a rule file: NULL, unless an
 * earlier call for the same options->force succeeded; then the policy in force stays. If a list
 * cannot be read, or has lost more than shrink= allows, that is an error that stops nothing: the
 * list keeps what it held before (nothing, the first time). */
struct xnm_reload *xnm_reload_open(const struct xnm_reload_options *options);

/* Starts the watcher if that was put off and it has work. */
void xnm_reload_start(struct xnm_reload *reload);

/* Stops the watcher at once, even while it reads or builds, and joins it. The policy stays in
 * force. NULL is fine. */
void xnm_reload_close(struct xnm_reload *reload);

#endif
