/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/reload.h"

#include "module/base/thread.h"
#include "module/file/sources.h"
#include "module/file/writable.h"
#include "module/load/expire.h"
#include "module/load/policyfiles.h"
#include "module/policy/policy.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { AGAIN_LOOKS = 10000 / XNM_RELOAD_LOOK_MS /* ten seconds */ };

#define MISSING "NO RULES ARE IN FORCE: they could not be read, and the resolver runs without them"
#define REPAIR "; correct what the errors above, or 'unbound-idn check', name"

struct xnm_reload {
    struct xnm_reload_options options;
    struct xnm_policyhandle *handle;
    struct xnm_config config;   /* the current content of idn.conf */
    struct xnm_sources sources; /* of the last reading */
    struct xnm_source conf;     /* idn.conf */
    time_t read_at;             /* when the last reading began */
    unsigned
        again; /* looks until files are read again even if they have not changed; 0: they are not */
    unsigned since_reminder; /* looks since the last reminder that no rules are in force */
    bool has_watcher;
    bool has_to_open; /* the watcher opens the policy */
    pthread_t watcher;
    struct xnm_stop stop;
};

/* Returns the policy in force; NULL: none. Only for the thread that publishes. */
static const struct xnm_policy *in_force(const struct xnm_reload *reload)
{
    return xnm_policyhandle_published(reload->handle)->policy;
}

/* --- reporting --- */

static const char *plural(size_t number)
{
    return number == 1 ? "" : "s";
}

__attribute__((format(printf, 2, 3))) static void write_line(const struct xnm_reload *reload,
                                                             const char *format, ...)
{
    char line[256];
    va_list arguments;

    va_start(arguments, format);
    int len = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (len > 0)
        reload->options.log.write(reload->options.log.arg, line,
                                  (size_t)len < sizeof line ? (size_t)len : sizeof line - 1);
}

static bool is_log_only(const struct xnm_reload *reload)
{
    return reload->options.config->policy.mode == XNM_POLICY_LOG_ONLY;
}

/* Returns the mode for a line about the policy in force: log-only always, enforce only after a
 * change. */
static const char *mode_to_report(const struct xnm_reload *reload)
{
    if (!in_force(reload))
        return "";
    if (is_log_only(reload))
        return "; log-only";
    return reload->handle->log_only ? "; enforce" : "";
}

/* Reports the policy in force, with the mode. After the line about a swap, names that the policy
 * refuses are no longer answered. */
static void report(struct xnm_reload *reload, const char *policy)
{
    write_line(reload, "idn: policy: %s%s", policy, mode_to_report(reload));
    reload->handle->log_only = is_log_only(reload);
}

/* Reports a policy-mode that has changed without the policy. */
static void report_mode(struct xnm_reload *reload)
{
    if (is_log_only(reload) != reload->handle->log_only && in_force(reload))
        report(reload, "unchanged");
    reload->handle->log_only = is_log_only(reload);
}

/* --- swapping --- */

static void report_swap(struct xnm_reload *reload, double seconds)
{
    const struct xnm_policy *policy = in_force(reload);
    size_t rules = policy ? xnm_policy_rule_count(policy) : 0;
    size_t names = policy ? xnm_policy_entry_count(policy) : 0;
    char text[192] = "none in force any more";

    if (policy)
        snprintf(text, sizeof text, "%zu rule%s, %zu name%s, %.1f MB, read in %.2f s", rules,
                 plural(rules), names, plural(names), (double)xnm_policy_memory(policy) / 1e6,
                 seconds);
    report(reload, text);
}

static void report_policy(const struct xnm_diagnostics *diagnostics, const char *message)
{
    xnm_diagnostics_add(diagnostics, XNM_ERROR, &(struct xnm_place){.file = "policy"}, "%s",
                        message);
}

/* Puts a policy in force, and takes it over. Returns false when out of memory, and the policy in
 * force stays. */
