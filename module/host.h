/* SPDX-License-Identifier: BSD-3-Clause */
/* Everything that touches Unbound's structs. A difference between versions is one function of
 * host.c. */
#ifndef XNM_MODULE_HOST_H
#define XNM_MODULE_HOST_H

#include "module/reply.h"
#include "module/report.h"

struct comm_reply;
struct module_env;
struct module_qstate;
struct query_info;
struct reply_info;

/* The four lists of reply callbacks, which say where an answer came from. */
typedef enum { XNM_FROM_RESOLUTION, XNM_FROM_CACHE, XNM_FROM_LOCAL, XNM_FROM_FAILURE } xnm_origin;

/* What Unbound gives a reply callback, as it is. Any pointer may be NULL. */
struct xnm_host_call {
    xnm_origin origin;
    struct query_info *qinfo;
    struct module_qstate *qstate;
    struct reply_info *rep;
    int rcode;
    struct comm_reply *repinfo;
    struct timeval *start_time;
};

/* Is the daemon that loads this module the very build it was made for? Reads nothing of Unbound's
 * structs, whose layout is not known before: it compares build ids. If not, says so in one line of
 * the log. */
bool xnm_host_fits(void);

/* The configuration file's path: the first dynlib-file behind those of the "dynlib" modules, else
 * $UNBOUND_IDN_CONF, else the default (*is_default: it may be missing). Borrowed from Unbound's
 * configuration or the environment: copy it. */
const char *xnm_host_config_path(const struct module_env *env, bool *is_default);

/* Registers the four reply callbacks of module.c for this module. False: no memory; Unbound has
 * logged it. */
bool xnm_host_register(struct module_env *env, int id, void *state);
void xnm_host_unregister(struct module_env *env, int id);

/* What a module's state hangs on, from init to deinit. */
void xnm_host_set_state(struct module_env *env, int id, void *state);
void *xnm_host_state(const struct module_env *env, int id);

/* Fills *reply from a callback's arguments. False where there is no client to tell of: an internal
 * lookup, or a query without a name. The pointers in *reply are valid as long as the callback's
 * arguments. */
bool xnm_host_read_reply(const struct xnm_host_call *call, struct xnm_reply *reply);

/* Passes a query on to the next module, and its answer back. */
void xnm_host_pass_on(struct module_qstate *qstate, int event, int id);

/* Are Unbound's workers threads? Built without pthreads they are processes, forked after init: a
 * thread made there would not be in them. */
bool xnm_host_has_threads(void);

/* Unbound's log; may be called by any thread. */
void xnm_host_log(const char *line, size_t len);
extern const struct xnm_reporter xnm_host_reporter;

#endif
