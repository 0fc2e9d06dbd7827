/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/run/state.h"

#include "core/idna/name.h"
#include "module/config/config.h"
#include "module/log/log.h"
#include "module/log/logline.h"
#include "module/policy/match.h"
#include "module/run/metrics.h"
#include "module/run/ticker.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Unbound's log, and a pipe, which takes 4,096 octets at once, neither cut nor split a text line,
 * or a JSON line without its optional members. */
_Static_assert((int)XNM_LOGLINE_TEXT_MAX < PIPE_BUF && PIPE_BUF <= XNM_LOGWRITER_HOST_LINE_MAX,
               "the longest text line");
_Static_assert((int)XNM_LOGLINE_SHORT_MAX < PIPE_BUF, "the longest such JSON line");

struct xnm_state {
    struct xnm_state_head head; /* must be first */
    struct xnm_state_options options;
    struct xnm_engine *engine;
    struct xnm_config config;
    const struct xn_unicode *unicode; /* NULL: not open */
    struct xnm_logwriter *log;        /* NULL: none */
    struct xnm_reload *reload;        /* NULL: nothing could be opened */
    struct xnm_ticker *ticker;        /* for the metrics; NULL: none */
    struct xnm_stamp conf_stamp;      /* of idn.conf, before it was read */
    bool is_first;                    /* the first of its engine */
    bool is_conf_bad;        /* idn.conf could not be read: `config` is replace_bad_conf's */
    bool metrics_failed;     /* they could not be written, which was reported */
    uint64_t number;         /* of all states: the owner of its entries in the cache of names */
    bool is_config_borrowed; /* from engine->good */
};

struct xnm_engine {
    struct xnm_policyhandle *force;
    struct xnm_metrics *metrics;
    struct xn_unicode *unicode; /* NULL: not opened yet. A policy stays in force with it. */
    /* The last state that was closed, for the next one: a reload without memory must not end the
     * resolver. */
    struct xnm_state *closed;
    char *conf_path; /* of idn.conf; the host's copy may be gone when a state is closed */
    bool has_good;   /* `good` is the last configuration that was opened without an error */
    struct xnm_config good;
    bool is_good_default; /* `good` is replace_bad_conf's */
};

struct xnm_engine *xnm_engine_new(void)
{
    struct xnm_engine *engine = calloc(1, sizeof *engine);

    if (!engine)
        return NULL;
    engine->force = xnm_policyhandle_new();
    engine->metrics = xnm_metrics_new();
    if (engine->force && engine->metrics)
        return engine;
    xnm_engine_free(engine);
    return NULL;
}

void xnm_engine_free(struct xnm_engine *engine)
{
    if (!engine)
        return;
    xnm_policyhandle_free(engine->force);
    xnm_metrics_free(engine->metrics);
    xn_unicode_close(engine->unicode);
    if (engine->has_good)
        xnm_config_free(&engine->good);
    free(engine->closed);
    free(engine->conf_path);
    free(engine);
}

/* --- idn.conf --- */

static void forget(char **path)
{
    free(*path);
    *path = NULL;
}

/* Lets the host's options override the configuration. */
static void apply_options(const struct xnm_state_options *options, struct xnm_config *config)
{
    if (options->must_read)
        config->policy.required = XNM_REQUIRED_YES;
    if (options->observes)
        config->policy.mode = XNM_POLICY_LOG_ONLY;
    if (!options->to_host)
        return;
    forget(&config->log_to);
    forget(&config->metrics_file);
}

/* Reads idn.conf. Every error is reported. Returns whether there was none; *config, with what was
 * understood, is the caller's to free in either case. */
static bool read_conf(const struct xnm_state_options *options, struct xnm_config *config)
{
    xnm_config_init(config);
    bool is_missing = options->config_may_be_missing && access(options->config_path, F_OK) != 0 &&
                      errno == ENOENT; /* not an unreadable folder */
    bool good = is_missing || xnm_config_load(config, options->config_path, options->diagnostics);
    apply_options(options, config);
    return good;
}

/* Replaces a configuration with errors: no rules, and no log, because the line with the error may
 * have limited what is logged. The metrics file remains. */
static void replace_bad_conf(struct xnm_config *config)
{
    struct xnm_config none;

    xnm_config_init(&none);
    none.log = XNM_LOG_NONE;
    none.policy.mode = config->policy.mode;
    none.metrics_file = config->metrics_file;
    none.metrics_interval = config->metrics_interval;
    config->metrics_file = NULL;
    xnm_config_free(config);
    *config = none;
}

