/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/callback.h"

#include "core/wire/walk.h"
#include "module/base/record.h"
#include "module/base/subnet.h"
#include "module/unbound/daemon.h"

#include <stddef.h>
#include <string.h>

#include <services/cache/dns.h>
#include <services/localzone.h>
#include <services/mesh.h>
#include <sldns/parseutil.h>
#include <sldns/rrdef.h>
#include <sldns/sbuffer.h>
#include <sldns/wire2str.h>
#include <util/config_file.h>
#include <util/data/msgencode.h>
#include <util/data/msgparse.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/net_help.h>
#include <util/netevent.h>

/* --- how Unbound will encode the reply --- */

static const struct config_file *settings;

void xnm_callback_open(const struct module_env *env)
{
    settings = env->cfg;
}

/* Returns the query's local alias if Unbound writes it: a copy of the decision in
 * reply_info_answer_encode (util/data/msgencode.c). */
static const struct local_rrset *alias_of(const struct xnm_callback *call)
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

/* Sets the flags like reply_info_answer_encode and error_encode (util/data/msgencode.c). A TC that
 * they set because the reply is too long is not known yet. */
__attribute__((noinline)) static uint16_t any_flags(const struct xnm_callback *call,
                                                    uint16_t query_flags)
{
    const struct local_rrset *alias = alias_of(call);
    const struct reply_info *rep = call->rep;
    uint16_t flags = query_flags & (BIT_RD | BIT_CD);

    if (xnm_callback_is_error(call))
        return flags | BIT_RA | (call->origin == XNM_FROM_LOCAL && call->qinfo ? BIT_AA : 0);
    flags |= rep->flags;
    if (call->origin == XNM_FROM_CACHE && !xnm_daemon_is_cached(rep))
        flags |= BIT_RA; /* answer_norec_from_cache (daemon/worker.c) sets it after the callback */
    if (call->origin != XNM_FROM_LOCAL && !rep->authoritative)
        flags &= (uint16_t)~BIT_AA;
    if (alias)
        flags |= BIT_AA;
    return is_withheld(alias) ? flags | BIT_TC : flags;
}

/* Returns whether the reply is a cached message as it is, as most are. */
static inline bool is_plain_hit(const struct xnm_callback *call)
{
    const struct reply_info *rep = call->rep;

    return call->origin == XNM_FROM_CACHE && rep && rep->flags & BIT_RA && !rep->authoritative &&
           call->qinfo && !call->qinfo->local_alias;
}