static bool swap(struct xnm_reload *reload, struct xnm_policy *policy)
{
    if (!xnm_policyhandle_publish(reload->handle, policy)) {
        report_policy(reload->options.diagnostics, "out of memory");
        xnm_policy_free(policy);
        return false;
    }
    return true;
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

/* Warns if others may write to the files. Only at opening, not after each change of a file. */
static void check_writable(const struct xnm_reload *reload)
{
    const struct xnm_config *config = &reload->config;

    for (size_t i = 0; i < config->policy.file_count; i++)
        xnm_writable_check(config->policy.files[i], reload->options.diagnostics);
}

static bool is_stopped(const struct xnm_reload *reload)
{
    return xnm_stop_is_set(&reload->stop.is_set);
}

/* Counts the zones that have expired. Returns whether one of them must be dropped. */
static bool count_expired(struct xnm_reload *reload)
{
    bool due = false;
    size_t expired = xnm_expire_count(in_force(reload), reload->read_at, time(NULL), &due);

    xnm_policyhandle_count_expired(reload->handle, expired);
    return due;
}

/* Reads, publishes and reports the policy. Returns false if that failed, and the policy in force
 * stays. */
static bool load(struct xnm_reload *reload, bool opening)
{
    const struct xnm_reload_options *options = &reload->options;
    const struct xnm_policyfiles_options how = {.config = options->config,
                                                .unicode = options->unicode,
                                                .diagnostics = options->diagnostics,
                                                .counters = reload->handle->counters,
                                                .before = in_force(reload),
                                                .looked = opening ? NULL : &reload->sources,
                                                .stop = &reload->stop.is_set,
                                                .lacks = options->lacks};
    struct xnm_policyfiles read;
    struct timespec start;

    if (is_stopped(reload))
        return false;
    reload->read_at = time(NULL);
    clock_gettime(CLOCK_MONOTONIC, &start);
    bool good = xnm_policyfiles_read(&how, &read), swapped = false;
    if (is_stopped(reload)) {
        xnm_policy_free(read.policy);
        xnm_sources_free(&read.sources);
        return false;
    }
    if (opening)
        check_writable(reload);
    double seconds = seconds_since(&start);
    if (good && (read.policy || in_force(reload))) {
        good = swapped = swap(reload, read.policy);
        read.no_memory = !swapped;
    }
    if (!good && in_force(reload))
        report_policy(options->diagnostics, "the rules that were in force before stay in force");
    xnm_sources_free(&reload->sources);
    reload->sources = read.sources;
    reload->again = read.no_memory ? AGAIN_LOOKS : 0;
    count_expired(reload);
    xnm_policyhandle_count_reading(reload->handle, &read, good);
    if (swapped)
        report_swap(reload, seconds);
    return good;
}

/* --- the watcher --- */

/* Returns whether the files must be read: a file has changed, a zone has expired, or the last
 * reading ran out of memory, which may have missed some sources. */
static bool has_to_read(struct xnm_reload *reload)
{
    bool changed = xnm_sources_look(&reload->sources);

    changed |= count_expired(reload);
    return changed || (reload->again > 0 && --reload->again == 0);
}

static void free_reload(struct xnm_reload *reload)
{
    xnm_sources_free(&reload->sources);
    xnm_config_free(&reload->config);
    xnm_stop_free(&reload->stop);
    free(reload);
}

/* Returns false if there is no policy, although one is required. */
static bool open_policy(struct xnm_reload *reload)
{
    return load(reload, true) || reload->handle->opened ||
           reload->config.policy.required == XNM_REQUIRED_NO;
}

static bool watches(const struct xnm_reload *reload)
{
    return reload->config.policy.watch == XNM_WATCH_YES;
}

static bool is_missing(const struct xnm_reload *reload)
{
    return xnm_policyhandle_counts(reload->handle).missing;
}

/* Reports each minute that there are no rules, since nothing else would show it. */
static void remind(struct xnm_reload *reload)
{
    if (!is_missing(reload)) {
        reload->since_reminder = 0;
        return;
    }
    if (++reload->since_reminder < XNM_RELOAD_REMIND_LOOKS)
        return;
    reload->since_reminder = 0;
    report_policy(reload->options.diagnostics,
                  watches(reload) ? MISSING REPAIR : MISSING "; correct it and reload");
}

/* --- idn.conf --- */

/* Reports the keys that are only applied at a reload. */
static void report_fixed(const struct xnm_reload *reload, const struct xnm_config *config)
{
    struct xnm_place place = {.file = reload->conf.path};
    char list[XNM_CONFIG_LIST_MAX];

    if (*xnm_config_list_fixed(&reload->config, config, list))
        xnm_diagnostics_add(reload->options.diagnostics, XNM_WARNING, &place,
                            "changed, but not in force before a reload or restart: %s", list);
}

/* Exchanges the keys of the policy; those of the log stay as they were opened. */
static void exchange_policy_keys(struct xnm_config *a, struct xnm_config *b)
{
    struct xnm_config_policy policy = a->policy;

    a->policy = b->policy;
    b->policy = policy;
}

/* Reads idn.conf again, and then the policy. */
static void read_config(struct xnm_reload *reload)
{
    const struct xnm_reload_source *source = &reload->options.source;
    struct xnm_place place = {.file = reload->conf.path};
    struct xnm_config config;

    reload->conf.read = reload->conf.found;
    if (!source->read(source->arg, &config)) {
        xnm_diagnostics_add(reload->options.diagnostics, XNM_ERROR, &place,
                            "the configuration that was in force before stays in force");
        return;
    }
    report_fixed(reload, &config);
    exchange_policy_keys(&reload->config, &config);
    xnm_config_free(&config);
    source->take(source->arg, &reload->config);
    load(reload, true);
    report_mode(reload);
}

static bool has_config_changed(struct xnm_reload *reload)
{
    struct xnm_sources conf = {.files = &reload->conf, .count = 1};

    return reload->options.source.path && xnm_sources_look(&conf);
}

/* --- looking --- */

static void look(struct xnm_reload *reload)
{
    if (watches(reload) && has_config_changed(reload))
        read_config(reload);
    if (watches(reload) && has_to_read(reload))
        load(reload, false);
    remind(reload);
}

static void *watch(void *arg)
{
    struct xnm_reload *reload = arg;
    const struct xnm_reload_options *options = &reload->options;

    if (reload->has_to_open && open_policy(reload) && !xnm_stop_is_set(&reload->stop.is_set))
        report_mode(reload);
    while (!xnm_stop_wait(&reload->stop, options->look_ms))
        look(reload);
    return NULL;
}

static bool has_work_for_watcher(const struct xnm_reload *reload)
{
    bool has_files = reload->options.source.path || reload->config.policy.file_count > 0;

    return reload->options.threads &&
           (reload->has_to_open || is_missing(reload) || (watches(reload) && has_files));
}

void xnm_reload_start(struct xnm_reload *reload)
{
    if (reload->has_watcher || !has_work_for_watcher(reload))
        return;
    reload->has_watcher = xnm_thread_start(&reload->watcher, watch, reload);
    if (!reload->has_watcher)
        report_policy(reload->options.diagnostics,
                      "the thread that watches its files cannot be started");
}

/* --- opening --- */

/* Returns the default, unless the environment sets another one. */
static unsigned default_look_ms(void)
{
    enum { MAX_MS = 1000 };
    const char *asked = getenv("XN_LOOK_MS");
    unsigned long ms = asked ? strtoul(asked, NULL, 10) : 0;

    return ms > 0 && ms <= MAX_MS ? (unsigned)ms : XNM_RELOAD_LOOK_MS;
}

static struct xnm_reload *new_reload(const struct xnm_reload_options *options)
{
    struct xnm_reload *reload = calloc(1, sizeof *reload);

    if (!reload || !xnm_policyhandle_register_reader() ||
        !xnm_config_copy(options->config, &reload->config) || !xnm_stop_init(&reload->stop)) {
        report_policy(options->diagnostics, "out of memory");
        if (reload)
            xnm_config_free(&reload->config);
        free(reload);
        return NULL;
    }
    reload->handle = options->handle;
    reload->options = *options;
    reload->conf = (struct xnm_source){.path = (char *)options->source.path,
                                       .read = options->source.stamp,
                                       .found = options->source.stamp};
    reload->options.config = &reload->config;
    reload->options.look_ms = options->look_ms ? options->look_ms : default_look_ms();
    return reload;
}

struct xnm_reload *xnm_reload_open(const struct xnm_reload_options *options)
{
    struct xnm_reload *reload = new_reload(options);

    if (!reload)
        return NULL;
    reload->has_to_open =
        options->behind && reload->handle->opened && options->config->policy.file_count > 0;
    if (reload->has_to_open)
        xnm_reload_start(reload);
    if (reload->has_watcher)
        return reload;
    reload->has_to_open = false;
    if (options->source.bad) {
        xnm_policyhandle_count_missing(reload->handle);
    } else if (!open_policy(reload)) {
        free_reload(reload);
        return NULL;
    }
    if (is_missing(reload))
        report_policy(options->diagnostics, MISSING);
    reload->handle->opened = true;
    report_mode(reload);
    if (!options->later)
        xnm_reload_start(reload);
    return reload;
}

void xnm_reload_stop(struct xnm_reload *reload)
{
    if (reload->has_watcher)
        xnm_stop_thread(&reload->stop, reload->watcher);
    reload->has_watcher = false;
}

const struct xnm_config *xnm_reload_config(const struct xnm_reload *reload)
{
    return &reload->config;
}

void xnm_reload_close(struct xnm_reload *reload)
{
    if (!reload)
        return;
    xnm_reload_stop(reload);
    free_reload(reload);
}
