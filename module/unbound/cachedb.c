/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/cachedb.h"

#include "module/load/reload.h"
#include "module/unbound/answer.h"
#include "module/unbound/message.h"

#include <services/cache/dns.h>
#include <services/cache/rrset.h>
#include <services/mesh.h>
#include <services/modstack.h>
#include <util/config_file.h>
#include <util/data/msgparse.h>
#include <util/data/msgreply.h>
#include <util/module.h>

#ifdef USE_CACHEDB
/* Tells whether cachedb ran. Unbound goes on with the module where the query now is. */
static bool run_to_cachedb(struct module_qstate *qstate)
{
    struct module_stack *modules = &qstate->env->mesh->mods;
    const int cachedb = modstack_find(modules, "cachedb");

    while (qstate->curmod < cachedb && qstate->ext_state[qstate->curmod] == module_wait_module) {
        const int next = ++qstate->curmod;

        modules->mod[next]->operate(qstate, module_event_pass, next, NULL);
    }
    return qstate->curmod == cachedb;
}

/* Tells whether Unbound asks the modules before a client gets the answer. By default it does so for
 * an expired one. */
static bool is_asked_for(const struct module_qstate *qstate, const struct reply_info *rep)
{
#if XNM_UNBOUND_VERSION >= 12200
    return qstate->env->cfg->cachedb_check_when_serve_expired &&
           xnm_host_has_passed(rep->ttl, *qstate->env->now);
#else
    (void)qstate, (void)rep;
    return false;
#endif
}

static bool is_stored_refused(struct xnm_work *work)
{
    struct module_qstate *qstate = work->qstate;
    const struct query_info *info = &qstate->qinfo;
    struct msgreply_entry *stored =
        msg_cache_lookup(qstate->env, info->qname, info->qname_len, info->qtype, info->qclass,
                         qstate->query_flags, 0, 0);
    bool is_refused = false;

    if (!stored)
        return false;
    struct reply_info *rep = stored->entry.data;
    if (!is_asked_for(qstate, rep) && rrset_array_lock(rep->ref, rep->rrset_count, 0)) {
        is_refused = xnm_work_forbids_cache(work, info, rep);
        rrset_array_unlock(rep->ref, rep->rrset_count);
    }
    lock_rw_unlock(&stored->entry.lock);
    return is_refused;
}

static void remove_refused(struct xnm_work *work)
{
    if (xnm_work_is_log_only(work))
        return;
    work->policy = xnm_reload_enter(xnm_state_force(work->state), NULL);
    if (work->policy && is_stored_refused(work))
        xnm_message_remove_from_cache(work->qstate->env, &work->qstate->qinfo);
    xnm_reload_leave();
}

void xnm_cachedb_run(struct xnm_work *work)
{
    if (run_to_cachedb(work->qstate))
        remove_refused(work);
}

void xnm_cachedb_query(struct xnm_state *state, struct module_qstate *qstate, int id)
{
    const int cachedb = modstack_find(&qstate->env->mesh->mods, "cachedb");
    struct xnm_work work;

    if (cachedb <= id || !qstate->minfo[cachedb] || !xnm_state_has_policy(state) ||
        !xnm_policy_decides_class(qstate->qinfo.qclass))
        return;
    xnm_work_begin(&work, state, qstate, id);
    remove_refused(&work);
}
#else
void xnm_cachedb_run(struct xnm_work *work)
{
    (void)work;
}

void xnm_cachedb_query(struct xnm_state *state, struct module_qstate *qstate, int id)
{
    (void)state, (void)qstate, (void)id;
}
#endif