static inline uint16_t flags_of(const struct xnm_callback *call, uint16_t query_flags, bool is_hit,
                                bool dnssec_ok)
{
    const struct reply_info *rep = call->rep;
    uint16_t flags = is_hit ? (uint16_t)((rep->flags & ~BIT_AA) | (query_flags & (BIT_RD | BIT_CD)))
                            : any_flags(call, query_flags);

    if (rep && rep->security == sec_status_secure && (dnssec_ok || query_flags & BIT_AD) &&
        (is_hit || (!xnm_callback_is_error(call) && !alias_of(call))))
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
static void predict_error(const struct xnm_callback *call, time_t now,
                          struct xnm_reply_error *error)
{
    const struct reply_info *rep = call->rep;
    const char *text = NULL;
    int code = LDNS_EDE_NONE;

    if (!rep || !settings->ede)
        return;
    if (xnm_callback_is_error(call))
        code = xnm_daemon_bogus_reason(call->qstate, rep, &text);
    else if (call->origin == XNM_FROM_CACHE && settings->ede_serve_expired && rep->ttl < now)
        code = LDNS_EDE_STALE_ANSWER;
    if (code != LDNS_EDE_NONE)
        *error = (struct xnm_reply_error){true, (uint16_t)code, text ? strlen(text) : 0,
                                          (const uint8_t *)text};
}

/* The policy's own error comes first. */
__attribute__((noinline)) static void read_error(const struct xnm_callback *call, time_t now,
                                                 struct xnm_reply_error *error)
{
    if (!find_error(call->options ? *call->options : NULL, error) &&
        !find_error(call->edns->opt_list_out, error))
        predict_error(call, now, error);
}

/* Returns false if there can be none, as nearly always. */
static inline bool may_have_error(const struct xnm_callback *call)
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
rrset_with_alias(const struct xnm_callback *call, size_t n)
{
    const struct local_rrset *alias = alias_of(call);

    for (; alias; alias = alias->next) {
        if (n-- == 0)
            return alias->rrset;
    }
    return n < call->rep->an_numrrsets ? call->rep->rrsets[n] : NULL;
}

static inline const struct ub_packed_rrset_key *rrset_at(const struct xnm_callback *call, size_t n)
{
    if (call->qinfo && call->qinfo->local_alias)
        return rrset_with_alias(call, n);
    return n < call->rep->an_numrrsets ? call->rep->rrsets[n] : NULL;
}

/* Begins the next RRset with records. Returns false if there is none. */
static inline bool next_set(struct xnm_answers *walk, struct xnm_answer *answer)
{
    const struct xnm_callback *call = walk->source;
    const struct ub_packed_rrset_key *rrset;

    if (walk->at == 0 && (xnm_callback_is_error(call) || is_withheld(alias_of(call))))
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

static inline void read_status(const struct xnm_callback *call, uint16_t query_flags, bool is_hit,
                               struct xnm_reply *reply)
{
    const struct reply_info *rep = call->rep;

    reply->dnssec_ok = call->edns && call->edns->edns_present && call->edns->bits & EDNS_DO;
    reply->flags = flags_of(call, query_flags, is_hit, reply->dnssec_ok);
    reply->security = rep && rep->security < sizeof securities
                          ? (xnm_security)securities[rep->security]
                          : XNM_SECURITY_UNKNOWN;
}

__attribute__((noinline)) static void read_any_status(const struct xnm_callback *call,
                                                      uint16_t query_flags, struct xnm_reply *reply)
{
    read_status(call, query_flags, false, reply);
}

static void read_sent(const struct xnm_callback *call, uint16_t query_flags,
                      struct xnm_reply *reply)
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

/* --- the query and its client --- */

enum { DNS_HEADER_LEN = 12 };

/* Returns the rcode that will be on the wire. The argument is right in two of the lists only: for
 * resolution it is always 0, for the cache the flags of the query. Bits above the low four are
 * Unbound's own (BIT_TC). */
static int wire_rcode(const struct xnm_callback *call)
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

bool xnm_callback_is_expired(const struct xnm_callback *call)
{
    const struct dns_msg *message = call->qstate ? call->qstate->return_msg : NULL;

    return call->origin == XNM_FROM_RESOLUTION && call->rep &&
           call->rep != (message ? message->rep : NULL);
}

/* A bogus answer in the cache is refused through the list of failures, without a query state. */
static bool is_from_cache(const struct xnm_callback *call)
{
    return call->origin == XNM_FROM_CACHE || (call->origin == XNM_FROM_FAILURE && !call->qstate) ||
           xnm_callback_is_expired(call);
}

static xnm_transport transport_of(const struct comm_point *point)
{
    switch (point->type) {
    case comm_http:
        return XNM_TRANSPORT_DOH;
    case comm_tcp:
        return point->ssl ? XNM_TRANSPORT_DOT : XNM_TRANSPORT_TCP;
#ifdef XNM_HAS_DOQ
    case comm_doq:
        return XNM_TRANSPORT_DOQ;
#endif
    default:
        return XNM_TRANSPORT_UDP;
    }
}

/* Returns the waiting client that a mesh callback is about; NULL: none. Its comm_reply and its
 * start time are then members of one struct mesh_reply, at a known distance. In one call, about a
 * new client for which there is no memory, they are not. */
static const struct mesh_reply *mesh_reply_of(const struct xnm_callback *call)
{
    const char *repinfo = (const char *)call->repinfo, *start_time = (const char *)call->start_time;
    const ptrdiff_t distance = (ptrdiff_t)offsetof(struct mesh_reply, start_time) -
                               (ptrdiff_t)offsetof(struct mesh_reply, query_reply);

    if (!call->qstate || (uintptr_t)start_time - (uintptr_t)repinfo != (uintptr_t)distance)
        return NULL;
    return (const void *)(repinfo - offsetof(struct mesh_reply, query_reply));
}

/* Reads the id and the flags of the query. In the mesh the connection's buffer is shared scratch
 * space; elsewhere it still contains the query. */
static void read_header(const struct xnm_callback *call, uint16_t *id, uint16_t *flags)
{
    const struct mesh_reply *waiting = mesh_reply_of(call);
    struct sldns_buffer *query = call->repinfo->c->buffer;

    *id = *flags = 0;
    if (waiting) {
        *id = ntohs(waiting->qid);
        *flags = waiting->qflags;
    } else if (query && sldns_buffer_limit(query) >= DNS_HEADER_LEN) {
        *id = sldns_buffer_read_u16_at(query, 0);
        *flags = sldns_buffer_read_u16_at(query, 2);
    }
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

bool xnm_callback_has_client(const struct xnm_callback *call)
{
    return call->repinfo && call->repinfo->c;
}

/* If a local-zone or RPZ alias was applied, qname is its target, and the client's own name is the
 * alias's owner. */
bool xnm_callback_read_question(const struct xnm_callback *call, struct xnm_reply *reply)
{
    const struct query_info *qinfo = call->qinfo;

    if (!xnm_callback_has_client(call))
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

/* Returns whether a forwarder names the client of a query. */
static bool is_named(const struct xnm_forwarders *forwarders, const struct sockaddr_storage *peer,
                     const struct edns_data *edns, struct xnm_prefix *client)
{
    const struct edns_option *option =
        edns ? edns_opt_list_find(edns->opt_list_in, XNM_SUBNET_OPTION) : NULL;
    struct xnm_client address;

    return option && xnm_client_of(peer, &address) &&
           xnm_subnet_client(forwarders, &address, option->opt_data, option->opt_len, client);
}

bool xnm_callback_client(const struct xnm_forwarders *forwarders,
                         const struct sockaddr_storage *peer, const struct edns_data *edns,
                         struct xnm_prefix *client)
{
    struct xnm_client address;

    if (forwarders && is_named(forwarders, peer, edns, client))
        return true;
    if (!xnm_client_of(peer, &address))
        return false;
    *client = xnm_prefix_whole(&address);
    return true;
}

void xnm_callback_read_answer(const struct xnm_forwarders *forwarders,
                              const struct xnm_callback *call, struct xnm_reply *reply)
{
    uint16_t query_flags;

    clock_gettime(CLOCK_REALTIME, &reply->when);
    reply->client = &call->repinfo->client_addr;
    reply->subnet.address.len = 0;
    if (forwarders)
        is_named(forwarders, reply->client, call->edns, &reply->subnet);
    reply->type_name = sldns_rr_descript(reply->qtype)->_name;
    reply->class_name = find_name(sldns_rr_classes, reply->qclass);
    reply->rcode = wire_rcode(call);
    reply->rcode_name = find_name(sldns_rcodes, reply->rcode);
    reply->elapsed_us = call->start_time ? elapsed_us(call->start_time, &reply->when) : 0;
    reply->cached = is_from_cache(call);
    reply->observed = false;
    read_header(call, &reply->id, &query_flags);
    reply->transport = transport_of(call->repinfo->c);
    read_sent(call, query_flags, reply);
}
