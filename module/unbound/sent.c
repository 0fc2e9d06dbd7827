/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a reply will say, before Unbound encodes it: its flags, the result of validation, the
 * extended error and the records of its answer section. */
#include <config.h>

#include "module/unbound/sent.h"

#include <string.h>

#include <services/localzone.h>
#include <services/mesh.h>
#include <sldns/rrdef.h>
#include <sldns/sbuffer.h>
#include <util/config_file.h>
#include <util/data/msgencode.h>
#include <util/data/msgparse.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/net_help.h>

static const struct config_file *settings;

void xnm_sent_open(const struct module_env *env)
{
    settings = env->cfg;
}

/* Returns the query's local alias if Unbound writes it: in a copy of what reply_info_answer_encode
 * (util/data/msgencode.c) decides. */
static const struct local_rrset *alias_of(const struct xnm_host_call *call)
{
    int rcode = call->rep ? FLAGS_GET_RCODE(call->rep->flags) : LDNS_RCODE_SERVFAIL;

    return call->qinfo && (rcode == LDNS_RCODE_NOERROR || rcode == LDNS_RCODE_NXDOMAIN)
               ? call->qinfo->local_alias
               : NULL;
}

static const struct packed_rrset_data *data_of(const struct ub_packed_rrset_key *rrset)
{
    return rrset->entry.data;
}

/* Returns whether gate.c withholds the reply's records, by an alias that fits into no message. */
static bool is_withheld(const struct local_rrset *alias)
{
    return alias && alias->rrset &&
           data_of(alias->rrset)->rr_len[0] > sizeof(uint16_t) + UINT16_MAX;
}

/* --- flags --- */

/* Does what reply_info_answer_encode and error_encode (util/data/msgencode.c) do. TC, which is set
 * there for want of room, is not known yet. */
__attribute__((noinline)) static uint16_t any_flags(const struct xnm_host_call *call,
                                                    uint16_t query_flags)
{
    const struct local_rrset *alias = alias_of(call);
    const struct reply_info *rep = call->rep;
    uint16_t flags = query_flags & (BIT_RD | BIT_CD);

    if (xnm_host_is_error(call))
        return flags | BIT_RA | (call->origin == XNM_FROM_LOCAL && call->qinfo ? BIT_AA : 0);
    flags |= rep->flags;
    if (call->origin == XNM_FROM_CACHE && !xnm_host_is_cached(rep))
        flags |= BIT_RA; /* answer_norec_from_cache (daemon/worker.c) sets it after the callback */
    if (call->origin != XNM_FROM_LOCAL && !rep->authoritative)
        flags &= (uint16_t)~BIT_AA;
    if (alias)
        flags |= BIT_AA;
    return is_withheld(alias) ? flags | BIT_TC : flags;
}

/* Returns whether the reply is a cached message as it is, as most are. */
static inline bool is_plain_hit(const struct xnm_host_call *call)
{
    const struct reply_info *rep = call->rep;

    return call->origin == XNM_FROM_CACHE && rep && rep->flags & BIT_RA && !rep->authoritative &&
           call->qinfo && !call->qinfo->local_alias;
}

static inline uint16_t flags_of(const struct xnm_host_call *call, uint16_t query_flags, bool is_hit,
                                bool dnssec_ok)
{
    const struct reply_info *rep = call->rep;
    uint16_t flags = is_hit ? (uint16_t)((rep->flags & ~BIT_AA) | (query_flags & (BIT_RD | BIT_CD)))
                            : any_flags(call, query_flags);

    if (rep && rep->security == sec_status_secure && (dnssec_ok || query_flags & BIT_AD) &&
        (is_hit || (!xnm_host_is_error(call) && !alias_of(call))))
        flags |= BIT_AD;
    return flags;
}

static const uint8_t securities[] = {
    [sec_status_unchecked] = XNM_SECURITY_UNKNOWN,
    [sec_status_bogus] = XNM_SECURITY_BOGUS,
    [sec_status_indeterminate] = XNM_SECURITY_INDETERMINATE,
    [sec_status_insecure] = XNM_SECURITY_INSECURE,
    [sec_status_secure_sentinel_fail] = XNM_SECURITY_BOGUS,
    [sec_status_secure] = XNM_SECURITY_SECURE,
};

/* --- the extended error --- */

static bool find_error(const struct edns_option *option, struct xnm_reply_error *error)
{
    for (; option; option = option->next) {
        if (option->opt_code != LDNS_EDNS_EDE || option->opt_len < sizeof error->code)
            continue;
        *error = (struct xnm_reply_error){true, sldns_read_uint16(option->opt_data),
                                          option->opt_len - sizeof error->code,
                                          option->opt_data + sizeof error->code};
        return true;
    }
    return false;
}

/* Finds the error that Unbound adds after this call: to SERVFAIL for a bogus answer, and, in some
 * versions, to an expired answer from the cache. */
static void predict_error(const struct xnm_host_call *call, time_t now,
                          struct xnm_reply_error *error)
{
    const struct reply_info *rep = call->rep;
    const char *text = NULL;
    int code = LDNS_EDE_NONE;

