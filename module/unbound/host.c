/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/host.h"

#include "core/wire/walk.h"
#include "module/base/buildid.h"
#include "module/base/order.h"
#include "module/config/config.h"
#include "module/unbound/alias.h"
#include "module/unbound/message.h"
#include "module/unbound/module.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <dynlibmod/dynlibmod.h>
#include <services/cache/dns.h>
#include <services/localzone.h>
#include <services/mesh.h>
#include <services/modstack.h>
#include <sldns/parseutil.h>
#include <sldns/rrdef.h>
#include <sldns/sbuffer.h>
#include <sldns/wire2str.h>
#include <util/config_file.h>
#include <util/data/msgparse.h>
#include <util/data/msgreply.h>
#include <util/log.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/netevent.h>

enum { DNS_HEADER_LEN = 12 };

/* --- is it our daemon? --- */

/* unbound-idn, too, looks for it in the file, and both must go by the same text: volatile, or
 * compilers make numbers of it. */
static const char marker[] = XNM_BUILD_ID_MARKER XNM_UNBOUND_BUILD_ID;
static const char *const volatile marked = marker;

/* Compares the build id, not version and configure line: Debian's security updates have changed the
 * layout of structs with both unchanged (CVE-2024-33655). */
bool xnm_host_fits(void)
{
    const char *wanted_id = marked + strlen(XNM_BUILD_ID_MARKER);
    struct xnm_build_id id;

    xnm_build_id_of_program(&id);
    if (strcmp(id.hex, wanted_id) == 0)
        return true;
    log_err("idn: this module was made for " PACKAGE_STRING
            " with build id %s, but this daemon's is %s: install the module that was made for this "
            "daemon",
            wanted_id, id.hex);
    return false;
}

/* --- configuration and registration --- */

const char *xnm_host_config_path(const struct module_env *env, bool *is_default)
{
    const struct config_strlist *file = env->cfg->dynlib_file;
    const char *from_environment = getenv("UNBOUND_IDN_CONF");

    *is_default = false;
    for (size_t modules = xnm_order_dynlib_count(env->cfg->module_conf); file && modules > 0;
         modules--)
        file = file->next;
    if (file && file->str && file->str[0])
        return file->str;
    if (from_environment && from_environment[0])
        return from_environment;
    *is_default = true;
    return XNM_CONFIG_DEFAULT_PATH;
}

bool xnm_host_order_fits(const struct module_env *env, int id)
{
    size_t len;
    const char *cache = xnm_order_cache_before(env->cfg->module_conf, (size_t)id, &len);

    if (cache)
        log_err("idn: module-config: \"%s\": %.*s stands before dynlib and would cache what the "
                "policy answers: put dynlib first",
                env->cfg->module_conf, (int)len, cache);
    return !cache;
}

void xnm_host_report_second(const struct module_env *env)
{
    log_err("idn: module-config: \"%s\": loads the same idn.so twice: expected one dynlib, and one "
            "dynlib-file, for it",
            env->cfg->module_conf);
}

static struct dynlibmod_env *dynlib_env(const struct module_env *env, int id)
{
    return env->modinfo[id];
}

typedef void any_function(void);

static const struct {
    enum inplace_cb_list_type list;
    any_function *callback;
} callbacks[] = {
    {inplace_cb_reply, (any_function *)xnm_on_reply},
    {inplace_cb_reply_cache, (any_function *)xnm_on_reply_cache},
    {inplace_cb_reply_local, (any_function *)xnm_on_reply_local},
    {inplace_cb_reply_servfail, (any_function *)xnm_on_reply_servfail},
    {inplace_cb_query, (any_function *)xnm_on_query},
    {inplace_cb_query_response, (any_function *)xnm_on_response},
};
enum { CALLBACK_COUNT = sizeof callbacks / sizeof *callbacks };

/* dynlib's wrapper takes a function as void *, which POSIX allows but ISO C does not. */
static void *as_object(any_function *callback)
{
    union {
        any_function *callback;
        void *object;
    } both = {callback};

    return both.object;
}

/* Registers through dynlib's wrapper: Unbound exits if it meets a callback that is not on its list.
 */
