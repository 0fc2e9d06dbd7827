/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the policy that `explain` asks, and finds the rule that decides a name. */
#include "module/base/rrtype.h"
#include "tools/check/check.h"
#include "tools/check/policyread.h"
#include "tools/explain/explain.h"

#include <string.h>
#include <unistd.h>

bool explain_policy_open(struct explain_policy *policy, const char *given)
{
    struct policyread read = {.how = {.unicode = policy->unicode,
                                      .diagnostics = &policyread_errors,
                                      .lacks = policy->host.lacks}};
    struct policyread whole = {
        .how = {.unicode = policy->unicode, .diagnostics = &xnm_diagnostics_ignored}};
    bool (*read_file)(struct policyread *, const char *) =
        given ? policyread_any : policyread_config;
    bool is_default = false;
    const char *file = given               ? given
                       : policy->host.word ? policy->host.config
                                           : check_default_config(&is_default);

    if (is_default && access(file, F_OK) != 0)
        return true;
    if (!read_file(&read, file))
        return false;
    policy->configured = true;
    policy->policy = read.files.policy;
    policy->log_only = read.log_only;
    whole.how.before = policy->policy;
    /* The second reading takes the lists of the first, which reported the errors. */
    if (policy->host.lacks && read_file(&whole, file))
        policy->whole = whole.files.policy;
    return true;
}

void explain_policy_close(struct explain_policy *policy)
{
    xnm_policy_free(policy->policy);
    xnm_policy_free(policy->whole);
    policy->policy = policy->whole = NULL;
}

static const struct xnm_policy_rule *rule_of(const struct xnm_decision *decision)
{
    return decision->answer ? decision->answer->rule : decision->logs[0].rule;
}

static bool is_same_rule(const struct xnm_policy_rule *rule, const struct xnm_policy_rule *other)
{
    return rule->line == other->line && strcmp(rule->file, other->file) == 0;
}

/* Returns the rule that decides where none is left out, if it is another. */
static const struct xnm_policy_rule *find_left_out(const struct explain_policy *policy,
                                                   const struct xnm_question *question,
                                                   const struct explained_decision *decision)
{
    struct xnm_decision whole;

    if (!policy->whole || !xnm_policy_decide(policy->whole, question, &whole))
        return NULL;
    const struct xnm_policy_rule *rule = rule_of(&whole);
    return decision->any && is_same_rule(rule, decision->rule) ? NULL : rule;
}

static explain_instead find_instead(const struct explain_policy *policy,
                                    const struct xnm_match *match)
{
    if (match->log_only)
        return EXPLAIN_AS_RULED;
    if (match->action == XNM_DROP && (policy->host.lacks & XNM_LACKS_TRANSPORT))
        return EXPLAIN_REFUSED;
    return match->action == XNM_CNAME && policy->host.alias_alone ? EXPLAIN_ALIAS_ALONE
                                                                  : EXPLAIN_AS_RULED;
}

/* There is no error if the rule changes no answer or has none, or idn.conf has no
 * structured-errors. */
static void find_error(const struct explain_policy *policy, struct explained_decision *decision)
{
    const struct xnm_why_settings *settings = &xnm_policy_settings(policy->policy)->why;
    struct explained_error *error = &decision->error;
    uint8_t data[XNM_STRUCTURED_MAX];
    size_t len = 0;

    if (settings->code != 0 && !decision->match.log_only &&
        xnm_decision_changes_answer(&decision->decision))
        len = xnm_structured_write(settings, &decision->decision, data, sizeof data);
    error->any = len > 0;
    if (!error->any)
        return;
    error->code = data[0] << 8 | data[1];
    error->len = len - 2;
    memcpy(error->text, data + 2, error->len);
    error->is_json = error->len > 0 && xnm_structured_has_json(error->code);
}

void explain_decide(const struct explain_policy *policy, const uint8_t *wire, size_t wire_len,
                    struct explained_decision *decision)
{
    const struct xnm_question question = {.qname = wire,
                                          .qname_len = wire_len,
                                          .qtype = policy->type,
                                          .qclass = XNM_CLASS_IN,
                                          .client = policy->client.address.len > 0 ? &policy->client
                                                                                   : NULL,
                                          .time = policy->time};
    struct xnm_match *match = &decision->match;
    struct xnm_reply reply = {.match = match};
    struct xn_name name;

    decision->any = xnm_policy_decide(policy->policy, &question, &decision->decision);
    if (decision->any)
        decision->rule = rule_of(&decision->decision);
    decision->left_out = find_left_out(policy, &question, decision);
    decision->instead = EXPLAIN_AS_RULED;
    if (!decision->any)
        return;
    xnm_match_from(policy->policy, &decision->decision, policy->log_only, match);
    if (match->name.len > 0 &&
        xn_name_read(policy->unicode, match->name.octets, match->name.len, 0, &name) == XN_OK)
        reply.match_name = &name;
    decision->subject_len = xnm_logline_subject(&reply, true, decision->subject);
    decision->instead = find_instead(policy, match);
    find_error(policy, decision);
}