    if (!rep || !settings->ede)
        return;
    if (xnm_host_is_error(call))
        code = xnm_host_bogus_reason(call->qstate, rep, &text);
    else if (call->origin == XNM_FROM_CACHE && settings->ede_serve_expired && rep->ttl < now)
        code = LDNS_EDE_STALE_ANSWER;
    if (code != LDNS_EDE_NONE)
        *error = (struct xnm_reply_error){true, (uint16_t)code, text ? strlen(text) : 0,
                                          (const uint8_t *)text};
}

/* Ours comes first. */
__attribute__((noinline)) static void read_error(const struct xnm_host_call *call, time_t now,
                                                 struct xnm_reply_error *error)
{
    if (!find_error(call->options ? *call->options : NULL, error) &&
        !find_error(call->edns->opt_list_out, error))
        predict_error(call, now, error);
}

/* Returns false if there can be none, as nearly always. */
static inline bool may_have_error(const struct xnm_host_call *call)
{
    return call->edns && call->edns->edns_present &&
           ((call->options && *call->options) || call->edns->opt_list_out || settings->ede);
}

/* --- records --- */

/* Returns what packed_rrset_encode (util/data/msgencode.c) subtracts from a TTL. */
static time_t adjustment_of(const struct ub_packed_rrset_key *rrset, time_t now)
{
    if (rrset->rk.flags & PACKED_RRSET_FIXEDTTL)
        return 0;
    return SERVE_ORIGINAL_TTL ? data_of(rrset)->ttl_add : now;
}

/* Returns the n-th RRset of the answer section, in which the query's local alias comes first; NULL:
 * it has fewer. */
__attribute__((noinline)) static const struct ub_packed_rrset_key *
rrset_with_alias(const struct xnm_host_call *call, size_t n)
{
    const struct local_rrset *alias = alias_of(call);

    for (; alias; alias = alias->next) {
        if (n-- == 0)
            return alias->rrset;
    }
    return n < call->rep->an_numrrsets ? call->rep->rrsets[n] : NULL;
}

static inline const struct ub_packed_rrset_key *rrset_at(const struct xnm_host_call *call, size_t n)
{
    if (call->qinfo && call->qinfo->local_alias)
        return rrset_with_alias(call, n);
    return n < call->rep->an_numrrsets ? call->rep->rrsets[n] : NULL;
}

/* Begins the next RRset with records. Returns false if there is none. */
static inline bool next_set(struct xnm_answers *walk, struct xnm_answer *answer)
{
    const struct xnm_host_call *call = walk->source;
    const struct ub_packed_rrset_key *rrset;

    if (walk->at == 0 && (xnm_host_is_error(call) || is_withheld(alias_of(call))))
        return false;
    do {
        rrset = rrset_at(call, walk->at++);
        if (!rrset)
            return false;
        walk->left = data_of(rrset)->count;
    } while (walk->left == 0);
    walk->set = data_of(rrset);
    walk->adjustment = adjustment_of(rrset, call->origin == XNM_FROM_CACHE ? walk->now : 0);
    answer->owner = rrset->rk.dname;
    answer->owner_len = rrset->rk.dname_len;
    answer->type = ntohs(rrset->rk.type);
    answer->rclass = ntohs(rrset->rk.rrset_class);
    answer->at = sizeof(uint16_t); /* after its length */
    return true;
}

/* walk->set is the data of an RRset, of whose records walk->left are left; walk->at RRsets have
 * begun. */
static bool next_answer(struct xnm_answers *walk, struct xnm_answer *answer)
{
    if (walk->left == 0 && !next_set(walk, answer))
        return false;
    const struct packed_rrset_data *data = walk->set;
    size_t i = data->count - walk->left--;

    if (data->rr_ttl[i] >= walk->adjustment)
        answer->ttl = (uint32_t)(data->rr_ttl[i] - walk->adjustment);
    else
        answer->ttl = (uint32_t)(SERVE_EXPIRED ? SERVE_EXPIRED_REPLY_TTL : 0);
    answer->octets = data->rr_data[i];
    answer->end = data->rr_len[i];
    return true;
}

/* --- all --- */

static inline void read_status(const struct xnm_host_call *call, uint16_t query_flags, bool is_hit,
                               struct xnm_reply *reply)
{
    const struct reply_info *rep = call->rep;

    reply->dnssec_ok = call->edns && call->edns->edns_present && call->edns->bits & EDNS_DO;
    reply->flags = flags_of(call, query_flags, is_hit, reply->dnssec_ok);
    reply->security = rep && rep->security < sizeof securities
                          ? (xnm_security)securities[rep->security]
                          : XNM_SECURITY_UNKNOWN;
}

__attribute__((noinline)) static void read_any_status(const struct xnm_host_call *call,
                                                      uint16_t query_flags, struct xnm_reply *reply)
{
    read_status(call, query_flags, false, reply);
}

void xnm_sent_read(const struct xnm_host_call *call, uint16_t query_flags, struct xnm_reply *reply)
{
    reply->has_flags = true;
    reply->error.is_there = false;
    reply->next_answer = next_answer;
    reply->answer_source = call;
    if (is_plain_hit(call))
        read_status(call, query_flags, true, reply);
    else
        read_any_status(call, query_flags, reply);
    if (may_have_error(call))
        read_error(call, reply->when.tv_sec, &reply->error);
}
