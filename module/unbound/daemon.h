/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and changes Unbound's structs for the rest of the module. Each difference between versions
 * is one function of daemon.c. */
#ifndef XNM_MODULE_UNBOUND_DAEMON_H
#define XNM_MODULE_UNBOUND_DAEMON_H

#include "module/base/diagnostics.h"
#include "module/load/reload.h"

#include <util/module.h>

struct dns_msg;
struct iter_qstate;
struct query_info;
struct reply_info;
struct slabhash;

/* Returns whether the daemon is the very build that this module was made for; if not, logs one
 * line. Compares build ids and reads none of Unbound's structs, whose layout is not yet known. */
bool xnm_daemon_fits(void);

/* Returns the path of the configuration file: the first dynlib-file after those of the "dynlib"
 * modules, else $UNBOUND_IDN_CONF, else the default (*is_default: it may be missing). It borrows
 * Unbound's configuration or the environment: copy it. */
const char *xnm_daemon_config_path(const struct module_env *env, bool *is_default);

/* Writes the module before this one in module-config that would keep a policy's answers; "": none.
 */
void xnm_daemon_cache_before(const struct module_env *env, int id, char *dst, size_t cap);

/* Logs one line: module-config loads the module more than once. */
void xnm_daemon_report_second(const struct module_env *env);

/* The module's callbacks, one for each of Unbound's lists. */
struct xnm_daemon_callbacks {
    inplace_cb_reply_func_type *reply, *reply_cache, *reply_local, *reply_servfail;
    inplace_cb_query_response_func_type *response;
};

/* Registers the callbacks for this module. False: no memory; Unbound has logged it. */
bool xnm_daemon_register(struct module_env *env, int id, void *state,
                         const struct xnm_daemon_callbacks *callbacks);
void xnm_daemon_unregister(struct module_env *env, int id);

/* The module's state, from init to deinit. */
void xnm_daemon_set_state(struct module_env *env, int id, void *state);
void *xnm_daemon_state(const struct module_env *env, int id);

/* Passes a query on to the next module, or its answer back. */
void xnm_daemon_pass_on(struct module_qstate *qstate, int event, int id);

/* Makes the next module begin a query that was passed on, as if this module were not there. Call it
 * last, instead of returning to Unbound. */
void xnm_daemon_begin_next(struct module_qstate *qstate, int id);

/* is_waited_for returns whether Unbound itself waits for this query, by another query or a callback
 * (for the address of a zone transfer's server, for a trust anchor); has_callbacks, whether such a
 * callback waits. send_replies sends the clients' replies before both get their answers. */
bool xnm_daemon_is_waited_for(const struct module_qstate *qstate);
bool xnm_daemon_has_callbacks(const struct module_qstate *qstate);
void xnm_daemon_send_replies(struct module_qstate *qstate);

/* Keeps later clients from joining the query, unless something in Unbound waits for it, too. */
void xnm_daemon_close(struct module_qstate *qstate);

/* Returns the iterator's part of a query; NULL: it has not begun. */
struct iter_qstate *xnm_daemon_iterator(const struct module_qstate *qstate);

/* Returns whether the iterator asks forwarders, which answer for zones that are not theirs. */
bool xnm_daemon_is_forwarded(const struct module_qstate *qstate);

/* sent_subnet returns whether an upstream got the client's subnet: then its answer may be for that
 * alone. forget_subnet keeps the module subnetcache from storing what the query has now, and from
 * asking again without a subnet. */
bool xnm_daemon_sent_subnet(const struct module_qstate *qstate);
void xnm_daemon_forget_subnet(struct module_qstate *qstate);

/* Returns whether the message is in Unbound's message cache, where other threads read it. True also
 * of any message without RRsets. */
bool xnm_daemon_is_cached(const struct reply_info *rep);

/* Returns the code of the extended error that Unbound adds to SERVFAIL for a bogus answer, or
 * LDNS_EDE_NONE. Sets *text to its text, or to NULL if it has none or it is not known yet. qstate
 * is NULL for an answer from the cache. */
int xnm_daemon_bogus_reason(struct module_qstate *qstate, const struct reply_info *rep,
                            const char **text);

/* Makes a cached message useless to every reader, fresh or expired, so that the next query for it
 * is a miss. The caller holds the message's lock for reading. */
void xnm_daemon_disown(struct reply_info *rep);

/* Disowns the messages that the cache has for a query, with CD and without. Waits for no lock: if
 * one is taken, that message stays, and the next hit tries again. */
void xnm_daemon_disown_found(struct slabhash *cache, struct query_info *info);

/* Sets the rcode of a cached message to NOERROR. The caller holds its lock for reading and disowns
 * it. */
void xnm_daemon_clear_rcode(struct reply_info *rep);

/* Starts a lookup of a name, for which this query then waits (RD is set, CD as in the query).
 * False: no memory, or the query would wait for itself. */
bool xnm_daemon_attach_sub(struct module_qstate *qstate, struct query_info *info);

/* Stores the records of an answer from a zone's server or a forwarder, but no message. */
void xnm_daemon_store_records(struct module_qstate *qstate, struct dns_msg *message);

/* Returns whether Unbound's workers are threads. Without pthreads they are processes, forked after
 * init, and a thread made at init would not exist in them. */
bool xnm_daemon_has_threads(void);

/* Writes to Unbound's log. Any thread may call it. */
extern const struct xnm_log_sink xnm_daemon_log;
extern const struct xnm_diagnostics xnm_daemon_diagnostics;

#endif
