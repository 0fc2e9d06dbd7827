/* SPDX-License-Identifier: BSD-3-Clause */
/* The policy in force: read from the operator's files, published, replaced when they change. The
 * only user of liburcu. Host-free: what has to be done to the resolver's cache is done by hooks.
 *
 * There is one policy in force in a process. It outlives the module's instance: at a reload the
 * next one takes it over where no file has changed, or where the new ones are broken. */
#ifndef XNM_MODULE_LOAD_RELOAD_H
#define XNM_MODULE_LOAD_RELOAD_H

#include "core/idna/unicode.h"
#include "module/base/diagnostics.h"
#include "module/config/config.h"
#include "module/policy/policy.h"

#include <stdbool.h>
#include <stdint.h>

/* What the host can do to its message cache. Called by one thread at a time: the one that opens,
 * before any worker runs, or the watcher. */
struct xnm_cache_hooks {
    /* Looks at every message and removes those that the policy refuses. Returns how many there
     * were; *stopped says that it ended early because the resolver's workers do not run. NULL: it
     * is the one that opens who asks, whom nothing can stop. The hook itself NULL: no cache. */
    size_t (*purge)(void *arg, const struct xnm_policy *policy, bool *stopped);
    void *arg;
};

struct xnm_reload_options {
    const struct xnm_config *config; /* copied; the rest must outlive the watcher */
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    void (*log)(const char *line, size_t len); /* where a swap or another policy-mode is told */
    struct xnm_cache_hooks cache;
    bool threads; /* false: no watcher */
    /* For tests, in milliseconds: between two looks at the files, and between two sweeps. 0: the
     * defaults. */
    unsigned look_ms, sweep_ms;
};

enum { XNM_RELOAD_LOOK_MS = 500, XNM_RELOAD_SWEEP_MS = 300000 };

struct xnm_reload;

/* Reads the policy that the configuration names, unless the one in force is of the same files in
 * the same state, and publishes it; purges the cache of what it refuses, whether it is a new one
 * or not (the cache may be another one, or may have been loaded); starts the watcher where there is
 * something to do for it: files to watch (`watch`), or the sweep. Errors are reported. If they are
 * in a rule file: NULL unless one was opened before in the life of the process, and then the policy
 * in force stays. A list that cannot be read, or has suddenly lost more than shrink= lets it, is an
 * error that keeps what it held before (nothing, the first time) and stops nothing. */
struct xnm_reload *xnm_reload_open(const struct xnm_reload_options *options);

/* Joins the watcher, which stops at once, in the middle of reading and of building too. One that a
 * file system does not answer for XNM_STOP_HANG_MS is left behind, which is reported. The policy
 * stays in force. NULL is fine. */
void xnm_reload_close(struct xnm_reload *reload);

/* The policy in force, until xnm_reload_leave; NULL: none. By any thread, also nested; never waits.
 * *generation (may be NULL) is another number after each change. enter and leave go in pairs, also
 * around NULL. */
const struct xnm_policy *xnm_reload_enter(uint64_t *generation);
void xnm_reload_leave(void);

/* The generation of the policy in force, for who has decided something with it and asks whether
 * that still holds. A change that it does not show yet has not begun to purge the cache. */
uint64_t xnm_reload_generation(void);

/* Has the policy in force rules that leave answers alone (xnm_policy_has_quiet_rules)? Asked at
 * every cache hit, without entering; a change may be seen a moment late. */
bool xnm_reload_has_quiet_rules(void);

/* For the metrics. */
struct xnm_reload_counts {
    uint64_t generation;
    uint64_t swaps, failures; /* of policies, since the process began */
    uint64_t purged;          /* messages removed after a swap, or at opening */
    uint64_t leaked;    /* messages that the five-minute sweep found and removed: 0 is expected */
    uint64_t bad_lists; /* lists that could not be read or had bad lines, at the last load */
    uint64_t list_bad_lines, list_skipped_lines; /* at the last load */
    double loaded_at; /* when the policy in force was made, seconds since 1970; 0: none */
};
struct xnm_reload_counts xnm_reload_counts(void);

#endif
