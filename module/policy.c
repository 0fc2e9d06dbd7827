/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policydata.h"

#include <stdlib.h>
#include <string.h>

enum { CLASS_IN = 1 };

/* --- what there is --- */

void xnm_policy_free(struct xnm_policy *policy)
{
    if (!policy)
        return;
    xnm_arena_free(&policy->slots);
    xnm_arena_free(&policy->filter);
    xnm_arena_free(&policy->entries);
    xnm_arena_free(&policy->lines);
    xnm_arena_free(&policy->verdicts);
    xnm_pool_free(&policy->pool);
    free(policy);
}

size_t xnm_policy_rule_count(const struct xnm_policy *policy)
{
    return policy->line_count;
}

const struct xnm_policy_rule *xnm_policy_rule(const struct xnm_policy *policy, size_t n)
{
    return &xnm_policy_line(policy, n)->shown;
}

size_t xnm_policy_entry_count(const struct xnm_policy *policy)
{
    return policy->entry_count;
}

size_t xnm_policy_memory(const struct xnm_policy *policy)
{
    return sizeof *policy + policy->slots.cap + policy->filter.cap + policy->entries.cap +
           policy->lines.cap + policy->verdicts.cap + xnm_pool_memory(&policy->pool);
}

const struct xnm_policy_settings *xnm_policy_settings(const struct xnm_policy *policy)
{
    return &policy->settings;
}

bool xnm_policy_has_quiet_rules(const struct xnm_policy *policy)
{
    return policy->quiet;
}

bool xnm_policy_changes_answers(const struct xnm_policy *policy)
{
    return policy->changing;
}

const char *xnm_policy_tag(const struct xnm_policy *policy, unsigned number)
{
    return number < policy->tag_count ? policy->tags[number] : NULL;
}

bool xnm_decision_changes_answer(const struct xnm_decision *decision)
{
    return decision->verdict && decision->verdict->action != XNM_PASSTHRU;
}

/* --- a name that is asked about --- */

struct asked {
    unsigned labels;
    size_t len;
    uint8_t label_at[XN_WIRE_NAME_MAX / 2 + 1]; /* from the left; a label has two octets */
    uint8_t octets[XN_WIRE_NAME_MAX + 9];       /* in lower case; whole words */
};

/* Length octets are below 'A', so the name is one string. */
static void lower_case(uint8_t *octets, size_t len)
{
    const uint64_t ones = UINT64_MAX / 255;

    for (size_t at = 0; at < len; at += sizeof(uint64_t)) {
        uint64_t word, low, letters;
        memcpy(&word, octets + at, sizeof word);
        low = word & ones * 0x7F;
        letters = (low + ones * (0x80 - 'A')) & ~(low + ones * (0x7F - 'Z')) & ~word & ones * 0x80;
        word |= letters >> 2;
        memcpy(octets + at, &word, sizeof word);
    }
}

/* False: that is no name. */
static bool read_name(const uint8_t *wire, size_t len, struct asked *name)
{
    size_t at = 0;

    if (len == 0 || len > XN_WIRE_NAME_MAX)
        return false;
    memcpy(name->octets, wire, len);
    memset(name->octets + len, 0, sizeof(uint64_t));
    for (name->labels = 0; name->octets[at] != 0; name->labels++) {
        if (name->octets[at] > XN_WIRE_LABEL_MAX)
            return false;
        name->label_at[name->labels] = (uint8_t)at;
        at += (size_t)name->octets[at] + 1;
        if (at >= len)
            return false;
    }
    name->len = len;
    lower_case(name->octets, len);
    return at + 1 == len;
}

/* --- what matches --- */

struct log_match {
    const struct xnm_policy_verdict *verdict;
    const struct xnm_policy_entry *entry;
    unsigned target;
};

