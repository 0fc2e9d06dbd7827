/* SPDX-License-Identifier: BSD-3-Clause */
/* The policy in force: reads it from the operator's files, publishes it, and replaces it when they
 * change. Only this room uses liburcu. Host-free: hooks do what the resolver's cache needs.
 *
 * A process has one policy in force. It outlives the module's instance: after a reload the next
 * instance takes it over if no file has changed, or if the new files are broken. */
#ifndef XNM_MODULE_LOAD_RELOAD_H
#define XNM_MODULE_LOAD_RELOAD_H

#include "core/idna/unicode.h"
#include "module/base/diagnostics.h"
#include "module/config/config.h"
#include "module/policy/policy.h"

#include <stdbool.h>
#include <stdint.h>

/* What the host can do to its message cache. Only one thread at a time calls it: the one that
 * opens, before any worker runs, or the watcher. */
struct xnm_cache_hooks {
    /* Looks at every message and removes those that the policy refuses. Returns how many; sets
       *stopped if it ended early because the resolver's workers do not run. `stopped` is NULL at
       opening, which nothing stops. If the hook itself is NULL, there is no cache. */
    size_t (*purge)(void *arg, const struct xnm_policy *policy, bool *stopped);
    void *arg;
};

struct xnm_reload_options {
    const struct xnm_config *config; /* copied; the rest must outlive the watcher */
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    void (*log)(const char *line, size_t len); /* reports a swap or a changed policy-mode */
    struct xnm_cache_hooks cache;
    bool threads; /* false: no watcher */
    /* For tests, in milliseconds: the time between two looks at the files, and between two sweeps.
       0: the defaults. */
    unsigned look_ms, sweep_ms;
};

enum { XNM_RELOAD_LOOK_MS = 500, XNM_RELOAD_SWEEP_MS = 300000 };

struct xnm_reload;

/* Reads the policy that the configuration names, unless the one in force was made from the same,
 * unchanged files, and publishes it. Purges what the policy refuses from the cache even if the
 * policy is not new, because the cache may be another one or may have been loaded. Starts the
 * watcher if it has work: files to watch (`watch`), or the sweep. Errors are reported. After an
 * error in a rule file: NULL, unless an earlier call in this process succeeded; then the policy in
 * force stays. If a list cannot be read, or has lost more than shrink= allows, that is an error
 * that stops nothing: the list keeps what it held before (nothing, the first time). */
struct xnm_reload *xnm_reload_open(const struct xnm_reload_options *options);

/* Stops the watcher at once, even while it reads or builds, and joins it. If a file system keeps it
 * hanging for XNM_STOP_HANG_MS, it is left behind, which is reported. The policy stays in force.
 * NULL is fine. */
void xnm_reload_close(struct xnm_reload *reload);

/* The policy in force, valid until xnm_reload_leave; NULL: none. Any thread may call it, also
 * nested; it never waits. *generation (may be NULL) differs after each change. Each enter needs a
 * leave, even after NULL. */
const struct xnm_policy *xnm_reload_enter(uint64_t *generation);
void xnm_reload_leave(void);

/* The generation of the policy in force, to ask whether an earlier decision still holds. A change
 * that it does not show yet has not begun to purge the cache. */
uint64_t xnm_reload_generation(void);

/* Does the policy in force have rules that leave answers alone (xnm_policy_has_quiet_rules)? Each
 * cache hit asks this without xnm_reload_enter; it may see a change a moment late. */
bool xnm_reload_has_quiet_rules(void);

/* Counts for the metrics. */
struct xnm_reload_counts {
    uint64_t generation;
    uint64_t swaps, failures; /* of policies, since the process began */
    uint64_t purged;          /* messages removed after a swap or at opening */
    uint64_t leaked;          /* messages that the five-minute sweep removed: 0 is expected */
    uint64_t bad_lists;       /* lists that could not be read or had bad lines at the last load */
    uint64_t list_bad_lines, list_skipped_lines; /* at the last load */
    double loaded_at; /* when the policy in force was made, seconds since 1970; 0: none */
};
struct xnm_reload_counts xnm_reload_counts(void);

#endif
