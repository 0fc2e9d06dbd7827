/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/idnpdecision.h"

#include "core/wire/wire.h"
#include "module/base/rrtype.h"
#include "module/base/subnet.h"
#include "module/engine/sized.h"
#include "module/load/policyhandle.h"
#include "module/rule/action.h"

#include <stdlib.h>
#include <string.h>

enum { RCODE_SERVFAIL = 2, RCODE_REFUSED = 5 };

struct idnp_decision *idnp_decision_new(void)
{
    struct xnm_idnpdecision_memory *memory = calloc(1, sizeof *memory);

    if (memory)
        xnm_idnpdecision_clear(&memory->decision);
    return memory ? &memory->decision : NULL;
}

void idnp_decision_free(struct idnp_decision *out)
{
    free(out);
}

void xnm_idnpdecision_clear(struct idnp_decision *out)
{
    *out = (struct idnp_decision){.size = sizeof *out,
                                  .ede = -1,
                                  .ede_text = "",
                                  .file = "",
                                  .action = "",
                                  .subject = "",
                                  .key = "",
                                  .target = "",
                                  .tags = "",
                                  .group = "",
                                  .structured_ede = -1,
                                  .structured_text = "",
                                  .structured_brief = ""};
    xnm_idnpdecision_memory(out)->ede_option_len = 0;
    xnm_idnpdecision_memory(out)->structured_len = 0;
    xnm_idnpdecision_memory(out)->brief_len = 0;
    xnm_idnpdecision_memory(out)->chain.count = 0;
}

/* --- the answer --- */

/* Copies octets behind the *used ones of memory->octets. Returns the copy. */
static const uint8_t *keep(struct xnm_idnpdecision_memory *memory, size_t *used,
                           const uint8_t *octets, size_t len)
{
    uint8_t *kept = memory->octets + *used;

    if (len > 0)
        memcpy(kept, octets, len);
    *used += len;
    return kept;
}

/* Copies a set of records. They fit, since a response's octets also count the head of each record.
 */
static void keep_set(struct xnm_idnpdecision_memory *memory, const struct xnm_response_set *set,
                     uint16_t section, size_t *used)
{
    struct idnp_decision *out = &memory->decision;
    const uint8_t *owner = keep(memory, used, set->owner, set->owner_len);

    for (size_t i = 0; i < set->count; i++) {
        const struct xnm_record *record = &set->records[i];
        memory->records[out->record_count++] =
            (struct idnp_record){.owner = owner,
                                 .rdata = keep(memory, used, record->rdata, record->rdata_len),
                                 .owner_len = (uint32_t)set->owner_len,
                                 .rdata_len = record->rdata_len,
                                 .ttl = record->ttl,
                                 .type = record->type,
                                 .rclass = XNM_CLASS_IN,
                                 .section = section};
    }
}

/* Writes the option for structured errors, of at most `room` octets, and a NUL. Returns the
 * option's length; 0: there is none. */
static size_t write_structured(const struct xnm_policy *policy, const struct xnm_decision *decision,
                               uint8_t *dst, size_t room)
{
    size_t len = xnm_structured_write(&xnm_policy_settings(policy)->why, decision, dst, room);

    dst[len] = '\0';
    return len;
}

static void keep_structured(struct xnm_idnpdecision_memory *memory, const struct xnm_policy *policy,
                            const struct xnm_decision *decision)
{
    struct idnp_decision *out = &memory->decision;
    size_t len;

    if (out->structured_code == 0)
        return;
    len = write_structured(policy, decision, memory->structured, XNM_STRUCTURED_MAX);
    memory->structured_len = len;
    if (len == 0)
        return;
    memory->brief_len = len > 2 ? write_structured(policy, decision, memory->brief, len - 1) : len;
    out->structured_ede = memory->structured[0] << 8 | memory->structured[1];
    out->structured_text = (const char *)memory->structured + 2;
    if (len > 2)
        out->structured_brief = (const char *)memory->brief + 2;
}

