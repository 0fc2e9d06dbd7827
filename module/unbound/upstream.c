/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/upstream.h"

#include "module/load/reload.h"
#include "module/unbound/action.h"
#include "module/unbound/alias.h"
#include "module/unbound/answer.h"
#include "module/unbound/host.h"
#include "module/unbound/message.h"
#include "module/unbound/synthesis.h"
#include "module/unbound/waiting.h"

#include <edns-subnet/subnetmod.h>
#include <services/cache/dns.h>
#include <services/mesh.h>
#include <services/modstack.h>
#include <sldns/rrdef.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>

/* --- subnetcache --- */

#ifdef CLIENT_SUBNET
/* Returns NULL if subnetcache has no part in the query. */
static struct subnet_qstate *subnet_of(const struct module_qstate *qstate)
{
    int id = modstack_find(&qstate->env->mesh->mods, "subnetcache");

    return id >= 0 ? qstate->minfo[id] : NULL;
}

bool xnm_subnet_tells(const struct module_qstate *qstate)
{
    const struct subnet_qstate *subnet = subnet_of(qstate);

    return subnet && subnet->subnet_sent;
}

#if XNM_UNBOUND_VERSION >= 12200
static void forget(struct subnet_qstate *subnet)
{
    subnet->subnet_sent = subnet->subnet_sent_no_subnet = 0;
}
#else
static void forget(struct subnet_qstate *subnet)
{
    subnet->subnet_sent = 0;
}
#endif

void xnm_subnet_forget(struct module_qstate *qstate)
{
    struct subnet_qstate *subnet = subnet_of(qstate);

    if (subnet)
        forget(subnet);
}
#else
bool xnm_subnet_tells(const struct module_qstate *qstate)
{
    (void)qstate;
    return false;
}

void xnm_subnet_forget(struct module_qstate *qstate)
{
    (void)qstate;
}
#endif

/* --- what is kept out --- */

/* If so, the whole answer was kept out with that response: its chain leads over a refused name that
 * a passthru rule exempts. */
bool xnm_query_is_one_response_kept_out(const struct xnm_query *query)
{
    return query->kept_out && !query->chain_kept_out;
}

void xnm_query_keep_out(struct module_qstate *qstate, struct xnm_query *query)
{
    if (qstate->no_cache_store)
        return;
    query->kept_out = true;
    qstate->no_cache_store = 1;
}

void xnm_query_keep_chain_out(struct module_qstate *qstate, struct xnm_query *query)
{
    query->kept_out = query->chain_kept_out = true;
    qstate->no_cache_store = 1;
}

/* --- responses --- */

/* Unbound then tries the next server. It has not taken out what is irrelevant, such as a second
 * CNAME of a name, so nothing of it may be stored. */
static bool is_thrown_away(const struct reply_info *rep)
{
    int rcode = FLAGS_GET_RCODE(rep->flags);

    return rep->flags & BIT_TC || (rcode != LDNS_RCODE_NOERROR && rcode != LDNS_RCODE_NXDOMAIN &&
                                   rcode != LDNS_RCODE_YXDOMAIN);
}

/* Is there nothing to decide? No rule of the policy in force matched the query, and the response
 * holds nothing else: so it is for almost every query. */
static bool is_known_to_be_allowed(const struct xnm_work *work, const struct dns_msg *response)
{
    const struct query_info *asked = &work->qstate->qinfo;
    const struct xnm_query *query = work->query;

    return query->decided && !query->matched && !query->personal &&
           query->generation == work->generation && !query->chain_kept_out &&
           !xnm_synthesis_answers(asked->qtype) &&
           !xnm_message_has_chain(response->rep, response->qinfo.qname) &&
           !xnm_message_has_additional(response->rep) && asked->qtype == response->qinfo.qtype &&
           asked->qname_len == response->qinfo.qname_len &&
           memcmp(asked->qname, response->qinfo.qname, asked->qname_len) == 0;
}

/* Has the iterator come to a stub or forward zone with no-cache? Then that zone's setting holds for
 * the rest of the query and must not be undone here. It shows as no_cache_lookup, which it sets
 * too. */
static bool is_cache_forbidden(const struct module_qstate *qstate)
{
    return qstate->no_cache_lookup;
}

static void let_be_stored(struct module_qstate *qstate)
{
    if (!is_cache_forbidden(qstate))
        qstate->no_cache_store = 0;
}

/* The previous response is over, and so is what kept it out. subnetcache may keep out the next one
 * when it arrives. */
void xnm_upstream_query(struct module_qstate *qstate, int id)
{
    struct xnm_query *query = qstate->minfo[id];

    if (query && xnm_query_is_one_response_kept_out(query)) {
        query->kept_out = false;
        let_be_stored(qstate);
    }
    if (query && query->personal)
        xnm_query_keep_out(qstate, query);
}

/* Does anybody wait for this query who was not ended: a callback, or another query? dns64 and
 * subnetcache go on with a sub-query after an ended one; a query that waits for the policy's own
 * alias needs it. */
