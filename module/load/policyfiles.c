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

/* The state of one rule. At index i, `nth` is the number of the rule that the builder was given as
 * its i-th; all else is about the list of rule i, which is left out if there is no memory for it.
 */
struct rule_state {
    size_t nth;
    bool left_out, told;
    size_t held, taken;       /* octets of what it held before; that it has taken */
    struct xnm_source source; /* … as it was when it was read; its path is the rule's */
};

/* A policy that is being made. */
struct making {
    const struct xnm_policyfiles_options *options;
    struct xnm_policyfiles *result;
    struct xnm_rules rules;
    struct xnm_reading reading;
    struct xnm_lists lists;
    struct rule_state *states; /* of each rule */
    size_t added;              /* rules that the builder has */
    size_t held;               /* by lists that are not read yet: octets */
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

/* Leaves out the rule of a list that was read once and was then too much for the memory there is.
 */
static void leave_out_again(struct making *making, const struct xnm_rule *rule,
                            struct rule_state *state)
{
    if (!xnm_reading_keep_source(&making->reading, &state->source))
        return;
    making->reading.again = state->told;
    making->reading.budget.exceeded = true;
    xnm_lists_leave_out(&making->lists, rule);
    making->reading.again = state->told = true;
}

/* By how many octets has a list grown? */
static size_t growth(const struct rule_state *state)
{
    return state->taken > state->held ? state->taken - state->held : 0;
}

/* Returns the list that has grown most, of equal ones the last, of those that the builder has and
 * that can still be left out. NULL: there is none. */
static struct rule_state *grown_list(const struct making *making)
{
    struct rule_state *most = NULL;

    for (size_t i = making->added; i-- > 0;) {
        size_t number = making->states[i].nth;
        struct rule_state *state = &making->states[number];
        if (making->rules.rules[number].path && !state->left_out &&
            (!most || growth(state) > growth(most)))
            most = state;
    }
    return most;
}

/* Reads a list. Room is kept for what the lists after it held before, so that no list drives out
 * others. */
static void read_list(struct making *making, const struct xnm_rule *rule, struct rule_state *state)
{
    struct xnm_budget *budget = &making->reading.budget;
    size_t before = budget->used;

    budget->reserved = making->held;
    xnm_lists_read(&making->lists, rule);
    budget->reserved = 0;
    state->taken = budget->used > before ? budget->used - before : 0;
}

static void report_lack(struct making *making, const struct xnm_rule *rule, xnm_severity severity,
                        const char *message)
{
    struct xnm_place place = {rule->file, rule->line, rule->column};

    xnm_diagnose(xnm_reading_reporter(&making->reading), severity, &place, "%s", message);
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

/* A list gives way to a rule that it leaves no room for: can_leave_out. */
static bool add_rule(struct making *making, size_t number)
{
    const struct xnm_policyfiles_options *options = making->options;
    const struct xnm_rule *rule = &making->rules.rules[number];
    struct rule_state *state = &making->states[number];
    struct xnm_place place = {rule->file, rule->line, rule->column};
    struct xnm_rule added = *rule;
    const char *why = NULL;

    if (options->for_everybody)
        added.client = added.when = NULL;
    if ((options->takes && !options->takes(options->takes_arg, rule)) || !can_hold(making, rule))
        return true;
    if (!xnm_policy_builder_rule(making->lists.builder, &added, &why)) {
        if (!why && making->reading.budget.exceeded && grown_list(making))
            return false;
        if (!why)
            why = xnm_budget_trouble();
        making->result->no_memory |= why == xnm_budget_no_memory;
        xnm_diagnose(options->diagnostics, XNM_ERROR, &place, "%s", why);
        return false;
    }
    making->states[making->added++].nth = number;
    making->held -= state->held;
    if (state->left_out)
        leave_out_again(making, rule, state);
    else if (rule->path && !options->no_lists)
        read_list(making, rule, state);
    return !making->reading.no_memory && !xnm_reading_is_stopped(&making->reading);
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

static bool build_once(struct making *making, struct xnm_policy_failure *failure)
{
    const struct xnm_policy_settings settings = settings_of(making->options);

    *failure = (struct xnm_policy_failure){0};
    making->held = 0;
    for (size_t i = 0; i < making->rules.count; i++)
        making->held += making->states[i].held;
    making->lists.builder = xnm_policy_builder_new(&settings);
    making->reading.no_memory |= !making->lists.builder;
    if (making->lists.builder)
        xnm_policy_builder_stop(making->lists.builder, making->reading.stop);
    if (!making->reading.no_memory &&
        !xnm_groups_read(&making->lists, &making->rules, !making->options->no_lists))
        return false;
    for (size_t i = 0; i < making->rules.count && !making->reading.no_memory; i++)
        if (!add_rule(making, i))
            return false;
    if (making->reading.no_memory)
        return false;
    struct xnm_policy_builder *builder = making->lists.builder;
    making->lists.builder = NULL;
    making->result->policy =
        xnm_policy_finish(builder, xnm_reading_reporter(&making->reading), failure);
    making->reading.no_memory = !making->result->policy && failure->no_memory;
    return making->result->policy;
}

/* Returns the source of a file, which must have been read. */
static const struct xnm_source *source_of(const struct making *making, const char *path)
{
    const struct xnm_source *source = making->result->sources.files;

    while (strcmp(source->path, path) != 0)
        source++;
    return source;
}

/* Returns the list to leave out: the zone whose records failed (a zone with many records at one
 * name needs memory after its entries are read), else grown_list. NULL: there is none. */
static struct rule_state *failed_list(const struct making *making,
                                      const struct xnm_policy_failure *failure)
{
    size_t number = failure->of_rule ? making->states[failure->rule].nth : 0;

    return failure->of_rule && making->rules.rules[number].path && !making->states[number].left_out
               ? &making->states[number]
               : grown_list(making);
}

/* Is there a policy without a list? Then all is as before the first list was read. */
static bool can_leave_out(struct making *making, const struct xnm_policy_failure *failure,
                          size_t sources)
{
    struct rule_state *state =
        making->reading.budget.exceeded ? failed_list(making, failure) : NULL;
    char *path;

    if (!state)
        return false;
    xnm_policy_builder_free(making->lists.builder);
    making->lists.builder = NULL;
    path = making->rules.rules[state - making->states].path;
    state->left_out = making->reading.again = true;
    state->source = *source_of(making, path);
    state->source.path = path;
    making->reading.budget.exceeded = making->reading.no_memory = false;
    making->added = 0;
    making->lists.bad_lists = making->lists.bad_lines = making->lists.skipped_lines = 0;
    xnm_sources_cut(&making->result->sources, sources);
    return true;
}

/* Looks up what each list held before. */
static void note_held(struct making *making)
{
    const struct xnm_policy *before = making->options->before;

    for (size_t i = 0; i < making->rules.count; i++) {
        const struct xnm_rule *rule = &making->rules.rules[i];
        if (before && rule->path)
            making->states[i].held = xnm_policy_list_memory(before, rule->trigger, rule->path);
    }
}

static bool build(struct making *making)
{
    struct xnm_policy_failure failure;
    size_t sources = making->result->sources.count;
    bool good = false;

    making->states = calloc(making->rules.count + 1, sizeof *making->states);
    making->reading.no_memory = !making->states;
    if (making->states)
        note_held(making);
    while (making->states && !(good = build_once(making, &failure)))
        if (!can_leave_out(making, &failure, sources))
            break;
    free(making->states);
    if (!good || check_aliases(making))
        return good;
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
