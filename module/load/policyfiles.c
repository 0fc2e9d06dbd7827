/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/policyfiles.h"

#include "module/build/build.h"
#include "module/config/config.h"
#include "module/load/linefile.h"
#include "module/load/listfiles.h"
#include "module/load/reading.h"
#include "module/policy/policy.h"
#include "module/rule/rulefile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- rule files --- */

static bool read_rule_file(struct xnm_reading *reading, const char *path)
{
    const struct xnm_policyfiles_options *options = reading->options;
    const struct xnm_rules_options how = {
        .unicode = options->unicode,
        .diagnostics = options->diagnostics,
        .default_ttl = options->config->policy.ttl,
    };
    struct xnm_place place = {.file = path};
    struct xnm_textfile file;
    const char *why = xnm_reading_text(reading, path, XNM_RULES_SIZE_MAX, false, &file);

    if (why) {
        reading->result->no_memory |= why == xnm_budget_no_memory;
        /* xnm_policyfiles_read reports a lack of memory, once for all files. */
        if (!reading->no_memory && !xnm_reading_is_stopped(reading))
            xnm_diagnostics_add(options->diagnostics, XNM_ERROR, &place, "%s", why);
        return false;
    }
    bool good = xnm_rules_parse(&reading->rules, &how, path, file.text, file.len);
    xnm_textfile_free(&file);
    return good;
}

/* Reads all rule files, so that the errors of all are reported. */
static bool read_rule_files(struct xnm_reading *reading)
{
    const struct xnm_config *config = reading->options->config;
    bool good = true;

    for (size_t i = 0; i < config->policy.file_count; i++)
        good &= read_rule_file(reading, config->policy.files[i]);
    if (good)
        xnm_rules_apply_tags(&reading->rules, reading->options->diagnostics);
    return good && xnm_rules_check_groups(&reading->rules, reading->options->diagnostics);
}

/* --- together --- */

static void report_lack(struct xnm_reading *reading, const struct xnm_rule *rule,
                        xnm_severity severity, const char *message)
{
    struct xnm_place place = {rule->file, rule->line, rule->column};

    xnm_diagnostics_add(reading->options->diagnostics, severity, &place, "%s", message);
}

static bool is_action(const struct xnm_rule *rule, xnm_action action)
{
    return rule->action == action || rule->override == action;
}

/* Returns whether the host can apply the rule. If not, that is reported, and the rule is left out;
 * all others are in force. */
static bool can_apply(struct xnm_reading *reading, const struct xnm_rule *rule)
{
    unsigned lacks = reading->options->lacks;

    if ((lacks & XNM_LACKS_CLIENTS) && rule->client) {
        report_lack(reading, rule, XNM_ERROR,
                    "left out: a rule with client=, which this resolver cannot apply as it is "
                    "configured");
        return false;
    }
    if ((lacks & XNM_LACKS_TRANSPORT) && is_action(rule, XNM_TCP_ONLY)) {
        report_lack(reading, rule, XNM_ERROR,
                    "left out: tcp-only, since this resolver does not say whether a client uses "
                    "TCP");
        return false;
    }
    if ((lacks & XNM_LACKS_TRANSPORT) && is_action(rule, XNM_DROP))
        report_lack(reading, rule, XNM_WARNING,
                    "this resolver cannot drop a query: clients get REFUSED instead");
    return true;
}

static bool add_rule(struct xnm_reading *reading, const struct xnm_rule *rule)
{
    const struct xnm_policyfiles_options *options = reading->options;
    struct xnm_place place = {rule->file, rule->line, rule->column};
    struct xnm_rule added = *rule;
    const char *why = NULL;

    if (options->for_everybody)
        added.client = added.when = NULL;
    if ((options->takes && !options->takes(options->takes_arg, rule)) || !can_apply(reading, rule))
        return true;
    if (!xnm_linefile_words(reading, rule, &added.protection.words))
        return false;
    if (!xnm_policy_builder_rule(reading->builder, &added, &why)) {
        if (!why)
            why = xnm_budget_trouble();
        reading->result->no_memory |= why == xnm_budget_no_memory;
        xnm_diagnostics_add(options->diagnostics, XNM_ERROR, &place, "%s", why);
        return false;
    }
    size_t number = reading->rule_count++;
    if (!options->no_lists && !xnm_listfiles_add(reading, rule, number))
        return xnm_reading_has_no_memory(reading);
    return !xnm_reading_is_stopped(reading);
}

/* Returns whether a cname rule decides the name that its own alias leads to, which would then be an
 * alias for itself. Rules for some clients or times are not checked. */