static bool is_waited_for(const struct module_qstate *qstate, int id)
{
    struct mesh_state_ref *ref;

    if (xnm_host_has_callbacks(qstate))
        return true;
    RBTREE_FOR(ref, struct mesh_state_ref *, &qstate->mesh_info->super_set)
    {
        const struct xnm_query *query = ref->s->s.minfo[id];

        if (!query || !query->ended || query->stage != XNM_STAGE_BELOW)
            return true;
    }
    return false;
}

/* Would only clients wait for a refused name? Internal queries keep their answer. */
static bool is_to_be_ended(const struct xnm_work *work, bool is_followed)
{
    const struct module_qstate *qstate = work->qstate;

    if (is_waited_for(qstate, work->id))
        return false;
    if (!xnm_work_clients(qstate))
        return xnm_host_is_waited_for(qstate);
    if (work->query->personal && xnm_waiting_is_shared(qstate))
        return false;
    return is_followed && xnm_work_is_refused(work) && xnm_action_needs_no_target(work);
}

/* Before 1.26, subnetcache has not yet forbidden to store the response of a server without subnet
 * support to a query with a subnet; it then repeats the query without one. dns64 forbids all
 * storing, but means only the message. */
static bool are_records_for_all(const struct module_qstate *qstate, bool was_kept_out)
{
    return !is_cache_forbidden(qstate) && !xnm_subnet_tells(qstate) &&
           !(was_kept_out && qstate->env->unique_mesh);
}

/* A response is stored under the name that was asked for: the query's, an alias's target, or, with
 * QNAME minimisation, a name above. A refusal of that name does not apply to the next response.
 *
 * The rest of an alias chain may come from the cache, and then no response is seen here that tells
 * whether both may be stored as one answer. look_at_answer decides that, and stores it; so it does
 * for a chain that is longer than ours. */
static void keep_out(struct xnm_work *work, const struct dns_msg *response, bool is_followed,
                     bool was_kept_out)
{
    struct xnm_query *query = work->query;
    bool is_response = xnm_work_forbids_cache(work, &response->qinfo, response->rep) ||
                       is_followed || work->chain.is_longer;

    is_response |= xnm_alias_prepare(work->qstate, work->policy, response->rep);
    xnm_work_decide_chain(work);
    query->personal |= xnm_work_is_personal(work);
    if (xnm_work_is_refused(work)) {
        xnm_query_keep_chain_out(work->qstate, query);
    } else if (!was_kept_out) {
        query->kept_out = is_response || query->personal;
        let_be_stored(work->qstate);
        work->qstate->no_cache_store |= query->kept_out;
    }
}

/* look_at_end stores the alias: if it were in the cache already, dns64 and subnetcache would go on,
 * find it and look up its target. */
static void end(struct xnm_work *work, struct dns_msg *response, bool are_for_all)
{
    struct xnm_query *query = work->query;
    struct dns_msg *records =
        xnm_action_keep_chain(work) ? xnm_alias_end(work->qstate, response) : NULL;

    query->ended = records;
    query->records = are_for_all ? records : NULL;
}

/* Unbound needs the additional section of what it asks for itself (priming). Call it between
 * xnm_reload_enter and xnm_reload_leave. */
static void judge(struct xnm_work *work, struct dns_msg *response)
{
    struct module_qstate *qstate = work->qstate;
    struct xnm_query *query = work->query;
    if (xnm_work_clients(qstate))
        xnm_message_drop_additional(work->policy, response->rep);
    bool was_kept_out = qstate->no_cache_store && !xnm_query_is_one_response_kept_out(query);
    bool is_followed = xnm_alias_from_response(qstate, response, &work->chain);

    keep_out(work, response, is_followed, was_kept_out);
    bool are_for_all = query->kept_out && are_records_for_all(qstate, was_kept_out);
    if (is_to_be_ended(work, is_followed))
        end(work, response, are_for_all);
    else if (are_for_all)
        xnm_host_store_records(qstate, response);
}

void xnm_upstream_response(struct xnm_state *state, struct module_qstate *qstate, int id,
                           struct dns_msg *response)
{
    struct xnm_work work;

    xnm_work_begin(&work, state, qstate, id);
    if (!xnm_state_has_policy(state) || !response || !response->rep ||
        is_thrown_away(response->rep) || !xnm_policy_decides_class(qstate->qinfo.qclass) ||
        !(work.query = xnm_work_query(qstate, id)))
        return;
    bool is_one_kept_out = xnm_query_is_one_response_kept_out(work.query);
    work.generation = xnm_reload_generation(xnm_state_force(state));
    if (xnm_alias_is_referral(qstate, response->rep) || is_known_to_be_allowed(&work, response)) {
        work.query->kept_out = work.query->chain_kept_out;
        if (is_one_kept_out)
            let_be_stored(qstate);
        return;
    }
    work.policy = xnm_reload_enter(xnm_state_force(state), &work.generation);
    if (work.policy && xnm_policy_changes_answers(work.policy) && !xnm_work_is_log_only(&work))
        judge(&work, response);
    xnm_reload_leave();
}
