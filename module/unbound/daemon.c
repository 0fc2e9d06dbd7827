/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/daemon.h"

#include "core/wire/walk.h"
#include "module/base/buildid.h"
#include "module/base/order.h"
#include "module/config/config.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dynlibmod/dynlibmod.h>
#include <edns-subnet/subnetmod.h>
#include <iterator/iterator.h>
#include <services/cache/dns.h>
#include <services/mesh.h>
#include <services/modstack.h>
#include <sldns/rrdef.h>
#include <util/config_file.h>
#include <util/data/msgreply.h>
#include <util/log.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/netevent.h>
#include <util/storage/slabhash.h>

/* --- the daemon's build --- */

/* unbound-idn looks for the same text in the file. Volatile, or compilers would turn it into
 * numbers. */
static const char marker[] = XNM_BUILD_ID_MARKER XNM_UNBOUND_BUILD_ID;
static const char *const volatile marked = marker;

/* Compares the build id, not version and configure line: Debian's security updates have changed the
 * layout of structs with both unchanged (CVE-2024-33655). */
bool xnm_daemon_fits(void)
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

const char *xnm_daemon_config_path(const struct module_env *env, bool *is_default)
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

void xnm_daemon_cache_before(const struct module_env *env, int id, char *dst, size_t cap)
{
    size_t len;
    const char *cache = xnm_order_cache_before(env->cfg->module_conf, (size_t)id, &len);

    snprintf(dst, cap, "%.*s", cache ? (int)len : 0, cache ? cache : "");
}

void xnm_daemon_report_second(const struct module_env *env)
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

enum { CALLBACK_COUNT = 5 };
static const enum inplace_cb_list_type lists[CALLBACK_COUNT] = {
    inplace_cb_reply, inplace_cb_reply_cache, inplace_cb_reply_local, inplace_cb_reply_servfail,
    inplace_cb_query_response};

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
bool xnm_daemon_register(struct module_env *env, int id, void *state,
                         const struct xnm_daemon_callbacks *callbacks)
{
    any_function *const functions[CALLBACK_COUNT] = {
        (any_function *)callbacks->reply, (any_function *)callbacks->reply_cache,
        (any_function *)callbacks->reply_local, (any_function *)callbacks->reply_servfail,
        (any_function *)callbacks->response};

    for (size_t i = 0; i < CALLBACK_COUNT; i++) {
        if (!dynlib_env(env, id)->inplace_cb_register_wrapped(as_object(functions[i]), lists[i],
                                                              state, env, id)) {
            xnm_daemon_unregister(env, id);
            return false;
        }
    }
    return true;
}

void xnm_daemon_unregister(struct module_env *env, int id)
{
    for (size_t i = 0; i < CALLBACK_COUNT; i++)
        dynlib_env(env, id)->inplace_cb_delete_wrapped(env, lists[i], id);
}

void xnm_daemon_set_state(struct module_env *env, int id, void *state)
{
    dynlib_env(env, id)->dyn_env = state;
}

void *xnm_daemon_state(const struct module_env *env, int id)
{
    return dynlib_env(env, id)->dyn_env;
}

/* --- queries and the log --- */

void xnm_daemon_pass_on(struct module_qstate *qstate, int event, int id)
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
void xnm_daemon_begin_next(struct module_qstate *qstate, int id)
{
    const struct module_stack *modules = &qstate->env->mesh->mods;
    const int next = id + 1;

    if (qstate->ext_state[id] != module_wait_module || next >= modules->num)
        return;
    qstate->curmod = next;
    modules->mod[next]->operate(qstate, module_event_new, next, NULL);
}

bool xnm_daemon_is_waited_for(const struct module_qstate *qstate)
{
    return qstate->mesh_info->super_set.count > 0 || xnm_daemon_has_callbacks(qstate);
}

bool xnm_daemon_has_callbacks(const struct module_qstate *qstate)
{
    return qstate->mesh_info->cb_list;
}

/* Unbound sends them again later, when no clients are left. The callbacks stay out of it, and are
 * then counted again, as mesh_new_callback counts them. */
