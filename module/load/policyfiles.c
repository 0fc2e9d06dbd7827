/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/policyfiles.h"

#include "module/config/config.h"
#include "module/load/groups.h"
#include "module/load/lists.h"
#include "module/load/reading.h"
#include "module/policy/policy.h"
#include "module/rule/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A policy that is being made. */
struct making {
    const struct xnm_policyfiles_options *options;
    struct xnm_policyfiles *result;
    struct xnm_rules rules;
    struct xnm_reading reading;
    struct xnm_lists lists;
    size_t added; /* rules that the builder has */
};

/* --- rule files --- */

static bool read_rule_file(struct making *making, const char *path)
{
    const struct xnm_policyfiles_options *options = making->options;
    const struct xnm_rules_options how = {
        .unicode = options->unicode,
        .diagnostics = options->diagnostics,
        .default_ttl = options->config->policy.ttl,
    };
    struct xnm_place place = {.file = path};
    struct xnm_textfile file;
    const char *why = xnm_reading_text(&making->reading, path, XNM_RULES_SIZE_MAX, false, &file);

    if (why) {
        making->result->no_memory |= why == xnm_budget_no_memory;
        if (!making->reading.no_memory &&
            !xnm_reading_is_stopped(&making->reading)) /* no memory is said of all of it */
            xnm_diagnose(options->diagnostics, XNM_ERROR, &place, "%s", why);
        return false;
    }
    bool good = xnm_rules_parse(&making->rules, &how, path, file.text, file.len);
    xnm_textfile_free(&file);
    return good;
}

/* All of them, so that the errors of all are reported. */
static bool read_rule_files(struct making *making)
{
    const struct xnm_config *config = making->options->config;
    bool good = true;

    for (size_t i = 0; i < config->policy.file_count; i++)
        good &= read_rule_file(making, config->policy.files[i]);
    return good && xnm_rules_check_groups(&making->rules, making->options->diagnostics);
}

/* --- together --- */

static void report_lack(struct making *making, const struct xnm_rule *rule, xnm_severity severity,
                        const char *message)
{
    struct xnm_place place = {rule->file, rule->line, rule->column};

    xnm_diagnose(making->reading.diagnostics, severity, &place, "%s", message);
}

static bool is_action(const struct xnm_rule *rule, xnm_action action)
{
    return rule->action == action || rule->override == action;
}

/* Returns whether the host can hold the rule. If not, that is reported, and the rule is left out;
 * all others are in force. */
static bool can_hold(struct making *making, const struct xnm_rule *rule)
{
    unsigned lacks = making->options->lacks;

    if ((lacks & XNM_LACKS_CLIENTS) && rule->client) {
        report_lack(making, rule, XNM_ERROR,
                    "left out: a rule with client=, which this resolver cannot hold as it is "
                    "configured");
        return false;
    }
    if ((lacks & XNM_LACKS_TRANSPORT) && is_action(rule, XNM_TCP_ONLY)) {
        report_lack(making, rule, XNM_ERROR,
                    "left out: tcp-only, since this resolver does not say whether a client uses "
                    "TCP");
        return false;
    }
    if ((lacks & XNM_LACKS_TRANSPORT) && is_action(rule, XNM_DROP))
        report_lack(making, rule, XNM_WARNING,
                    "this resolver cannot drop a query: clients get REFUSED instead");
    return true;
}

static bool add_rule(struct making *making, const struct xnm_rule *rule)
{
    const struct xnm_policyfiles_options *options = making->options;
    struct xnm_place place = {rule->file, rule->line, rule->column};
    struct xnm_rule added = *rule;
    const char *why = NULL;

    if (options->for_everybody)
        added.client = added.when = NULL;
    if ((options->takes && !options->takes(options->takes_arg, rule)) || !can_hold(making, rule))
        return true;
    if (!xnm_policy_builder_rule(making->lists.builder, &added, &why)) {
        if (!why)
            why = xnm_budget_trouble();
        making->result->no_memory |= why == xnm_budget_no_memory;
        xnm_diagnose(options->diagnostics, XNM_ERROR, &place, "%s", why);
        return false;
    }
    size_t number = making->added++;
    if (rule->path && !options->no_lists && !xnm_lists_add(&making->lists, rule, number))
        return xnm_reading_has_no_memory(&making->reading);
    return !xnm_reading_is_stopped(&making->reading);
}

/* Returns whether a cname rule decides the name that its own alias leads to, which would then be an
 * alias for itself. Rules for some clients or times are not looked at. */
static bool leads_back(const struct xnm_policy *policy, const struct xnm_rule *rule)
{
    const uint16_t other = 0; /* no type= names it: a rule about all types decides for it, too */
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
        if (decision.verdict && decision.verdict->rule->line == rule->line &&
            strcmp(decision.verdict->rule->file, rule->file) == 0)
            return true;
    }
    return false;
}

