/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether the client= and when= of a rule include the client and the time. */
#include "module/policy/search.h"

#include <string.h>

/* Returns whether a part includes the client. A client that is known by its network is included if
 * all its addresses are, or, after `!`, if any of them is. So a rule applies to a network only if
 * it applies to each of its addresses. */
static bool includes(const struct xnm_policy *policy, const struct xnm_limit_part *part,
                     const struct xnm_prefix *client)
{
    const struct xnm_prefix *prefix = &part->client.prefix;
    bool but = part->client.but;

    if (part->client.group[0] == '\0')
        return xnm_prefix_holds(prefix, client) || (but && xnm_prefix_holds(client, prefix));
    for (uint32_t set = part->sets_at; set < part->sets_end; set++) {
        const struct xnm_ranges *ranges = &xnm_policy_client_set(policy, set)->ranges;
        if (but ? xnm_ranges_touch(ranges, client) : xnm_ranges_hold(ranges, client))
            return true;
    }
    return false;
}

static bool includes_client(const struct xnm_policy *policy, const struct xnm_limit *limit,
                            const struct xnm_prefix *client)
{
    bool names_some = false, included = false;

    for (unsigned i = 0; i < limit->part_count; i++) {
        const struct xnm_limit_part *part = &limit->parts[i];
        if (part->client.but && includes(policy, part, client))
            return false;
        if (part->client.but)
            continue;
        names_some = true;
        included = included || includes(policy, part, client);
    }
    return included || !names_some;
}

static bool includes_time(const struct xnm_limit *limit, time_t when)
{
    struct tm local;

    if (!localtime_r(&when, &local))
        return false;
    for (unsigned i = 0; i < limit->span_count; i++)
        if (xnm_limit_span_has(&limit->spans[i], (unsigned)local.tm_wday,
                               (unsigned)(local.tm_hour * 60 + local.tm_min)))
            return true;
    return false;
}

/* Returns whether the limit includes the client at a time. If the client is unknown (NULL), no
 * client= includes it. */
static bool is_met(const struct xnm_policy *policy, const struct xnm_limit *limit,
                   const struct xnm_prefix *client, time_t when)
{
    if (limit->part_count > 0 && (!client || !includes_client(policy, limit, client)))
        return false;
    return limit->span_count == 0 || includes_time(limit, when);
}

/* Returns the first group in the limit's client= that includes the client. NULL: there is none. */
static const char *group_of(const struct xnm_policy *policy, const struct xnm_limit *limit,
                            const struct xnm_prefix *client)
{
    for (unsigned i = 0; client && i < limit->part_count; i++)
        if (limit->parts[i].client.group[0] && !limit->parts[i].client.but &&
            includes(policy, &limit->parts[i], client))
            return xnm_policy_client_set(policy, limit->parts[i].sets_at)->group;
    return NULL;
}

/* --- for a decision --- */

bool xnm_search_limit_met(struct xnm_search *search, unsigned limit)
{
    const struct xnm_question *question = search->question;
    struct xnm_search_matches *matches = search->matches;
    uint64_t bit = 1ULL << (limit - 1) % 64;
    unsigned word = (limit - 1) / 64;

    if (!search->met_limit) {
        search->met_limit = true;
        memset(matches->tested, 0, sizeof matches->tested);
        memset(matches->met, 0, sizeof matches->met);
        matches->time = question->time;
        matches->limited_key[WHAT] = matches->limited_key[HOW] = matches->others_exempt_key = 0;
        matches->others_exempt = false;
    }
    if (matches->tested[word] & bit)
        return matches->met[word] & bit;
    matches->tested[word] |= bit;
    if (matches->time == 0)
        matches->time = time(NULL);
    if (!is_met(search->policy, xnm_policy_limit(search->policy, limit), question->client,
                matches->time))
        return false;
    matches->met[word] |= bit;
    return true;
}

bool xnm_search_may_decide(struct xnm_search *search, xnm_action action, unsigned limit,
                           uint64_t key)
{
    struct xnm_search_matches *matches = search->matches;
    bool decides = xnm_search_limit_met(search, limit);
    uint64_t *greatest = action == XNM_PASSTHRU && !decides
                             ? &matches->others_exempt_key
                             : &matches->limited_key[xnm_search_side(action)];

    if (key > *greatest)
        *greatest = key;
    return decides;
}

/* An exemption of other clients matters only if this client is refused. */
void xnm_search_settle(struct xnm_search *search)
{
    struct xnm_search_matches *matches = search->matches;

    for (unsigned side = WHAT; side < SIDES; side++) {
        search->specific_answer |=
            matches->limited_key[side] > 0 && matches->limited_key[side] >= search->best_key[side];
        matches->limited_key[side] = 0;
    }
    matches->others_exempt |=
        matches->others_exempt_key > 0 && matches->others_exempt_key >= search->best_key[WHAT];
    matches->others_exempt_key = 0;
}

void xnm_search_write_limit(const struct xnm_search *search, struct xnm_decision *decision)
{
    const struct xnm_policy_answer *answer = decision->answer          ? decision->answer
                                             : decision->log_count > 0 ? &decision->logs[0]
                                                                       : NULL;

    decision->specific_decision = true;
    decision->specific_answer = search->specific_answer || (search->matches->others_exempt &&
                                                            xnm_decision_changes_answer(decision));
    if (!answer)
        return;
    const struct xnm_policy_line *line = (const struct xnm_policy_line *)(const void *)answer->rule;
    if (line->limit > 0)
        decision->group = group_of(search->policy, xnm_policy_limit(search->policy, line->limit),
                                   search->question->client);
}
