/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/chain.h"

#include "module/base/rrtype.h"
#include "module/policy/policy.h"
#include "module/unbound/host.h"
#include "module/unbound/message.h"

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

bool xnm_chain_is_referral(const struct module_qstate *qstate, const struct reply_info *rep)
{
    const struct ub_packed_rrset_key *servers = xnm_message_referral(rep);
    const struct iter_qstate *iterator = servers ? xnm_host_iterator(qstate) : NULL;

    return iterator && iterator->dp && !xnm_host_is_forwarded(qstate) &&
           query_dname_compare(servers->rk.dname, iterator->dp->name) != 0;
}

/* Queries of these types ask for the alias itself, unless the rcode is NXDOMAIN. */
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

/* A chain that ends with a DNAME answers a query for just that: whatever it leads on, it leads by
 * the CNAME that is made from it. */
static bool leads_on(const struct xnm_alias_chain *chain)
{
    return chain->count > 0 && chain->links[chain->count - 1].type == XNM_TYPE_CNAME;
}

/* The chain must not be empty. */
static struct target last_target(const struct xnm_alias_chain *chain)
{
    const struct xnm_alias_link *last = &chain->links[chain->count - 1];

    return (struct target){last->rdata, last->rdata_len};
}

/* A CNAME of the last target is one that the chain has already: a loop, which an auth-zone may
 * give. */
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

/* Has the chain been at its last target before? A DNAME is at a name above one of the chain. */
static bool is_closed(const struct xnm_alias_chain *chain)
{
    struct target last = last_target(chain);

    for (size_t i = 0; i < chain->count; i++) {
        const struct xnm_alias_link *link = &chain->links[i];

        if (link->type == XNM_TYPE_CNAME && link->owner_len == last.len &&
            query_dname_compare((uint8_t *)link->owner, (uint8_t *)last.name) == 0)
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

/* Looks in the RRset cache. A DS belongs to the parent, so no alias applies to it. */
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

/* How often the chain is looked up: as often as the iterator restarts (max-query-restarts, 11
 * unless it is set). This spares questions to servers and is no part of what keeps answers from
 * clients. A CNAME made from a cached DNAME is not looked for: that would cost each miss a look-up
 * for each label of its name. */
enum { LOOKUPS_MAX = 11 };

/* Adds aliases until the cache has no more, there is no room, or the chain is a loop. */
static void follow(struct module_qstate *qstate, struct target of, struct xnm_alias_chain *chain)
{
    const struct ub_packed_rrset_key *cname = cached_cname(qstate, of);
    size_t before = chain->count;

    if (cname)
        xnm_message_add_link(chain, cname);
    for (int i = 1;
         i < LOOKUPS_MAX && chain->count > before && !is_closed(chain) && !asks_for_alias(qstate);
         i++) {
        before = chain->count;
        cname = cached_cname(qstate, last_target(chain));
        if (cname)
            xnm_message_add_link(chain, cname);
    }
}

void xnm_chain_from_caches(struct module_qstate *qstate, struct xnm_alias_chain *chain)
{
    const struct query_info *asked = &qstate->qinfo;

    xnm_message_begin_chain(chain);
    follow(qstate, (struct target){asked->qname, asked->qname_len}, chain);
}

/* --- responses --- */

static bool is_what_is_sought(const struct iter_qstate *iterator, const struct dns_msg *response)
{
    return query_dname_compare(iterator->qchase.qname, response->qinfo.qname) == 0;
}

bool xnm_chain_from_response(struct module_qstate *qstate, const struct dns_msg *response,
                             struct xnm_alias_chain *chain)
{
    const struct iter_qstate *iterator = xnm_host_iterator(qstate);
    struct iter_prep_list *item = iterator ? iterator->an_prepend_list : NULL;

    xnm_message_begin_chain(chain);
    for (; item; item = item->next)
        xnm_message_add_link(chain, item->rrset);
    if (!iterator || !is_what_is_sought(iterator, response))
        return false;
    size_t before = chain->count;
    for (size_t i = 0; i < response->rep->an_numrrsets; i++)
        xnm_message_add_link(chain, response->rep->rrsets[i]);
    if (chain->count == before || !leads_on(chain) ||
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

/* Does not copy the RRsets. For at most one RRset, Unbound allocates less than a whole struct. */
static struct dns_msg *copy_of(struct regional *region, const struct dns_msg *message)
{
    struct dns_msg *copy = regional_alloc_init(region, message, sizeof *copy);
    struct reply_info *rep = regional_alloc_zero(region, sizeof *rep);

    if (!copy || !rep)
        return NULL;
    memcpy(rep, message->rep, offsetof(struct reply_info, ref));
    copy->rep = rep;
    return copy;
}

struct dns_msg *xnm_chain_end(struct module_qstate *qstate, struct dns_msg *response)
{
    struct iter_qstate *iterator = xnm_host_iterator(qstate);
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
    xnm_host_forget_subnet(qstate);
    return before;
}
