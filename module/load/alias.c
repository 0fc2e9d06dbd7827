/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/alias.h"

#include "module/base/rrtype.h"
#include "module/policy/policy.h"
#include "module/rule/line.h"

#include <string.h>

/* No type= names this type. A rule about all types that decides for any type decides for this one.
 */
enum { TYPE_OF_NO_RULE = 0 };

/* Rules that were not taken are missing from the policy, so rule numbers differ. */
static bool is_line_of(const struct xnm_policy_rule *line, const struct xnm_rule *rule)
{
    return line->line == rule->line && strcmp(line->file, rule->file) == 0;
}

bool xnm_rulealias_leads_back(const struct xnm_policy *policy, const struct xnm_rule *rule)
{
    const uint16_t other = TYPE_OF_NO_RULE;
    const uint16_t *types = rule->type_count > 0 ? rule->types : &other;
    size_t count = rule->type_count > 0 ? rule->type_count : 1;
    struct xnm_question question = {.qclass = XNM_CLASS_IN};
    struct xnm_decision decision;

    if ((rule->action != XNM_CNAME && rule->override != XNM_CNAME) || rule->record_count == 0)
        return false;
    question.qname = rule->records[0].rdata;
    question.qname_len = rule->records[0].rdata_len;
    for (size_t i = 0; i < count; i++) {
        question.qtype = types[i];
        xnm_policy_decide(policy, &question, &decision);
        if (decision.verdict && is_line_of(decision.verdict->rule, rule))
            return true;
    }
    return false;
}

static bool is_covered(const struct xnm_rule *rule, const uint8_t *name, size_t len)
{
    size_t before = xnm_wirename_before(name, len, rule->name.octets, rule->name.len);

    return before != SIZE_MAX && rule->scope != (before == 0 ? XNM_SCOPE_BELOW : XNM_SCOPE_EXACT);
}

static struct xnm_policy *policy_of_rule(const struct xnm_ruleline *line)
{
    const struct xnm_policy_settings settings = {.unicode = line->options->unicode};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);

    if (builder && xnm_policy_builder_rule(builder, &line->rule, NULL))
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