struct search {
    const struct xnm_policy *policy;
    uint16_t qtype;
    unsigned target; /* the name in hand: 0 the query name */
    unsigned labels; /* … and how many it has */
    uint64_t best_key;
    const struct xnm_policy_verdict *best; /* for the name in hand */
    const struct xnm_policy_entry *best_entry;
    uint64_t tags;
    unsigned log_count;
    struct log_match *logs; /* XNM_DECISION_LOGS_MAX: not in here, since most names touch none */
};

static bool asks_for(const struct xnm_policy_line *line, uint16_t qtype)
{
    for (unsigned i = 0; i < line->type_count; i++) {
        if (line->types[i] == qtype)
            return true;
    }
    return line->type_count == 0;
}

static bool is_covered(xnm_scope scope, bool whole)
{
    return scope == XNM_SCOPE_ZONE || (scope == XNM_SCOPE_EXACT) == whole;
}

/* Keeps the logs in the order of their lines, each line once: with the longest of its entries that
 * match the first of the names. */
static void add_log(struct search *search, const struct xnm_policy_verdict *verdict,
                    const struct xnm_policy_entry *entry)
{
    const struct xnm_policy_line *line = xnm_policy_line(search->policy, verdict->line);
    unsigned at = 0, last;

    if (line->shown.tag >= 0)
        search->tags |= 1ULL << line->shown.tag;
    while (at < search->log_count && search->logs[at].verdict->line < verdict->line)
        at++;
    if (at == XNM_DECISION_LOGS_MAX)
        return;
    if (at < search->log_count && search->logs[at].verdict->line == verdict->line) {
        if (search->logs[at].target == search->target &&
            (entry->len > search->logs[at].entry->len || xnm_entry_scope(entry) == XNM_SCOPE_EXACT))
            search->logs[at].entry = entry;
        return;
    }
    last =
        search->log_count < XNM_DECISION_LOGS_MAX ? search->log_count++ : XNM_DECISION_LOGS_MAX - 1;
    memmove(&search->logs[at + 1], &search->logs[at], (last - at) * sizeof *search->logs);
    search->logs[at] = (struct log_match){verdict, entry, search->target};
}

/* The order of "Which rule wins", as a number: the greatest decides, and of equal ones the first,
 * which is the earlier line's. */
static uint64_t key_of(const struct xnm_policy_verdict *verdict, unsigned depth, xnm_scope scope)
{
    uint64_t key = (uint64_t)(XNM_RANK_LOG - verdict->rank) << 32 | (uint64_t)depth << 2;

    if (scope == XNM_SCOPE_EXACT)
        key |= 2;
    if (verdict->rank == XNM_RANK_WRITTEN && verdict->shown.action == XNM_PASSTHRU)
        key |= 1;
    return key;
}

static void consider(struct search *search, const struct xnm_policy_entry *entry, unsigned depth)
{
    const struct xnm_policy_verdict *verdict = xnm_entry_verdict(search->policy, entry);
    xnm_scope scope = xnm_entry_scope(entry);
    uint64_t key;

    if (!is_covered(scope, depth == search->labels))
        return;
    if (verdict->typed && !asks_for(xnm_policy_line(search->policy, verdict->line), search->qtype))
        return;
    if (verdict->rank == XNM_RANK_LOG) {
        add_log(search, verdict, entry);
        return;
    }
    key = key_of(verdict, depth, scope);
    if (key > search->best_key) {
        search->best_key = key;
        search->best = verdict;
        search->best_entry = entry;
    }
}

static void look_up(struct search *search, uint64_t hash, const uint8_t *suffix, size_t len,
                    unsigned depth)
{
    const struct xnm_policy *policy = search->policy;
    size_t at = xnm_policy_place(hash, policy->slot_count);
    const struct xnm_policy_slot *slot;

    while ((slot = xnm_policy_slot(policy, at))->at != 0) {
        if (slot->tag == (uint32_t)hash) {
            const struct xnm_policy_entry *entry =
                xnm_policy_entry(policy, (size_t)slot->at * XNM_ENTRY_UNIT);
            if (entry->len == len && memcmp(entry->octets, suffix, len) == 0)
                consider(search, entry, depth);
        }
        if (++at == policy->slot_count)
            at = 0;
    }
}

