/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements what Unbound calls: six entry points and the callbacks. */
#include "module/unbound/module.h"

#include "module/run/state.h"
#include "module/unbound/answer.h"
#include "module/unbound/callback.h"
#include "module/unbound/daemon.h"
#include "module/unbound/gate.h"
#include "module/unbound/qstate.h"
#include "module/unbound/upstream.h"

#define EXPORT __attribute__((visibility("default")))

/* The six names that Unbound looks up. Its headers declare none of them. */
EXPORT int init(struct module_env *env, int id);
EXPORT void deinit(struct module_env *env, int id);
EXPORT void operate(struct module_qstate *qstate, enum module_ev event, int id,
                    struct outbound_entry *outbound);
EXPORT void inform_super(struct module_qstate *qstate, int id, struct module_qstate *super);
EXPORT void clear(struct module_qstate *qstate, int id);
EXPORT size_t get_mem(struct module_env *env, int id);

/* --- callbacks --- */

/* Logs and counts a reply. Most of it is read only if something needs it. match NULL: no rule
 * matched. */
static inline void report(struct xnm_state *state, const struct xnm_callback *call,
                          const struct xnm_match *match)
{
    struct xnm_reply reply;

    if (!xnm_callback_read_question(call, &reply))
        return;
    reply.match = match;
    if (xnm_state_logs_reply(state, &reply)) {
        xnm_callback_read_answer(xnm_state_forwarders(state), call, &reply);
        xnm_state_log(state, &reply);
    } else if (match) {
        xnm_match_count(match);
    }
}

/* Not inlined: a match is large. */
__attribute__((noinline)) static void decide_and_report(struct xnm_state *state, int id,
                                                        const struct xnm_callback *call)
{
    const struct xnm_match *match;
    struct xnm_match storage;

    if (!xnm_callback_has_client(call)) {
        xnm_gate_release(call, id);
        return;
    }
    xnm_gate_decide(state, call, id, &storage, &match);
    if (xnm_state_logs_replies(state))
        report(state, call, match);
    else if (match)
        xnm_match_count(match);
}

static inline void on_reply(struct xnm_state *state, int id, const struct xnm_callback *call)
{
    if (xnm_state_has_policy(state) && !xnm_gate_knows(state, call, id))
        decide_and_report(state, id, call);
    else if (xnm_state_logs_replies(state))
        report(state, call, NULL);
}

/* Unbound passes the argument given at registration last, and ignores the result. */
#define REPLY_CALLBACK(function, origin)                                                           \
    static int function(struct query_info *qinfo, struct module_qstate *qstate,                    \
                        struct reply_info *rep, int rcode, struct edns_data *edns,                 \
                        struct edns_option **opt_list_out, struct comm_reply *repinfo,             \
                        struct regional *region, struct timeval *start_time, int id, void *state)  \
    {                                                                                              \
        on_reply(state, id,                                                                        \
                 &(struct xnm_callback){(origin), qinfo, qstate, rep, rcode, repinfo, start_time,  \
                                        opt_list_out, region, edns});                              \
        return 1;                                                                                  \
    }

REPLY_CALLBACK(on_reply_resolved, XNM_FROM_RESOLUTION)
REPLY_CALLBACK(on_reply_cache, XNM_FROM_CACHE)
REPLY_CALLBACK(on_reply_local, XNM_FROM_LOCAL)
REPLY_CALLBACK(on_reply_servfail, XNM_FROM_FAILURE)

static int on_response(struct module_qstate *qstate, struct dns_msg *response, int id, void *state)
{
    xnm_upstream_take(state, qstate, id, response);
    return 1;
}

const struct xnm_daemon_callbacks xnm_module_callbacks = {.reply = on_reply_resolved,
                                                          .reply_cache = on_reply_cache,
                                                          .reply_local = on_reply_local,
                                                          .reply_servfail = on_reply_servfail,
                                                          .response = on_response};

/* --- entry points --- */

/* Set once a start has succeeded in this process. At a reload, an order of modules that does not
 * fit is only an error in the log, so that no resolver dies; the policy is in force as far as it
 * can be (after dns64: except for AAAA). This outlives the module's instance, since nothing is
 * unloaded
 * (-z nodelete). */
static bool has_started;

/* Passes the policy in force, the last good configuration and the counters from one instance to the
 * next. */