/* --- metrics --- */

static void report_metrics(struct xnm_state *state, const char *error)
{
    struct xnm_place place = {.file = state->config.metrics_file};

    if (!state->metrics_failed)
        xnm_diagnostics_add(state->options.diagnostics, XNM_ERROR, &place,
                            "metrics cannot be written: %s", error);
    state->metrics_failed = true;
}

char *xnm_state_metrics(const struct xnm_state *state, size_t *len)
{
    struct xnm_metrics_extra extra = {0};

    if (state->log) {
        struct xnm_logwriter_counts counts = xnm_logwriter_counts(state->log);
        extra.written = counts.written;
        extra.lost = counts.lost;
    }
    extra.enforced = !xnm_state_is_log_only(state);
    extra.policy = xnm_policyhandle_enter(state->engine->force, NULL);
    extra.reload = xnm_policyhandle_counts(state->engine->force);
    extra.more = state->options.more;
    char *text = xnm_metrics_text(state->engine->metrics, &extra, len);
    xnm_policyhandle_leave();
    return text;
}

static void write_metrics(void *arg)
{
    struct xnm_state *state = arg;
    const char *error = "out of memory";
    size_t len;
    char *text = xnm_state_metrics(state, &len);
    bool written = text && xnm_metrics_write(state->config.metrics_file, text, len, &error);

    free(text);
    if (written)
        state->metrics_failed = false;
    else
        report_metrics(state, error);
}

static bool start_metrics(struct xnm_state *state)
{
    state->ticker = xnm_ticker_open(state->config.metrics_interval, write_metrics, state);
    if (!state->ticker)
        report_metrics(state, "its thread cannot be started");
    return state->ticker != NULL;
}

static bool open_metrics(struct xnm_state *state)
{
    if (!state->config.metrics_file)
        return true;
    if (!state->options.threads) {
        report_metrics(state, "this Unbound was built without threads");
        return true;
    }
    write_metrics(state);
    return state->options.later || start_metrics(state);
}

/* --- opening --- */

static void report_no_memory(const struct xnm_state_options *options)
{
    struct xnm_place place = {.file = options->config_path};

    xnm_diagnostics_add(options->diagnostics, XNM_ERROR, &place, "out of memory");
}

static bool open_unicode(struct xnm_state *state)
{
    struct xnm_engine *engine = state->engine;
    xn_status status = engine->unicode ? XN_OK : xn_unicode_open(&engine->unicode);
    struct xnm_place place = {.file = "ICU"};
    char fault[XN_UNICODE_FAULT_MAX];

    state->unicode = engine->unicode;
    if (status != XN_OK)
        xnm_diagnostics_add(state->options.diagnostics, XNM_ERROR, &place, "%s",
                            xn_unicode_fault(status, fault));
    return status == XN_OK;
}

static bool is_required(const struct xnm_state *state)
{
    return state->config.policy.required == XNM_REQUIRED_YES;
}

static bool open_log(struct xnm_state *state)
{
    if (state->config.log == XNM_LOG_NONE)
        return true;
    state->log = xnm_logwriter_open(&(struct xnm_logwriter_options){
        .target = state->config.log_to ? state->config.log_to : state->options.log_to,
        /* if there is no other configuration to fall back to */
        .target_needed = state->is_config_borrowed || (state->is_first && !is_required(state)),
        .host_log = state->options.host_log,
        .diagnostics = state->options.diagnostics,
        .threads = state->options.threads,
        .later = state->options.later,
        .ring_size = state->options.log_ring,
    });
    state->head.logs_all = state->log && state->config.log_names == XNM_LOG_NAMES_ALL;
    return state->log != NULL;
}

/* --- the policy --- */

/* Reads idn.conf after it has changed: for the watcher. */
static bool read_again(void *arg, struct xnm_config *config)
{
    struct xnm_state *state = arg;
    bool good = read_conf(&state->options, config);

    if (!good)
        xnm_config_free(config);
    xnm_metrics_count_reload(state->engine->metrics, good);
    return good;
}

static void set_head(struct xnm_state *state, const struct xnm_config *config)
{
    state->head.is_log_only = config->policy.mode == XNM_POLICY_LOG_ONLY;
    if (config->policy.file_count > 0)
        state->head.has_policy = true; /* from now on, even if none is in force */
}

