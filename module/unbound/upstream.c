/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/upstream.h"

#include "module/base/rrtype.h"
#include "module/load/reload.h"
#include "module/policy/policy.h"
#include "module/unbound/daemon.h"
#include "module/unbound/message.h"
#include "module/unbound/qstate.h"

#include <iterator/iter_delegpt.h>
#include <iterator/iterator.h>
#include <services/cache/dns.h>
#include <services/cache/rrset.h>
#include <services/mesh.h>
#include <services/modstack.h>
#include <sldns/rrdef.h>
#include <util/data/dname.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/regional.h>

/* --- the iterator --- */

/* Returns whether the iterator follows the response as a referral. Unbound then stores its records,
 * but under no name that was asked for. A response of a forwarder, or one with the NS records of
 * the zone whose servers were asked, is an answer without records of the type. */
static bool is_referral(const struct module_qstate *qstate, const struct reply_info *rep)
{
    const struct ub_packed_rrset_key *servers = xnm_message_referral(rep);
    const struct iter_qstate *iterator = servers ? xnm_daemon_iterator(qstate) : NULL;

    return iterator && iterator->dp && !xnm_daemon_is_forwarded(qstate) &&
           query_dname_compare(servers->rk.dname, iterator->dp->name) != 0;
}

/* Returns whether the query asks for the alias itself, unless the rcode is NXDOMAIN. */
static bool asks_for_alias(const struct module_qstate *qstate)
{
    return qstate->qinfo.qtype == LDNS_RR_TYPE_CNAME || qstate->qinfo.qtype == LDNS_RR_TYPE_ANY;
}

/* --- chains --- */

/* A name that is looked for next. */
struct target {
    const uint8_t *name;
    size_t len;
};

/* Returns whether the chain continues. One that ends with a DNAME answers a query for DNAME: any
 * other continues by the CNAME that is made from it. */
static bool continues(const struct xnm_aliaschain *chain)
{
    return chain->count > 0 && chain->links[chain->count - 1].type == XNM_TYPE_CNAME;
}

/* The chain must not be empty. */
static struct target last_target(const struct xnm_aliaschain *chain)
{
    const struct xnm_aliaschain_link *last = &chain->links[chain->count - 1];

    return (struct target){last->rdata, last->rdata_len};
}

/* Returns whether the message has records of the target. A CNAME of it is one that the chain has
 * already: a loop, which an auth-zone may have. */
static bool has_records_of(const struct reply_info *rep, struct target target)
{
    for (size_t i = 0; i < rep->an_numrrsets; i++) {
        const struct packed_rrset_key *key = &rep->rrsets[i]->rk;

        if (ntohs(key->type) != LDNS_RR_TYPE_CNAME &&
            query_dname_compare(key->dname, (uint8_t *)target.name) == 0)
            return true;
    }
    return false;
}

/* --- the cache of records --- */

/* Class ANY is answered from class IN. */
static uint16_t class_of(const struct module_qstate *qstate)
{
    return qstate->qinfo.qclass == LDNS_RR_CLASS_ANY ? LDNS_RR_CLASS_IN : qstate->qinfo.qclass;
}

/* Looks for a CNAME in the RRset cache. A DS belongs to the parent, so no alias applies to it. */
static struct ub_packed_rrset_key *cached_cname(struct module_qstate *qstate, struct target of)
{
    if (qstate->qinfo.qtype == LDNS_RR_TYPE_DS)
        return NULL;
    struct ub_packed_rrset_key *rrset =
        rrset_cache_lookup(qstate->env->rrset_cache, (uint8_t *)of.name, of.len, LDNS_RR_TYPE_CNAME,
                           class_of(qstate), 0, *qstate->env->now, 0);

    if (!rrset)
        return NULL;
    struct ub_packed_rrset_key *copy =
        packed_rrset_copy_region(rrset, qstate->region, *qstate->env->now);
    lock_rw_unlock(&rrset->entry.lock);
    return copy;
}

