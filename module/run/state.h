/* SPDX-License-Identifier: BSD-3-Clause */
/* All that is open between opening and closing a configuration: that, ICU, log, policy and metrics.
 */
#ifndef XNM_MODULE_RUN_STATE_H
#define XNM_MODULE_RUN_STATE_H

#include "module/load/reload.h"
#include "module/log/logreply.h"
#include "module/log/logwriter.h"
#include "module/run/metrics.h"

#include <stdatomic.h>

struct xnm_config;
struct xnm_forwarders;
struct xnm_state;

/* The parts that outlive a state and pass to the next one: the policy in force, the last good
 * configuration, the counters. All variable data of this directory and those below it belongs to an
 * engine, except for thread-local data and the numbers that identify threads and writers. */
struct xnm_engine;

/* NULL: no memory. The caller owns it, and frees it when no state is open and no thread uses it. */
struct xnm_engine *xnm_engine_new(void);
void xnm_engine_free(struct xnm_engine *engine); /* NULL is fine */

struct xnm_state_options {
    struct xnm_engine
        *engine; /* has no other state open; must outlive it. NULL: no memory for one */
    const char *config_path;
    bool config_may_be_missing;                /* every key then has its default */
    struct xnm_log_sink host_log, notices;     /* for the log's lines; for news of the policy */
    const struct xnm_diagnostics *diagnostics; /* must outlive the state */
    unsigned lacks;                            /* of the host: see module/load/policyfiles.h */
    bool threads;                              /* see module/log/logwriter.h */
    bool later;    /* all threads are started by xnm_state_start, before the first reply */
    bool behind;   /* after the first time, a thread reads the rules, and opening waits for none */
    bool counts;   /* replies are counted even without a metrics file */
    bool observes; /* the replies are other programs': policy-mode is log-only */
    bool to_host;  /* all lines go to the host's log, and there is no metrics file */
    struct xnm_metrics_more more; /* metrics of the host; what they use must outlive the state */
    /* Called by a thread of the state when idn.conf, which named no rules at the start, now does;
     * may be NULL. */
    void (*got_policy)(void *arg);
    void *got_policy_arg;
    bool must_read;     /* as if idn.conf had `required: yes` */
    const char *log_to; /* instead of the host's log; must outlive the state. NULL: none */
    size_t log_ring;    /* see module/log/logwriter.h */
};

/* Reads the configuration and opens what it names; every error is reported. A resolver must not die
 * of a typo. The first time for options->engine, it runs without rules if idn.conf or a rule file
 * cannot be read, and without a log if idn.conf cannot; an error is logged each minute, and the
 * rules are in force as soon as they can be read. A log that cannot be opened is tried again.
 * Later, at a reload, the last good configuration is used again, and the result is never NULL.
 * NULL: no memory, another Unicode version, or any error of these the first time if idn.conf has
 * `required: yes`. The caller owns the result. */
struct xnm_state *xnm_state_open(const struct xnm_state_options *options);

/* Starts the threads that were put off: a process may fork before, and each child then starts its
 * own. */
void xnm_state_start(struct xnm_state *state);

/* No thread may use the state any more. Waits about a second at most for the log. NULL is fine. */
void xnm_state_close(struct xnm_state *state);

/* The configuration as it was opened, which may be the last good one; the keys of the policy may
 * have changed since. Valid as long as the state. */
const struct xnm_config *xnm_state_config(const struct xnm_state *state);

/* Every query reads these members, so each state begins with them. */
struct xnm_state_head {
    bool may_get_policy;
    bool logs_all;          /* log-names: all */
    atomic_bool has_policy; /* these change when idn.conf does */
    atomic_bool is_log_only;
    struct xnm_policyhandle *force;
    const struct xnm_forwarders *forwarders; /* NULL: none */
};
static inline const struct xnm_state_head *xnm_state_head(const struct xnm_state *state)
{
    return (const struct xnm_state_head *)(const void *)state;
}

/* Returns whether the configuration has named rules. Then a policy may be in force. */
static inline bool xnm_state_has_policy(const struct xnm_state *state)
{
    return atomic_load_explicit(&xnm_state_head(state)->has_policy, memory_order_relaxed);
}

/* Returns whether it has, or may do so later. The result never changes. */
static inline bool xnm_state_may_get_policy(const struct xnm_state *state)
{
    return xnm_state_head(state)->may_get_policy;
}

/* Returns whether policy-mode is log-only. */
static inline bool xnm_state_is_log_only(const struct xnm_state *state)
{
    return atomic_load_explicit(&xnm_state_head(state)->is_log_only, memory_order_relaxed);
}

/* Returns the policy in force (module/load/policyhandle.h). Valid as long as the engine. */
static inline struct xnm_policyhandle *xnm_state_force(const struct xnm_state *state)
{
    return xnm_state_head(state)->force;
}

/* Returns the forwarders that name their clients (client-subnet-from); NULL: there are none. They
 * never change. */
static inline const struct xnm_forwarders *xnm_state_forwarders(const struct xnm_state *state)
{
    return xnm_state_head(state)->forwarders;
}

/* Returns whether replies are logged or counted, if only by the rules that match them. */
bool xnm_state_wants_replies(const struct xnm_state *state);

/* Returns whether replies that no rule matched are logged or counted. */
bool xnm_state_logs_replies(const struct xnm_state *state);

/* Returns whether a reply for this name that no rule matched is logged, or counted in the metrics
 * file. */
bool xnm_state_wants_name(const struct xnm_state *state, const uint8_t *qname, size_t qname_len);

/* Return whether this reply is logged or counted in the metrics. Read its name and `match` alone.
 */
bool xnm_state_logs_by_name(const struct xnm_state *state, const struct xnm_reply *reply);
static inline bool xnm_state_logs_reply(const struct xnm_state *state,
                                        const struct xnm_reply *reply)
{
    return xnm_state_head(state)->logs_all || xnm_state_logs_by_name(state, reply);
}

/* xnm_state_reply logs and counts one reply, and counts the rules that matched. xnm_state_log does
 * the same if xnm_state_logs_reply is true. Any thread may call them; they never wait. */
void xnm_state_reply(struct xnm_state *state, const struct xnm_reply *reply);
void xnm_state_log(struct xnm_state *state, const struct xnm_reply *reply);

/* Counts a reply that the host withheld from its client as it left. Any thread may call it. */
void xnm_state_count_withheld(struct xnm_state *state);

/* Returns the text of the metrics (module/run/metrics.h), which the caller owns; NULL: no memory.
 */
char *xnm_state_metrics(const struct xnm_state *state, size_t *len);

size_t xnm_state_memory(const struct xnm_state *state); /* octets, about */

#endif
