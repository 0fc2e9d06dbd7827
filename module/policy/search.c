/* SPDX-License-Identifier: BSD-3-Clause */
/* The decision: searches written rules, then lists, then look-alikes and conditions, and ranks
 * what matches. */
#define XXH_INLINE_ALL /* module/table/hash.h */
#include "module/policy/search.h"
#include "core/wire/walk.h"
#include "module/table/hash.h"

#include <string.h>

static bool is_label_rule(const struct xnm_search *search, const struct xnm_search_match *match)
{
    return xnm_search_match_line(search, match)->label_rule != NULL;
}

static bool is_exemption(const struct xnm_search *search, const struct xnm_search_match *match)
{
    return xnm_search_match_action(search, match) == XNM_PASSTHRU;
}

/* Rules about names come before label rules. Within each kind, rules are in line order. */
static bool is_before(const struct xnm_search *search, const struct xnm_search_match *a,
                      const struct xnm_search_match *b)
{
    bool a_label_rule = is_label_rule(search, a), b_label_rule = is_label_rule(search, b);

    return a_label_rule == b_label_rule ? a->line < b->line : b_label_rule;
}

/* --- rules about names --- */

void xnm_search_add_log(struct xnm_search *search, const struct xnm_search_match *match)
{
    const struct xnm_policy_line *line = xnm_search_match_line(search, match);
    struct xnm_search_match *logs = search->matches->logs;
    unsigned at = 0, last;

    if (line->rule.tag >= 0)
        search->tags |= 1ULL << line->rule.tag;
    while (at < search->log_count && is_before(search, &logs[at], match))
        at++;
    if (at == XNM_DECISION_LOGS_MAX)
        return;
    if (at < search->log_count && logs[at].line == match->line) {
        if (logs[at].target == match->target && xnm_search_is_better(match, &logs[at]))
            logs[at] = *match;
        return;
    }
    last =
        search->log_count < XNM_DECISION_LOGS_MAX ? search->log_count++ : XNM_DECISION_LOGS_MAX - 1;
    memmove(&logs[at + 1], &logs[at], (last - at) * sizeof *logs);
    logs[at] = *match;
}

/* Returns the rank of an entry in the order of "Which rule wins" (policy.h): the greatest key
 * decides, and the earlier line of equal keys. */
static uint64_t key_of(const struct xnm_policy_line *line, xnm_action action, unsigned depth,
                       xnm_scope scope)
{
    uint64_t key = (uint64_t)(XNM_RANK_LOG - line->rank) << 32 | (uint64_t)depth << 2;

    if (scope == XNM_SCOPE_EXACT)
        key |= 2;
    if (line->rank == XNM_RANK_WRITTEN && action == XNM_PASSTHRU)
        key |= 1;
    return key;
}

/* Considers an entry of a line that matches the current name, at a suffix of this depth. Inlined: a
 * call would cost some 25 instructions for each such entry. */
__attribute__((always_inline)) static inline void
take(struct xnm_search *search, uint32_t line_number, const struct xnm_table_answer *entry_answer,
     const struct xnm_table_entry *entry, unsigned depth)
{
    const struct xnm_policy_line *line = xnm_policy_line(search->policy, line_number);
    xnm_scope scope = xnm_table_entry_scope(entry);
    const struct xnm_search_match match = {.line = line_number,
                                           .answer = entry_answer,
                                           .entry = entry,
                                           .rank = entry->len * 2U + (scope == XNM_SCOPE_EXACT),
                                           .target = search->target};
    xnm_action action = xnm_policy_line_action(line, entry_answer);
    unsigned side = xnm_search_side(action);

    if (!xnm_search_asks_for(line, action, search->question))
        return;
    if (line->rank == XNM_RANK_LOG) {
        if (line->limit > 0 && !xnm_search_limit_met(search, line->limit))
            return;
        xnm_search_add_log(search, &match);
        return;
    }
    uint64_t key = key_of(line, action, depth, scope);
    if (key < search->best_key[side] ||
        (key == search->best_key[side] && line_number >= search->matches->best[side].line))
        return;
    if (line->limit > 0 && !xnm_search_may_decide(search, action, line->limit, key))
        return;
    search->best_key[side] = key;
    search->matches->best[side] = match;
    search->best[side] = &search->matches->best[side];
}

/* Returns the suffixes of the current name that a table may have. Inlined, because most lists have
 * none, and a call would cost as much as the function. */
__attribute__((always_inline)) static inline struct xnm_depths
candidates(const struct xnm_search *search, const struct xnm_table *table)
{
    const struct xnm_suffixes *suffixes = &search->matches->suffixes;
    struct xnm_depths found = xnm_depths_both(&suffixes->depths, &table->depths);

    for (unsigned half = 0; half < 2; half++) {
        for (uint64_t left = found.bits[half]; left != 0; left &= left - 1) {
            unsigned depth = half * 64 + (unsigned)__builtin_ctzll(left);
            if (depth > 0 && !xnm_filter_has_bits(&table->filter, suffixes->at[depth].hash,
                                                  suffixes->at[depth].bits))
                found.bits[half] ^= left & -left;
        }
    }
    return found;
}

