/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides about whole messages, for libidnpolicy. */
#include "module/base/rrtype.h"
#include "module/base/subnet.h"
#include "module/engine/idnpdecision.h"
#include "module/engine/sized.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPT_HEAD = 11,    /* RFC 6891, section 6.1.2: root, type, size, flags, length */
    OPTION_HEAD = 4,  /* code and length */
    OPTION_EDE = 15,  /* RFC 8914 */
    UDP_SIZE = 1232,  /* octets that we accept over UDP: what most resolvers offer */
    POINTER = 0xC000, /* RFC 1035, section 4.1.4 */
    POINTER_MAX = 0x3FFF,
    DNSSEC_OK = 0x8000,
    UDP_PLAIN = 512,     /* octets of a reply over UDP without EDNS: RFC 1035, section 4.2.1 */
    ADDITIONAL_MAX = 64, /* additional records that are decided */
    STRANGERS_MAX = 64,  /* likewise records of the answer section to which no alias leads */
    RCODE_NOERROR = 0,
    RCODE_NXDOMAIN = 3
};

/* --- writing a message --- */

/* A reply that is written. An owner is compressed if it repeats the question's name or the last
 * owner that was written whole. */
struct reply {
    uint8_t *dst; /* borrowed */
    size_t limit; /* octets that the reply may have */
    size_t kept;  /* octets of it that are reserved for the OPT record */
    size_t len;
    size_t question_end;
    size_t owner_at, owner_len; /* the last owner that was written whole */
    bool is_full;               /* something did not fit, and was left out */
};

