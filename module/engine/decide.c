/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides about names, and takes reports of replies, for libidnpolicy. */
#include "core/wire/wire.h"
#include "module/base/rrtype.h"
#include "module/engine/decision.h"
#include "module/engine/said.h"
#include "module/engine/sized.h"
#include "module/zone/mnemonic.h"

#include <netinet/in.h>
#include <string.h>

static bool is_name(const uint8_t *name, size_t len)
{
    struct xn_wire_cursor cursor;

    return name && xn_wire_open(&cursor, name, len) == XN_OK;
}

/* --- deciding --- */

static int32_t refuse(struct idnp_decision *decision, int32_t why)
{
    return decision->result = why;
}

static bool add_link(struct xnm_alias_chain *chain, const struct idnp_record *record)
{
    if ((record->type != XNM_TYPE_CNAME && record->type != XNM_TYPE_DNAME) ||
        !is_name(record->owner, record->owner_len) || !is_name(record->rdata, record->rdata_len))
        return false;
    chain->links[chain->count++] =
        (struct xnm_alias_link){record->owner, record->owner_len, record->type,
                                record->ttl,   record->rdata,     record->rdata_len};
    return true;
}

int32_t idnp_decide_answer(struct idnp *idnp, const struct idnp_question *question,
                           const struct idnp_record *chain, uint32_t chain_count,
                           struct idnp_decision *decision)
{
    struct xnm_decision_memory *memory = xnm_decision_memory(decision);
    struct idnp_question asked;
    struct xnm_prefix client;

    if (!decision)
        return IDNP_BAD_ARGUMENT;
    xnm_decision_clear(decision);
    int32_t fault = xnm_sized_read(&asked, sizeof asked, XNM_QUESTION_SIZE_1_0_0, question);
    if (fault != 0)
        return refuse(decision, fault);
    if (!idnp || !is_name(asked.qname, asked.qname_len) || chain_count > XNM_ALIAS_LINKS_MAX ||
        (chain_count > 0 && !chain) ||
        !xnm_decision_client(asked.address, asked.address_len, &client))
        return refuse(decision, IDNP_BAD_ARGUMENT);
    for (uint32_t i = 0; i < chain_count; i++) {
        if (!add_link(&memory->chain, &chain[i]))
            return refuse(decision, IDNP_BAD_ARGUMENT);
    }
    memory->chain.next = 0;
    xnm_handle_ready(idnp);
    xnm_decision_name_client(idnp->state, asked.subnet, asked.subnet_len, &client);
    return xnm_decision_decide(
        idnp->state,
        &(struct xnm_question){.qname = asked.qname,
                               .qname_len = asked.qname_len,
                               .qtype = asked.qtype,
                               .qclass = asked.qclass,
                               .from_a = asked.flags & IDNP_FROM_A,
                               .client = client.address.len > 0 ? &client : NULL,
                               .time = (time_t)asked.seconds},
        asked.flags, memory);
}

int32_t idnp_decide(struct idnp *idnp, const struct idnp_question *question,
                    struct idnp_decision *decision)
{
    return idnp_decide_answer(idnp, question, NULL, 0, decision);
}

/* --- replies --- */

/* Sets the client that a forwarder at the reply's address names. */
static void read_subnet(const struct xnm_state *state, const struct idnp_reply *reply,
                        struct xnm_reply *told)
{
    struct xnm_prefix client;

    if (xnm_decision_client(reply->address, reply->address_len, &client) &&
        xnm_decision_name_client(state, reply->subnet, reply->subnet_len, &client))
        told->subnet = client;
}

/* Returns whether the address has a length that it can have. */
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
    return is_name(reply->qname, reply->qname_len) && reply->security <= IDNP_SECURE &&
           reply->rcode >= IDNP_NO_RCODE && reply->rcode <= 0xFFF &&
           reply->transport <= IDNP_TRANSPORT_DOQ && reply->nanoseconds >= 0 &&
           reply->nanoseconds < 1000000000;
}

int32_t idnp_report(struct idnp *idnp, const struct idnp_reply *reply,
                    const struct idnp_decision *decision)
{
    struct idnp_reply copy;
    struct sockaddr_storage client;
    struct xnm_said said;

    int32_t fault = xnm_sized_read(&copy, sizeof copy, XNM_REPLY_SIZE_1_0_0, reply);
    if (fault != 0)
        return fault;
    reply = &copy;
    if (!idnp || !is_valid(reply) || !read_client(reply, &client))
        return IDNP_BAD_ARGUMENT;
    xnm_handle_ready(idnp);
    struct xnm_reply told = {
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
                     ? &((const struct xnm_decision_memory *)(const void *)decision)->match
                     : NULL};
    read_subnet(idnp->state, reply, &told);
    if (reply->message && reply->rcode != IDNP_NO_RCODE &&
        xnm_packet_open(&said.packet, reply->message, reply->message_len))
        xnm_said_read(&said, &told);
    if (reply->seconds == 0 && reply->nanoseconds == 0)
        clock_gettime(CLOCK_REALTIME, &told.when);
    xnm_state_reply(idnp->state, &told);
    return 0;
}
