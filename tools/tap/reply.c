/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/tap/reply.h"

#include "core/wire/walk.h"
#include "module/base/hashset.h"
#include "module/engine/idnpdecision.h"
#include "module/engine/idnpreport.h"
#include "module/zone/mnemonic.h"
#include "tools/tap/dnstap.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#define YEAR_10000 UINT64_C(253402300800) /* seconds since 1970 */
#define DAY_US UINT64_C(86400000000)

enum { SLOTS = 1 << 16 }; /* of 16 octets: a second's queries of a busy resolver */

struct tap_replies {
    _Atomic uint64_t counts[TAP_KINDS];
    uint64_t seed;
    /* When queries arrived, for senders whose responses do not contain it. A later query may take
     * an earlier one's slot. */
    struct {
        uint64_t key;          /* of the exchange */
        uint64_t microseconds; /* 0: free */
    } slots[SLOTS];
    /* The reply at hand: it is large, so it is not on the stack. */
    struct xnm_idnpreport said;
    struct xnm_idnpdecision_memory decision;
};

struct tap_replies *tap_replies_new(void)
{
    struct tap_replies *replies = calloc(1, sizeof *replies);

    if (replies)
        replies->seed = xnm_hashset_seed(replies);
    return replies;
}

void tap_replies_free(struct tap_replies *replies)
{
    free(replies);
}

uint64_t tap_replies_count(const struct tap_replies *replies, tap_kind kind)
{
    return atomic_load_explicit(&replies->counts[kind], memory_order_relaxed);
}

/* --- clients and times --- */

/* Fills in a client. An address of another length counts as missing. */
static void read_client(const struct tap_message *message, struct sockaddr_storage *client)
{
    struct sockaddr_in *ipv4 = (struct sockaddr_in *)(void *)client;
    struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)(void *)client;
    uint16_t port = htons((uint16_t)message->port);

    memset(client, 0, sizeof *client); /* AF_UNSPEC */
    if (message->address.len == 4) {
        ipv4->sin_family = AF_INET;
        ipv4->sin_port = port;
        memcpy(&ipv4->sin_addr, message->address.at, 4);
    } else if (message->address.len == 16) {
        ipv6->sin6_family = AF_INET6;
        ipv6->sin6_port = port;
        memcpy(&ipv6->sin6_addr, message->address.at, 16);
    }
}

static bool is_time(const struct tap_time *time)
{
    return time->seconds < YEAR_10000 && time->nanoseconds < 1000000000;
}

/* Returns a time in microseconds since 1970; 0: it is missing. */
static uint64_t microseconds(const struct tap_time *time)
{
    return is_time(time) ? time->seconds * 1000000 + time->nanoseconds / 1000 : 0;
}

static struct timespec when(const struct tap_time *time)
{
    struct timespec now;

    if (is_time(time))
        return (struct timespec){(time_t)time->seconds, (long)time->nanoseconds};
    clock_gettime(CLOCK_REALTIME, &now);
    return now;
}

/* Returns XNM_NO_TIME for a day or more: no reply takes that long, so a clock was set. */
static uint64_t between(uint64_t asked, uint64_t answered)
{
    return asked > 0 && answered >= asked && answered - asked < DAY_US ? answered - asked
                                                                       : XNM_NO_TIME;
}

/* Returns the key of the exchange that a message belongs to: a query and its response have the
 * same. It is seeded, so that an attacker cannot choose two exchanges with one key. */
static uint64_t key_of(const struct tap_replies *replies, const struct tap_message *message,
                       uint64_t sender)
{
    const struct xnm_packet *packet = &replies->said.packet;
    struct {
        uint64_t sender;
        uint16_t port, id, qtype;
        uint8_t address_len, qname_len, address[16], qname[XN_WIRE_NAME_MAX];
    } all;

    memset(&all, 0, offsetof(__typeof__(all), qname));
    all.sender = sender;
    all.port = (uint16_t)message->port;
    all.id = packet->id;
    all.qtype = packet->qtype;
    all.qname_len = (uint8_t)packet->qname_len;
    if (message->address.len == 4 || message->address.len == 16) {
        all.address_len = (uint8_t)message->address.len;
        memcpy(all.address, message->address.at, message->address.len);
    }
    xn_wire_lower(all.qname, packet->qname, packet->qname_len);
    return XXH3_64bits_withSeed(&all, offsetof(__typeof__(all), qname) + packet->qname_len,
                                replies->seed);
}

/* Finds the query's time. Some senders put it into the response, others send the query as a
 * frame. */
static uint64_t elapsed(struct tap_replies *replies, const struct tap_message *message,
                        uint64_t sender)
{
    uint64_t answered = microseconds(&message->answered), asked = microseconds(&message->asked);

    if (asked == 0) {
        uint64_t key = key_of(replies, message, sender), slot = key % SLOTS;
        if (replies->slots[slot].key == key) {
            asked = replies->slots[slot].microseconds;
            replies->slots[slot].microseconds = 0;
        }
    }
    return between(asked, answered);
}

