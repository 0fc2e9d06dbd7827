/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/alias.h"

#include "module/base/rrtype.h"
#include "module/policy/audience.h"
#include "module/policy/policy.h"
#include "module/rule/line.h"

#include <string.h>

/* No type= names this type. A rule about all types that decides for any type decides for this one.
 */
enum { TYPE_OF_NO_RULE = 0 };

enum { RANGES_TRIED = 64 /* of a group's file, in each family */ };

/* Rules that were not taken are missing from the policy, so rule numbers differ. */
static bool is_line_of(const struct xnm_policy_rule *line, const struct xnm_rule *rule)
{
    return line->line == rule->line && strcmp(line->file, rule->file) == 0;
}

/* --- whom a rule is for --- */

/* Asks what a rule decides for its own target. */
struct asking {
    const struct xnm_policy *policy;
    const struct xnm_rule *rule;
    unsigned audience; /* the rule's, from 1; 0: everybody, always */
};

static bool decides(const struct asking *asking, const struct xnm_client *client, time_t when)
{
    const struct xnm_rule *rule = asking->rule;
    const uint16_t other = TYPE_OF_NO_RULE;
    const uint16_t *types = rule->type_count > 0 ? rule->types : &other;
    size_t count = rule->type_count > 0 ? rule->type_count : 1;
    struct xnm_question question = {.qname = rule->records[0].rdata,
                                    .qname_len = rule->records[0].rdata_len,
                                    .qclass = XNM_CLASS_IN,
                                    .client = client,
                                    .time = when};
    struct xnm_decision decision;

    if (asking->audience > 0 && !xnm_audience_has(asking->policy, asking->audience, client, when))
        return false;
    for (size_t i = 0; i < count; i++) {
        question.qtype = types[i];
        xnm_policy_decide(asking->policy, &question, &decision);
        if (decision.verdict && is_line_of(decision.verdict->rule, rule))
            return true;
    }
    return false;
}

/* At each span's next beginning; now if the rule is for all times. */
static bool decides_for(const struct asking *asking, const struct xnm_client *client)
{
    const struct xnm_audience *audience =
        asking->audience > 0 ? xnm_policy_audience(asking->policy, asking->audience) : NULL;
    time_t now = time(NULL);
    struct tm today;

    if (!audience || audience->span_count == 0 || !localtime_r(&now, &today))
        return decides(asking, client, now);
    for (unsigned i = 0; i < audience->span_count; i++) {
        const struct xnm_span *span = &audience->spans[i];
        struct tm day = today;
        day.tm_mday += (span->first + 7 - today.tm_wday) % 7;
        day.tm_hour = span->from / 60;
        day.tm_min = span->from % 60;
        day.tm_sec = 0;
        day.tm_isdst = -1;
        if (decides(asking, client, mktime(&day)))
            return true;
    }
    return false;
}

/* Moves to the next address in either direction. */
static void move(struct xnm_client *client, bool up)
{
    uint8_t end = up ? 0xFF : 0;
    size_t at = client->len - 1;

    while (at > 0 && client->octets[at] == end)
        client->octets[at--] = (uint8_t)~end;
    client->octets[at] = (uint8_t)(client->octets[at] + (up ? 1 : -1));
}

/* Asks about the addresses at both ends of a range, and directly before and after it. */
static bool decides_at_ends(const struct asking *asking, const uint8_t *range, uint8_t len)
{
    for (unsigned end = 0; end < 2; end++) {
        struct xnm_client client = {.len = len};
        memcpy(client.octets, range + end * len, len);
        if (decides_for(asking, &client))
            return true;
        move(&client, end == 1);
        if (decides_for(asking, &client))
            return true;
    }
    return false;
}

static bool decides_at_set(const struct asking *asking, const struct xnm_ranges *ranges)
{
    for (unsigned family = 0; family < XNM_FAMILIES; family++) {
        size_t len = xnm_family_len(family), count = ranges->count[family];
        for (size_t n = 0; n < count && n < RANGES_TRIED; n++)
            if (decides_at_ends(asking, ranges->octets[family] + n * 2 * len, (uint8_t)len))
                return true;
    }
    return false;
}

