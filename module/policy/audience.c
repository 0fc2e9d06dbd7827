/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether a rule is for a client at a given time. */
#include "module/policy/search.h"

#include <string.h>

/* Returns whether a part names the client: all addresses of a client that is known by its network,
 * or with `!` any of them. So a rule is for a network only if it is for each address of it. */
static bool is_named(const struct xnm_policy *policy, const struct xnm_audience_part *part,
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

static bool has_client(const struct xnm_policy *policy, const struct xnm_audience *audience,
                       const struct xnm_prefix *client)
{
    bool wants_some = false, wanted = false;

    for (unsigned i = 0; i < audience->part_count; i++) {
        const struct xnm_audience_part *part = &audience->parts[i];
        wants_some |= !part->client.but;
        if (part->client.but ? is_named(policy, part, client)
                             : !wanted && is_named(policy, part, client)) {
            if (part->client.but)
                return false;
            wanted = true;
        }
    }
    return wanted || !wants_some;
}

static bool has_time(const struct xnm_audience *audience, time_t when)
{
    struct tm local;

    if (!localtime_r(&when, &local))
        return false;
    for (unsigned i = 0; i < audience->span_count; i++)
        if (xnm_span_has(&audience->spans[i], (unsigned)local.tm_wday,
                         (unsigned)(local.tm_hour * 60 + local.tm_min)))
            return true;
    return false;
}

/* Tells whether an audience, by its number from 1, has the client at a time; client NULL: the
 * client is not known, and client= never has it. */
static bool has(const struct xnm_policy *policy, unsigned number, const struct xnm_prefix *client,
                time_t when)
{
    const struct xnm_audience *audience = xnm_policy_audience(policy, number);

    if (audience->part_count > 0 && (!client || !has_client(policy, audience, client)))
        return false;
    return audience->span_count == 0 || has_time(audience, when);
}

/* The first group of the audience's client= that has the client; NULL: none. */
static const char *group_of(const struct xnm_policy *policy, unsigned number,
                            const struct xnm_prefix *client)
{
    const struct xnm_audience *audience = xnm_policy_audience(policy, number);

    for (unsigned i = 0; client && i < audience->part_count; i++)
        if (audience->parts[i].client.group[0] && !audience->parts[i].client.but &&
            is_named(policy, &audience->parts[i], client))
            return xnm_policy_client_set(policy, audience->parts[i].sets_at)->group;
    return NULL;
}

/* --- for a decision --- */

bool xnm_search_is_for_client(struct xnm_search *search, unsigned audience)
{
    const struct xnm_question *question = search->question;
    struct xnm_search_matches *matches = search->matches;
    uint64_t bit = 1ULL << (audience - 1) % 64;
    unsigned word = (audience - 1) / 64;

    if (!search->varies) {
        search->varies = true;
        memset(matches->tested, 0, sizeof matches->tested);
        memset(matches->held, 0, sizeof matches->held);
        matches->time = question->time;
        matches->open_key[WHAT] = matches->open_key[HOW] = matches->spare_key = 0;
        matches->spares = false;
    }
    if (matches->tested[word] & bit)
        return matches->held[word] & bit;
    matches->tested[word] |= bit;
    if (matches->time == 0)
        matches->time = time(NULL);
    if (!has(search->policy, audience, question->client, matches->time))
        return false;
    matches->held[word] |= bit;
    return true;
}

bool xnm_search_may_decide(struct xnm_search *search, xnm_action action, unsigned audience,
                           uint64_t key)
{
    bool decides = xnm_search_is_for_client(search, audience);
    bool spares = action == XNM_PASSTHRU && !decides;
    uint64_t *open =
        spares ? &search->matches->spare_key : &search->matches->open_key[xnm_side_of(action)];

    if (key > *open)
        *open = key;
    return decides;
}

/* An exemption that is not for this client matters only if the client is refused. */
void xnm_search_settle(struct xnm_search *search)
{
    struct xnm_search_matches *matches = search->matches;

    for (unsigned side = WHAT; side < SIDES; side++) {
        search->personal |=
            matches->open_key[side] > 0 && matches->open_key[side] >= search->best_key[side];
        matches->open_key[side] = 0;
    }
    matches->spares |= matches->spare_key > 0 && matches->spare_key >= search->best_key[WHAT];
    matches->spare_key = 0;
}

void xnm_search_show_audience(const struct xnm_search *search, struct xnm_decision *decision)
{
    const struct xnm_policy_answer *answer = decision->answer          ? decision->answer
                                             : decision->log_count > 0 ? &decision->logs[0]
                                                                       : NULL;

    decision->varies = true;
    decision->personal =
        search->personal || (search->matches->spares && xnm_decision_changes_answer(decision));
    if (!answer)
        return;
    const struct xnm_policy_line *line = (const struct xnm_policy_line *)(const void *)answer->rule;
    if (line->audience > 0)
        decision->group = group_of(search->policy, line->audience, search->question->client);
}