bool xnm_host_register(struct module_env *env, int id, void *state)
{
    for (size_t i = 0; i < CALLBACK_COUNT; i++) {
        if (!dynlib_env(env, id)->inplace_cb_register_wrapped(as_object(callbacks[i].callback),
                                                              callbacks[i].list, state, env, id)) {
            xnm_host_unregister(env, id);
            return false;
        }
    }
    return true;
}

void xnm_host_unregister(struct module_env *env, int id)
{
    for (size_t i = 0; i < CALLBACK_COUNT; i++)
        dynlib_env(env, id)->inplace_cb_delete_wrapped(env, callbacks[i].list, id);
}

void xnm_host_set_state(struct module_env *env, int id, void *state)
{
    dynlib_env(env, id)->dyn_env = state;
}

void *xnm_host_state(const struct module_env *env, int id)
{
    return dynlib_env(env, id)->dyn_env;
}

/* --- replies --- */

/* Returns the rcode that will be on the wire. The argument is right in two of the lists only: for
 * resolution it is always 0, for the cache the flags of the query. Bits above the low four are
 * Unbound's own (BIT_TC). */
static int wire_rcode(const struct xnm_host_call *call)
{
    int argument = call->rcode & 0xF;
    int answer = call->rep ? FLAGS_GET_RCODE(call->rep->flags) : argument;

    switch (call->origin) {
    case XNM_FROM_FAILURE:
        return LDNS_RCODE_SERVFAIL;
    case XNM_FROM_LOCAL:
        return argument;
    case XNM_FROM_CACHE:
        return answer;
    case XNM_FROM_RESOLUTION:
        break;
    }
    return argument || call->rcode & BIT_TC ? argument : answer;
}

/* It is not the query's own answer. */
bool xnm_host_is_expired(const struct xnm_host_call *call)
{
    const struct dns_msg *message = call->qstate ? call->qstate->return_msg : NULL;

    return call->origin == XNM_FROM_RESOLUTION && call->rep &&
           call->rep != (message ? message->rep : NULL);
}

/* A bogus answer in the cache is refused through the list of failures, without a query state. */
static bool is_from_cache(const struct xnm_host_call *call)
{
    return call->origin == XNM_FROM_CACHE || (call->origin == XNM_FROM_FAILURE && !call->qstate) ||
           xnm_host_is_expired(call);
}

static xnm_transport transport_of(const struct comm_point *point)
{
    switch (point->type) {
    case comm_http:
        return XNM_TRANSPORT_DOH;
    case comm_tcp:
        return point->ssl ? XNM_TRANSPORT_DOT : XNM_TRANSPORT_TCP;
#if XNM_UNBOUND_VERSION >= 12200
    case comm_doq:
        return XNM_TRANSPORT_DOQ;
#endif
    default:
        return XNM_TRANSPORT_UDP;
    }
}

/* The waiting client that a mesh callback is about; NULL: none. Its comm_reply and its start time
 * are then members of one struct mesh_reply. In one call they are not (no memory for a new client);
 * the distance between them tells. */
static const struct mesh_reply *mesh_reply_of(const struct xnm_host_call *call)
{
    const char *repinfo = (const char *)call->repinfo, *start_time = (const char *)call->start_time;
    const ptrdiff_t distance = (ptrdiff_t)offsetof(struct mesh_reply, start_time) -
                               (ptrdiff_t)offsetof(struct mesh_reply, query_reply);

    if (!call->qstate || (uintptr_t)start_time - (uintptr_t)repinfo != (uintptr_t)distance)
        return NULL;
    return (const void *)(repinfo - offsetof(struct mesh_reply, query_reply));
}

/* In the mesh the connection's buffer is shared scratch space; elsewhere it still holds the query.
 */
static uint16_t message_id(const struct xnm_host_call *call)
{
    const struct mesh_reply *waiting = mesh_reply_of(call);
    struct sldns_buffer *query = call->repinfo->c->buffer;

    if (waiting)
        return ntohs(waiting->qid);
    return query && sldns_buffer_limit(query) >= DNS_HEADER_LEN ? sldns_buffer_read_u16_at(query, 0)
                                                                : 0;
}

/* Queries such as version.bind come without a query_info. Reads the question from the query, which
 * Unbound has already checked. */
