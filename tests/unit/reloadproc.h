/* SPDX-License-Identifier: BSD-3-Clause */
/* The policy in force of a process of its own (tests/unit/stateproc.h). */
#ifndef XN_TESTS_UNIT_RELOADPROC_H
#define XN_TESTS_UNIT_RELOADPROC_H

#include "tests/unit/policyfolder.h"

#include <stdatomic.h>

#include "module/load/reload.h"
#include "tests/unit/waiting.h"

enum { LOOK_MS = 5 };

static struct xn_unicode *unicode;
static struct xnm_config config;
static struct xnm_policyhandle *handle;

#define RULES "policy: @/rules\n"

/* --- opening --- */

/* Who may write to the files is another matter, and another for root. */
static inline void keep_error(void *arg, xnm_severity severity, const struct xnm_place *place,
                              const char *message)
{
    if (!strstr(message, "may write to"))
        keep_report(arg, severity, place, message);
}

static const struct xnm_diagnostics error_reporter = {keep_error, NULL};

static inline void configure(const char *lines)
{
    xnm_config_free(&config);
    config = config_of(lines);
}

static inline struct xnm_reload *open_configured(bool threads)
{
    return xnm_reload_open(&(struct xnm_reload_options){.handle = handle,
                                                        .config = &config,
                                                        .unicode = unicode,
                                                        .diagnostics = &error_reporter,
                                                        .log = {keep_host_line, NULL},
                                                        .threads = threads,
                                                        .look_ms = LOOK_MS});
}

static inline struct xnm_reload *open_with_threads(const char *lines, bool threads)
{
    configure(lines);
    host_lines[0] = '\0';
    return open_configured(threads);
}

static inline struct xnm_reload *open_reload(const char *lines)
{
    return open_with_threads(lines, false);
}

/* Opens and closes: what an Unbound without threads does. */
static inline void reopen(const char *lines)
{
    struct xnm_reload *reload = open_reload(lines);

    assert_non_null(reload);
    xnm_reload_close(reload);
}

static inline bool refuses(const char *name)
{
    bool refused = decides(xnm_policyhandle_enter(handle, NULL), name);

    xnm_policyhandle_leave();
    return refused;
}

static inline uint64_t generation(void)
{
    uint64_t number;

    xnm_policyhandle_enter(handle, &number);
    xnm_policyhandle_leave();
    return number;
}

static inline void expect_line(const char *part)
{
    pthread_mutex_lock(&lock);
    bool found = strstr(host_lines, part);
    pthread_mutex_unlock(&lock);
    if (!found)
        print_error("%s\n", host_lines);
    assert_true(found);
}

/* --- waiting --- */

/* Waits until the watcher has looked at the files some twenty times. No event tells of a look that
 * sees nothing new. */
static inline void wait_for_looks(void)
{
    pause_ns(20L * LOOK_MS * 1000000);
}

static inline struct xnm_reload *open_watcher(const char *lines)
{
    struct xnm_reload *reload = open_with_threads(lines, true);

    assert_non_null(reload);
    return reload;
}

/* --- the program --- */

static inline int set_up(void **state)
{
    (void)state;
    assert_int_equal(xn_unicode_open(&unicode), XN_OK);
    xnm_config_init(&config);
    handle = xnm_policyhandle_new();
    assert_non_null(handle);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    xnm_config_free(&config);
    xnm_policyhandle_free(handle);
    xn_unicode_close(unicode);
    empty_folder();
    return 0;
}

#endif
