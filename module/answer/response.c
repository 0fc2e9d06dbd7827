/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/answer/response.h"

#include "module/base/rrtype.h"
#include "module/rule/rule.h"

#include <string.h>

enum { RCODE_NOERROR = 0, RCODE_NXDOMAIN = 3, RCODE_REFUSED = 5, RCODE_YXDOMAIN = 6 };

enum { RECORD_HEAD = 12 }; /* pointer, type, class, TTL and length: RFC 1035, section 3.2.1 */

/* The SOA of a zone that is never transferred. Its timers have no effect; their values are usual,
 * for tools that check them. */
enum { SOA_SERIAL = 1, SOA_REFRESH = 3600, SOA_RETRY = 900, SOA_EXPIRE = 604800 };

static size_t put_u32(uint8_t *dst, size_t at, uint32_t value)
{
    dst[at] = (uint8_t)(value >> 24);
    dst[at + 1] = (uint8_t)(value >> 16);
    dst[at + 2] = (uint8_t)(value >> 8);
    dst[at + 3] = (uint8_t)value;
    return at + 4;
}

static size_t put_name(uint8_t *dst, size_t at, const struct xnm_wirename *name)
{
    memcpy(dst + at, name->octets, name->len);
    return at + name->len;
}

static void set_name(struct xnm_wirename *name, const uint8_t *octets, size_t len)
{
    name->len = (uint8_t)len;
    memcpy(name->octets, octets, len);
}

/* --- records --- */

static bool has_room(const struct xnm_response *response, size_t octets)
{
    return response->record_count < XNM_RESPONSE_RECORDS_MAX &&
           octets <= XNM_RESPONSE_OCTETS_MAX - response->octets;
}

/* Adds a record to the last set, if it fits. */
static void add_record(struct xnm_response *response, const struct xnm_record *record)
{
    size_t octets = RECORD_HEAD + record->rdata_len;

    if (!has_room(response, octets))
        return;
    response->octets += octets;
    response->records[response->record_count++] = *record;
    response->sets[response->set_count - 1].count++;
}

/* Begins a set, which must get a record. False: it does not fit. */
static bool begin_set(struct xnm_response *response, const uint8_t *owner, size_t owner_len)
{
    if (response->set_count == XNM_RESPONSE_SETS_MAX || !has_room(response, owner_len))
        return false;
    response->octets += owner_len;
    response->sets[response->set_count++] =
        (struct xnm_response_set){owner, owner_len, &response->records[response->record_count], 0};
    return true;
}

static void add_single(struct xnm_response *response, const uint8_t *owner, size_t owner_len,
                       const struct xnm_record *record)
{
    if (begin_set(response, owner, owner_len))
        add_record(response, record);
}

static void add_chain(const struct xnm_aliaschain *chain, struct xnm_response *response)
{
    for (size_t i = 0; i < chain->count; i++) {
        const struct xnm_aliaschain_link *link = &chain->links[i];

        add_single(response, link->owner, link->owner_len,
                   &(struct xnm_record){link->type, (uint16_t)link->rdata_len, link->ttl,
                                        (uint8_t *)link->rdata});
    }
}

/* Returns whether one of the first n records has the type of the n-th. */
static bool is_known_type(const struct xnm_policy_answer *answer, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (answer->records[i].type == answer->records[n].type)
            return true;
    }
    return false;
}

/* All records of one type form one RRset, whatever their order. */
static void add_records(const struct xnm_policy_answer *answer, const struct xnm_wirename *subject,
                        uint16_t qtype, struct xnm_response *response)
{
    for (size_t i = 0; i < answer->record_count; i++) {
        uint16_t type = answer->records[i].type;

        if ((qtype != type && qtype != XNM_TYPE_ANY) || is_known_type(answer, i))
            continue;
        if (!begin_set(response, subject->octets, subject->len))
            return;
        for (size_t j = i; j < answer->record_count; j++) {
            if (answer->records[j].type == type)
                add_record(response, &answer->records[j]);
        }
        if (response->sets[response->set_count - 1].count == 0)
            response->set_count--;
    }
}