/* No resolver follows an alias of itself: clients get SERVFAIL. Returns whether there is none but
 * of lists, which change, so that theirs stop nothing. */
static bool check_aliases(const struct making *making)
{
    bool good = true;

    for (size_t i = 0; i < making->rules.count; i++) {
        const struct xnm_rule *rule = &making->rules.rules[i];
        const struct xnm_place place = {rule->file, rule->line,
                                        rule->path ? rule->path_column : rule->column};
        if (!leads_back(making->result->policy, rule))
            continue;
        good &= rule->path != NULL;
        xnm_diagnose(
            making->options->diagnostics, XNM_ERROR, &place,
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
        .hits = options->hits,
    };
}

static bool same_name(const struct xnm_wirename *a, const struct xnm_wirename *b)
{
    return a->len == b->len && memcmp(a->octets, b->octets, a->len) == 0;
}

/* Compares the keys that settings_of uses, and the budget. */
bool xnm_policyfiles_same(const struct xnm_config *a, const struct xnm_config *b)
{
    const struct xnm_config_policy *x = &a->policy, *y = &b->policy;

    if (x->file_count != y->file_count || x->ttl != y->ttl || x->memory != y->memory ||
        !same_name(&x->soa_mname, &y->soa_mname) || !same_name(&x->soa_rname, &y->soa_rname))
        return false;
    for (size_t i = 0; i < x->file_count; i++)
        if (strcmp(x->files[i], y->files[i]) != 0)
            return false;
    return true;
}

/* Gives the builder all rules, and then what lists hold. */
static bool add_rules(struct making *making)
{
    const struct xnm_policy_settings settings = settings_of(making->options);

    making->lists.builder = xnm_policy_builder_new(&settings);
    making->reading.no_memory = !making->lists.builder;
    if (!making->lists.builder)
        return false;
    xnm_policy_builder_stop(making->lists.builder, making->reading.stop);
    xnm_policy_builder_follow(making->lists.builder, making->options->before);
    if (!xnm_groups_read(&making->lists, &making->rules, !making->options->no_lists))
        return false;
    for (size_t i = 0; i < making->rules.count; i++)
        if (!add_rule(making, &making->rules.rules[i]))
            return false;
    xnm_lists_read(&making->lists);
    return !making->reading.no_memory && !xnm_reading_is_stopped(&making->reading);
}

static bool build(struct making *making)
{
    if (!add_rules(making))
        return false;
    struct xnm_policy_builder *builder = making->lists.builder;
    making->lists.builder = NULL;
    making->result->policy =
        xnm_policy_finish(builder, making->options->diagnostics, &making->reading.no_memory);
    if (!making->result->policy)
        return false;
    if (check_aliases(making))
        return true;
    xnm_policy_free(making->result->policy);
    making->result->policy = NULL;
    return false;
}

/* --- all of it --- */

static void begin(struct making *making)
{
    const struct xnm_policyfiles_options *options = making->options;

    making->reading = (struct xnm_reading){.diagnostics = options->diagnostics,
                                           .last = options->last,
                                           .looked = options->looked,
                                           .stop = options->stop,
                                           .watch = options->watch,
                                           .sources = &making->result->sources};
    making->reading.budget.max = options->config->policy.memory;
    making->lists = (struct xnm_lists){.reading = &making->reading,
                                       .unicode = options->unicode,
                                       .before = options->before,
                                       .size_max = XNM_LIST_SIZE_MAX};
}

/* Frees what is not the policy's, and adds up. */
static void end(struct making *making)
{
    struct xnm_policyfiles *result = making->result;

    xnm_policy_builder_free(making->lists.builder);
    xnm_arena_free(&making->lists.items);
    result->no_memory |= making->rules.no_memory;
    xnm_rules_free(&making->rules);
    result->no_memory |= making->reading.no_memory && !making->reading.budget.exceeded;
    result->bad_lists = making->lists.bad_lists;
    result->bad_lines = making->lists.bad_lines;
    result->skipped_lines = making->lists.skipped_lines;
}

bool xnm_policyfiles_read(const struct xnm_policyfiles_options *options,
                          struct xnm_policyfiles *result)
{
    struct making making = {.options = options, .result = result};
    struct xnm_place place = {.file = "policy"};

    *result = (struct xnm_policyfiles){0};
    if (options->config->policy.file_count == 0)
        return true;
    begin(&making);
    xnm_budget_open(&making.reading.budget);
    bool good = read_rule_files(&making) && build(&making);
    end(&making);
    if (making.reading.no_memory && !xnm_reading_is_stopped(&making.reading))
        xnm_diagnose(options->diagnostics, XNM_ERROR, &place, "%s", xnm_budget_trouble());
    xnm_budget_open(NULL);
    return good;
}
