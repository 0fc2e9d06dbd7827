/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/message.h"

#include <services/cache/dns.h>
#include <sldns/rrdef.h>
#include <sldns/sbuffer.h>
#include <util/config_file.h>
#include <util/data/dname.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/regional.h>

/* --- reading --- */

static bool is_type(const struct ub_packed_rrset_key *rrset, uint16_t type)
{
    return ntohs(rrset->rk.type) == type;
}

/* Returns quickly for nearly all RRsets, whose owner is the name, octet by octet. */
static bool is_owner(const struct packed_rrset_key *key, const uint8_t *name, size_t len)
{
    return key->dname_len == len && (memcmp(key->dname, name, len) == 0 ||
                                     query_dname_compare(key->dname, (uint8_t *)name) == 0);
}

/* The owner of a DNAME may be above the name. */
static bool has_other_owner(const struct ub_packed_rrset_key *rrset, const uint8_t *name,
                            size_t len)
{
    return !is_owner(&rrset->rk, name, len) &&
           !(is_type(rrset, LDNS_RR_TYPE_DNAME) &&
             dname_subdomain_c((uint8_t *)name, rrset->rk.dname));
}

bool xnm_message_next_target(void *arg, const uint8_t **target, size_t *len)
{
    struct xnm_message_walk *walk = arg;

    while (walk->rep && walk->next < walk->rep->an_numrrsets) {
        struct ub_packed_rrset_key *rrset = walk->rep->rrsets[walk->next];
        uint8_t *name = NULL;

        if (has_other_owner(rrset, walk->name, walk->name_len)) {
            *target = walk->name = rrset->rk.dname;
            *len = walk->name_len = rrset->rk.dname_len;
            return true;
        }
        walk->next++;
        if (is_type(rrset, LDNS_RR_TYPE_CNAME))
            get_cname_target(rrset, &name, len);
        if (!name)
            continue;
        *target = walk->name = name;
        walk->name_len = *len;
        return true;
    }
    return false;
}

__attribute__((noinline)) static bool finds_target(const struct reply_info *rep,
                                                   const struct query_info *info)
{
    struct xnm_message_walk walk = xnm_message_walk(rep, info);
    const uint8_t *target;
    size_t len;

    return xnm_message_next_target(&walk, &target, &len);
}

/* Returns quickly for nearly all messages. */
bool xnm_message_has_chain(const struct reply_info *rep, const struct query_info *info)
{
    if (rep->an_numrrsets == 0)
        return false;
    return (rep->an_numrrsets > 1 || is_type(rep->rrsets[0], LDNS_RR_TYPE_CNAME) ||
            has_other_owner(rep->rrsets[0], info->qname, info->qname_len)) &&
           finds_target(rep, info);
}

void xnm_message_add_link(struct xnm_aliaschain *chain, const struct ub_packed_rrset_key *rrset)
{
    const struct packed_rrset_data *data = rrset->entry.data;
    uint8_t *target = NULL;
    size_t len = 0;

    /* It only reads, and finds a target in a CNAME or DNAME alone. */
    get_cname_target((struct ub_packed_rrset_key *)rrset, &target, &len);
    if (target && chain->count < XNM_ALIASCHAIN_MAX)
        chain->links[chain->count++] = (struct xnm_aliaschain_link){rrset->rk.dname,
                                                                    rrset->rk.dname_len,
                                                                    ntohs(rrset->rk.type),
                                                                    (uint32_t)data->rr_ttl[0],
                                                                    target,
                                                                    len};
}

void xnm_message_chain(const struct reply_info *rep, struct xnm_aliaschain *chain)
{
    xnm_message_begin_chain(chain);
    for (size_t i = 0; i < rep->an_numrrsets; i++)
        xnm_message_add_link(chain, rep->rrsets[i]);
}

static bool is_bogus(const struct reply_info *rep)
{
    return rep->security == sec_status_bogus || rep->security == sec_status_secure_sentinel_fail;
}

bool xnm_message_is_withheld(const struct module_qstate *qstate, const struct reply_info *rep)
{
    return is_bogus(rep) && (!(qstate->query_flags & BIT_CD) || qstate->env->cfg->ignore_cd);
}

const struct ub_packed_rrset_key *xnm_message_referral(const struct reply_info *rep)
{
    if (rep->an_numrrsets > 0 || FLAGS_GET_RCODE(rep->flags) != LDNS_RCODE_NOERROR)
        return NULL;
    for (size_t i = 0; i < rep->ns_numrrsets; i++) {
        if (is_type(rep->rrsets[i], LDNS_RR_TYPE_NS))
            return rep->rrsets[i];
    }
    return NULL;
}