static struct xnm_engine *engine;

/* A process has the module's data once: a second entry for the same file would share
 * it. At a reload that entry does nothing, so that no resolver dies. */
static struct xnm_state *open_state;
static bool has_reloaded;

static int refuse_second(struct module_env *env, int id)
{
    xnm_daemon_report_second(env);
    xnm_daemon_set_state(env, id, NULL);
    return has_reloaded;
}

/* The module before this one that would keep a policy's answers; "": none. It is copied because
 * Unbound's configuration may be gone when idn.conf names rules. */
static char misfit[32];

/* Call it when idn.conf names rules. */
static void report_misfit(void *arg)
{
    (void)arg;
    if (misfit[0])
        xnm_diagnostics_add(
            &xnm_daemon_diagnostics, XNM_ERROR, &(struct xnm_place){.file = "module-config"},
            "%s is before dynlib and would cache what the policy answers: put dynlib "
            "first, and restart",
            misfit);
}

static bool fits(struct module_env *env, int id, struct xnm_state *state)
{
    if (xnm_state_has_policy(state)) {
        report_misfit(NULL);
        if (misfit[0] && !has_started)
            return false;
    }
    if (!(xnm_state_may_get_policy(state) || xnm_state_wants_replies(state)) ||
        xnm_daemon_register(env, id, state, &xnm_module_callbacks))
        return true;
    if (has_started)
        xnm_diagnostics_add(
            &xnm_daemon_diagnostics, XNM_ERROR, &(struct xnm_place){.file = "callbacks"},
            "out of memory: until a reload, nothing is logged and no cached answer is "
            "decided");
    return has_started;
}

/* 0 stops Unbound, even at a reload; only a module of another build returns it then. */
int init(struct module_env *env, int id)
{
    struct xnm_state_options options = {.host_log = xnm_daemon_log,
                                        .notices = xnm_daemon_log,
                                        .diagnostics = &xnm_daemon_diagnostics,
                                        .threads = xnm_daemon_has_threads(),
                                        .got_policy = report_misfit};

    if (!xnm_daemon_fits())
        return 0;
    if (open_state)
        return refuse_second(env, id);
    if (!engine)
        engine = xnm_engine_new();
    options.engine = engine;
    options.config_path = xnm_daemon_config_path(env, &options.config_may_be_missing);
    xnm_daemon_cache_before(env, id, misfit, sizeof misfit);
    xnm_qstate_open(env);
    xnm_gate_open(env);
    xnm_callback_open(env);
    struct xnm_state *state = xnm_state_open(&options);
    if (!state)
        return 0;
    if (!fits(env, id, state)) {
        xnm_state_close(state);
        return 0;
    }
    xnm_daemon_set_state(env, id, state);
    open_state = state;
    has_started = true;
    return 1;
}

/* No worker is left when Unbound calls this. Its configuration may be gone too, so nothing here
 * reads it. */
void deinit(struct module_env *env, int id)
{
    struct xnm_state *state = xnm_daemon_state(env, id);

    has_reloaded = true; /* if init() is called again */
    xnm_daemon_unregister(env, id);
    xnm_state_close(state);
    xnm_daemon_set_state(env, id, NULL);
    if (state)
        open_state = NULL;
}

/* A query that begins before idn.conf names rules has no state of ours (minfo). If rules come into
 * force while it waits, its answer is decided like that of any other query. */
void operate(struct module_qstate *qstate, enum module_ev event, int id,
             struct outbound_entry *outbound)
{
    struct xnm_state *state = xnm_daemon_state(qstate->env, id);

    (void)outbound;
    if (state && xnm_state_has_policy(state)) {
        xnm_answer_operate(state, qstate, (int)event, id);
        return;
    }
    xnm_daemon_pass_on(qstate, (int)event, id);
    if (event == module_event_new)
        xnm_daemon_begin_next(qstate, id);
}

void inform_super(struct module_qstate *qstate, int id, struct module_qstate *super)
{
    xnm_answer_take_target(qstate, super, id);
}

void clear(struct module_qstate *qstate, int id)
{
    xnm_answer_clear(qstate, id);
    qstate->minfo[id] = NULL;
}

size_t get_mem(struct module_env *env, int id)
{
    const struct xnm_state *state = xnm_daemon_state(env, id);
    return state ? xnm_state_memory(state) : 0;
}
