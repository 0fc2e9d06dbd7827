/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/rrtype.h"
#include "tools/check/check.h"
#include "tools/check/policyread.h"
#include "tools/explain/explain.h"

#include <unistd.h>

static bool take_over(struct explain_policy *policy, const struct policyread *read)
{
    policy->configured = true;
    policy->policy = read->files.policy;
    policy->log_only = read->log_only;
    return true;
}

bool explain_policy_open(struct explain_policy *policy, const char *file)
{
    struct policyread read = {
        .how = {.unicode = policy->unicode, .diagnostics = &policyread_errors}};
    bool is_default;

    if (file)
        return policyread_any(&read, file) && take_over(policy, &read);
    file = check_default_config(&is_default);
    return (is_default && access(file, F_OK) != 0) ||
           (policyread_config(&read, file) && take_over(policy, &read));
}

void explain_policy_close(struct explain_policy *policy)
{
    xnm_policy_free(policy->policy);
    policy->policy = NULL;
}

void explain_decide(const struct explain_policy *policy, const uint8_t *wire, size_t wire_len,
                    struct explained_decision *decision)
{
    const struct xnm_question question = {.qname = wire,
                                          .qname_len = wire_len,
                                          .qtype = policy->type,
                                          .qclass = XNM_CLASS_IN,
                                          .client = policy->client.len > 0 ? &policy->client : NULL,
                                          .time = policy->time};
    struct xnm_match *match = &decision->match;
    struct xnm_reply reply = {.match = match};
    struct xn_name name;

    decision->any = xnm_policy_decide(policy->policy, &question, &decision->decision);
    if (!decision->any)
        return;
    xnm_match_from(policy->policy, &decision->decision, policy->log_only, match);
    decision->rule = decision->decision.verdict ? decision->decision.verdict->rule
                                                : decision->decision.logs[0]->rule;
    if (match->name.len > 0 &&
        xn_name_read(policy->unicode, match->name.octets, match->name.len, 0, &name) == XN_OK)
        reply.match_name = &name;
    decision->subject_len = xnm_logline_subject(&reply, true, decision->subject);
}