static bool is_owner_refused(const struct xnm_policy *policy,
                             const struct ub_packed_rrset_key *rrset)
{
    const struct xnm_question question = {.qname = rrset->rk.dname,
                                          .qname_len = rrset->rk.dname_len,
                                          .qtype = ntohs(rrset->rk.type),
                                          .qclass = LDNS_RR_CLASS_IN};
    struct xnm_decision decision;

    xnm_policy_decide(policy, &question, &decision);
    return xnm_decision_forbids_cache(&decision);
}

static bool is_of_authority(uint16_t type)
{
    return type == LDNS_RR_TYPE_NS || type == LDNS_RR_TYPE_SOA || type == LDNS_RR_TYPE_DS ||
           type == LDNS_RR_TYPE_NSEC || type == LDNS_RR_TYPE_NSEC3;
}

static bool is_in_authority(const struct reply_info *rep, size_t i)
{
    return i < rep->an_numrrsets + rep->ns_numrrsets;
}

/* i is not in the answer section. */
bool xnm_message_is_additional(const struct reply_info *rep, size_t i)
{
    return !is_in_authority(rep, i) || !is_of_authority(ntohs(rep->rrsets[i]->rk.type));
}

/* Unbound caches AAAA separately for each CD flag. */
void xnm_message_remove_from_cache(struct module_env *env, const struct query_info *info)
{
    static const uint16_t flags[] = {0, BIT_CD};

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        msg_cache_remove(env, info->qname, info->qname_len, info->qtype, info->qclass, flags[i]);
}

bool xnm_message_has_additional(const struct reply_info *rep)
{
    bool has = rep->ar_numrrsets > 0;

    for (size_t i = rep->an_numrrsets; !has && i < rep->rrset_count; i++)
        has = xnm_message_is_additional(rep, i);
    return has;
}

bool xnm_message_drop_additional(const struct xnm_policy *policy, struct reply_info *rep)
{
    const size_t before = rep->rrset_count;
    size_t kept = rep->an_numrrsets;
    size_t of_authority = 0, seen = 0;

    for (size_t i = kept; i < before; i++) {
        if (xnm_message_is_additional(rep, i) &&
            (seen++ >= XNM_MESSAGE_ADDITIONAL_MAX || is_owner_refused(policy, rep->rrsets[i])))
            continue;
        of_authority += is_in_authority(rep, i);
        rep->rrsets[kept++] = rep->rrsets[i];
    }
    rep->ns_numrrsets = of_authority;
    rep->ar_numrrsets = kept - rep->an_numrrsets - of_authority;
    rep->rrset_count = kept;
    return kept < before;
}

/* --- making --- */

enum { RRSET = sizeof(struct ub_packed_rrset_key *) }; /* in a message's array of them */

/* Unbound keeps an RRset's data as one block: lengths, pointers, TTLs, and each RDATA with its
 * length. */
static size_t data_size(const struct xnm_response_set *set)
{
    size_t size = sizeof(struct packed_rrset_data) +
                  set->count * (sizeof(size_t) + sizeof(uint8_t *) + sizeof(time_t));

    for (size_t i = 0; i < set->count; i++)
        size += 2 + (size_t)set->records[i].rdata_len;
    return size;
}

/* Writes data_size octets, which must be 0. */
static void write_data(struct packed_rrset_data *data, const struct xnm_response_set *set)
{
    data->count = set->count;
    data->ttl = set->records->ttl;
    data->trust = rrset_trust_ultimate;
    data->security = sec_status_insecure;
    data->rr_len = (size_t *)(data + 1);
    for (size_t i = 0; i < set->count; i++)
        data->rr_len[i] = 2 + (size_t)set->records[i].rdata_len;
    packed_rrset_ptr_fixup(data);
    for (size_t i = 0; i < set->count; i++) {
        const struct xnm_record *record = &set->records[i];

        data->rr_ttl[i] = record->ttl;
        if (data->rr_ttl[i] < data->ttl)
            data->ttl = data->rr_ttl[i];
        sldns_write_uint16(data->rr_data[i], record->rdata_len);
        memcpy(data->rr_data[i] + 2, record->rdata, record->rdata_len);
    }
}

