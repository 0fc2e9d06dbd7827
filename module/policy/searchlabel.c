/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the look-alikes and conditions that match a name. */
#include "module/policy/search.h"
#include "module/policy/searchcondition.h"

static void add_label_rule(struct xnm_search *search, const struct xnm_search_match *match)
{
    const struct xnm_policy_line *line = xnm_search_match_line(search, match);
    unsigned side = xnm_search_side(line->answer.action);

    if (line->limit > 0) {
        search->specific_answer |= line->rank != XNM_RANK_LOG;
        if (!xnm_search_limit_met(search, line->limit))
            return;
    }
    if (line->rank == XNM_RANK_LOG) {
        xnm_search_add_log(search, match);
    } else if (match->line + 1 < search->label_rule_end[side] ||
               xnm_search_is_better(match, search->best[side])) {
        search->matches->best[side] = *match;
        search->best[side] = &search->matches->best[side];
        search->label_rule_end[side] = match->line + 1;
    }
}

/* Returns whether a label rule on this line can still decide or log. */
static bool is_wanted(const struct xnm_search *search, uint32_t line_number)
{
    const struct xnm_policy_line *line = xnm_policy_line(search->policy, line_number);

    return (line->rank == XNM_RANK_LOG ||
            line_number < search->label_rule_end[xnm_search_side(line->answer.action)]) &&
           xnm_search_asks_for(line, line->answer.action, search->question);
}

/* Ranks a match. Match kinds rank in the order whole labels, words beside the label, a part of a
 * label, an edit, the label in another domain. Then more compared labels rank higher; then the
 * exact key above the strict one, and a first reading above a second one. */
static unsigned rank_of(const struct xnm_candidate *candidate, xnm_match_kind match_kind)
{
    unsigned kind = match_kind <= XNM_MATCH_KIND_STRICT ? XNM_MATCH_KIND_STRICT : match_kind;

    return ((XNM_MATCH_KIND_COUNT - kind) * (XN_WIRE_LABELS_MAX + 1) + candidate->count) * 3 +
           (match_kind == XNM_MATCH_KIND_EXACT) + !candidate->second;
}

static void consider_candidate(void *arg, const struct xnm_candidate *candidate)
{
    struct xnm_search *search = arg;
    struct xnm_search_match match = {
        .line = candidate->name->line, .lookalike = candidate->name, .target = search->target};
    const struct xnm_table *except = xnm_search_match_line(search, &match)->label_rule->except;

    if (!is_wanted(search, match.line) ||
        !xnm_candidate_compare(candidate, &match.match_kind, &match.label) ||
        (except && xnm_search_has_name(search, except)))
        return;
    match.answer = xnm_policy_label_answer(search->policy, match.line);
    match.rank = rank_of(candidate, match.match_kind);
    add_label_rule(search, &match);
}

/* Returns whether the names that this line protects are exempt. If the line has a limit, they are
 * exempt only for its clients and times. */
static bool is_exempt_by(void *arg, uint32_t line)
{
    struct xnm_search *search = arg;
    unsigned limit = xnm_policy_line(search->policy, line)->limit;

    search->specific_answer |= limit > 0;
    return limit == 0 || xnm_search_limit_met(search, limit);
}

static void search_conditions(struct xnm_search *search, struct xnm_qlabels *labels)
{
    const struct xnm_policy *policy = search->policy;
    const uint32_t *lines = (const uint32_t *)(const void *)policy->conditions.octets;

    for (size_t i = 0; i < policy->condition_count; i++) {
        struct xnm_search_match match = {.target = search->target};
        if (!is_wanted(search, lines[i]))
            continue;
        match.label = xnm_searchcondition_find(xnm_policy_line(policy, lines[i]), labels);
        if (match.label == 0)
            continue;
        match.line = lines[i];
        match.answer = xnm_policy_label_answer(policy, match.line);
        add_label_rule(search, &match);
    }
}

void xnm_search_shapes(struct xnm_search *search, const struct xnm_qname *name, bool has_ace)
{
    struct xnm_qlabels labels;

    xnm_qlabels_open(&labels, name);
    xnm_lookalike_search(search->policy, &labels, has_ace, consider_candidate, is_exempt_by,
                         search);
    if (has_ace && search->target == 0)
        search_conditions(search, &labels);
}