/* --- replies --- */

static xnm_transport transport_of(uint64_t protocol)
{
    switch (protocol) {
    case TAP_TCP:
    case TAP_DNSCRYPT_TCP:
        return XNM_TRANSPORT_TCP;
    case TAP_DOT:
        return XNM_TRANSPORT_DOT;
    case TAP_DOH:
        return XNM_TRANSPORT_DOH;
    case TAP_DOQ:
        return XNM_TRANSPORT_DOQ;
    default:
        return XNM_TRANSPORT_UDP;
    }
}

/* Returns the match; NULL: no rule matched. If a chain cannot be read, its readable part is
 * decided. */
static const struct xnm_match *decide(struct tap_replies *replies, struct xnm_state *state,
                                      const struct tap_message *message)
{
    const struct xnm_packet *packet = &replies->said.packet;
    struct xnm_client address;
    bool known = message->address.len > 0 &&
                 xnm_client_from(message->address.at, message->address.len, &address);
    const struct xnm_prefix client =
        known ? xnm_prefix_whole(&address) : (struct xnm_prefix){{0}, 0};
    const struct xnm_question question = {.qname = packet->qname,
                                          .qname_len = packet->qname_len,
                                          .qtype = packet->qtype,
                                          .qclass = packet->qclass,
                                          .client = known ? &client : NULL,
                                          .time = when(&message->answered).tv_sec};
    struct xnm_idnpdecision_memory *decision = &replies->decision;
    size_t additional;

    if (!xnm_state_has_policy(state) || !xnm_policy_decides_class(packet->qclass))
        return NULL;
    xnm_idnpdecision_clear(&decision->decision);
    decision->chain.next = 0;
    if (packet->counts[XNM_IN_ANSWER] > 0)
        xnm_packet_chain(packet, &decision->aliases, &decision->chain, &additional);
    xnm_idnpdecision_decide(state, &question, 0, decision);
    return decision->decision.matched ? &decision->match : NULL;
}

static void report(struct tap_replies *replies, struct xnm_state *state,
                   const struct tap_message *message, uint64_t sender)
{
    const struct xnm_packet *packet = &replies->said.packet;
    struct sockaddr_storage client;
    struct xnm_reply reply = {.client = &client,
                              .qname = packet->qname,
                              .qname_len = packet->qname_len,
                              .qtype = packet->qtype,
                              .qclass = packet->qclass,
                              .type_name = xnm_mnemonic_type(packet->qtype),
                              .class_name = xnm_mnemonic_class(packet->qclass),
                              .elapsed_us = elapsed(replies, message, sender),
                              .observed = true,
                              .id = packet->id,
                              .transport = transport_of(message->protocol),
                              .when = when(&message->answered),
                              .match = decide(replies, state, message)};

    read_client(message, &client);
    reply.rcode = xnm_idnpreport_read(&replies->said, &reply);
    reply.rcode_name = xnm_mnemonic_rcode(reply.rcode);
    xnm_state_reply(state, &reply);
}

static tap_kind take_response(struct tap_replies *replies, struct xnm_state *state,
                              const struct tap_message *message, uint64_t sender)
{
    struct xnm_packet *packet = &replies->said.packet;

    if (!xnm_packet_open(packet, message->response.at, message->response.len) ||
        !(packet->flags & XNM_PACKET_QR))
        return TAP_MALFORMED;
    if (packet->flags & XNM_PACKET_OPCODE)
        return TAP_OTHER;
    report(replies, state, message, sender);
    return TAP_REPLY;
}

static tap_kind take_query(struct tap_replies *replies, const struct tap_message *message,
                           uint64_t sender)
{
    uint64_t asked = microseconds(&message->asked);

    if (!xnm_packet_open(&replies->said.packet, message->query.at, message->query.len))
        return TAP_MALFORMED;
    if (asked > 0) {
        uint64_t key = key_of(replies, message, sender), slot = key % SLOTS;
        replies->slots[slot].key = key;
        replies->slots[slot].microseconds = asked;
    }
    return TAP_QUERY;
}

static tap_kind take(struct tap_replies *replies, struct xnm_state *state, uint64_t sender,
                     const uint8_t *frame, size_t len)
{
    struct tap_message message;

    if (!tap_dnstap_read(frame, len, &message))
        return TAP_MALFORMED;
    switch (message.type) {
    case TAP_CLIENT_RESPONSE:
    case TAP_AUTH_RESPONSE:
        return take_response(replies, state, &message, sender);
    case TAP_CLIENT_QUERY:
    case TAP_AUTH_QUERY:
        return take_query(replies, &message, sender);
    default:
        return TAP_OTHER;
    }
}

tap_kind tap_replies_take(struct tap_replies *replies, struct xnm_state *state, uint64_t sender,
                          const uint8_t *frame, size_t len)
{
    tap_kind kind = take(replies, state, sender, frame, len);

    atomic_fetch_add_explicit(&replies->counts[kind], 1, memory_order_relaxed);
    return kind;
}