/* One block: the key, the data, the owner. */
struct ub_packed_rrset_key *xnm_message_make_rrset(struct regional *region,
                                                   const struct xnm_response_set *set)
{
    struct ub_packed_rrset_key *rrset;
    size_t before_owner = sizeof *rrset + data_size(set);

    rrset = regional_alloc_zero(region, before_owner + set->owner_len);
    if (!rrset)
        return NULL;
    write_data((struct packed_rrset_data *)(rrset + 1), set);
    rrset->entry.data = rrset + 1;
    rrset->entry.key = rrset;
    rrset->rk.dname = (uint8_t *)rrset + before_owner;
    rrset->rk.dname_len = set->owner_len;
    rrset->rk.type = htons(set->records->type);
    rrset->rk.rrset_class = htons(LDNS_RR_CLASS_IN);
    memcpy(rrset->rk.dname, set->owner, set->owner_len);
    return rrset;
}

/* A message and its parts, as one block. */
struct whole_message {
    struct dns_msg message;
    struct reply_info rep;
    struct ub_packed_rrset_key *rrsets[];
};

/* `capacity` is the number of RRsets that fit. */
static struct dns_msg *make_message(struct module_qstate *qstate, int rcode, size_t capacity)
{
    struct whole_message *whole =
        regional_alloc_zero(qstate->region, sizeof *whole + capacity * RRSET);

    if (!whole)
        return NULL;
    whole->message = (struct dns_msg){.qinfo = qstate->qinfo, .rep = &whole->rep};
    whole->rep.rrsets = whole->rrsets;
    whole->rep.flags = (uint16_t)(BIT_QR | BIT_RD | BIT_RA | rcode);
    whole->rep.qdcount = 1;
    whole->rep.security = sec_status_insecure;
    whole->rep.reason_bogus = LDNS_EDE_NONE;
    return &whole->message;
}

static bool add_sets(struct reply_info *rep, struct regional *region,
                     const struct xnm_response *response)
{
    for (size_t i = 0; i < response->set_count; i++) {
        rep->rrsets[i] = xnm_message_make_rrset(region, &response->sets[i]);
        if (!rep->rrsets[i])
            return false;
    }
    rep->rrset_count = response->set_count;
    rep->ns_numrrsets = response->has_soa;
    rep->an_numrrsets = rep->rrset_count - rep->ns_numrrsets;
    return true;
}

/* Appends the target's sections to an alias, which has no authority section of its own. */
static void add_target(struct reply_info *rep, const struct reply_info *target)
{
    size_t count = target->an_numrrsets + target->ns_numrrsets;

    memcpy(rep->rrsets + rep->rrset_count, target->rrsets, count * RRSET);
    rep->an_numrrsets += target->an_numrrsets;
    rep->ns_numrrsets += target->ns_numrrsets;
    rep->rrset_count += count;
}

struct reply_info *xnm_message_members(const struct reply_info *rep, struct regional *region)
{
    struct reply_info *copy = regional_alloc_zero(region, sizeof *copy);

    if (copy)
        memcpy(copy, rep, offsetof(struct reply_info, ref));
    return copy;
}

/* Without RRsets, Unbound allocates less than a whole struct. */
struct reply_info *xnm_message_copy(const struct reply_info *rep, struct regional *region)
{
    struct reply_info *copy = regional_alloc_zero(region, sizeof *copy);
    size_t count = rep->an_numrrsets + rep->ns_numrrsets;

    if (!copy || !(copy->rrsets = regional_alloc_zero(region, count * RRSET)))
        return NULL;
    copy->flags = rep->flags;
    copy->an_numrrsets = rep->an_numrrsets;
    copy->ns_numrrsets = rep->ns_numrrsets;
    copy->rrset_count = count;
    for (size_t i = 0; i < count; i++) {
        copy->rrsets[i] = packed_rrset_copy_region(rep->rrsets[i], region, 0);
        if (!copy->rrsets[i])
            return NULL;
    }
    return copy;
}

struct dns_msg *xnm_message_make(struct module_qstate *qstate, const struct xnm_response *response,
                                 const struct reply_info *target)
{
    int rcode = target ? FLAGS_GET_RCODE(target->flags) : response->rcode;
    size_t capacity = response->set_count + (target ? target->rrset_count : 0);
    struct dns_msg *message = make_message(qstate, rcode, capacity);

    if (!message || !add_sets(message->rep, qstate->region, response))
        return NULL;
    if (target)
        add_target(message->rep, target);
    return message;
}