static bool read_question_from_buffer(struct sldns_buffer *query, struct xnm_reply *reply)
{
    const uint8_t *name = sldns_buffer_begin(query) + DNS_HEADER_LEN;
    size_t limit = sldns_buffer_limit(query);
    size_t len = limit > DNS_HEADER_LEN ? xnm_wirename_len(name, limit - DNS_HEADER_LEN) : 0;

    if (len == 0 || DNS_HEADER_LEN + len + 4 > limit)
        return false;
    reply->qname = name;
    reply->qname_len = len;
    reply->qtype = sldns_read_uint16(name + len);
    reply->qclass = sldns_read_uint16(name + len + 2);
    return true;
}

bool xnm_host_has_client(const struct xnm_host_call *call)
{
    return call->repinfo && call->repinfo->c;
}

/* If a local-zone or RPZ alias was applied, qname is its target, and the client's own name is the
 * alias's owner. */
bool xnm_host_read_question(const struct xnm_host_call *call, struct xnm_reply *reply)
{
    const struct query_info *qinfo = call->qinfo;

    if (!xnm_host_has_client(call))
        return false;
    if (!qinfo)
        return call->repinfo->c->buffer &&
               read_question_from_buffer(call->repinfo->c->buffer, reply);
    if (!qinfo->qname)
        return false;
    reply->qname = qinfo->qname;
    reply->qname_len = qinfo->qname_len;
    if (qinfo->local_alias && qinfo->local_alias->rrset) {
        reply->qname = qinfo->local_alias->rrset->rk.dname;
        reply->qname_len = qinfo->local_alias->rrset->rk.dname_len;
    }
    reply->qtype = qinfo->qtype;
    reply->qclass = qinfo->qclass;
    return true;
}

/* The first entry is the right one for almost all queries: IN, NOERROR. */
static const char *find_name(sldns_lookup_table *table, int id)
{
    if (table->id == id)
        return table->name;
    const sldns_lookup_table *row = sldns_lookup_by_id(table, id);
    return row ? row->name : NULL;
}

/* If the clock was set back while the query waited, the result must not be huge. */
static uint64_t elapsed_us(const struct timeval *start, const struct timespec *now)
{
    int64_t us =
        ((int64_t)now->tv_sec - start->tv_sec) * 1000000 + now->tv_nsec / 1000 - start->tv_usec;
    return us > 0 ? (uint64_t)us : 0;
}

void xnm_host_read_answer(const struct xnm_host_call *call, struct xnm_reply *reply)
{
    clock_gettime(CLOCK_REALTIME, &reply->when);
    reply->client = &call->repinfo->client_addr;
    reply->type_name = sldns_rr_descript(reply->qtype)->_name;
    reply->class_name = find_name(sldns_rr_classes, reply->qclass);
    reply->rcode = wire_rcode(call);
    reply->rcode_name = find_name(sldns_rcodes, reply->rcode);
    reply->elapsed_us = call->start_time ? elapsed_us(call->start_time, &reply->when) : 0;
    reply->cached = is_from_cache(call);
    reply->observed = false;
    reply->id = message_id(call);
    reply->transport = transport_of(call->repinfo->c);
}

/* --- queries and the log --- */

void xnm_host_pass_on(struct module_qstate *qstate, int event, int id)
{
    switch (event) {
    case module_event_new:
    case module_event_pass:
        qstate->ext_state[id] = module_wait_module;
        break;
    case module_event_moddone:
        qstate->ext_state[id] = module_finished;
        break;
    default:
        qstate->ext_state[id] = module_error;
        break;
    }
}

/* Unbound sends module_event_new only to the first module. All later modules get module_event_pass,
 * and so do sub-queries. dns64 goes by this: for a sub-query it does nothing of its own. */
void xnm_host_begin_next(struct module_qstate *qstate, int id)
{
    const struct module_stack *modules = &qstate->env->mesh->mods;
    const int next = id + 1;

    if (qstate->ext_state[id] != module_wait_module || next >= modules->num)
        return;
    qstate->curmod = next;
    modules->mod[next]->operate(qstate, module_event_new, next, NULL);
}

bool xnm_host_is_waited_for(const struct module_qstate *qstate)
{
    return qstate->mesh_info->super_set.count > 0 || xnm_host_has_callbacks(qstate);
}

bool xnm_host_has_callbacks(const struct module_qstate *qstate)
{
    return qstate->mesh_info->cb_list;
}

