/* SPDX-License-Identifier: BSD-3-Clause */
#define XXH_INLINE_ALL /* module/policy/hash.h */
#include "core/wire/walk.h"
#include "module/policy/contest.h"
#include "module/policy/hash.h"
#include "module/policy/search.h"

#include <string.h>

static bool is_label_rule(const struct xnm_search *search, const struct xnm_search_match *match)
{
    return xnm_policy_line(search->policy, match->verdict->line)->label_rule != NULL;
}

/* Rules about names come before label rules; within each group the order is that of their lines. */
static bool is_before(const struct xnm_search *search, const struct xnm_search_match *a,
                      const struct xnm_search_match *b)
{
    bool a_label_rule = is_label_rule(search, a), b_label_rule = is_label_rule(search, b);

    return a_label_rule == b_label_rule ? a->verdict->line < b->verdict->line : b_label_rule;
}

/* --- rules about names --- */

void xnm_search_add_log(struct xnm_search *search, const struct xnm_search_match *match)
{
    const struct xnm_policy_line *line = xnm_policy_line(search->policy, match->verdict->line);
    struct xnm_search_match *logs = search->matches->logs;
    unsigned at = 0, last;

    if (line->shown.tag >= 0)
        search->tags |= 1ULL << line->shown.tag;
    while (at < search->log_count && is_before(search, &logs[at], match))
        at++;
    if (at == XNM_DECISION_LOGS_MAX)
        return;
    if (at < search->log_count && logs[at].verdict->line == match->verdict->line) {
        if (logs[at].target == match->target && xnm_search_is_better(match, &logs[at]))
            logs[at] = *match;
        return;
    }
    last =
        search->log_count < XNM_DECISION_LOGS_MAX ? search->log_count++ : XNM_DECISION_LOGS_MAX - 1;
    memmove(&logs[at + 1], &logs[at], (last - at) * sizeof *logs);
    logs[at] = *match;
}

/* The order of "Which rule wins" as a number: the greatest decides. Of equal ones the first found
 * decides, which is that of the earlier line. */
static uint64_t key_of(const struct xnm_policy_verdict *verdict, unsigned depth, xnm_scope scope)
{
    uint64_t key = (uint64_t)(XNM_RANK_LOG - verdict->rank) << 32 | (uint64_t)depth << 2;

    if (scope == XNM_SCOPE_EXACT)
        key |= 2;
    if (verdict->rank == XNM_RANK_WRITTEN && verdict->shown.action == XNM_PASSTHRU)
        key |= 1;
    return key;
}

/* Is a zone's wildcard hidden by a name that the zone has between it and the name in hand? */
static bool is_hidden(const struct xnm_search *search, const struct xnm_policy_verdict *verdict,
                      xnm_scope scope, uint64_t hash, unsigned depth)
{
    return verdict->zoned && scope == XNM_SCOPE_BELOW &&
           xnm_encloser_is_below(search->policy, verdict->line, search->name, search->below, hash,
                                 depth);
}

/* An entry that matches the name and decides in its list. Its suffix has this hash and depth. A
 * call would cost some 25 instructions for each such entry. */
__attribute__((always_inline)) static inline void
take(struct xnm_search *search, const struct xnm_policy_entry *entry, uint64_t hash, unsigned depth)
{
    const struct xnm_policy_verdict *verdict = xnm_entry_verdict(search->policy, entry);
    xnm_scope scope = xnm_entry_scope(entry);
    unsigned side = xnm_side_of(verdict), audience = 0;
    uint64_t key;

    if (verdict->limited) {
        const struct xnm_policy_line *line = xnm_policy_line(search->policy, verdict->line);
        if (!xnm_asks_for(line, verdict, search->question))
            return;
        audience = line->audience;
    }
    if (verdict->rank == XNM_RANK_LOG) {
        if ((audience > 0 && !xnm_search_is_for_client(search, audience)) ||
            is_hidden(search, verdict, scope, hash, depth))
            return;
        xnm_search_add_log(
            search, &(struct xnm_search_match){.verdict = verdict,
                                               .entry = entry,
                                               .rank = entry->len * 2U + (scope == XNM_SCOPE_EXACT),
                                               .target = search->target});
        return;
    }
    key = key_of(verdict, depth, scope);
    if (key <= search->best_key[side] || is_hidden(search, verdict, scope, hash, depth))
        return;
    if (audience > 0 && !xnm_search_may_decide(search, verdict, audience, side, key))
        return;
    search->best_key[side] = key;
    search->matches->best[side] =
        (struct xnm_search_match){.verdict = verdict, .entry = entry, .target = search->target};
    search->best[side] = &search->matches->best[side];
}