static bool decides_at_part(const struct asking *asking, const struct xnm_audience_part *part)
{
    const struct xnm_policy *policy = asking->policy;
    uint8_t range[2 * sizeof part->client.prefix.address.octets];

    if (!part->client.group[0]) {
        xnm_prefix_range(&part->client.prefix, range);
        return decides_at_ends(asking, range, part->client.prefix.address.len);
    }
    for (uint32_t set = part->sets_at; set < part->sets_end; set++)
        if (decides_at_set(asking, &xnm_policy_client_set(policy, set)->ranges))
            return true;
    return false;
}

static bool decides_for_some(const struct asking *asking)
{
    const struct xnm_audience *audience;

    if (asking->audience == 0)
        return decides_for(asking, NULL);
    audience = xnm_policy_audience(asking->policy, asking->audience);
    if (audience->part_count == 0)
        return decides_for(asking, NULL);
    for (unsigned i = 0; i < audience->part_count; i++)
        if (decides_at_part(asking, &audience->parts[i]))
            return true;
    return false;
}

/* --- a rule --- */

bool xnm_rulealias_leads_back(const struct xnm_policy *policy, const struct xnm_rule *rule)
{
    struct asking asking = {.policy = policy, .rule = rule};

    if ((rule->action != XNM_CNAME && rule->override != XNM_CNAME) || rule->record_count == 0)
        return false;
    for (size_t n = 0; n < policy->line_count; n++)
        if (is_line_of(&xnm_policy_line(policy, n)->shown, rule))
            asking.audience = xnm_policy_line(policy, n)->audience;
    return decides_for_some(&asking);
}

static bool is_covered(const struct xnm_rule *rule, const uint8_t *name, size_t len)
{
    size_t before = xnm_wirename_before(name, len, rule->name.octets, rule->name.len);

    return before != SIZE_MAX && rule->scope != (before == 0 ? XNM_SCOPE_BELOW : XNM_SCOPE_EXACT);
}

static struct xnm_policy *policy_of_rule(const struct xnm_ruleline *line)
{
    const struct xnm_policy_settings settings = {0};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    struct xnm_rule rule = line->rule;

    rule.client = rule.when = NULL; /* whomever it is for, they meet themselves */
    if (builder && xnm_policy_builder_rule(builder, &rule, NULL))
        return xnm_policy_finish(builder, &xnm_diagnose_silently, NULL);
    xnm_policy_builder_free(builder);
    return NULL;
}

/* Only a policy knows what a look-alike rule or a condition matches, so this builds one of this
 * rule alone. */
static bool is_decided(struct xnm_ruleline *line)
{
    struct xnm_policy *policy = policy_of_rule(line);
    bool decided = policy && xnm_rulealias_leads_back(policy, &line->rule);

    if (!policy)
        xnm_textline_no_memory(&line->text, line->target_at);
    xnm_policy_free(policy);
    return decided;
}

static bool is_own(struct xnm_ruleline *line)
{
    const struct xnm_rule *rule = &line->rule;
    const struct xnm_record *alias = rule->records;

    if (rule->trigger == XNM_TRIGGER_NAME || rule->trigger == XNM_TRIGGER_ZONE)
        return rule->name.len > 0 && is_covered(rule, alias->rdata, alias->rdata_len);
    return !xnm_trigger_has_path(rule->trigger) && line->text.errors == line->errors_before &&
           is_decided(line);
}

void xnm_rulealias_check(struct xnm_ruleline *line)
{
    const struct xnm_rule *rule = &line->rule;

    if (rule->action == XNM_CNAME && rule->record_count == 1 && is_own(line))
        xnm_textline_error(&line->text, line->target_at,
                           "this alias leads to a name that the rule itself matches: expected a "
                           "target that it does not match");
}