static bool has_depth(const struct xnm_policy *policy, unsigned depth)
{
    return policy->depths[depth / 64] >> depth % 64 & 1;
}

/* From the root to the whole name, as far as there are entries at or below. */
static void search_name(struct search *search, const struct asked *name)
{
    const struct xnm_policy *policy = search->policy;
    const uint64_t *filter = (const uint64_t *)(const void *)policy->filter.octets;
    uint64_t hash = policy->seed;

    search->labels = name->labels;
    search->best_key = 0;
    search->best = NULL;
    if (has_depth(policy, 0))
        look_up(search, hash, name->octets + name->len - 1, 1, 0);
    for (unsigned depth = 1; depth <= name->labels; depth++) {
        unsigned at = name->label_at[name->labels - depth];
        hash = xnm_policy_hash(hash, name->octets + at);
        uint64_t bits = xnm_policy_filter_bits(hash);
        if ((filter[xnm_policy_place(hash, policy->filter_count)] & bits) != bits)
            return;
        if (has_depth(policy, depth))
            look_up(search, hash, name->octets + at, name->len - at, depth);
    }
}

/* --- deciding --- */

static void show_entry(const struct xnm_policy_entry *entry, struct xnm_decision *decision)
{
    decision->scope = xnm_entry_scope(entry);
    decision->name.len = entry->len;
    memcpy(decision->name.octets, entry->octets, entry->len);
}

static void show_logs(const struct search *search, struct xnm_decision *decision)
{
    for (unsigned i = 0; i < search->log_count; i++)
        decision->logs[i] = &search->logs[i].verdict->shown;
    decision->log_count = search->log_count;
    decision->tags = search->tags;
    if (!decision->verdict && search->log_count > 0) {
        decision->target = search->logs[0].target;
        show_entry(search->logs[0].entry, decision);
    }
}

/* Looks at one more name. Returns whether the chain ends there: it is refused, or exempt as a
 * whole. */
static bool decide_name(struct search *search, const uint8_t *wire, size_t len,
                        struct xnm_decision *decision)
{
    struct asked name;
    bool refused;

    if (!read_name(wire, len, &name))
        return false;
    search_name(search, &name);
    if (!search->best)
        return false;
    refused = search->best->shown.action != XNM_PASSTHRU;
    if (refused || !decision->verdict) {
        decision->verdict = &search->best->shown;
        decision->target = search->target;
        show_entry(search->best_entry, decision);
    }
    return refused || search->target == 0;
}

bool xnm_policy_decide_answer(const struct xnm_policy *policy, const struct xnm_question *question,
                              xnm_chain_next *chain_next, void *chain,
                              struct xnm_decision *decision)
{
    struct log_match logs[XNM_DECISION_LOGS_MAX];
    struct search search = {.policy = policy, .qtype = question->qtype, .logs = logs};
    const uint8_t *target;
    size_t len;

    decision->verdict = NULL;
    decision->log_count = 0;
    decision->tags = 0;
    decision->target = 0;
    decision->scope = XNM_SCOPE_EXACT;
    decision->name.len = 0;
    if (question->qclass != CLASS_IN || policy->entry_count == 0)
        return false;
    if (!decide_name(&search, question->qname, question->qname_len, decision)) {
        while (chain_next && chain_next(chain, &target, &len)) {
            search.target++;
            if (decide_name(&search, target, len, decision))
                break;
        }
    }
    show_logs(&search, decision);
    return decision->verdict || decision->log_count > 0;
}

bool xnm_policy_decide(const struct xnm_policy *policy, const struct xnm_question *question,
                       struct xnm_decision *decision)
{
    return xnm_policy_decide_answer(policy, question, NULL, NULL, decision);
}
