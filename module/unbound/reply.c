/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the arguments of a reply callback. */
#include <config.h>

#include <stddef.h>

#include "module/unbound/host.h"
#include "module/unbound/sent.h"

#include "core/wire/walk.h"
#include "module/base/record.h"
#include "module/base/subnet.h"

#include <services/cache/dns.h>
#include <services/localzone.h>
#include <services/mesh.h>
#include <sldns/parseutil.h>
#include <sldns/rrdef.h>
#include <sldns/sbuffer.h>
#include <sldns/wire2str.h>
#include <util/data/msgparse.h>
#include <util/data/msgreply.h>
#include <util/net_help.h>
#include <util/netevent.h>

enum { DNS_HEADER_LEN = 12 };

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

/* Returns whether it is an expired answer, which is served while the query waits or after it has
 * failed: it is not the query's own. */
static bool is_expired(const struct xnm_host_call *call)
{
    const struct dns_msg *message = call->qstate ? call->qstate->return_msg : NULL;

    return call->origin == XNM_FROM_RESOLUTION && call->rep &&
           call->rep != (message ? message->rep : NULL);
}

/* A bogus answer in the cache is refused through the list of failures, without a query state. */
static bool is_from_cache(const struct xnm_host_call *call)
{
    return call->origin == XNM_FROM_CACHE || (call->origin == XNM_FROM_FAILURE && !call->qstate) ||
           is_expired(call);
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

/* Reads the id and the flags of the query. In the mesh the connection's buffer is shared scratch
 * space; elsewhere it still holds the query. */
static void read_header(const struct xnm_host_call *call, uint16_t *id, uint16_t *flags)
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

bool xnm_host_client(const struct xnm_forwarders *forwarders, const struct sockaddr_storage *peer,
                     const struct edns_data *edns, struct xnm_prefix *client)
{
    struct xnm_client address;

    if (forwarders && is_named(forwarders, peer, edns, client))
        return true;
    if (!xnm_client_of(peer, &address))
        return false;
    *client = xnm_prefix_whole(&address);
    return true;
}

void xnm_host_read_answer(const struct xnm_forwarders *forwarders, const struct xnm_host_call *call,
                          struct xnm_reply *reply)
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
    xnm_sent_read(call, query_flags, reply);
}