/* Unbound sends them again later, when no clients are left. The callbacks stay out of it, and are
 * then counted again, as mesh_new_callback counts them. */
void xnm_host_send_replies(struct module_qstate *qstate)
{
    struct mesh_state *state = qstate->mesh_info;
    struct mesh_cb *waiting = state->cb_list;

    state->cb_list = NULL;
    mesh_query_done(state);
    state->cb_list = waiting;
    if (!waiting)
        return;
    qstate->env->mesh->num_reply_states++;
    if (state->super_set.count == 0)
        qstate->env->mesh->num_detached_states--;
}

#if XNM_UNBOUND_VERSION >= 12500
static int attach_sub(struct module_qstate *qstate, struct query_info *info, uint16_t flags,
                      struct module_qstate **sub)
{
    return mesh_attach_sub(qstate, info, NULL, flags, 0, 0, sub);
}
#else
static int attach_sub(struct module_qstate *qstate, struct query_info *info, uint16_t flags,
                      struct module_qstate **sub)
{
    return mesh_attach_sub(qstate, info, flags, 0, 0, sub);
}
#endif

bool xnm_host_attach_sub(struct module_qstate *qstate, struct query_info *info)
{
    struct module_qstate *sub;

    return attach_sub(qstate, info, BIT_RD | (qstate->query_flags & BIT_CD), &sub);
}

bool xnm_host_has_passed(time_t ttl, time_t now)
{
#ifdef TTL_IS_EXPIRED
    return TTL_IS_EXPIRED(ttl, now);
#else
    return ttl < now;
#endif
}

/* pside is always 0. */
#if XNM_UNBOUND_VERSION >= 12300
static void store(struct module_qstate *qstate, struct query_info *info, struct reply_info *rep,
                  bool is_referral, time_t leeway, uint32_t flags)
{
    dns_cache_store(qstate->env, info, rep, is_referral, leeway, 0, NULL, flags, qstate->qstarttime,
                    qstate->is_valrec);
}
#else
static void store(struct module_qstate *qstate, struct query_info *info, struct reply_info *rep,
                  bool is_referral, time_t leeway, uint32_t flags)
{
    dns_cache_store(qstate->env, info, rep, is_referral, leeway, 0, NULL, flags,
                    qstate->qstarttime);
}
#endif

void xnm_host_store_as_they_are(struct module_qstate *qstate, struct dns_msg *message)
{
    store(qstate, &message->qinfo, message->rep, true, 0, 0);
}

/* Stores them like Unbound stores a referral. A server that does not answer for its zone may be
 * lame, which is not checked yet; a forwarder is exempt. */
void xnm_host_store_records(struct module_qstate *qstate, struct dns_msg *message)
{
    if (message->rep->an_numrrsets == 0 ||
        !(message->rep->flags & BIT_AA || xnm_alias_is_forwarded(qstate)))
        return;
    xnm_alias_renew(qstate->env, message->rep);
    xnm_host_store_as_they_are(qstate, message);
}

/* Stores it like the validator does. */
void xnm_host_store_answer(struct module_qstate *qstate)
{
    struct dns_msg *message = qstate->return_msg;

    if (qstate->return_rcode == LDNS_RCODE_NOERROR && message && message->rep &&
        !xnm_message_is_bogus(message->rep) &&
        FLAGS_GET_RCODE(message->rep->flags) != LDNS_RCODE_SERVFAIL)
        store(qstate, &qstate->qinfo, message->rep, false, qstate->prefetch_leeway,
              qstate->query_flags);
}

bool xnm_host_has_threads(void)
{
#ifdef HAVE_PTHREAD
    return true;
#else
    return false;
#endif
}

static void write_log(void *arg, const char *line, size_t len)
{
    (void)arg;
    log_info("%.*s", (int)len, line);
}

const struct xnm_log_sink xnm_host_log = {.write = write_log};

static void report_to_log(void *arg, xnm_severity severity, const struct xnm_place *place,
                          const char *message)
{
    char text[2048];

    (void)arg;
    xnm_diagnostic_text(place, message, text, sizeof text);
    if (severity == XNM_ERROR)
        log_err("idn: %s", text);
    else
        log_warn("idn: %s", text);
}

const struct xnm_diagnostics xnm_host_diagnostics = {report_to_log, NULL};