static bool holds(const struct xnm_search *search, const struct xnm_modifiers *modifiers)
{
    return !modifiers || xnm_modifiers_hold(modifiers, search->question, search->name);
}

/* An entry of a list in which not only the longest match counts, at a suffix of this depth. */
static void compete(struct xnm_search *search, const struct xnm_policy_entry *entry, unsigned depth)
{
    const struct xnm_policy_verdict *verdict = xnm_entry_verdict(search->policy, entry);
    struct xnm_search_contest *contests = search->matches->contests;
    unsigned at = verdict->contest - 1U - search->contest_at, key = 1 | depth << 2;

    if (verdict->contest > search->contest_end)
        search->contest_end = verdict->contest;
    if (at >= XNM_CONTESTS_MAX || !holds(search, verdict->modifiers))
        return;
    while (search->contest_count <= at)
        contests[search->contest_count++].key = 0;
    key |= xnm_entry_scope(entry) == XNM_SCOPE_EXACT ? 2 : 0;
    key |= verdict->modifiers ? (unsigned)verdict->modifiers->strength << 16 : 0;
    if (key > contests[at].key)
        contests[at] = (struct xnm_search_contest){entry, key, depth};
}

/* Takes the winner of each list in hand, unless it is an exemption. */
static void take_winners(struct xnm_search *search)
{
    const struct xnm_search_contest *contests = search->matches->contests;

    for (unsigned i = 0; i < search->contest_count; i++) {
        if (contests[i].key == 0)
            continue;
        const struct xnm_modifiers *modifiers =
            xnm_entry_verdict(search->policy, contests[i].best)->modifiers;
        if (!modifiers || !modifiers->exempts) /* 0: no list with modifiers is a zone */
            take(search, contests[i].best, 0, contests[i].depth);
    }
}

/* An entry of the suffix in hand, which has this hash and depth. */
static void consider(struct xnm_search *search, const struct xnm_policy_entry *entry, uint64_t hash,
                     unsigned depth)
{
    const struct xnm_policy_verdict *verdict = xnm_entry_verdict(search->policy, entry);

    if (!xnm_scope_covers(xnm_entry_scope(entry), depth == search->name->labels + search->below))
        return;
    if (verdict->contest > 0)
        compete(search, entry, depth);
    else if (search->contest_at == 0 && holds(search, verdict->modifiers))
        take(search, entry, hash, depth);
}

static void look_up(struct xnm_search *search, uint64_t hash, const uint8_t *suffix, size_t len,
                    unsigned depth)
{
    const struct xnm_policy *policy = search->policy;
    size_t at = xnm_hash_place(hash, policy->slot_count);
    const struct xnm_policy_slot *slot;

    while ((slot = xnm_policy_slot(policy, at))->at != 0) {
        if (slot->tag == (uint32_t)hash) {
            const struct xnm_policy_entry *entry =
                xnm_policy_entry(policy, (size_t)slot->at * XNM_ENTRY_UNIT);
            if (entry->len == len && memcmp(entry->octets, suffix, len) == 0)
                consider(search, entry, hash, depth);
        }
        at = xnm_hash_next(at, policy->slot_count);
    }
}

/* Returns the hash of the suffix with one more label, and prefetches its slot: waiting for that
 * memory is the main cost of a decision. */
static inline uint64_t hash_and_fetch(const struct xnm_policy *policy, uint64_t behind,
                                      const uint8_t *label)
{
    uint64_t hash = xnm_policy_hash(behind, label);

    __builtin_prefetch(xnm_filter_word(&policy->filter, hash));
    __builtin_prefetch(xnm_policy_slot(policy, xnm_hash_place(hash, policy->slot_count)));
    return hash;
}

/* Looks up each suffix, from the root to the whole name, as far as there are entries at or below.
 * The memory of the next suffix is fetched before one is looked up; the last has no next. */