static void put_u16(uint8_t *at, size_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put_u32(uint8_t *at, uint32_t value)
{
    put_u16(at, value >> 16);
    put_u16(at + 2, value & 0xFFFF);
}

static size_t opt_len(size_t ede_len)
{
    return OPT_HEAD + (ede_len > 0 ? OPTION_HEAD + ede_len : 0);
}

/* Writes the header, with `flags` and no records, and the query's question. Reserves the octets of
 * the OPT record, if the query has EDNS. Returns false if these do not fit. */
static bool begin_reply(struct reply *reply, const struct xnm_packet *query, uint16_t flags,
                        const struct xnm_packet_edns *edns, size_t ede_len)
{
    reply->question_end = XN_WIRE_HEADER_LEN + query->qname_len + 4;
    reply->kept = edns->present ? opt_len(ede_len) : 0;
    reply->len = reply->question_end;
    reply->owner_at = XN_WIRE_HEADER_LEN;
    reply->owner_len = query->qname_len;
    reply->is_full = false;
    if (reply->len + reply->kept > reply->limit)
        return false;
    memset(reply->dst, 0, XN_WIRE_HEADER_LEN);
    put_u16(reply->dst, query->id);
    put_u16(reply->dst + 2, flags);
    put_u16(reply->dst + 4, 1);
    memcpy(reply->dst + XN_WIRE_HEADER_LEN, query->qname, query->qname_len);
    put_u16(reply->dst + XN_WIRE_HEADER_LEN + query->qname_len, query->qtype);
    put_u16(reply->dst + XN_WIRE_HEADER_LEN + query->qname_len + 2, query->qclass);
    return true;
}

static void count_record(struct reply *reply, xnm_section section)
{
    uint8_t *count = reply->dst + 6 + 2 * (size_t)section;

    put_u16(count, (size_t)(count[0] << 8 | count[1]) + 1);
}

/* Returns the offset of an equal name: the last owner that was written whole, or the question's
 * name. Returns 0 if neither is equal, and for the root, which a pointer would not shorten. */
static size_t find_owner(const struct reply *reply, const uint8_t *owner, size_t len)
{
    if (len > 2 && len == reply->owner_len && memcmp(reply->dst + reply->owner_at, owner, len) == 0)
        return reply->owner_at;
    if (len > 2 && len + 4 == reply->question_end - XN_WIRE_HEADER_LEN &&
        memcmp(reply->dst + XN_WIRE_HEADER_LEN, owner, len) == 0)
        return XN_WIRE_HEADER_LEN;
    return 0;
}

/* Appends a record of a section; sections must come in their order. */
static void put_record(struct reply *reply, xnm_section section, const uint8_t *owner,
                       size_t owner_len, uint16_t type, uint16_t rclass, uint32_t ttl,
                       const uint8_t *rdata, size_t rdata_len)
{
    enum { FIXED = 10 };
    size_t pointer = find_owner(reply, owner, owner_len), name_len = pointer ? 2 : owner_len;
    uint8_t *at = reply->dst + reply->len;

    if (reply->is_full || name_len + FIXED + rdata_len > reply->limit - reply->kept - reply->len) {
        reply->is_full = true;
        return;
    }
    if (pointer) {
        put_u16(at, POINTER | pointer);
    } else {
        memcpy(at, owner, owner_len);
        if (reply->len <= POINTER_MAX) {
            reply->owner_at = reply->len;
            reply->owner_len = owner_len;
        }
    }
    at += name_len;
    put_u16(at, type);
    put_u16(at + 2, rclass);
    put_u32(at + 4, ttl);
    put_u16(at + 8, rdata_len);
    if (rdata_len > 0)
        memcpy(at + FIXED, rdata, rdata_len);
    reply->len += name_len + FIXED + rdata_len;
    count_record(reply, section);
}

/* Appends the OPT record: with the extended error, if ede_len is not 0. */
static void put_opt(struct reply *reply, const struct xnm_packet_edns *edns, const uint8_t *ede,
                    size_t ede_len)
{
    uint8_t *at = reply->dst + reply->len;

    if (!edns->present)
        return;
    at[0] = 0;
    put_u16(at + 1, XNM_TYPE_OPT);
    put_u16(at + 3, UDP_SIZE);
    put_u32(at + 5, edns->dnssec_ok ? DNSSEC_OK : 0);
    put_u16(at + 9, opt_len(ede_len) - OPT_HEAD);
    if (ede_len > 0) {
        put_u16(at + OPT_HEAD, OPTION_EDE);
        put_u16(at + OPT_HEAD + 2, ede_len);
        memcpy(at + OPT_HEAD + OPTION_HEAD, ede, ede_len);
    }
    reply->len += opt_len(ede_len);
    count_record(reply, XNM_IN_ADDITIONAL);
}

/* Removes all records, and sets TC. */
static void truncate_records(struct reply *reply)
{
    reply->len = reply->question_end;
    reply->dst[2] |= XNM_PACKET_TC >> 8;
    memset(reply->dst + 6, 0, 6);
}

/* The state of one call. */
struct work {
    struct idnp *idnp;
    struct idnp_exchange *exchange;
    struct xnm_idnpdecision_memory *memory;
    struct xnm_packet query, answer, target;
    struct xnm_packet_edns edns;
    struct xnm_question question; /* of the client */
    struct xnm_prefix client;
    size_t others; /* records of the answer whose owners may be undecided */
    struct reply reply;
    bool asks;             /* the client asks for structured errors */
    const uint8_t *option; /* the extended error of the reply; at first the shortest */
    size_t option_len;     /* 0: none */
};

static int32_t end(struct work *work, int32_t result)
{
    return work->memory->decision.result = result;
}

/* --- reading --- */

/* Reads the query; without one, the answer's question. The OPT record is read only if it is needed.
 */
static bool read_query(struct work *work)
{
    const struct idnp_exchange *exchange = work->exchange;

    if (!exchange->query)
        return exchange->answer &&
               xnm_packet_open(&work->query, exchange->answer, exchange->answer_len) &&
               (work->query.flags & (XNM_PACKET_QR | XNM_PACKET_OPCODE)) == XNM_PACKET_QR;
    return xnm_packet_open(&work->query, exchange->query, exchange->query_len) &&
           (work->query.flags & (XNM_PACKET_QR | XNM_PACKET_OPCODE)) == 0 &&
           xnm_packet_edns(&work->query, &work->edns) && work->edns.version == 0;
}

/* Reads a response; false if it does not answer that question. */
static bool read_response(struct xnm_packet *packet, const uint8_t *octets, size_t len,
                          const uint8_t *qname, size_t qname_len, const struct xnm_packet *query)
{
    return xnm_packet_open(packet, octets, len) && packet->flags & XNM_PACKET_QR &&
           (packet->qclass == query->qclass || packet->qclass == XNM_CLASS_IN) &&
           xnm_packet_asks(packet, qname, qname_len, query->qtype, packet->qclass);
}

static bool read_answer(struct work *work)
{
    const struct idnp_exchange *exchange = work->exchange;
    const struct xnm_packet *query = &work->query;

    if (!exchange->answer)
        return true;
    if (!exchange->query)
        work->answer = work->query;
    return (!exchange->query || read_response(&work->answer, exchange->answer, exchange->answer_len,
                                              query->qname, query->qname_len, query)) &&
           xnm_packet_chain(&work->answer, &work->memory->aliases, &work->memory->chain,
                            &work->others);
}

/* Sets the client that a forwarder at the exchange's address names. */
static void name_client(struct work *work)
{
    const uint8_t *subnet = work->exchange->subnet;
    size_t len = work->exchange->subnet_len;

    if (work->exchange->query)
        subnet = xnm_packet_option(&work->query, &work->edns, XNM_SUBNET_OPTION, &len);
    xnm_idnpdecision_name_client(work->idnp->state, subnet, len, &work->client);
}

/* --- the reply --- */

static size_t limit_of(const struct work *work)
{
    const struct idnp_exchange *exchange = work->exchange;
    size_t most = XNM_PACKET_MAX;

    if (exchange->flags & IDNP_UDP) {
        size_t allowed = exchange->query ? work->edns.size : exchange->answer_len; /* 0: no EDNS */
        most = allowed > UDP_PLAIN ? allowed : UDP_PLAIN;
    }
    return most < exchange->reply_cap ? most : exchange->reply_cap;
}

/* Chooses the extended error. A structured one has no text yet: extend_option() adds it. */
static void choose_option(struct work *work)
{
    const struct xnm_idnpdecision_memory *memory = work->memory;
    uint32_t code = memory->decision.structured_code;
    size_t len;

    work->asks = code > 0 &&
                 (work->exchange->query
                      ? xnm_packet_option(&work->query, &work->edns, (uint16_t)code, &len) != NULL
                      : work->exchange->flags & IDNP_STRUCTURED);
    work->option = work->asks ? memory->structured : memory->ede_option;
    work->option_len = memory->ede_option_len;
    if (work->asks)
        work->option_len = memory->structured_len > 0 ? 2 : 0;
}

/* Adds the text of a structured error that fits behind the records. */
static void extend_option(struct work *work)
{
    const struct xnm_idnpdecision_memory *memory = work->memory;
    size_t free_len = work->reply.limit - work->reply.len - work->reply.kept;

    if (work->option_len == 0 || !work->asks)
        return;
    if (memory->structured_len - 2 <= free_len) {
        work->option_len = memory->structured_len;
    } else if (memory->brief_len - 2 <= free_len) {
        work->option = memory->brief;
        work->option_len = memory->brief_len;
    }
}

static bool begin(struct work *work, int32_t rcode)
{
    uint16_t recursion =
        work->exchange->answer ? work->answer.flags & XNM_PACKET_RA : (uint16_t)XNM_PACKET_RA;
    uint16_t flags = (uint16_t)(XNM_PACKET_QR | recursion |
                                (work->query.flags & (XNM_PACKET_RD | XNM_PACKET_CD)) | rcode);

    work->reply.dst = work->exchange->reply;
    work->reply.limit = limit_of(work);
    choose_option(work);
    return begin_reply(&work->reply, &work->query, flags, &work->edns, work->option_len);
}

static int32_t finish(struct work *work, int32_t result)
{
    put_opt(&work->reply, &work->edns, work->option, work->option_len);
    work->exchange->reply_len = (uint32_t)work->reply.len;
    return end(work, result);
}

static void put_decision(struct work *work)
{
    const struct idnp_decision *decision = &work->memory->decision;

    for (uint32_t i = 0; i < decision->record_count; i++) {
        const struct idnp_record *record = &decision->records[i];
        put_record(&work->reply,
                   record->section == IDNP_SECTION_ANSWER ? XNM_IN_ANSWER : XNM_IN_AUTHORITY,
                   record->owner, record->owner_len, record->type, record->rclass, record->ttl,
                   record->rdata, record->rdata_len);
    }
}

/* Appends a record of another message. Returns false if it is malformed. */
static bool put_copy(struct work *work, const struct xnm_packet *from,
                     const struct xnm_packet_record *record)
{
    uint8_t *rdata = work->memory->rdata;
    long len = xnm_packet_rdata(from, record, rdata);

    if (len >= 0)
        put_record(&work->reply, record->section, record->owner, record->owner_len, record->type,
                   record->rclass, record->ttl, rdata, (size_t)len);
    return len >= 0;
}

/* Appends the target's answer and authority sections, without additional records. */
static bool put_target(struct work *work)
{
    struct xnm_packet_walk walk = xnm_packet_walk(&work->target);
    struct xnm_packet_record record;

    while (xnm_packet_next(&walk, &record)) {
        if (record.section != XNM_IN_ADDITIONAL &&
            !xnm_packet_is_additional(&work->target, &record) &&
            !put_copy(work, &work->target, &record))
            return false;
    }
    return !walk.is_malformed;
}

static int32_t finish_records(struct work *work)
{
    if (work->reply.is_full && !(work->exchange->flags & IDNP_UDP))
        return end(work, IDNP_NO_ROOM);
    if (work->reply.is_full)
        truncate_records(&work->reply);
    else
        extend_option(work);
    return finish(work, IDNP_ANSWER);
}

/* Adds the target's answer. A target that could not be resolved fails the query; one whose answer
 * is too long truncates it. */
static int32_t answer_with_target(struct work *work)
{
    struct idnp_decision *decision = &work->memory->decision;
    const struct idnp_exchange *exchange = work->exchange;

    if (!read_response(&work->target, exchange->target, exchange->target_len, decision->follow,
                       decision->follow_len, &work->query))
        return end(work, IDNP_BAD_MESSAGE);
    int32_t rcode = work->target.flags & XNM_PACKET_RCODE;
    bool has_answer = rcode == RCODE_NOERROR || rcode == RCODE_NXDOMAIN;
    if (!begin(work, rcode))
        return end(work, IDNP_NO_ROOM);
    if (has_answer)
        put_decision(work);
    if (has_answer && !put_target(work))
        return end(work, IDNP_BAD_MESSAGE);
    decision->rcode = rcode;
    decision->follow = NULL;
    decision->follow_len = 0;
    work->reply.is_full |= has_answer && work->target.flags & XNM_PACKET_TC;
    return finish_records(work);
}

static int32_t answer(struct work *work)
{
    const struct idnp_decision *decision = &work->memory->decision;

    if (decision->follow && work->exchange->target)
        return answer_with_target(work);
    if (!begin(work, decision->rcode))
        return end(work, IDNP_NO_ROOM);
    put_decision(work);
    return finish_records(work);
}

static int32_t truncate_reply(struct work *work)
{
    if (!begin(work, RCODE_NOERROR))
        return end(work, IDNP_NO_ROOM);
    truncate_records(&work->reply);
    return finish(work, IDNP_TRUNCATE);
}

/* --- additional records, and records to which no alias leads --- */

/* The records of an answer that the policy allows. */
struct sifted {
    bool is_allowed[ADDITIONAL_MAX]; /* for each additional record, in their order */
    size_t count;                    /* of them */
    size_t first;     /* where the first additional record, or that section, begins; 0: nowhere */
    size_t authority; /* records of the authority section before that */
    size_t opt_len;   /* octets of its OPT record */
    size_t strangers; /* records of the answer section to which no alias leads */
    bool is_forged;   /* one of them has a refused owner, or they are too many */
};

static bool is_opt(const struct xnm_packet_record *record)
{
    return record->section == XNM_IN_ADDITIONAL && record->type == XNM_TYPE_OPT &&
           record->owner_len == 1;
}

/* A record of another class than the question's is decided like one of class IN, because a client
 * may ignore its class. */
static bool is_owner_refused(const struct work *work, const struct xnm_policy *policy,
                             const struct xnm_packet_record *record)
{
    uint16_t rclass =
        record->rclass == work->query.qclass ? record->rclass : (uint16_t)XNM_CLASS_IN;
    const struct xnm_question question = {.qname = record->owner,
                                          .qname_len = record->owner_len,
                                          .qtype = record->type,
                                          .qclass = rclass,
                                          .client = work->question.client,
                                          .time = work->question.time};
    struct xnm_decision decision;

    if (!xnm_policy_decides_class(rclass))
        return false;
    bool refused =
        xnm_policy_decide(policy, &question, &decision) && xnm_decision_changes_answer(&decision);
    work->memory->decision.client_specific |= decision.specific_answer;
    return refused;
}

/* Finds the records of the answer that the policy refuses. Returns false if all are allowed. */
static bool find_refused(const struct work *work, const struct xnm_policy *policy,
                         struct sifted *sifted)
{
    struct xnm_packet_walk walk = xnm_packet_walk(&work->answer);
    struct xnm_packet_record record;
    bool any = false;

    *sifted = (struct sifted){.count = 0};
    while (xnm_packet_next(&walk, &record)) {
        bool is_additional = xnm_packet_is_additional(&work->answer, &record);
        if (sifted->first == 0 && (is_additional || record.section == XNM_IN_ADDITIONAL))
            sifted->first = record.at;
        sifted->authority += sifted->first == 0 && record.section == XNM_IN_AUTHORITY;
        if (is_opt(&record))
            sifted->opt_len += walk.at - record.at;
        if (record.section == XNM_IN_ANSWER && !sifted->is_forged &&
            !xnm_packet_leads_to(&work->answer, &work->memory->aliases, &record))
            sifted->is_forged =
                sifted->strangers++ == STRANGERS_MAX || is_owner_refused(work, policy, &record);
        if (is_additional && sifted->count < ADDITIONAL_MAX) {
            bool is_allowed = !is_owner_refused(work, policy, &record);
            sifted->is_allowed[sifted->count] = is_allowed;
            any |= !is_allowed;
        }
        sifted->count += is_additional;
    }
    return any || sifted->is_forged || sifted->count > ADDITIONAL_MAX;
}

/* Returns whether no name before `first` has octets beyond it. Only forged pointers lead to such a
 * name. */
static bool has_no_name_beyond(struct work *work, size_t first)
{
    struct xnm_packet_walk walk = xnm_packet_walk(&work->answer);
    struct xnm_packet_record record;
    uint8_t owner[XN_WIRE_NAME_MAX];

    while (xnm_packet_next(&walk, &record) && record.at < first) {
        size_t at = record.at;
        if (xn_wire_expand(work->answer.octets, first, &at, owner) == 0 ||
            xnm_packet_rdata(&work->answer, &record, work->memory->rdata) < 0)
            return false;
    }
    return true;
}

/* Copies the allowed records of a section from `first` on, either the OPT record or all others, as
 * far as they fit. If there are more additional records than were decided, all are left out.
 * Returns false if a record is malformed. */
static bool copy_section(struct work *work, const struct sifted *sifted, xnm_section section,
                         bool opt)
{
    struct xnm_packet_walk walk = xnm_packet_walk(&work->answer);
    struct xnm_packet_record record;
    size_t count = 0;

    work->reply.is_full = false;
    while (xnm_packet_next(&walk, &record)) {
        bool is_additional = xnm_packet_is_additional(&work->answer, &record);
        bool is_allowed =
            !is_additional || (sifted->count <= ADDITIONAL_MAX && sifted->is_allowed[count]);
        count += is_additional;
        if (record.at >= sifted->first && record.section == section && is_opt(&record) == opt &&
            is_allowed && !put_copy(work, &work->answer, &record))
            return false;
    }
    return true;
}

/* Copies the answer up to `first`, and then the allowed records that fit. Without compression a
 * record may not fit, except for the OPT record, whose octets are reserved. */
static int32_t write_without(struct work *work, const struct sifted *sifted)
{
    const struct idnp_exchange *exchange = work->exchange;

    if (exchange->answer_len > exchange->reply_cap)
        return end(work, IDNP_NO_ROOM);
    memcpy(exchange->reply, exchange->answer, sifted->first);
    memset(exchange->reply + 8, 0, 4);
    exchange->reply[8] = (uint8_t)(sifted->authority >> 8);
    exchange->reply[9] = (uint8_t)sifted->authority;
    work->reply = (struct reply){.dst = exchange->reply,
                                 .limit = exchange->answer_len,
                                 .kept = sifted->opt_len,
                                 .len = sifted->first,
                                 .question_end = work->answer.records_at,
                                 .owner_at = XN_WIRE_HEADER_LEN};
    if (!has_no_name_beyond(work, sifted->first) ||
        !copy_section(work, sifted, XNM_IN_AUTHORITY, false))
        return end(work, IDNP_BAD_MESSAGE);
    work->reply.kept = 0;
    if (!copy_section(work, sifted, XNM_IN_ADDITIONAL, true) ||
        !copy_section(work, sifted, XNM_IN_ADDITIONAL, false))
        return end(work, IDNP_BAD_MESSAGE);
    work->exchange->reply_len = (uint32_t)work->reply.len;
    return end(work, IDNP_LEAVE);
}

static int32_t leave(struct work *work)
{
    const struct xnm_state *state = work->idnp->state;
    struct sifted sifted;

    if (!work->exchange->answer || work->others == 0 || xnm_state_is_log_only(state))
        return IDNP_LEAVE;
    const struct xnm_policy *policy = xnm_policyhandle_enter(xnm_state_force(state), NULL);
    bool any = policy && xnm_policy_changes_answers(policy) && find_refused(work, policy, &sifted);
    xnm_policyhandle_leave();
    if (any && sifted.is_forged)
        return end(work, IDNP_BAD_MESSAGE);
    return any ? write_without(work, &sifted) : IDNP_LEAVE;
}

/* --- the call --- */

/* Returns the class by which a question is decided: its own, or IN if the server has answered a
 * question of another class with records of a third class, or of IN. */
static uint16_t class_of(const struct work *work)
{
    if (!work->exchange->answer || xnm_policy_decides_class(work->query.qclass))
        return work->query.qclass;
    struct xnm_packet_walk walk = xnm_packet_walk(&work->answer);
    struct xnm_packet_record record;

    while (xnm_packet_next(&walk, &record)) {
        if (record.section == XNM_IN_ANSWER && record.rclass != work->query.qclass)
            return XNM_CLASS_IN;
    }
    return work->query.qclass;
}

static int32_t decide(struct work *work)
{
    const struct idnp_exchange *exchange = work->exchange;
    const struct xnm_packet *query = &work->query;

    if (!read_query(work) || !read_answer(work))
        return end(work, IDNP_BAD_MESSAGE);
    xnm_handle_ready(work->idnp);
    if (xnm_state_forwarders(work->idnp->state))
        name_client(work);
    work->question =
        (struct xnm_question){.qname = query->qname,
                              .qname_len = query->qname_len,
                              .qtype = query->qtype,
                              .qclass = class_of(work),
                              .from_a = exchange->flags & IDNP_FROM_A,
                              .client = work->client.address.len > 0 ? &work->client : NULL,
                              .time = (time_t)exchange->seconds};
    int32_t result =
        xnm_idnpdecision_decide(work->idnp->state, &work->question, exchange->flags, work->memory);
    if (!exchange->query && result != IDNP_LEAVE && !xnm_packet_edns(query, &work->edns))
        return end(work, IDNP_BAD_MESSAGE);
    switch (result) {
    case IDNP_ANSWER:
        return answer(work);
    case IDNP_TRUNCATE:
        return truncate_reply(work);
    case IDNP_DROP:
        return IDNP_DROP;
    default:
        return leave(work);
    }
}

int32_t idnp_decide_message(struct idnp *idnp, struct idnp_exchange *exchange,
                            struct idnp_decision *decision)
{
    struct idnp_exchange copy;
    struct work work;

    if (!decision)
        return IDNP_BAD_ARGUMENT;
    xnm_idnpdecision_clear(decision);
    work.idnp = idnp;
    work.exchange = &copy;
    work.asks = false;
    work.option_len = 0;
    work.memory = xnm_idnpdecision_memory(decision);
    int32_t fault = xnm_sized_read(&copy, sizeof copy, XNM_EXCHANGE_SIZE_1_0_0, exchange);
    if (fault != 0)
        return end(&work, fault);
    if (!idnp || (copy.reply_cap > 0 && !copy.reply) ||
        !xnm_idnpdecision_client(copy.address, copy.address_len, &work.client))
        return end(&work, IDNP_BAD_ARGUMENT);
    copy.reply_len = 0;
    int32_t result = decide(&work);
    exchange->reply_len = copy.reply_len;
    return result;
}
