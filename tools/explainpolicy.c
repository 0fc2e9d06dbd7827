/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policyfiles.h"
#include "tools/check.h"
#include "tools/explain.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Warnings are check's to give: whoever explains a name did not write the rules just now. */
static void report(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    size_t cap = strlen(place->file) + strlen(message) + 64;
    struct buffer text = {0}, line = {0};

    (void)arg;
    if (severity == XNM_WARNING)
        return;
    xnm_report_text(place, message, buffer_reserve(&text, cap), cap);
    buffer_visible(&line, text.data, strlen(text.data));
    fprintf(stderr, "%.*s\n", (int)line.len, line.data);
    buffer_free(&text);
    buffer_free(&line);
}

static bool read_policy(struct explain_policy *policy, const struct xnm_config *config,
                        const struct xnm_reporter *reporter)
{
    const struct xnm_policyfiles_options options = {
        .config = config, .unicode = policy->unicode, .reporter = reporter};
    struct xnm_policyfiles read;
    bool good = xnm_policyfiles_read(&options, &read);

    policy->configured = true;
    policy->policy = read.policy;
    policy->log_only = config->policy_mode == XNM_POLICY_LOG_ONLY;
    xnm_sources_free(&read.sources);
    return good;
}

/* By itself, with the default of every key. */
static bool read_rules(struct explain_policy *policy, const char *file,
                       const struct xnm_reporter *reporter)
{
    struct xnm_config config;
    char *policies[] = {(char *)file};

    xnm_config_init(&config);
    config.policies = policies;
    config.policy_count = 1;
    return read_policy(policy, &config, reporter);
}

static bool read_config(struct explain_policy *policy, const char *file,
                        const struct xnm_reporter *reporter)
{
    struct xnm_config config;

    xnm_config_init(&config);
    bool good = xnm_config_load(&config, file, reporter) && read_policy(policy, &config, reporter);
    xnm_config_free(&config);
    return good;
}

bool explain_policy_open(struct explain_policy *policy, const char *file)
{
    const struct xnm_reporter reporter = {report, NULL};
    bool is_default;

    if (file && check_kind_of(file) != CHECK_CONFIG)
        return read_rules(policy, file, &reporter);
    if (file)
        return read_config(policy, file, &reporter);
    file = check_default_config(&is_default);
    return (is_default && access(file, F_OK) != 0) || read_config(policy, file, &reporter);
}

void explain_policy_close(struct explain_policy *policy)
{
    xnm_policy_free(policy->policy);
    policy->policy = NULL;
}

void explain_decide(const struct explain_policy *policy, const uint8_t *wire, size_t wire_len,
                    struct explained_decision *decision)
{
    enum { CLASS_IN = 1 };
    const struct xnm_question question = {
        .qname = wire, .qname_len = wire_len, .qtype = policy->type, .qclass = CLASS_IN};
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