/* How often a chain is looked up: as often as the iterator restarts (max-query-restarts, by default
 * 11). This only saves questions to servers; the gate decides every answer. A CNAME made from a
 * cached DNAME is not looked up: that would cost each miss a look-up for each label of its name. */
enum { LOOKUPS_MAX = 11 };

/* Adds aliases until the cache has no more, or the limit is reached. A loop is not detected: its
 * names are decided more than once. */
static void follow(struct module_qstate *qstate, struct target of, struct xnm_aliaschain *chain)
{
    const int lookups = asks_for_alias(qstate) ? 1 : LOOKUPS_MAX;

    for (int i = 0; i < lookups; i++) {
        const struct ub_packed_rrset_key *cname = cached_cname(qstate, of);
        size_t before = chain->count;

        if (cname)
            xnm_message_add_link(chain, cname);
        if (chain->count == before)
            return;
        of = last_target(chain);
    }
}

void xnm_upstream_cached_aliases(struct module_qstate *qstate, struct xnm_aliaschain *chain)
{
    const struct query_info *asked = &qstate->qinfo;

    xnm_message_begin_chain(chain);
    follow(qstate, (struct target){asked->qname, asked->qname_len}, chain);
}

/* --- responses --- */

static bool answers_iterator(const struct iter_qstate *iterator, const struct dns_msg *response)
{
    return query_dname_compare(iterator->qchase.qname, response->qinfo.qname) == 0;
}

/* Writes the aliases that the iterator has followed, those of the response it has just got, and
 * the CNAMEs in the cache of records for the last target. Returns whether the iterator goes on to
 * that target. It does not if the response has the answer for it, or is for a name above the one
 * that the iterator wants (RFC 9156, QNAME minimisation). */
static bool read_chain(struct module_qstate *qstate, const struct dns_msg *response,
                       struct xnm_aliaschain *chain)
{
    const struct iter_qstate *iterator = xnm_daemon_iterator(qstate);
    struct iter_prep_list *item = iterator ? iterator->an_prepend_list : NULL;

    xnm_message_begin_chain(chain);
    for (; item; item = item->next)
        xnm_message_add_link(chain, item->rrset);
    if (!iterator || !answers_iterator(iterator, response))
        return false;
    size_t before = chain->count;
    for (size_t i = 0; i < response->rep->an_numrrsets; i++)
        xnm_message_add_link(chain, response->rep->rrsets[i]);
    if (chain->count == before || !continues(chain) ||
        (asks_for_alias(qstate) && FLAGS_GET_RCODE(response->rep->flags) != LDNS_RCODE_NXDOMAIN) ||
        has_records_of(response->rep, last_target(chain)))
        return false;
    follow(qstate, last_target(chain), chain);
    return true;
}

/* --- the end --- */

/* Unbound 1.26.1 accepts YXDOMAIN only with a DNAME (RFC 6672, section 2.2). dns64 may cache this
 * one, which affects no name. */
static struct ub_packed_rrset_key *make_dname(struct regional *region)
{
    static uint8_t owner[] = "\7invalid", root[] = "";
    static const struct xnm_record dname = {
        .type = XNM_TYPE_DNAME, .rdata = root, .rdata_len = sizeof root};
    static const struct xnm_response_set set = {owner, sizeof owner, &dname, 1};

    struct ub_packed_rrset_key *rrset = xnm_message_make_rrset(region, &set);

    if (rrset)
        rrset->entry.hash = rrset_key_hash(&rrset->rk);
    return rrset;
}

/* Copies a message without its RRsets. Returns NULL when out of memory. */
static struct dns_msg *copy_of(struct regional *region, const struct dns_msg *message)
{
    struct dns_msg *copy = regional_alloc_init(region, message, sizeof *copy);

    if (copy)
        copy->rep = xnm_message_members(message->rep, region);
    return copy && copy->rep ? copy : NULL;
}

