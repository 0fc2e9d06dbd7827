/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/upstream.h"

#include "module/load/reload.h"
#include "module/unbound/chain.h"
#include "module/unbound/host.h"
#include "module/unbound/message.h"
#include "module/unbound/query.h"

#include <services/cache/dns.h>
#include <services/mesh.h>
#include <sldns/rrdef.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>

/* Unbound then tries the next server. It has not taken out what is irrelevant, such as a second
 * CNAME of a name, so nothing of it may be stored. */
static bool is_thrown_away(const struct reply_info *rep)
{
    int rcode = FLAGS_GET_RCODE(rep->flags);

    return rep->flags & BIT_TC || (rcode != LDNS_RCODE_NOERROR && rcode != LDNS_RCODE_NXDOMAIN &&
                                   rcode != LDNS_RCODE_YXDOMAIN);
}

/* Returns whether there is nothing to decide: no rule matched the query, and the response answers
 * just that. True for almost every query. */
static bool is_settled(const struct xnm_work *work, const struct dns_msg *response)
{
    const struct query_info *asked = &work->qstate->qinfo, *info = &response->qinfo;

    return xnm_query_is_settled(work->query, asked, response->rep, work->generation) &&
           asked->qtype == info->qtype && asked->qname_len == info->qname_len &&
           memcmp(asked->qname, info->qname, asked->qname_len) == 0;
}

/* Returns whether a callback waits for this query, or another query that was not ended. dns64 and
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

        if (!query || query->state != XNM_QUERY_ENDED)
            return true;
    }
    return false;
}

/* Returns whether only clients wait, for a refused name. Internal queries keep their answer. */
static bool is_to_be_ended(const struct xnm_work *work, bool is_followed)
{
    const struct module_qstate *qstate = work->qstate;

    if (is_waited_for(qstate, work->id))
        return false;
    if (!xnm_query_clients(qstate))
        return xnm_host_is_waited_for(qstate);
    if (work->query->is_personal && xnm_query_clients(qstate)->next)
        return false;
    return is_followed && xnm_query_is_refused(work) && xnm_query_needs_no_target(work);
}

/* Before 1.26, subnetcache has not yet forbidden to store the response of a server without subnet
 * support to a query with a subnet; it then repeats the query without one. dns64 forbids all
 * storing, but means only the message; no-cache of a stub or forward zone shows as no_cache_lookup.
 */
static bool are_records_for_all(const struct module_qstate *qstate)
{
    return !qstate->no_cache_lookup && !xnm_host_sent_subnet(qstate) &&
           !(qstate->no_cache_store && qstate->env->unique_mesh);
}

/* Unbound then stores its RRsets, but no message, which clients would only be refused. */
static void keep_out(struct reply_info *rep)
{
    rep->ttl = rep->prefetch_ttl = rep->serve_expired_ttl = 0;
}

/* Not for tcp-only: over TCP the message may be had. */
static bool is_useless_in_cache(const struct xnm_work *work)
{
    return !xnm_query_is_log_only(work) &&
           (xnm_decision_refuses(&work->decision) || work->decision.personal);
}

/* The alias is stored when the end is taken (answer.c): if it were in the cache already, dns64 and
 * subnetcache would go on, find it and look up its target. */
static void end(struct xnm_work *work, struct dns_msg *response)
{
    struct xnm_query *query = work->query;
    bool are_for_all = are_records_for_all(work->qstate);
    struct dns_msg *records =
        xnm_query_keep_chain(work) ? xnm_chain_end(work->qstate, response) : NULL;

    if (!records)
        return;
    query->state = XNM_QUERY_ENDED;
    query->records = are_for_all ? records : NULL;
}

/* Unbound needs the additional section of what it asks for itself (priming). Call it between
 * xnm_reload_enter and xnm_reload_leave. */
static void judge(struct xnm_work *work, struct dns_msg *response)
{
    struct module_qstate *qstate = work->qstate;

    if (xnm_query_clients(qstate))
        xnm_message_drop_additional(work->policy, response->rep);
    bool is_followed = xnm_chain_from_response(qstate, response, &work->chain);
    xnm_query_decide_chain(work);
    xnm_query_note_personal(work);
    if (is_useless_in_cache(work))
        keep_out(response->rep);
    if (is_to_be_ended(work, is_followed))
        end(work, response);
}

void xnm_upstream_take(struct xnm_state *state, struct module_qstate *qstate, int id,
                       struct dns_msg *response)
{
    struct xnm_work work;

    if (!xnm_state_has_policy(state) || !response || !response->rep ||
        is_thrown_away(response->rep) || !xnm_policy_decides_class(qstate->qinfo.qclass))
        return;
    xnm_query_begin_call(&work, state, qstate, id);
    work.query = xnm_query_of(qstate, id);
    if (!work.query)
        return;
    if (FLAGS_GET_RCODE(response->rep->flags) ==
        LDNS_RCODE_YXDOMAIN) /* has records, and no hit of it can be truncated */
        keep_out(response->rep);
    work.generation = xnm_reload_generation(xnm_state_force(state));
    if (xnm_chain_is_referral(qstate, response->rep) || is_settled(&work, response))
        return;
    work.policy = xnm_reload_enter(xnm_state_force(state), &work.generation);
    if (work.policy && xnm_policy_changes_answers(work.policy) && !xnm_query_is_log_only(&work))
        judge(&work, response);
    xnm_reload_leave();
}
