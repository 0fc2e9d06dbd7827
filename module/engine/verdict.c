/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/verdict.h"

#include "module/base/subnet.h"

#include "module/base/rrtype.h"
#include "module/load/inforce.h"
#include "module/rule/action.h"

#include <stdlib.h>
#include <string.h>

enum { RCODE_SERVFAIL = 2, RCODE_REFUSED = 5 };

struct idnp_verdict *idnp_verdict_new(void)
{
    struct xnm_verdict_memory *memory = calloc(1, sizeof *memory);

    if (memory)
        xnm_verdict_clear(&memory->shown);
    return memory ? &memory->shown : NULL;
}

void idnp_verdict_free(struct idnp_verdict *verdict)
{
    free(verdict);
}

void xnm_verdict_clear(struct idnp_verdict *verdict)
{
    *verdict = (struct idnp_verdict){.size = sizeof *verdict,
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
    xnm_verdict_memory(verdict)->ede_option_len = 0;
    xnm_verdict_memory(verdict)->structured_len = 0;
    xnm_verdict_memory(verdict)->brief_len = 0;
    xnm_verdict_memory(verdict)->chain.count = 0;
}

/* --- the answer --- */

static const uint8_t *keep(struct xnm_verdict_memory *memory, size_t *used, const uint8_t *octets,
                           size_t len)
{
    uint8_t *kept = memory->octets + *used;

    if (len > 0)
        memcpy(kept, octets, len);
    *used += len;
    return kept;
}

/* Copies a set of records. There is room, since a response's octets also count the head of each
 * record. */
static void keep_set(struct xnm_verdict_memory *memory, const struct xnm_response_set *set,
                     uint16_t section, size_t *used)
{
    struct idnp_verdict *verdict = &memory->shown;
    const uint8_t *owner = keep(memory, used, set->owner, set->owner_len);

    for (size_t i = 0; i < set->count; i++) {
        const struct xnm_record *record = &set->records[i];
        memory->records[verdict->record_count++] =
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

/* Writes an option with a NUL behind it. Returns its length. */
static size_t write_structured(const struct xnm_policy *policy, const struct xnm_decision *decision,
                               uint8_t *dst, size_t room)
{
    size_t len = xnm_structured_write(&xnm_policy_settings(policy)->why, decision, dst, room);

    dst[len] = '\0';
    return len;
}

static void keep_structured(struct xnm_verdict_memory *memory, const struct xnm_policy *policy,
                            const struct xnm_decision *decision)
{
    struct idnp_verdict *verdict = &memory->shown;
    size_t len;

    if (verdict->structured_code == 0)
        return;
    len = write_structured(policy, decision, memory->structured, XNM_STRUCTURED_MAX);
    memory->structured_len = len;
    if (len == 0)
        return;
    memory->brief_len = len > 2 ? write_structured(policy, decision, memory->brief, len - 1) : len;
    verdict->structured_ede = memory->structured[0] << 8 | memory->structured[1];
    verdict->structured_text = (const char *)memory->structured + 2;
    if (len > 2)
        verdict->structured_brief = (const char *)memory->brief + 2;
}

static void keep_ede(struct xnm_verdict_memory *memory, const struct xnm_policy *policy,
                     const struct xnm_decision *decision)
{
    const struct xnm_verdict *verdict = decision->verdict;
    size_t len = xnm_response_ede(verdict, memory->ede_option);

    keep_structured(memory, policy, decision);
    memory->ede_option_len = len;
    if (len == 0)
        return;
    memcpy(memory->ede_text, memory->ede_option + 2, len - 2);
    memory->ede_text[len - 2] = '\0';
    memory->shown.ede_text = memory->ede_text;
    memory->shown.ede = verdict->ede;
}

static int32_t answer(struct xnm_verdict_memory *memory, const struct xnm_policy *policy,
                      const struct xnm_decision *decision, const struct xnm_question *question)
{
    struct xnm_response *response = &memory->response;
    struct idnp_verdict *verdict = &memory->shown;
    size_t used = 0;

    if (!xnm_alias_chain_cut(&memory->chain, decision->target)) {
        verdict->rcode = RCODE_SERVFAIL;
        return IDNP_ANSWER;
    }
    xnm_response_make(xnm_policy_settings(policy), decision, question, &memory->chain, response);
    keep_ede(memory, policy, decision);
    verdict->rcode = response->rcode;
    verdict->ttl = decision->verdict->ttl;
    verdict->records = memory->records;
    for (size_t i = 0; i < response->set_count; i++) {
        bool is_soa = response->has_soa && i + 1 == response->set_count;
        keep_set(memory, &response->sets[i], is_soa ? IDNP_SECTION_AUTHORITY : IDNP_SECTION_ANSWER,
                 &used);
    }
    if (response->follow_alias) {
        verdict->follow = response->alias.octets;
        verdict->follow_len = response->alias.len;
    }
    return IDNP_ANSWER;
}

static int32_t refuse(struct xnm_verdict_memory *memory, const struct xnm_policy *policy,
                      const struct xnm_decision *decision)
{
    memory->shown.rcode = RCODE_REFUSED;
    memory->shown.ttl = decision->verdict->ttl;
    keep_ede(memory, policy, decision);
    return IDNP_ANSWER;
}

/* No default, so that the compiler asks here what a new action does. */
static int32_t act(struct xnm_verdict_memory *memory, const struct xnm_policy *policy,
                   const struct xnm_decision *decision, const struct xnm_question *question,
                   bool is_udp)
{
    switch (decision->verdict->action) {
    case XNM_NXDOMAIN:
    case XNM_NODATA:
    case XNM_REFUSE:
    case XNM_REDIRECT:
    case XNM_CNAME:
    case XNM_ANSWER:
        return answer(memory, policy, decision, question);
    case XNM_DROP: /* a connection is not closed, because others may share it */
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

static void show_match(struct xnm_verdict_memory *memory, unsigned target)
{
    const struct xnm_match *match = &memory->match;
    struct idnp_verdict *verdict = &memory->shown;

    verdict->matched = 1;
    verdict->log_only = match->log_only;
    verdict->line = match->line;
    verdict->file = match->file;
    verdict->action = xnm_action_word(match->action);
    memory->subject[xnm_match_subject(match, memory->subject)] = '\0';
    verdict->subject = memory->subject;
    if (xnm_match_has_lookalike(match))
        verdict->key = xnm_likeness_word(match->likeness);
    verdict->label = match->label;
    memory->target[xnm_match_target(match, memory->target)] = '\0';
    verdict->target = memory->target;
    verdict->target_count = target;
    verdict->tags = match->tags;
    verdict->group = match->group;
}

bool xnm_verdict_client(const uint8_t address[16], uint32_t len, struct xnm_prefix *client)
{
    client->address.len = 0;
    bool is_read = len == 0 || xnm_client_from(address, len, &client->address);
    client->bits = (uint8_t)(8 * client->address.len);
    return is_read;
}

bool xnm_verdict_name_client(const struct xnm_state *state, const uint8_t *subnet, size_t len,
                             struct xnm_prefix *client)
{
    const struct xnm_forwarders *forwarders = xnm_state_forwarders(state);
    const struct xnm_client peer = client->address;

    return forwarders && subnet && peer.len > 0 &&
           xnm_subnet_client(forwarders, &peer, subnet, len, client);
}

static int32_t decide(const struct xnm_state *state, const struct xnm_question *question,
                      uint32_t flags, struct xnm_verdict_memory *memory)
{
    bool log_only = xnm_state_is_log_only(state);
    struct idnp_verdict *verdict = &memory->shown;
    struct xnm_decision decision;

    decision.personal = decision.varies = false;
    const struct xnm_policy *policy =
        xnm_reload_enter(xnm_state_force(state), &verdict->generation);
    if (policy)
        verdict->structured_code = xnm_policy_settings(policy)->why.code;
    if (policy && xnm_policy_decides_class(question->qclass) &&
        xnm_policy_decide_answer(policy, question,
                                 memory->chain.count > 0 ? xnm_alias_chain_next : NULL,
                                 &memory->chain, &decision)) {
        xnm_match_from(policy, &decision, log_only, &memory->match);
        show_match(memory, decision.target);
        if (!log_only && xnm_decision_changes_answer(&decision))
            verdict->result = act(memory, policy, &decision, question, flags & IDNP_UDP);
    }
    verdict->personal = decision.personal && !log_only;
    xnm_reload_leave();
    return verdict->result;
}

int32_t xnm_verdict_decide(const struct xnm_state *state, const struct xnm_question *question,
                           uint32_t flags, struct xnm_verdict_memory *memory)
{
    struct idnp_verdict *verdict = &memory->shown;

    decide(state, question, flags, memory);
    verdict->report =
        verdict->matched || xnm_state_wants_name(state, question->qname, question->qname_len);
    return verdict->result;
}
