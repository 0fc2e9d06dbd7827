/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/idnpreport.h"

#include "module/base/rrtype.h"
#include "module/engine/idnpdecision.h"
#include "module/engine/sized.h"
#include "module/zone/mnemonic.h"

#include <netinet/in.h>
#include <string.h>

enum { OPTION_EDE = 15, CODE_LEN = 2 }; /* RFC 8914, section 2 */

/* Finds the extended error among the options of an OPT record. */
static void find_error(const uint8_t *options, size_t left, struct xnm_reply_error *error)
{
    struct xnm_packet_edns_option option;

    while (!error->is_there && xnm_packet_next_option(&options, &left, &option)) {
        if (option.code == OPTION_EDE && option.len >= CODE_LEN)
            *error =
                (struct xnm_reply_error){true, (uint16_t)(option.data[0] << 8 | option.data[1]),
                                         option.len - CODE_LEN, option.data + CODE_LEN};
    }
}

/* Reads the OPT record. Returns the upper bits of the rcode. */
static int read_opt(struct xnm_idnpreport *message, struct xnm_reply *reply)
{
    enum { DNSSEC_OK = 0x8000 }; /* RFC 3225, section 3 */
    struct xnm_packet_walk walk = xnm_packet_walk(&message->packet);
    struct xnm_packet_record *record = &message->record;

    while (message->packet.counts[XNM_IN_ADDITIONAL] > 0 && xnm_packet_next(&walk, record)) {
        if (record->type != XNM_TYPE_OPT || record->section != XNM_IN_ADDITIONAL)
            continue;
        reply->dnssec_ok = record->ttl & DNSSEC_OK;
        find_error(message->packet.octets + record->rdata_at, record->rdata_len, &reply->error);
        return (int)(record->ttl >> 24) << 4;
    }
    return 0;
}

/* answers->at and left are those of a walk over the packet. Signatures are left out, unless the
 * question asks for them. */
static bool next_answer(struct xnm_answers *answers, struct xnm_answer *answer)
{
    struct xnm_idnpreport *message = (struct xnm_idnpreport *)(uintptr_t)answers->source;
    const struct xnm_packet *packet = &message->packet;
    struct xnm_packet_record *record = &message->record;
    struct xnm_packet_walk walk = xnm_packet_walk(packet);

    if (answers->at > 0) {
        walk.at = answers->at;
        walk.left = (unsigned)answers->left;
    }
    do {
        if (walk.left == 0 || !xnm_packet_next(&walk, record))
            return false;
    } while (record->type == XNM_TYPE_RRSIG && packet->qtype != XNM_TYPE_RRSIG);
    answers->at = walk.at;
    answers->left = walk.left;
    *answer = (struct xnm_answer){
        record->owner, record->owner_len, record->type,     record->rclass,
        record->ttl,   packet->octets,    record->rdata_at, record->rdata_at + record->rdata_len};
    return true;
}

int xnm_idnpreport_read(struct xnm_idnpreport *message, struct xnm_reply *reply)
{
    reply->has_flags = true;
    reply->dnssec_ok = false;
    reply->flags = message->packet.flags;
    reply->error.is_there = false;
    reply->next_answer = next_answer;
    reply->answer_source = message;
    return (message->packet.flags & XNM_PACKET_RCODE) | read_opt(message, reply);
}

/* --- the call --- */

/* Sets the client that a forwarder at the reply's address names. */
static void read_subnet(const struct xnm_state *state, const struct idnp_reply *reply,
                        struct xnm_reply *logged)
{
    struct xnm_prefix client;

    if (xnm_idnpdecision_client(reply->address, reply->address_len, &client) &&
        xnm_idnpdecision_name_client(state, reply->subnet, reply->subnet_len, &client))
        logged->subnet = client;
}

/* Writes the client's address and port to *client. Returns false if no address has that length. */
static bool read_client(const struct idnp_reply *reply, struct sockaddr_storage *client)
{
    memset(client, 0, sizeof *client); /* AF_UNSPEC */
    if (reply->address_len == 4) {
        struct sockaddr_in *ipv4 = (struct sockaddr_in *)(void *)client;
        ipv4->sin_family = AF_INET;
        ipv4->sin_port = htons(reply->port);
        memcpy(&ipv4->sin_addr, reply->address, 4);
    } else if (reply->address_len == 16) {
        struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)(void *)client;
        ipv6->sin6_family = AF_INET6;
        ipv6->sin6_port = htons(reply->port);
        memcpy(&ipv6->sin6_addr, reply->address, 16);
    }
    return reply->address_len == 0 || reply->address_len == 4 || reply->address_len == 16;
}

static bool is_valid(const struct idnp_reply *reply)
{
    return xnm_idnpdecision_is_name(reply->qname, reply->qname_len) &&
           reply->security <= IDNP_SECURE && reply->rcode >= IDNP_NO_RCODE &&
           reply->rcode <= 0xFFF && reply->transport <= IDNP_TRANSPORT_DOQ &&
           reply->nanoseconds >= 0 && reply->nanoseconds < 1000000000;
}

int32_t idnp_report(struct idnp *idnp, const struct idnp_reply *reply,
                    const struct idnp_decision *decision)
{
    struct idnp_reply copy;
    struct sockaddr_storage client;
    struct xnm_idnpreport message;

    int32_t fault = xnm_sized_read(&copy, sizeof copy, XNM_REPLY_SIZE_1_0_0, reply);
    if (fault != 0)
        return fault;
    reply = &copy;
    if (!idnp || !is_valid(reply) || !read_client(reply, &client))
        return IDNP_BAD_ARGUMENT;
    xnm_handle_ready(idnp);
    struct xnm_reply logged = {
        .client = &client,
        .qname = reply->qname,
        .qname_len = reply->qname_len,
        .qtype = reply->qtype,
        .qclass = reply->qclass,
        .type_name = xnm_mnemonic_type(reply->qtype),
        .class_name = xnm_mnemonic_class(reply->qclass),
        .rcode = reply->rcode == IDNP_NO_RCODE ? XNM_NO_RCODE : reply->rcode,
        .rcode_name = xnm_mnemonic_rcode(reply->rcode),
        .elapsed_us = reply->elapsed_us,
        .cached = reply->cached,
        .id = reply->id,
        .transport = (xnm_transport)reply->transport,
        .security = (xnm_security)reply->security,
        .when = {(time_t)reply->seconds, (long)reply->nanoseconds},
        .match = decision && decision->matched
                     ? &((const struct xnm_idnpdecision_memory *)(const void *)decision)->match
                     : NULL};
    read_subnet(idnp->state, reply, &logged);
    if (reply->message && reply->rcode != IDNP_NO_RCODE &&
        xnm_packet_open(&message.packet, reply->message, reply->message_len))
        xnm_idnpreport_read(&message, &logged);
    if (reply->seconds == 0 && reply->nanoseconds == 0)
        clock_gettime(CLOCK_REALTIME, &logged.when);
    xnm_state_reply(idnp->state, &logged);
    return 0;
}
