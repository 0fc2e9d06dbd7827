/* SPDX-License-Identifier: BSD-3-Clause */
/* `check` of rule files and lists: reads them as the module does, reports errors and prints a
 * summary. */
#include "tools/check/check.h"

#include "module/config/config.h"
#include "module/file/textfile.h"
#include "module/file/writable.h"
#include "module/list/list.h"
#include "module/load/policyfiles.h"
#include "module/policy/policy.h"
#include "module/rule/protection.h"
#include "module/rule/rulefile.h"
#include "tools/check/policyread.h"
#include "tools/command/progress.h"

#include <string.h>

/* --- what there is --- */

static void add_memory(struct buffer *text, size_t octets)
{
    if (octets < 1000000)
        buffer_format(text, "%zu kB", (octets + 999) / 1000);
    else
        buffer_format(text, "%.1f MB", (double)octets / 1e6);
}

/* " (3 nxdomain, 1 log)", and `"nxdomain":3,"log":1`: the rules of each action that there is. */
static void add_actions(struct buffer *text, struct buffer *members,
                        const struct xnm_policy *policy)
{
    size_t counts[XNM_ACTION_COUNT] = {0};
    bool any = false;

    for (size_t i = 0; i < xnm_policy_rule_count(policy); i++)
        counts[xnm_policy_rule(policy, i)->action]++;
    for (xnm_action action = XNM_ACTION_NONE; action < XNM_ACTION_COUNT; action++) {
        const char *word = xnm_action_word(action);
        if (counts[action] == 0)
            continue;
        buffer_format(text, "%s%zu %s", any ? ", " : " (", counts[action], word);
        buffer_format(members, "%s\"%s\":%zu", any ? "," : "", word, counts[action]);
        any = true;
    }
    buffer_text(text, any ? ")" : "");
}

static void add_names(struct buffer *text, size_t count, const char *kind)
{
    buffer_format(text, ", %zu %sname%s", count, kind, count == 1 ? "" : "s");
}

/* Protected names and conditions, of which most policies have none. */
static void add_contents(struct buffer *text, struct buffer *members,
                         const struct xnm_policy *policy)
{
    size_t names = xnm_policy_entry_count(policy), protected_names = 0, conditions = 0;

    for (size_t i = 0; i < xnm_policy_rule_count(policy); i++) {
        const struct xnm_policy_rule *rule = xnm_policy_rule(policy, i);
        conditions += xnm_trigger_is_condition(rule->trigger);
        protected_names += xnm_trigger_is_lookalike(rule->trigger) ? rule->entry_count : 0;
    }
    names -= protected_names;
    add_names(text, names, "");
    if (protected_names > 0)
        add_names(text, protected_names, "protected ");
    if (conditions > 0)
        buffer_format(text, ", %zu condition%s", conditions, conditions == 1 ? "" : "s");
    buffer_format(members, ",\"names\":%zu,\"protected\":%zu,\"conditions\":%zu", names,
                  protected_names, conditions);
}

struct summary {
    struct checker *checker;
    const char *file;
};

static void note_overlap(void *arg, const char *group, const char *other, const char *client)
{
    const struct summary *summary = arg;
    const struct xnm_place place = {.file = summary->file};

    check_note(summary->checker, &place, "groups %s and %s have clients in common, such as %s",
               group, other, client);
}

static void summarize(struct checker *checker, const char *file, const struct xnm_policy *policy)
{
    struct buffer text = {0}, members = {0};
    size_t rules = xnm_policy_rule_count(policy), memory = xnm_policy_memory(policy);

    policyread_overlaps(policy, note_overlap, &(struct summary){checker, file});
    buffer_format(&text, "%zu rule%s", rules, rules == 1 ? "" : "s");
    buffer_text(&members, ",\"rules\":{");
    add_actions(&text, &members, policy);
    buffer_text(&members, "}");
    add_contents(&text, &members, policy);
    buffer_text(&text, ", ");
    add_memory(&text, memory);
    buffer_format(&members, ",\"memory\":%zu", memory);
    check_summary(checker, file, &text, &members);
}

/* --- policies --- */

static void keep_first_error(void *arg, xnm_severity severity, const struct xnm_place *place,
                             const char *message)
{
    struct buffer *first = arg;

    if (severity != XNM_ERROR || first->len > 0)
        return;
    buffer_message(first, place, message);
    buffer_text(first, "\n");
}

/* An error that stops nothing is none here. */
static void read_briefly(struct checker *checker, const struct xnm_config *config)
{
    struct buffer first = {0};
    const struct xnm_diagnostics diagnostics = {keep_first_error, &first};
    const struct xnm_policyfiles_options options = {.config = config,
                                                    .unicode = checker->unicode,
                                                    .diagnostics = &diagnostics,
                                                    .no_lists = true};
    struct xnm_policyfiles read;

    if (!xnm_policyfiles_read(&options, &read)) {
        checker->counts.failed = true;
        buffer_visible(&checker->line, checker->root, strlen(checker->root));
        buffer_add(&checker->line, first.data, first.len);
        fwrite(checker->line.data, 1, checker->line.len, checker->out);
        checker->line.len = 0;
    }
    xnm_policy_free(read.policy);
    xnm_sources_free(&read.sources);
    buffer_free(&first);
}