static void keep_ede(struct xnm_idnpdecision_memory *memory, const struct xnm_policy *policy,
                     const struct xnm_decision *decision)
{
    const struct xnm_policy_answer *answer = decision->answer;
    size_t len = xnm_response_ede(answer, memory->ede_option);

    keep_structured(memory, policy, decision);
    memory->ede_option_len = len;
    if (len == 0)
        return;
    memcpy(memory->ede_text, memory->ede_option + 2, len - 2);
    memory->ede_text[len - 2] = '\0';
    memory->decision.ede_text = memory->ede_text;
    memory->decision.ede = answer->ede;
}

static int32_t answer(struct xnm_idnpdecision_memory *memory, const struct xnm_policy *policy,
                      const struct xnm_decision *decision, const struct xnm_question *question)
{
    struct xnm_response *response = &memory->response;
    struct idnp_decision *out = &memory->decision;
    size_t used = 0;

    if (!xnm_aliaschain_cut(&memory->chain, decision->target)) {
        out->rcode = RCODE_SERVFAIL;
        return IDNP_ANSWER;
    }
    xnm_response_make(xnm_policy_settings(policy), decision, question, &memory->chain, response);
    keep_ede(memory, policy, decision);
    out->rcode = response->rcode;
    out->ttl = decision->answer->ttl;
    out->records = memory->records;
    for (size_t i = 0; i < response->set_count; i++) {
        bool is_soa = response->has_soa && i + 1 == response->set_count;
        keep_set(memory, &response->sets[i], is_soa ? IDNP_SECTION_AUTHORITY : IDNP_SECTION_ANSWER,
                 &used);
    }
    if (response->follow_alias) {
        out->follow = response->alias.octets;
        out->follow_len = response->alias.len;
    }
    return IDNP_ANSWER;
}

static int32_t refuse(struct xnm_idnpdecision_memory *memory, const struct xnm_policy *policy,
                      const struct xnm_decision *decision)
{
    memory->decision.rcode = RCODE_REFUSED;
    memory->decision.ttl = decision->answer->ttl;
    keep_ede(memory, policy, decision);
    return IDNP_ANSWER;
}

/* No default, so that the compiler asks here what a new action does. */
static int32_t act(struct xnm_idnpdecision_memory *memory, const struct xnm_policy *policy,
                   const struct xnm_decision *decision, const struct xnm_question *question,
                   bool is_udp)
{
    switch (decision->answer->action) {
    case XNM_NXDOMAIN:
    case XNM_NODATA:
    case XNM_REFUSE:
    case XNM_REDIRECT:
    case XNM_CNAME:
    case XNM_ANSWER:
        return answer(memory, policy, decision, question);
    case XNM_DROP: /* a connection is not closed, because other clients may share it */
        return is_udp ? IDNP_DROP : refuse(memory, policy, decision);
    case XNM_TCP_ONLY:
        return is_udp ? IDNP_TRUNCATE : IDNP_LEAVE;
    case XNM_PASSTHRU:
    case XNM_LOG:
    case XNM_ACTION_NONE:
    case XNM_ACTION_COUNT:
        break;
    }
    return IDNP_LEAVE;
}

/* --- why --- */

static void write_match(struct xnm_idnpdecision_memory *memory, unsigned target)
{
    const struct xnm_match *match = &memory->match;
    struct idnp_decision *out = &memory->decision;

    out->matched = 1;
    out->log_only = match->log_only;
    out->line = match->line;
    out->file = match->file;
    out->action = xnm_action_word(match->action);
    memory->subject[xnm_match_subject(match, memory->subject)] = '\0';
    out->subject = memory->subject;
    if (xnm_match_has_lookalike(match))
        out->key = xnm_match_kind_word(match->match_kind);
    out->label = match->label;
    memory->target[xnm_match_target(match, memory->target)] = '\0';
    out->target = memory->target;
    out->target_count = target;
    out->tags = match->tags;
    out->group = match->group;
}

bool xnm_idnpdecision_client(const uint8_t address[16], uint32_t len, struct xnm_prefix *client)
{
    client->address.len = 0;
    bool is_read = len == 0 || xnm_client_from(address, len, &client->address);
    client->bits = (uint8_t)(8 * client->address.len);
    return is_read;
}