/* Resolvers keep the negative answer for the SOA's MINIMUM (RFC 2308, section 5). */
static void add_soa(const struct xnm_policy_settings *settings, const struct xnm_decision *decision,
                    struct xnm_response *response)
{
    uint32_t ttl = decision->answer->ttl;
    const uint32_t numbers[] = {SOA_SERIAL, SOA_REFRESH, SOA_RETRY, SOA_EXPIRE, ttl};
    uint8_t *dst = response->soa_rdata;
    size_t at = put_name(dst, put_name(dst, 0, &settings->soa_mname), &settings->soa_rname);

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        at = put_u32(dst, at, numbers[i]);
    response->soa_owner = decision->name.len > 0 ? decision->name : response->target;
    add_single(response, response->soa_owner.octets, response->soa_owner.len,
               &(struct xnm_record){XNM_TYPE_SOA, (uint16_t)at, ttl, dst});
    response->has_soa = true;
}

/* --- aliases --- */

/* Returns false if the result would be too long. */
static bool put_before(const struct xnm_wirename *subject, struct xnm_wirename *name)
{
    size_t labels = (size_t)subject->len - 1; /* without the root's octet */

    if (labels + name->len > XN_WIRE_NAME_MAX)
        return false;
    memmove(name->octets + labels, name->octets, name->len);
    memcpy(name->octets, subject->octets, labels);
    name->len = (uint8_t)(name->len + labels);
    return true;
}

static void add_alias(const struct xnm_policy_answer *answer, uint16_t qtype,
                      struct xnm_response *response)
{
    const struct xnm_record *record = answer->records;

    set_name(&response->alias, record->rdata, record->rdata_len);
    if (answer->prefix && !put_before(&response->target, &response->alias)) {
        response->rcode = RCODE_YXDOMAIN;
        response->set_count = response->record_count = 0;
        response->alias.len = 0;
        return;
    }
    add_single(response, response->target.octets, response->target.len,
               &(struct xnm_record){XNM_TYPE_CNAME, response->alias.len, record->ttl,
                                    response->alias.octets});
    response->follow_alias = qtype != XNM_TYPE_CNAME && qtype != XNM_TYPE_ANY;
}

/* --- the whole --- */

static void set_target(struct xnm_response *response, const struct xnm_question *question,
                       const struct xnm_aliaschain *chain)
{
    if (chain->count > 0) {
        const struct xnm_aliaschain_link *last = &chain->links[chain->count - 1];
        set_name(&response->target, last->rdata, last->rdata_len);
    } else {
        set_name(&response->target, question->qname, question->qname_len);
    }
}

void xnm_response_make(const struct xnm_policy_settings *settings,
                       const struct xnm_decision *decision, const struct xnm_question *question,
                       const struct xnm_aliaschain *chain, struct xnm_response *response)
{
    const struct xnm_policy_answer *answer = decision->answer;
    bool has_records = answer->action == XNM_REDIRECT || answer->action == XNM_ANSWER;

    response->rcode = answer->action == XNM_NXDOMAIN ? RCODE_NXDOMAIN : RCODE_NOERROR;
    response->set_count = response->record_count = response->octets = 0;
    response->has_soa = response->follow_alias = false;
    response->alias.len = 0;
    if (answer->action == XNM_REFUSE) {
        response->rcode = RCODE_REFUSED;
        return;
    }
    set_target(response, question, chain);
    add_chain(chain, response);
    if (answer->action == XNM_CNAME) {
        add_alias(answer, question->qtype, response);
        return;
    }
    size_t before = response->set_count;
    if (has_records)
        add_records(answer, &response->target, question->qtype, response);
    if (response->set_count == before)
        add_soa(settings, decision, response);
}

size_t xnm_response_ede(const struct xnm_policy_answer *answer, uint8_t *dst)
{
    size_t len = answer->ede_text ? strlen(answer->ede_text) : 0;

    if (answer->ede == XNM_EDE_OFF)
        return 0;
    if (len > XNM_RULE_EDE_TEXT_MAX)
        len = 0; /* a cut text might not be valid UTF-8 */
    dst[0] = (uint8_t)(answer->ede >> 8);
    dst[1] = (uint8_t)answer->ede;
    if (len > 0)
        memcpy(dst + 2, answer->ede_text, len);
    return 2 + len;
}