static void take_config(void *arg, const struct xnm_config *config)
{
    struct xnm_state *state = arg;
    bool had_policy = xnm_state_has_policy(state);

    set_head(state, config);
    state->is_conf_bad = false;
    if (!had_policy && xnm_state_has_policy(state) && state->options.got_policy)
        state->options.got_policy(state->options.got_policy_arg);
}

/* Call it after open_log: a published policy stays in force, even if the log then cannot be opened.
 */
static bool open_policy(struct xnm_state *state)
{
    set_head(state, &state->config);
    state->reload = xnm_reload_open(&(struct xnm_reload_options){
        .handle = state->engine->force,
        .config = &state->config,
        .source = {.path = state->options.config_path,
                   .stamp = state->conf_stamp,
                   .bad = state->is_conf_bad,
                   .read = read_again,
                   .take = take_config,
                   .arg = state},
        .unicode = state->unicode,
        .diagnostics = state->options.diagnostics,
        .log = state->options.notices,
        .lacks = state->options.lacks,
        .threads = state->options.threads,
        .later = state->options.later,
        .behind = state->options.behind,
    });
    state->head.forwarders = xnm_forwarders_any(&state->config.client_subnet_from);
    state->head.may_get_policy =
        xnm_state_has_policy(state) ||
        (state->options.threads && state->config.policy.watch == XNM_WATCH_YES);
    return state->reload != NULL;
}

/* Stops threads first, then frees what they used. */
static void close_parts(struct xnm_state *state)
{
    bool had_metrics = state->ticker != NULL;

    xnm_reload_close(state->reload);
    state->reload = NULL;
    xnm_ticker_close(state->ticker);
    state->ticker = NULL;
    struct xnm_logwriter_counts counts = xnm_logwriter_close(state->log);
    state->log = NULL;
    state->head.logs_all = false;
    xnm_metrics_add_lines(state->engine->metrics, counts.written, counts.lost);
    if (had_metrics)
        write_metrics(state);
    state->unicode = NULL;
    if (state->is_config_borrowed)
        xnm_config_init(&state->config);
    else
        xnm_config_free(&state->config);
    state->is_config_borrowed = false;
}

static bool open_parts(struct xnm_state *state)
{
    return open_unicode(state) && open_log(state) && open_policy(state) && open_metrics(state);
}

/* Returns whether there is a configuration to open. */
static bool read_config(struct xnm_state *state)
{
    state->conf_stamp = xnm_stamp_of(state->options.config_path);
    if (read_conf(&state->options, &state->config))
        return true;
    if (!state->is_first || is_required(state))
        return false;
    replace_bad_conf(&state->config);
    state->is_conf_bad = true;
    return true;
}

/* Keeps a copy of the configuration that was opened, to which a later reload can fall back. */
static bool keep_as_last_good(struct xnm_state *state)
{
    struct xnm_engine *engine = state->engine;
    struct xnm_config copy;

    if (!xnm_config_copy(&state->config, &copy)) {
        report_no_memory(&state->options);
        return false;
    }
    if (engine->has_good)
        xnm_config_free(&engine->good);
    engine->good = copy;
    engine->has_good = true;
    engine->is_good_default = state->is_conf_bad;
    return true;
}

static void borrow_last_good(struct xnm_state *state)
{
    state->config = state->engine->good;
    state->is_config_borrowed = true;
    state->is_conf_bad = state->engine->is_good_default;
}

static void reopen_last_good(struct xnm_state *state)
{
    struct xnm_place place = {.file = state->options.config_path};

    xnm_diagnostics_add(state->options.diagnostics, XNM_ERROR, &place,
                        "the configuration that was in force before stays in force");
    borrow_last_good(state);
    if (open_parts(state))
        return;
    close_parts(state);
    xnm_diagnostics_add(state->options.diagnostics, XNM_ERROR, &place,
                        "nothing is logged until a reload");
    borrow_last_good(state);
    if (open_unicode(state)) { /* policy and metrics go on without a log */
        open_policy(state);
        open_metrics(state);
    }
}

static atomic_uint_fast64_t states; /* opened so far */

/* Copies the path for this state. Without memory a reload goes on with the path of the last one.
 * Returns false if there is none. */
static bool keep_path(struct xnm_engine *engine, const char *path)
{
    if (engine->conf_path && strcmp(engine->conf_path, path) == 0)
        return true;
    char *copy = strdup(path);
    if (copy) {
        free(engine->conf_path);
        engine->conf_path = copy;
    }
    return engine->conf_path != NULL;
}

