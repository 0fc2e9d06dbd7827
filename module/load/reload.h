/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the policy from the operator's files, puts it in force, and replaces it when they change.
 * Watches idn.conf, too, for the keys of the policy.
 * Host-free: hooks do what the resolver's cache needs.
 *
 * What is in force (module/load/policyhandle.h) outlives this: after a reload the next instance
 * replaces it, unless the files are broken. Lists whose files have not changed keep their tables.
 */
#ifndef XNM_MODULE_LOAD_RELOAD_H
#define XNM_MODULE_LOAD_RELOAD_H

#include "module/base/diagnostics.h"
#include "module/config/config.h"
#include "module/file/textfile.h"
#include "module/load/policyhandle.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_config;
struct xn_unicode;

/* idn.conf, as the caller reads it. */
struct xnm_reload_source {
    const char *path;       /* NULL: it is not watched */
    struct xnm_stamp stamp; /* taken before it was read */
    bool bad;               /* it could not be read, and `config` stands in for it */
    /* Reads it again: *config is the caller's to free if the result is true. Else there was an
     * error, which was reported. Called by the watcher, which then calls `take` before the policy
     * is read. */
    bool (*read)(void *arg, struct xnm_config *config);
    void (*take)(void *arg, const struct xnm_config *config);
    void *arg;
};

struct xnm_reload_options {
    struct xnm_policyhandle *handle; /* no other may be open for it; must outlive this */
    const struct xnm_config *config; /* copied; the rest must outlive the watcher */
    struct xnm_reload_source source;
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    struct xnm_log_sink log; /* reports a swap or a changed policy-mode */
    unsigned lacks;          /* see module/load/policyfiles.h */
    bool threads;            /* false: no watcher */
    bool later;              /* the watcher is started by xnm_reload_start */
    bool behind; /* all but the first reading for `force` is the watcher's, and opening waits for
                    none; there is no cache, and not `later` */
    /* Sets, for tests, the milliseconds between two looks at the files; 0 sets the default.
     * XN_LOOK_MS in the environment, 1 to 1000, sets it for tests with daemons. */
    unsigned look_ms;
};

/* How often the files are looked at, and after how many looks it is said again that no rules are in
 * force: each minute. */
enum { XNM_RELOAD_LOOK_MS = 250, XNM_RELOAD_REMIND_LOOKS = 240 };

struct xnm_reload;

/* Reads the policy that the configuration names, and publishes it. Starts the watcher if it has
 * work: files to watch (`watch`), or files to read at opening. Errors are reported. After an error
 * in a rule file, the policy in force stays; if there is none, the watcher reports that again each
 * minute. NULL: no memory, or the configuration requires its rules, and neither this call nor an
 * earlier one for the same options->handle could read them. If a list cannot be read, or has lost
 * more than shrink= allows, that is an error that stops nothing: the list keeps what it held before
 * (nothing, the first time). */
struct xnm_reload *xnm_reload_open(const struct xnm_reload_options *options);

/* Starts the watcher if that was put off and it has work. */
void xnm_reload_start(struct xnm_reload *reload);

/* Stops the watcher at once, even while it reads or builds, and joins it. */
void xnm_reload_stop(struct xnm_reload *reload);

/* Returns the configuration as idn.conf had it when the watcher was stopped; valid until closing.
 */
const struct xnm_config *xnm_reload_config(const struct xnm_reload *reload);

/* Stops the watcher. The policy stays in force. NULL is fine. */
void xnm_reload_close(struct xnm_reload *reload);

#endif