static void walk(struct xnm_search *search, const struct xnm_qname *name)
{
    const struct xnm_policy *policy = search->policy;
    const uint8_t *octets = name->octets, *label_at = name->label_at + name->labels;
    uint64_t hash = policy->seed, next = 0;

    if (xnm_depths_has(&policy->depths, 0))
        look_up(search, hash, octets + name->len - 1, 1, 0);
    if (name->labels > 0)
        next = hash_and_fetch(policy, hash, octets + label_at[-1]);
    for (unsigned depth = 1; depth <= name->labels; depth++) {
        unsigned at = *--label_at;
        hash = next;
        if (!xnm_filter_has(&policy->filter, hash))
            return;
        if (depth < name->labels)
            next = hash_and_fetch(policy, hash, octets + label_at[-1]);
        if (xnm_depths_has(&policy->depths, depth))
            look_up(search, hash, octets + at, name->len - at, depth);
    }
}

/* Finds the best matches of rules about names and of lists. The name is searched once, and again
 * for each XNM_CONTESTS_MAX further lists in which not only the longest match counts. */
static void search_entries(struct xnm_search *search, const struct xnm_qname *name)
{
    search->name = name;
    search->best_key[WHAT] = search->best_key[HOW] = 0;
    search->best[WHAT] = search->best[HOW] = NULL;
    search->contest_at = search->contest_end = 0;
    do {
        search->contest_count = 0;
        walk(search, name);
        take_winners(search);
        search->contest_at += XNM_CONTESTS_MAX;
    } while (search->contest_at < search->contest_end);
}

/* Label rules decide only if neither a rule about names nor a list has decided. Those that only log
 * always log. */
static void search_label_rule(struct xnm_search *search, const struct xnm_qname *name)
{
    const struct xnm_search_match *what = search->best[WHAT], *how = search->best[HOW];

    if (what && xnm_is_exemption(what))
        return;
    bool has_ace = xn_wire_has_ace(name->octets, name->len);
    if (!has_ace && !xnm_lookalike_has_plain(&search->policy->lookalikes))
        return;
    search->label_rule_end[WHAT] = what ? 0 : UINT32_MAX;
    search->label_rule_end[HOW] = what || how ? 0 : UINT32_MAX;
    xnm_search_shapes(search, name, has_ace);
}

/* --- deciding --- */

/* Writes a match to the decision. For a label rule, copies the whole name: *name is reused. */
static void show(const struct xnm_search_match *match, const struct xnm_qname *name,
                 struct xnm_decision *decision)
{
    const struct xnm_policy_entry *entry = match->entry;
    const uint8_t *octets = entry ? entry->octets : name->octets;

    decision->target = match->target;
    if (match->target > 0) {
        decision->target_name.len = (uint8_t)name->len;
        memcpy(decision->target_name.octets, name->octets, name->len);
    }
    decision->scope = entry ? xnm_entry_scope(entry) : XNM_SCOPE_EXACT;
    decision->lookalike = match->lookalike;
    decision->likeness = match->likeness;
    decision->label = match->label;
    decision->name.len = entry ? entry->len : (uint8_t)name->len;
    memcpy(decision->name.octets, octets, decision->name.len);
}

static void show_logs(const struct xnm_search *search, struct xnm_decision *decision)
{
    for (unsigned i = 0; i < search->log_count; i++)
        decision->logs[i] = &search->matches->logs[i].verdict->shown;
    decision->log_count = search->log_count;
    decision->tags = search->tags;
    if (decision->verdict && decision->verdict->rule->tag >= 0)
        decision->tags |= 1ULL << decision->verdict->rule->tag;
}

/* Does a tcp-only rule come before a passthru in the order of "Which rule wins"? */
static bool is_how_before_what(const struct xnm_search *search)
{
    const struct xnm_search_match *how = search->best[HOW], *what = search->best[WHAT];

    if (is_label_rule(search, how) || is_label_rule(search, what))
        return is_before(search, how, what);
    return search->best_key[HOW] > search->best_key[WHAT];
}

/* The match that decides the current name; a refusal holds over every transport. NULL: no rule. */
static const struct xnm_search_match *decisive(const struct xnm_search *search)
{
    const struct xnm_search_match *how = search->best[HOW], *what = search->best[WHAT];

    if (!how || (what && (!xnm_is_exemption(what) || !is_how_before_what(search))))
        return what;
    return how;
}