/* Considers the entries of rule files at a suffix of this depth. */
static void look_up_written(struct xnm_search *search, unsigned depth)
{
    const struct xnm_table *written = search->policy->written;
    const struct xnm_qname *name = search->name;
    size_t at = depth == 0 ? name->len - 1 : name->label_at[name->labels - depth];
    uint64_t hash = search->matches->suffixes.at[depth].hash;
    size_t place = xnm_table_begin(written, hash);
    const struct xnm_table_entry *entry;

    while ((entry = xnm_table_next(written, hash, &place))) {
        if (entry->len != name->len - at ||
            memcmp(entry->octets, name->octets + at, entry->len) != 0 ||
            !xnm_table_scope_covers(xnm_table_entry_scope(entry),
                                    depth == name->labels + search->below))
            continue;
        const struct xnm_table_answer *entry_answer = xnm_table_entry_answer(written, entry);
        take(search, entry_answer->line, entry_answer, entry, depth);
    }
}

static void search_written(struct xnm_search *search)
{
    struct xnm_depths left = candidates(search, search->policy->written);

    while (!xnm_depths_is_empty(&left))
        look_up_written(search, xnm_depths_take_greatest(&left));
}

__attribute__((noinline)) static void
look_up_list(struct xnm_search *search, const struct xnm_policy_list *list, struct xnm_depths left)
{
    unsigned depth;

    search->list_exempts =
        xnm_policy_line(search->policy, list->line)->answer.action == XNM_PASSTHRU;
    const struct xnm_table_entry *entry = xnm_search_list(search, list->table, left, &depth);

    if (entry)
        take(search, list->line, xnm_table_entry_answer(list->table, entry), entry, depth);
}

static inline void search_list(struct xnm_search *search, const struct xnm_policy_list *list)
{
    struct xnm_depths left = candidates(search, list->table);

    if (!xnm_depths_is_empty(&left))
        look_up_list(search, list, left);
}

/* Returns whether no further list can change the decision. */
static bool is_settled(const struct xnm_search *search)
{
    return search->best[WHAT] && (search->best[HOW] || !search->policy->has_tcp_only);
}

/* Finds the suffixes of the name that some table may have. Returns whether any entry may match. */
static bool find_suffixes(struct xnm_search *search, const struct xnm_qname *name)
{
    const struct xnm_policy *policy = search->policy;
    struct xnm_suffixes *suffixes = &search->matches->suffixes;
    const uint8_t *label_at = name->label_at + name->labels;
    uint64_t hash = suffixes->at[0].hash = policy->seed, bits;
    unsigned end = 0;

    while (end < name->labels) {
        hash = xnm_table_hash(hash, name->octets + *--label_at);
        bits = xnm_filter_bits(hash);
        if (!xnm_filter_has_bits(&policy->joint->filter, hash, bits) &&
            !xnm_filter_has_bits(&policy->written->filter, hash, bits))
            break;
        suffixes->at[++end].hash = hash;
        suffixes->at[end].bits = bits;
    }
    const struct xnm_depths all = xnm_depths_up_to(end);
    suffixes->depths = xnm_depths_both(&policy->depths, &all);
    return !xnm_depths_is_empty(&suffixes->depths);
}

/* Searches the lists of a policy that may have the name. */
static void search_lists(struct xnm_search *search)
{
    const struct xnm_policy *policy = search->policy;
    const size_t decided = policy->exempting + policy->deciding, end = decided + policy->logging;

    for (size_t i = 0; i < end; i++)
        if (i < policy->exempting || i >= decided || !is_settled(search))
            search_list(search, xnm_policy_list(policy, i));
}

/* Finds the best matches of rules about names and of lists. */
static void search_entries(struct xnm_search *search, const struct xnm_qname *name)
{
    search->name = name;
    search->best_key[WHAT] = search->best_key[HOW] = 0;
    search->best[WHAT] = search->best[HOW] = NULL;
    if (!find_suffixes(search, name))
        return;
    search_written(search);
    search_lists(search);
}

/* Label rules decide only if neither a rule about names nor a list has decided. Label rules that
 * only log always log. */
static void search_label_rule(struct xnm_search *search, const struct xnm_qname *name)
{
    const struct xnm_search_match *what = search->best[WHAT], *how = search->best[HOW];

    if (what && is_exemption(search, what))
        return;
    bool has_ace = xn_wire_has_ace(name->octets, name->len);
    if (!has_ace && !xnm_lookalike_has_plain(&search->policy->lookalikes))
        return;
    search->label_rule_end[WHAT] = what ? 0 : UINT32_MAX;
    search->label_rule_end[HOW] = what || how ? 0 : UINT32_MAX;
    xnm_search_shapes(search, name, has_ace);
}

/* --- deciding --- */

