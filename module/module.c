/* SPDX-License-Identifier: BSD-3-Clause */
/* What Unbound calls: six entry points and the reply callbacks. */
#include <config.h>

#include "module/module.h"

#include "core/name.h"
#include "module/config.h"
#include "module/host.h"
#include "module/logline.h"
#include "module/logwriter.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The six names that Unbound looks up. Its headers declare none of them. */
EXPORT int init(struct module_env *env, int id);
EXPORT void deinit(struct module_env *env, int id);
EXPORT void operate(struct module_qstate *qstate, enum module_ev event, int id,
                    struct outbound_entry *outbound);
EXPORT void inform_super(struct module_qstate *qstate, int id, struct module_qstate *super);
EXPORT void clear(struct module_qstate *qstate, int id);
EXPORT size_t get_mem(struct module_env *env, int id);

/* One for each init; read by all threads, changed by none. */
struct module_state {
    struct xnm_config config;
    struct xn_unicode *unicode;
    struct xnm_logwriter *log;
};

static void close_state(struct module_state *state)
{
    if (!state)
        return;
    xnm_logwriter_close(state->log);
    xn_unicode_close(state->unicode);
    xnm_config_free(&state->config);
    free(state);
}

/* Without a file at the default place every key has its default. */
static bool read_config(struct module_state *state, const struct module_env *env)
{
    bool is_default;
    const char *path = xnm_host_config_path(env, &is_default);

    xnm_config_init(&state->config);
    if (is_default && access(path, F_OK) != 0)
        return true;
    return xnm_config_load(&state->config, path, &xnm_host_reporter);
}

static bool open_unicode(struct module_state *state)
{
    xn_status status = xn_unicode_open(&state->unicode);

    if (status == XN_OK)
        return true;
    xnm_report(&xnm_host_reporter, XNM_ERROR, &(struct xnm_place){.file = "ICU"}, "%s",
               xn_status_text(status));
    return false;
}

static bool open_log(struct module_state *state)
{
    if (state->config.log == XNM_LOG_NONE)
        return true;
    state->log = xnm_logwriter_open(&(struct xnm_logwriter_options){
        .target = state->config.log_to,
        .host_log = xnm_host_log,
        .reporter = &xnm_host_reporter,
        .threads = xnm_host_has_threads(),
    });
    return state->log != NULL;
}

int init(struct module_env *env, int id)
{
    if (!xnm_host_fits())
        return 0;
    struct module_state *state = calloc(1, sizeof *state);
    if (!state)
        return 0;
    if (!read_config(state, env) || !open_unicode(state) || !open_log(state) ||
        !xnm_host_register(env, id, state)) {
        close_state(state);
        return 0;
    }
    xnm_host_set_state(env, id, state);
    return 1;
}

void deinit(struct module_env *env, int id)
{
    xnm_host_unregister(env, id);
    close_state(xnm_host_state(env, id));
    xnm_host_set_state(env, id, NULL);
}

void operate(struct module_qstate *qstate, enum module_ev event, int id,
             struct outbound_entry *outbound)
{
    (void)outbound;
    xnm_host_pass_on(qstate, event, id);
}

void inform_super(struct module_qstate *qstate, int id, struct module_qstate *super)
{
    (void)qstate, (void)id, (void)super;
}

void clear(struct module_qstate *qstate, int id)
{
    (void)qstate, (void)id;
}

size_t get_mem(struct module_env *env, int id)
{
    struct module_state *state = xnm_host_state(env, id);
    return state ? sizeof *state : 0;
}

static void write_line(struct module_state *state, const struct xnm_host_call *call)
{
    struct xnm_reply reply;
    struct xn_name name;
    char line[XNM_LOGLINE_MAX + 1];
    size_t len = 0;
    xn_reasons shown = state->config.show_emoji ? xn_reason_bit(XN_EMOJI) : 0;

    if (!state->log || !xnm_host_read_reply(call, &reply))
        return;
    if (xn_name_read(state->unicode, reply.qname, reply.qname_len, shown, &name) != XN_OK ||
        !xnm_logline_wanted(&state->config, &name))
        return;
    if (xnm_logwriter_needs_time(state->log))
        len = xnm_logline_time(&reply.when, line);
    len += xnm_logline_text(&state->config, &reply, &name, line + len);
    xnm_logwriter_write(state->log, line, len);
}

/* Unbound passes the argument given at registration last, and ignores the result. */
#define REPLY_CALLBACK(function, origin)                                                           \
    int function(struct query_info *qinfo, struct module_qstate *qstate, struct reply_info *rep,   \
                 int rcode, struct edns_data *edns, struct edns_option **opt_list_out,             \
                 struct comm_reply *repinfo, struct regional *region, struct timeval *start_time,  \
                 int id, void *state)                                                              \
    {                                                                                              \
        (void)edns, (void)opt_list_out, (void)region, (void)id;                                    \
        write_line(state, &(struct xnm_host_call){(origin), qinfo, qstate, rep, rcode, repinfo,    \
                                                  start_time});                                    \
        return 1;                                                                                  \
    }

REPLY_CALLBACK(xnm_on_reply, XNM_FROM_RESOLUTION)
REPLY_CALLBACK(xnm_on_reply_cache, XNM_FROM_CACHE)
REPLY_CALLBACK(xnm_on_reply_local, XNM_FROM_LOCAL)
REPLY_CALLBACK(xnm_on_reply_servfail, XNM_FROM_FAILURE)