bool xnm_idnpdecision_name_client(const struct xnm_state *state, const uint8_t *subnet, size_t len,
                                  struct xnm_prefix *client)
{
    const struct xnm_forwarders *forwarders = xnm_state_forwarders(state);
    const struct xnm_client peer = client->address;

    return forwarders && subnet && peer.len > 0 &&
           xnm_subnet_client(forwarders, &peer, subnet, len, client);
}

static int32_t decide(const struct xnm_state *state, const struct xnm_question *question,
                      uint32_t flags, struct xnm_idnpdecision_memory *memory)
{
    bool log_only = xnm_state_is_log_only(state);
    struct idnp_decision *out = &memory->decision;
    struct xnm_decision decision;

    decision.specific_answer = decision.specific_decision = false;
    const struct xnm_policy *policy =
        xnm_policyhandle_enter(xnm_state_force(state), &out->generation);
    if (policy)
        out->structured_code = xnm_policy_settings(policy)->why.code;
    if (policy && xnm_policy_decides_class(question->qclass) &&
        xnm_policy_decide_answer(policy, question,
                                 memory->chain.count > 0 ? xnm_aliaschain_next : NULL,
                                 &memory->chain, &decision)) {
        xnm_match_from(policy, &decision, log_only, &memory->match);
        write_match(memory, decision.target);
        if (!log_only && xnm_decision_changes_answer(&decision))
            out->result = act(memory, policy, &decision, question, flags & IDNP_UDP);
    }
    out->client_specific = decision.specific_answer && !log_only;
    xnm_policyhandle_leave();
    return out->result;
}

int32_t xnm_idnpdecision_decide(const struct xnm_state *state, const struct xnm_question *question,
                                uint32_t flags, struct xnm_idnpdecision_memory *memory)
{
    struct idnp_decision *out = &memory->decision;

    decide(state, question, flags, memory);
    out->report = out->matched || xnm_state_wants_name(state, question->qname, question->qname_len);
    return out->result;
}

/* --- the calls --- */

bool xnm_idnpdecision_is_name(const uint8_t *name, size_t len)
{
    struct xn_wire_cursor cursor;

    return name && xn_wire_open(&cursor, name, len) == XN_OK;
}

static bool add_link(struct xnm_aliaschain *chain, const struct idnp_record *record)
{
    if ((record->type != XNM_TYPE_CNAME && record->type != XNM_TYPE_DNAME) ||
        !xnm_idnpdecision_is_name(record->owner, record->owner_len) ||
        !xnm_idnpdecision_is_name(record->rdata, record->rdata_len))
        return false;
    chain->links[chain->count++] =
        (struct xnm_aliaschain_link){record->owner, record->owner_len, record->type,
                                     record->ttl,   record->rdata,     record->rdata_len};
    return true;
}

int32_t idnp_decide_answer(struct idnp *idnp, const struct idnp_question *question,
                           const struct idnp_record *chain, uint32_t chain_count,
                           struct idnp_decision *decision)
{
    struct xnm_idnpdecision_memory *memory = xnm_idnpdecision_memory(decision);
    struct idnp_question asked;
    struct xnm_prefix client;

    if (!decision)
        return IDNP_BAD_ARGUMENT;
    xnm_idnpdecision_clear(decision);
    int32_t fault = xnm_sized_read(&asked, sizeof asked, XNM_QUESTION_SIZE_1_0_0, question);
    if (fault != 0)
        return decision->result = fault;
    if (!idnp || !xnm_idnpdecision_is_name(asked.qname, asked.qname_len) ||
        chain_count > XNM_ALIASCHAIN_MAX || (chain_count > 0 && !chain) ||
        !xnm_idnpdecision_client(asked.address, asked.address_len, &client))
        return decision->result = IDNP_BAD_ARGUMENT;
    for (uint32_t i = 0; i < chain_count; i++) {
        if (!add_link(&memory->chain, &chain[i]))
            return decision->result = IDNP_BAD_ARGUMENT;
    }
    memory->chain.next = 0;
    xnm_handle_ready(idnp);
    xnm_idnpdecision_name_client(idnp->state, asked.subnet, asked.subnet_len, &client);
    return xnm_idnpdecision_decide(
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