/* Refusals beat tcp-only, and that beats passthru; between equal ones the first name's decides. */
static bool outweighs(const struct xnm_search_match *match, const struct xnm_verdict *verdict)
{
    if (!verdict || xnm_side_of(match->verdict) == WHAT)
        return !verdict || !xnm_is_exemption(match);
    return verdict->action == XNM_PASSTHRU;
}

/* Reads a name in wire format, in any case. False: it is not a valid name. */
static bool read_name(const uint8_t *wire, size_t len, struct xnm_qname *name)
{
    size_t at = 0;

    if (len == 0 || len > XN_WIRE_NAME_MAX)
        return false;
    xn_wire_lower(name->octets, wire, len);
    for (name->labels = 0; name->octets[at] != 0; name->labels++) {
        if (name->octets[at] > XN_WIRE_LABEL_MAX)
            return false;
        name->label_at[name->labels] = (uint8_t)at;
        at += (size_t)name->octets[at] + 1;
        if (at >= len)
            return false;
    }
    name->len = len;
    return at + 1 == len;
}

/* Decides one more name. Returns whether the chain ends here, because the name is refused or
 * exempts the whole chain. */
static bool decide_name(struct xnm_search *search, const uint8_t *wire, size_t len,
                        struct xnm_decision *decision)
{
    const struct xnm_search_match *best, *what;
    struct xnm_qname name;

    if (!read_name(wire, len, &name))
        return false;
    search_entries(search, &name);
    if (search->policy->label_rule && !search->below)
        search_label_rule(search, &name);
    if (search->log_count > 0 && !decision->verdict &&
        search->matches->logs[0].target == search->target)
        show(&search->matches->logs[0], &name, decision);
    best = decisive(search);
    what = search->best[WHAT];
    if (best && outweighs(best, decision->verdict)) {
        decision->verdict = &best->verdict->shown;
        show(best, &name, decision);
    }
    if (search->varies)
        xnm_search_settle(search);
    search->name = NULL;
    return what && (!xnm_is_exemption(what) || search->target == 0);
}

static void begin(struct xnm_decision *decision)
{
    decision->verdict = NULL;
    decision->log_count = 0;
    decision->tags = 0;
    decision->target = 0;
    decision->scope = XNM_SCOPE_EXACT;
    decision->name.len = 0;
    decision->group = NULL;
    decision->lookalike = NULL;
    decision->likeness = XNM_LIKENESS_EXACT;
    decision->label = 0;
    decision->personal = decision->varies = false;
}

/* Decides the query name, and the name that is looked up instead: neither is a target. */
static bool decide_query_names(struct xnm_search *search, const struct xnm_question *question,
                               struct xnm_decision *decision)
{
    return decide_name(search, question->qname, question->qname_len, decision) ||
           (question->looked_up &&
            decide_name(search, question->looked_up->octets, question->looked_up->len, decision));
}

static bool decide(struct xnm_search *search, const struct xnm_question *question,
                   xnm_chain_next *chain_next, void *chain, struct xnm_decision *decision)
{
    const uint8_t *target;
    size_t len;

    begin(decision);
    if (!xnm_policy_decides_class(question->qclass) || search->policy->empty)
        return false;
    if (!decide_query_names(search, question, decision)) {
        while (chain_next && chain_next(chain, &target, &len)) {
            search->target++;
            if (decide_name(search, target, len, decision))
                break;
        }
    }
    show_logs(search, decision);
    if (search->varies)
        xnm_search_show_audience(search, decision);
    return decision->verdict || decision->log_count > 0;
}

bool xnm_policy_decide_answer(const struct xnm_policy *policy, const struct xnm_question *question,
                              xnm_chain_next *chain_next, void *chain,
                              struct xnm_decision *decision)
{
    struct xnm_search_matches matches;
    struct xnm_search search = {.policy = policy, .question = question, .matches = &matches};

    return decide(&search, question, chain_next, chain, decision);
}

bool xnm_policy_decide(const struct xnm_policy *policy, const struct xnm_question *question,
                       struct xnm_decision *decision)
{
    return xnm_policy_decide_answer(policy, question, NULL, NULL, decision);
}

bool xnm_policy_decide_below(const struct xnm_policy *policy, const struct xnm_question *question,
                             struct xnm_decision *decision)
{
    struct xnm_search_matches matches;
    struct xnm_search search = {
        .policy = policy, .question = question, .matches = &matches, .below = true};

    return decide(&search, question, NULL, NULL, decision);
}