static bool leads_back(const struct xnm_policy *policy, const struct xnm_rule *rule)
{
    const uint16_t other = 0; /* no rule has type= with it; a rule about all types decides for it */
    const uint16_t *types = rule->type_count > 0 ? rule->types : &other;
    size_t count = rule->type_count > 0 ? rule->type_count : 1;
    struct xnm_decision decision;

    if ((rule->action != XNM_CNAME && rule->override != XNM_CNAME) || rule->record_count == 0 ||
        rule->client || rule->when)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct xnm_question question = {.qname = rule->records[0].rdata,
                                              .qname_len = rule->records[0].rdata_len,
                                              .qtype = types[i],
                                              .qclass = XNM_CLASS_IN};
        xnm_policy_decide(policy, &question, &decision);
        if (decision.answer && decision.answer->rule->line == rule->line &&
            strcmp(decision.answer->rule->file, rule->file) == 0)
            return true;
    }
    return false;
}

/* Reports aliases for themselves, which resolvers answer with SERVFAIL. Returns whether there are
 * none, except those of lists, which change and so are no reason to refuse the policy. */
static bool check_aliases(const struct xnm_reading *reading)
{
    bool good = true;

    for (size_t i = 0; i < reading->rules.count; i++) {
        const struct xnm_rule *rule = &reading->rules.rules[i];
        const struct xnm_place place = {rule->file, rule->line,
                                        rule->path ? rule->path_column : rule->column};
        if (!leads_back(reading->result->policy, rule))
            continue;
        good &= rule->path != NULL;
        xnm_diagnostics_add(
            reading->options->diagnostics, XNM_ERROR, &place,
            "this alias leads to a name that the rule itself matches: expected a target that "
            "it does not match");
    }
    return good;
}

static struct xnm_policy_settings settings_of(const struct xnm_policyfiles_options *options)
{
    const struct xnm_config *config = options->config;

    return (struct xnm_policy_settings){
        .ttl = config->policy.ttl,
        .soa_mname = config->policy.soa_mname,
        .soa_rname = config->policy.soa_rname,
        .why = config->policy.why,
        .counters = options->counters,
    };
}

/* Adds all rules, and then the entries of lists. */
static bool add_rules(struct xnm_reading *reading)
{
    const struct xnm_policy_settings settings = settings_of(reading->options);

    reading->builder = xnm_policy_builder_new(&settings);
    reading->no_memory = !reading->builder;
    if (!reading->builder)
        return false;
    xnm_policy_builder_follow(reading->builder, reading->options->before, reading->options->stop);
    if (!xnm_linefile_groups(reading))
        return false;
    for (size_t i = 0; i < reading->rules.count; i++)
        if (!add_rule(reading, &reading->rules.rules[i]))
            return false;
    xnm_listfiles_read(reading);
    return !reading->no_memory && !xnm_reading_is_stopped(reading);
}

static bool build(struct xnm_reading *reading)
{
    if (!add_rules(reading))
        return false;
    struct xnm_policy_builder *builder = reading->builder;
    reading->builder = NULL;
    reading->result->policy =
        xnm_policy_finish(builder, reading->options->diagnostics, &reading->no_memory);
    if (!reading->result->policy)
        return false;
    if (check_aliases(reading))
        return true;
    xnm_policy_free(reading->result->policy);
    reading->result->policy = NULL;
    return false;
}

/* --- reading --- */

/* Frees all but the policy. */
static void end(struct xnm_reading *reading)
{
    struct xnm_policyfiles *result = reading->result;

    xnm_policy_builder_free(reading->builder);
    xnm_arena_free(&reading->lists);
    result->no_memory |= reading->rules.no_memory;
    xnm_rules_free(&reading->rules);
    result->no_memory |= reading->no_memory && !reading->budget.exceeded;
}

bool xnm_policyfiles_read(const struct xnm_policyfiles_options *options,
                          struct xnm_policyfiles *result)
{
    struct xnm_reading reading = {
        .options = options, .result = result, .budget.max = options->config->policy.memory};
    struct xnm_place place = {.file = "policy"};

    *result = (struct xnm_policyfiles){0};
    if (options->config->policy.file_count == 0)
        return true;
    xnm_budget_open(&reading.budget);
    bool good = read_rule_files(&reading) && build(&reading);
    end(&reading);
    if (reading.no_memory && !xnm_reading_is_stopped(&reading))
        xnm_diagnostics_add(options->diagnostics, XNM_ERROR, &place, "%s", xnm_budget_trouble());
    xnm_budget_open(NULL);
    return good;
}