/* Notes that no rule is in force: after an error, a host keeps the rules that it has, but a start
 * is without any. */
static void note_no_rules(struct checker *checker, const struct xnm_config *config,
                          const char *file, bool has_error)
{
    const char *why = "there is no 'policy: FILE' that names a rule file";

    if (has_error)
        why = config->policy.required == XNM_REQUIRED_YES
                  ? "with this error, the resolver does not start (required: yes)"
                  : "with this error, the resolver starts without rules";
    if (!checker->brief)
        check_note(checker, &(struct xnm_place){.file = file}, "0 rules in force: %s", why);
}

void check_policy(struct checker *checker, const struct xnm_config *config, const char *file,
                  bool foreign)
{
    const struct xnm_policyfiles_options options = {.config = config,
                                                    .unicode = checker->unicode,
                                                    .diagnostics = &checker->diagnostics,
                                                    .watch = &policyread_progress,
                                                    .lacks = checker->lacks};
    struct xnm_policyfiles read;

    if (config->policy.file_count == 0) {
        if (foreign)
            note_no_rules(checker, config, file, checker->counts.errors > 0);
        return;
    }
    if (checker->brief) {
        read_briefly(checker, config);
        return;
    }
    checker->policy = config;
    bool good = xnm_policyfiles_read(&options, &read);
    progress_clear();
    checker->counts.failed |= !good;
    if (good)
        summarize(checker, file, read.policy);
    else if (foreign)
        note_no_rules(checker, config, file, true);
    if (good && config->policy.mode == XNM_POLICY_LOG_ONLY)
        check_note(checker, &(struct xnm_place){.file = file},
                   "policy-mode: log-only: these rules change no answer");
    checker->policy = NULL;
    for (size_t i = 0; foreign && i < config->policy.file_count; i++)
        xnm_writable_check(config->policy.files[i], &checker->diagnostics);
    xnm_policy_free(read.policy);
    xnm_sources_free(&read.sources);
}

void check_rules(struct checker *checker, char *file)
{
    struct xnm_config config;
    char *policies[] = {file};

    xnm_config_init(&config);
    config.policy.files = policies;
    config.policy.file_count = 1;
    check_policy(checker, &config, file, false);
}

/* --- lists --- */

static bool pass_over(void *arg, const struct xnm_list_entry *entry)
{
    (void)arg, (void)entry;
    return true;
}

static void summarize_list(struct checker *checker, const char *file, xnm_trigger trigger,
                           const struct xnm_list_counts *counts)
{
    const char *kind = xnm_trigger_is_lookalike(trigger) ? "protected " : "";
    struct buffer text = {0}, members = {0};

    buffer_format(&text, "%s: %zu %sname%s", xnm_list_syntax_text(counts->syntax), counts->entries,
                  kind, counts->entries == 1 ? "" : "s");
    if (counts->exemptions > 0)
        buffer_format(&text, ", %zu of them exempt%s", counts->exemptions,
                      counts->exemptions == 1 ? "s" : "");
    buffer_format(&text, ", %zu bad, %zu skipped, %zu public suffix%s", counts->bad,
                  counts->skipped, counts->suffixes, counts->suffixes == 1 ? "" : "es");
    buffer_format(&members,
                  ",\"syntax\":\"%s\",\"names\":%zu,\"exemptions\":%zu,\"bad\":%zu,"
                  "\"skipped\":%zu,\"suffixes\":%zu",
                  xnm_list_syntax_word(counts->syntax), counts->entries, counts->exemptions,
                  counts->bad, counts->skipped, counts->suffixes);
    check_summary(checker, file, &text, &members);
}

void check_list(struct checker *checker, const char *file, xnm_trigger trigger)
{
    struct xnm_rule rule = {.action = trigger == XNM_TRIGGER_RPZ ? XNM_ACTION_NONE : XNM_NXDOMAIN,
                            .trigger = trigger};
    const struct xnm_place place = {.file = file};
    struct xnm_list_counts counts;
    struct xnm_textfile text;
    const char *trouble = xnm_textfile_read(file, XNM_LIST_SIZE_MAX, &text);

    if (trouble) {
        xnm_diagnostics_add(&checker->diagnostics, XNM_ERROR, &place, "%s", trouble);
        return;
    }
    xnm_protection_set_min(&rule.protection, 0);
    xnm_list_read(&(struct xnm_list_options){.unicode = checker->unicode,
                                             .diagnostics = &checker->diagnostics,
                                             .entry = pass_over,
                                             .watch = &policyread_progress},
                  &rule, file, text.text, text.len, &counts);
    progress_clear();
    summarize_list(checker, file, trigger, &counts);
    xnm_textfile_free(&text);
}
