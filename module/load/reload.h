/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the policy from the operator's files, puts it in force, and replaces it when they change.
 * Also watches idn.conf for the keys of the policy. Host-free: hooks do what the resolver's cache
 * needs. The policy handle (module/load/policyhandle.h) outlives this: after a reload the next
 * instance replaces its policy, unless the files are broken. Lists whose files have not changed
 * keep their tables. */
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
    bool bad;               /* it could not be read, and `config` replaces it */
    /* Reads it again. Returns true, and the caller frees *config; or false after an error, which
     * was reported. The watcher calls it, and then `take` before the policy is read. */
    bool (*read)(void *arg, struct xnm_config *config);
    void (*take)(void *arg, const struct xnm_config *config);
    void *arg;
};

struct xnm_reload_options {
    struct xnm_policyhandle
        *handle; /* no other struct xnm_reload may be open for it; must outlive this */
    const struct xnm_config *config; /* copied; the rest must outlive the watcher */
    struct xnm_reload_source source;
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    struct xnm_log_sink log; /* reports a swap or a changed policy-mode */
    unsigned lacks;          /* see module/load/policyfiles.h */
    bool threads;            /* false: no watcher */
    bool later;              /* the watcher is started by xnm_reload_start */
    bool behind; /* if `handle` was opened before, the watcher reads the files, and opening does not
                    wait; there is no cache, and not `later` */
    /* Milliseconds between two looks at the files, for tests; 0: the default. XN_LOOK_MS in the
     * environment, 1 to 1000, sets it for tests with daemons. */
    unsigned look_ms;
};

/* The milliseconds between looks at the files, and the looks between reminders that no rules are in
 * force: a minute. */
enum { XNM_RELOAD_LOOK_MS = 250, XNM_RELOAD_REMIND_LOOKS = 240 };

struct xnm_reload;

/* Reads the policy that the configuration names, and publishes it. Starts the watcher if it has
 * work: files to watch (`watch`), or files to read at opening. Errors are reported. After an error
 * in a rule file, the policy in force stays; if there is none, the watcher repeats that each
 * minute. Returns NULL when out of memory, or if the configuration requires its rules, and neither
 * this call nor an earlier one for the same handle could read them. If a list cannot be read, or
 * has lost more than shrink= allows, that is an error that stops nothing: the list keeps its
 * previous entries (none, the first time). */
struct xnm_reload *xnm_reload_open(const struct xnm_reload_options *options);

/* Starts the watcher if it has work and was not started (`later`). */
void xnm_reload_start(struct xnm_reload *reload);

/* Stops the watcher at once, even while it reads or builds, and joins its thread. */
void xnm_reload_stop(struct xnm_reload *reload);

/* Returns the content of idn.conf when the watcher was stopped; valid until closing. */
const struct xnm_config *xnm_reload_config(const struct xnm_reload *reload);

/* Stops the watcher. The policy stays in force. NULL is fine. */
void xnm_reload_close(struct xnm_reload *reload);

#endif