/* Makes the iterator end: it reads the response as YXDOMAIN, which is final and is
 * neither validated nor cached. Call it for a response that the iterator has just got; the response
 * is changed. Returns a copy of the original. NULL: no memory, and nothing was changed. */
static struct dns_msg *end_iterator(struct module_qstate *qstate, struct dns_msg *response)
{
    struct iter_qstate *iterator = xnm_daemon_iterator(qstate);
    struct ub_packed_rrset_key *dname = make_dname(qstate->region);
    /* An array of one pointer. NOLINTNEXTLINE(bugprone-sizeof-expression) */
    void *rrsets = regional_alloc_init(qstate->region, &dname, sizeof dname);
    struct dns_msg *before = copy_of(qstate->region, response);
    struct reply_info *rep = response->rep;

    if (!iterator || !rrsets || !dname || !before)
        return NULL;
    rep->rrsets = rrsets;
    rep->rrset_count = rep->an_numrrsets = 1;
    rep->ns_numrrsets = rep->ar_numrrsets = 0;
    rep->ttl = rep->prefetch_ttl = rep->serve_expired_ttl = 0; /* or dns64 would store it */
    FLAGS_SET_RCODE(rep->flags, LDNS_RCODE_YXDOMAIN);
    iterator->minimisation_state = DONOT_MINIMISE_STATE; /* or it would ask for the whole name */
    qstate->no_cache_store = 1;
    xnm_daemon_forget_subnet(qstate);
    return before;
}

/* --- what a response means for its query --- */

/* Returns whether Unbound discards the response and tries the next server. It has not removed
 * irrelevant records, such as a second CNAME of a name, so nothing of it may be stored. */
static bool is_discarded(const struct reply_info *rep)
{
    int rcode = FLAGS_GET_RCODE(rep->flags);

    return rep->flags & BIT_TC || (rcode != LDNS_RCODE_NOERROR && rcode != LDNS_RCODE_NXDOMAIN &&
                                   rcode != LDNS_RCODE_YXDOMAIN);
}

/* Returns whether nothing needs a decision: no rule matched the query, and the response answers
 * that very question. True for almost every query. */
static bool is_settled(const struct xnm_qstate_work *work, const struct dns_msg *response)
{
    const struct query_info *asked = &work->qstate->qinfo, *info = &response->qinfo;

    return xnm_qstate_is_settled(work->query, asked, response->rep, work->generation) &&
           asked->qtype == info->qtype && asked->qname_len == info->qname_len &&
           memcmp(asked->qname, info->qname, asked->qname_len) == 0;
}

/* Returns whether a callback waits for this query, or another query that was not ended. dns64 and
 * subnetcache continue with another sub-query after an ended one; a query that waits for the
 * policy's own alias needs the answer. */
static bool is_waited_for(const struct module_qstate *qstate, int id)
{
    struct mesh_state_ref *ref;

    if (xnm_daemon_has_callbacks(qstate))
        return true;
    RBTREE_FOR(ref, struct mesh_state_ref *, &qstate->mesh_info->super_set)
    {
        const struct xnm_qstate *query = ref->s->s.minfo[id];

        if (!query || query->state != XNM_QSTATE_ENDED)
            return true;
    }
    return false;
}

/* Returns whether the decision can be carried out before the refused target is looked up: tcp-only
 * gives clients that do not use UDP the target's own answer. */
static bool needs_no_target(const struct xnm_qstate_work *work)
{
    return work->decision.answer->action != XNM_TCP_ONLY || xnm_qstate_is_on_udp(work->qstate);
}

/* Returns whether only clients wait, for a refused name. Internal queries keep their answer. */
static bool is_to_be_ended(const struct xnm_qstate_work *work, bool is_followed)
{
    const struct module_qstate *qstate = work->qstate;

    if (is_waited_for(qstate, work->id))
        return false;
    if (!xnm_qstate_clients(qstate))
        return xnm_daemon_is_waited_for(qstate);
    if (work->query->is_client_specific && xnm_qstate_clients(qstate)->next)
        return false;
    return is_followed && xnm_qstate_is_refused(work) && needs_no_target(work);
}