/* Writes the answer of a match. The ede= of a zone's rule is only for entries that answer. */
static void compose(const struct xnm_search *search, const struct xnm_search_match *match,
                    struct xnm_policy_answer *answer)
{
    const struct xnm_policy_line *line = xnm_search_match_line(search, match);
    const struct xnm_table_answer *entry_answer = match->answer;

    *answer = line->answer;
    answer->rule = &line->rule;
    answer->action = xnm_policy_line_action(line, entry_answer);
    const struct xnm_table *list = xnm_policy_line_list(line);
    if (line->answer.action != XNM_ACTION_NONE && (list || entry_answer->record_count == 0))
        return;
    answer->records = entry_answer->records;
    answer->record_count = entry_answer->record_count;
    if (!list)
        return;
    answer->prefix = entry_answer->prefix;
    answer->ede = xnm_action_ede(entry_answer->action);
    if (line->ede != XNM_EDE_DEFAULT && answer->ede >= 0)
        answer->ede = line->ede;
    if (answer->ede < 0)
        answer->ede_text = NULL;
}

/* Writes a match to the decision. For a label rule, copies the whole name, because *name is
 * reused. */
static void write_match(const struct xnm_search_match *match, const struct xnm_qname *name,
                        struct xnm_decision *decision)
{
    const struct xnm_table_entry *entry = match->entry;
    const uint8_t *octets = entry ? entry->octets : name->octets;

    decision->target = match->target;
    if (match->target > 0) {
        decision->target_name.len = (uint8_t)name->len;
        memcpy(decision->target_name.octets, name->octets, name->len);
    }
    decision->scope = entry ? xnm_table_entry_scope(entry) : XNM_SCOPE_EXACT;
    decision->lookalike = match->lookalike;
    decision->match_kind = match->match_kind;
    decision->label = match->label;
    decision->name.len = entry ? entry->len : (uint8_t)name->len;
    memcpy(decision->name.octets, octets, decision->name.len);
}

static void write_logs(const struct xnm_search *search, struct xnm_decision *decision)
{
    for (unsigned i = 0; i < search->log_count; i++)
        compose(search, &search->matches->logs[i], &decision->logs[i]);
    decision->log_count = search->log_count;
    decision->tags = search->tags;
    if (decision->answer && decision->answer->rule->tag >= 0)
        decision->tags |= 1ULL << decision->answer->rule->tag;
}

/* Returns whether the tcp-only rule comes before the passthru in the order of "Which rule wins". */
static bool is_how_before_what(const struct xnm_search *search)
{
    const struct xnm_search_match *how = search->best[HOW], *what = search->best[WHAT];

    if (is_label_rule(search, how) || is_label_rule(search, what))
        return is_before(search, how, what);
    return search->best_key[HOW] > search->best_key[WHAT];
}

/* Returns the match that decides the current name. A refusal applies over every transport. NULL: no
 * rule matches. */
static const struct xnm_search_match *decisive(const struct xnm_search *search)
{
    const struct xnm_search_match *how = search->best[HOW], *what = search->best[WHAT];

    if (!how || (what && (!is_exemption(search, what) || !is_how_before_what(search))))
        return what;
    return how;
}

/* Returns whether a match replaces the answer of an earlier name. Refusals beat tcp-only, and
 * tcp-only beats passthru; of equal ones the first name's decides. */
static bool outweighs(const struct xnm_search *search, const struct xnm_search_match *match,
                      const struct xnm_policy_answer *answer)
{
    if (!answer || xnm_search_side(xnm_search_match_action(search, match)) == WHAT)
        return !answer || !is_exemption(search, match);
    return answer->action == XNM_PASSTHRU;
}

/* Reads a name in wire format, and puts it in lower case. Returns whether it is valid. */
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
    if (search->log_count > 0 && !decision->answer &&
        search->matches->logs[0].target == search->target)
        write_match(&search->matches->logs[0], &name, decision);
    best = decisive(search);
    what = search->best[WHAT];
    if (best && outweighs(search, best, decision->answer)) {
        compose(search, best, &decision->made);
        decision->answer = &decision->made;
        write_match(best, &name, decision);
    }
    if (search->met_limit)
        xnm_search_settle(search);
    search->name = NULL;
    return what && (!is_exemption(search, what) || search->target == 0);
}

static void begin(struct xnm_decision *decision)
{
    decision->answer = NULL;
    decision->log_count = 0;
    decision->tags = 0;
    decision->target = 0;
    decision->scope = XNM_SCOPE_EXACT;
    decision->name.len = 0;
    decision->group = NULL;
    decision->lookalike = NULL;
    decision->match_kind = XNM_MATCH_KIND_EXACT;
    decision->label = 0;
    decision->specific_answer = decision->specific_decision = false;
}

/* Decides the query name, and the name that is looked up in its place. Neither is a target. */
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
    write_logs(search, decision);
    if (search->met_limit)
        xnm_search_write_limit(search, decision);
    return decision->answer || decision->log_count > 0;
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