struct xnm_state *xnm_state_open(const struct xnm_state_options *options)
{
    struct xnm_engine *engine = options->engine;
    bool is_reload = engine && engine->has_good;
    struct xnm_state *state = engine && engine->closed ? engine->closed : calloc(1, sizeof *state);

    if (!engine || !state || !keep_path(engine, options->config_path)) {
        report_no_memory(options);
        if (!engine || state != engine->closed)
            free(state);
        return NULL;
    }
    engine->closed = NULL;
    *state = (struct xnm_state){.head.force = engine->force,
                                .options = *options,
                                .engine = engine,
                                .number = ++states,
                                .is_first = !is_reload};
    state->options.config_path = engine->conf_path;
    if (read_config(state) && open_parts(state) && keep_as_last_good(state)) {
        if (is_reload)
            xnm_metrics_count_reload(engine->metrics, true);
        return state;
    }
    close_parts(state);
    if (!is_reload) {
        free(state);
        return NULL;
    }
    xnm_metrics_count_reload(engine->metrics, false);
    reopen_last_good(state);
    return state;
}

void xnm_state_start(struct xnm_state *state)
{
    if (state->log)
        xnm_logwriter_start(state->log);
    if (state->reload)
        xnm_reload_start(state->reload);
    if (state->config.metrics_file && state->options.threads && !state->ticker)
        start_metrics(state);
}

/* The last good configuration includes what the watcher has read from idn.conf since; without
 * memory it is that of the start. */
void xnm_state_close(struct xnm_state *state)
{
    struct xnm_config last;
    bool has_last = false;

    if (!state)
        return;
    struct xnm_engine *engine = state->engine;
    if (state->reload && engine->has_good) {
        xnm_reload_stop(state->reload);
        has_last = xnm_config_copy(xnm_reload_config(state->reload), &last);
    }
    close_parts(state);
    if (has_last) {
        xnm_config_free(&engine->good);
        engine->good = last;
        engine->is_good_default = state->is_conf_bad;
    }
    free(engine->closed);
    engine->closed = state;
}

/* --- replies --- */

const struct xnm_config *xnm_state_config(const struct xnm_state *state)
{
    return &state->config;
}

static bool counts(const struct xnm_state *state)
{
    return state->ticker || state->options.counts;
}

bool xnm_state_wants_replies(const struct xnm_state *state)
{
    return xnm_state_logs_replies(state) || xnm_state_has_policy(state);
}

bool xnm_state_logs_replies(const struct xnm_state *state)
{
    return state->log || counts(state);
}

static bool logs(const struct xnm_state *state, const struct xnm_reply *reply)
{
    return state->log && xnm_logline_wanted(&state->config, reply);
}

/* If false, ICU may be closed. */
bool xnm_state_logs_by_name(const struct xnm_state *state, const struct xnm_reply *reply)
{
    return logs(state, reply) || counts(state);
}

bool xnm_state_wants_name(const struct xnm_state *state, const uint8_t *qname, size_t qname_len)
{
    const struct xnm_reply reply = {.qname = qname, .qname_len = qname_len};

    return state->config.metrics_file || logs(state, &reply);
}

void xnm_state_log(struct xnm_state *state, const struct xnm_reply *reply)
{
    struct xnm_log log = {&state->config, state->unicode, state->log, state->number, false};
    bool is_logged = logs(state, reply);
    struct xnm_namecache_entry *known = NULL;
    struct xn_name name;

    if (reply->match)
        xnm_match_count(reply->match);
    if (xn_name_split(reply->qname, reply->qname_len, &name) != XN_OK)
        return; /* hosts pass only valid names */
    if (name.ace_count > 0) {
        log.is_checked = !reply->match && xnm_policy_decides_class(reply->qclass) &&
                         xnm_policyhandle_protects(state->engine->force);
        known = xnm_log_read(&log, reply, is_logged, &name);
    }
    if (counts(state))
        xnm_metrics_count_reply(state->engine->metrics, reply,
                                name.ace_count > 0 ? &name.reasons : NULL);
    if (is_logged)
        xnm_log_reply(&log, reply, &name, known);
}

void xnm_state_count_withheld(struct xnm_state *state)
{
    xnm_metrics_count_withheld(state->engine->metrics);
}

void xnm_state_reply(struct xnm_state *state, const struct xnm_reply *reply)
{
    if (xnm_state_logs_reply(state, reply))
        xnm_state_log(state, reply);
    else if (reply->match)
        xnm_match_count(reply->match);
}

size_t xnm_state_memory(const struct xnm_state *state)
{
    return sizeof *state;
}
