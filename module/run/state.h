/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything the module holds between init and deinit: configuration, ICU, log, policy and metrics,
 * opened and closed together. Host-free. */
#ifndef XNM_MODULE_RUN_STATE_H
#define XNM_MODULE_RUN_STATE_H

#include "module/config/config.h"
#include "module/load/reload.h"
#include "module/log/reply.h"
#include "module/log/writer.h"

struct xnm_state;

struct xnm_state_options {
    const char *config_path;
    bool config_may_be_missing; /* every key then has its default */
    xnm_log_sink *host_log;
    const struct xnm_diagnostics *diagnostics; /* must outlive the state */
    struct xnm_cache_hooks cache;              /* {0}: none */
    bool threads;                              /* see module/log/writer.h */
};

/* Reads the configuration and opens what it names; every error is reported. NULL: an error, the
 * first time in the life of the process. Later, at a reload, the last good configuration is used
 * again and the result is never NULL: a resolver must not die of a typo. A process may have only
 * one open. The caller owns the result. */
struct xnm_state *xnm_state_open(const struct xnm_state_options *options);

/* No thread may use the state any more. Waits about a second at most for the log. NULL is fine. */
void xnm_state_close(struct xnm_state *state);

/* The configuration in use, which may be the last good one. Valid as long as the state. */
const struct xnm_config *xnm_state_config(const struct xnm_state *state);

/* Does the configuration name a policy? Then one may be in force (module/load/reload.h). Every call
 * asks this, so each state begins with the answer. */
struct xnm_state_head {
    bool has_policy;
};
static inline bool xnm_state_has_policy(const struct xnm_state *state)
{
    return ((const struct xnm_state_head *)(const void *)state)->has_policy;
}

/* Does anything need to know of replies: a log, metrics, or rules, whose hits are counted? */
bool xnm_state_wants_replies(const struct xnm_state *state);

/* … of replies that no rule matched, too? */
bool xnm_state_tells_replies(const struct xnm_state *state);

/* Logs and counts one reply, and counts the rules that matched. Any thread may call it; it never
 * waits. */
void xnm_state_reply(struct xnm_state *state, const struct xnm_reply *reply);

size_t xnm_state_memory(const struct xnm_state *state); /* octets, about */

#endif