/* Returns whether the records are for all clients. Before 1.26, subnetcache has not yet forbidden
 * to store the response of a server without subnet support to a query with a subnet; it then
 * repeats the query without one. dns64 forbids all storing, but means only the message; no-cache of
 * a stub or forward zone sets no_cache_lookup.
 */
static bool are_records_for_all(const struct module_qstate *qstate)
{
    return !qstate->no_cache_lookup && !xnm_daemon_sent_subnet(qstate) &&
           !(qstate->no_cache_store && qstate->env->unique_mesh);
}

/* Makes Unbound store the RRsets, but no message, which would only be refused to clients. */
static void keep_out(struct reply_info *rep)
{
    rep->ttl = rep->prefetch_ttl = rep->serve_expired_ttl = 0;
}

/* Returns whether a cached message would be refused to clients. Not for tcp-only, since clients on
 * TCP get it. */
static bool is_useless_in_cache(const struct xnm_qstate_work *work)
{
    return !xnm_state_is_log_only(work->state) &&
           (xnm_decision_refuses(&work->decision) || work->decision.specific_answer);
}

/* The alias is stored later, by take_end() in answer.c: if it were in the cache already, dns64 and
 * subnetcache would find it and look up its target. */
static void end(struct xnm_qstate_work *work, struct dns_msg *response)
{
    struct xnm_qstate *query = work->query;
    bool are_for_all = are_records_for_all(work->qstate);

    query->chain = regional_alloc_init(work->qstate->region, &work->chain, sizeof work->chain);
    struct dns_msg *records = query->chain ? end_iterator(work->qstate, response) : NULL;
    if (!records)
        return;
    query->state = XNM_QSTATE_ENDED;
    query->records = are_for_all ? records : NULL;
}

/* Unbound needs the additional section of its own queries (priming). For a prefetch neither
 * a client nor Unbound waits. Call it between xnm_policyhandle_enter and xnm_policyhandle_leave. */
static void decide_response(struct xnm_qstate_work *work, struct dns_msg *response)
{
    struct module_qstate *qstate = work->qstate;

    if (xnm_qstate_clients(qstate) || !xnm_daemon_is_waited_for(qstate))
        xnm_message_drop_additional(work->policy, response->rep);
    bool is_followed = read_chain(qstate, response, &work->chain);
    xnm_qstate_decide_chain(work);
    xnm_qstate_note_client_specific(work);
    if (is_useless_in_cache(work))
        keep_out(response->rep);
    if (is_to_be_ended(work, is_followed))
        end(work, response);
}

void xnm_upstream_take(struct xnm_state *state, struct module_qstate *qstate, int id,
                       struct dns_msg *response)
{
    struct xnm_qstate_work work;

    if (!xnm_state_has_policy(state) || !response || !response->rep ||
        is_discarded(response->rep) || !xnm_policy_decides_class(qstate->qinfo.qclass))
        return;
    xnm_qstate_begin_call(&work, state, qstate, id);
    work.query = xnm_qstate_of(qstate, id);
    if (!work.query)
        return;
    if (FLAGS_GET_RCODE(response->rep->flags) ==
        LDNS_RCODE_YXDOMAIN) /* has records, and no hit of it can be truncated */
        keep_out(response->rep);
    work.generation = xnm_policyhandle_generation(xnm_state_force(state));
    if (is_referral(qstate, response->rep) || is_settled(&work, response))
        return;
    work.policy = xnm_policyhandle_enter(xnm_state_force(state), &work.generation);
    if (work.policy && xnm_policy_changes_answers(work.policy) && !xnm_state_is_log_only(state))
        decide_response(&work, response);
    xnm_policyhandle_leave();
}