void xnm_daemon_send_replies(struct module_qstate *qstate)
{
    struct mesh_state *state = qstate->mesh_info;
    struct mesh_cb *waiting = state->cb_list;

    state->cb_list = NULL;
    mesh_query_done(state);
    state->cb_list = waiting;
    qstate->qinfo.local_alias = NULL; /* the last client's */
    if (!waiting)
        return;
    qstate->env->mesh->num_reply_states++;
    if (state->super_set.count == 0)
        qstate->env->mesh->num_detached_states--;
}

/* The trees of other queries that hold this one are ordered by `unique`, too, so it may change only
 * while there are none. */
void xnm_daemon_close(struct module_qstate *qstate)
{
    struct mesh_state *state = qstate->mesh_info;
    struct mesh_area *mesh = qstate->env->mesh;

    if (state->unique || !state->reply_list || state->reply_list->next ||
        xnm_daemon_is_waited_for(qstate) || state->sub_set.count > 0)
        return;
    (void)rbtree_delete(&mesh->all, state);
    mesh_state_make_unique(state);
    (void)rbtree_insert(&mesh->all, &state->node);
}

/* --- cached messages --- */

/* In a cached message the RRsets come after the references to them; a message made for one reply
 * has no references (construct_reply_info_base and dns_msg_create, in all versions). Without RRsets
 * both look alike. */
bool xnm_daemon_is_cached(const struct reply_info *rep)
{
    return (const void *)rep->rrsets == (const void *)&rep->ref[rep->rrset_count];
}

/* A message refers to its RRsets by address and id, and is a miss if an id differs. No RRset ever
 * has this id: the upper bits of an id number the thread, the others count from 1. 0 would not do,
 * since it marks an RRset whose memory was returned. Readers hold the same lock for reading,
 * so they see the old or the new value. Without RRsets there is no data to withhold: the message
 * expires, or is served as expired. */
static const rrset_id_type no_rrset = UINT64_MAX;

void xnm_daemon_disown(struct reply_info *rep)
{
    if (rep->rrset_count > 0)
        __atomic_store_n(&rep->ref[0].id, no_rrset, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&rep->ttl, 0, __ATOMIC_RELAXED);
}

void xnm_daemon_clear_rcode(struct reply_info *rep)
{
    __atomic_store_n(&rep->flags, (uint16_t)(rep->flags & ~0xf), __ATOMIC_RELAXED);
}

static bool try_lock(lock_quick_type *lock)
{
#if !defined(HAVE_PTHREAD)
    (void)lock; /* there is one thread */
    return true;
#elif defined(HAVE_PTHREAD_SPINLOCK_T)
    return pthread_spin_trylock(lock) == 0;
#else
    return pthread_mutex_trylock(lock) == 0;
#endif
}

/* The caller has locked the table. */
static void disown_in(struct lruhash *table, hashvalue_type hash, struct query_info *info)
{
    struct lruhash_bin *bin = &table->array[hash & (hashvalue_type)table->size_mask];

    if (!try_lock(&bin->lock))
        return;
    for (struct lruhash_entry *entry = bin->overflow_list; entry; entry = entry->overflow_next)
        if (entry->hash == hash && table->compfunc(entry->key, info) == 0)
            xnm_daemon_disown(entry->data);
    lock_quick_unlock(&bin->lock);
}

/* The caller holds a message's lock for reading, and a thread that waits to write that message may
 * hold these: waiting could deadlock. */
void xnm_daemon_disown_found(struct slabhash *cache, struct query_info *info)
{
    static const uint16_t flags[] = {0, BIT_CD};

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        hashvalue_type hash = query_info_hash(info, flags[i]);
        struct lruhash *table = slabhash_gettable(cache, hash);

        if (!try_lock(&table->lock))
            continue;
        disown_in(table, hash, info);
        lock_quick_unlock(&table->lock);
    }
}

/* --- extended errors --- */

#ifdef XNM_HAS_REASON_BOGUS_STR
int xnm_daemon_bogus_reason(struct module_qstate *qstate, const struct reply_info *rep,
                            const char **text)
{
    (void)qstate;
    *text = rep->reason_bogus_str;
    return rep->reason_bogus;
}
#else
/* A copy of what mesh_send_reply (services/mesh.c) prefers, and answer_from_cache (daemon/worker.c)
 * writes. */
int xnm_daemon_bogus_reason(struct module_qstate *qstate, const struct reply_info *rep,
                            const char **text)
{
    *text = NULL;
    if (rep->security != sec_status_bogus && rep->security != sec_status_secure_sentinel_fail)
        return LDNS_EDE_NONE;
    if (!qstate)
        return LDNS_EDE_DNSSEC_BOGUS;
    int reason = errinf_to_reason_bogus(qstate);
    return reason == LDNS_EDE_NONE ||
                   (reason == LDNS_EDE_DNSSEC_BOGUS && rep->reason_bogus != LDNS_EDE_NONE)
               ? rep->reason_bogus
               : reason;
}
#endif

/* --- other modules --- */

struct iter_qstate *xnm_daemon_iterator(const struct module_qstate *qstate)
{
    int id = modstack_find(&qstate->env->mesh->mods, "iterator");

    return id >= 0 ? qstate->minfo[id] : NULL;
}

bool xnm_daemon_is_forwarded(const struct module_qstate *qstate)
{
    const struct iter_qstate *iterator = xnm_daemon_iterator(qstate);

    return iterator && iterator->chase_flags & BIT_RD;
}

#ifdef CLIENT_SUBNET
/* Returns NULL if subnetcache has no part in the query. */
static struct subnet_qstate *subnet_of(const struct module_qstate *qstate)
{
    int id = modstack_find(&qstate->env->mesh->mods, "subnetcache");

    return id >= 0 ? qstate->minfo[id] : NULL;
}

bool xnm_daemon_sent_subnet(const struct module_qstate *qstate)
{
    const struct subnet_qstate *subnet = subnet_of(qstate);

    return subnet && subnet->subnet_sent;
}

void xnm_daemon_forget_subnet(struct module_qstate *qstate)
{
    struct subnet_qstate *subnet = subnet_of(qstate);

    if (!subnet)
        return;
    subnet->subnet_sent = 0;
#ifdef XNM_HAS_SUBNET_SENT_NO_SUBNET
    subnet->subnet_sent_no_subnet = 0;
#endif
}
#else
bool xnm_daemon_sent_subnet(const struct module_qstate *qstate)
{
    (void)qstate;
    return false;
}

void xnm_daemon_forget_subnet(struct module_qstate *qstate)
{
    (void)qstate;
}
#endif

/* --- sub-queries --- */

bool xnm_daemon_attach_sub(struct module_qstate *qstate, struct query_info *info)
{
    const uint16_t flags = BIT_RD | (qstate->query_flags & BIT_CD);
    struct module_qstate *sub;

#ifdef XNM_HAS_ATTACH_SUB_CLIENT
    return mesh_attach_sub(qstate, info, NULL, flags, 0, 0, &sub);
#else
    return mesh_attach_sub(qstate, info, flags, 0, 0, &sub);
#endif
}

/* Stores them like Unbound stores a referral: RRsets alone. A server that does not answer for its
 * zone may be lame, which is not checked yet; a forwarder is exempt. */
void xnm_daemon_store_records(struct module_qstate *qstate, struct dns_msg *message)
{
    struct reply_info *rep = message->rep;

    if (rep->an_numrrsets == 0 || !(rep->flags & BIT_AA || xnm_daemon_is_forwarded(qstate)))
        return;
#ifdef XNM_HAS_STORE_VALREC
    dns_cache_store(qstate->env, &message->qinfo, rep, true, 0, 0, NULL, 0, qstate->qstarttime,
                    qstate->is_valrec);
#else
    dns_cache_store(qstate->env, &message->qinfo, rep, true, 0, 0, NULL, 0, qstate->qstarttime);
#endif
}

bool xnm_daemon_has_threads(void)
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

const struct xnm_log_sink xnm_daemon_log = {.write = write_log};

static void report_to_log(void *arg, xnm_severity severity, const struct xnm_place *place,
                          const char *message)
{
    char text[2048];

    (void)arg;
    xnm_diagnostics_text(place, message, text, sizeof text);
    if (severity == XNM_ERROR)
        log_err("idn: %s", text);
    else
        log_warn("idn: %s", text);
}

const struct xnm_diagnostics xnm_daemon_diagnostics = {report_to_log, NULL};
