/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/policyfiles.h"

#include "module/base/budget.h"
#include "module/file/textfile.h"
#include "module/image/file.h"
#include "module/list/list.h"
#include "module/load/alias.h"
#include "module/rule/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a rule: its number where it is the n-th that the builder has, and whether its list is left out
 * for want of memory. */
struct rule_state {
    size_t nth;
    bool left_out, told;
    struct xnm_source source; /* … as it was when it was read; its path is the rule's */
};

/* A reading under way. */
struct reading {
    const struct xnm_policyfiles_options *options;
    struct xnm_policyfiles *result;
    struct xnm_rules rules;
    struct xnm_policy_builder *builder;
    struct xnm_textfile *text; /* of the list in hand */
    struct xnm_budget budget;
    struct rule_state *states; /* of each rule */
    size_t added;              /* rules that the builder has */
    bool again;                /* what there is to say of files has been said */
    bool no_memory;
};

static const char stopped[] = "not wanted any more"; /* which is said to nobody */

/* What those ask that only look whether the reading is still wanted; NULL: it always is. */
static const atomic_bool *stop_of(const struct reading *reading)
{
    return reading->options->stop ? &reading->options->stop->is_set : NULL;
}

static bool is_stopped(const struct reading *reading)
{
    return xnm_stop_is_set(stop_of(reading));
}

/* After something for which there was none: is it more than the budget has? That is one list's
 * trouble, and else there is none for anything. Always false. */
static bool has_no_memory(struct reading *reading)
{
    reading->no_memory |= !reading->budget.exceeded;
    return false;
}

static const struct xnm_diagnostics *reporter_of(const struct reading *reading)
{
    return reading->again ? &xnm_diagnose_silently : reading->options->diagnostics;
}

/* As the file was when it was last looked at; NULL: it was not. */
static const struct xnm_source *looked_at(const struct reading *reading, const char *path)
{
    const struct xnm_sources *looked = reading->options->looked;

    return looked ? xnm_sources_find(looked, path) : NULL;
}

static bool keep_source(struct reading *reading, const struct xnm_source *source)
{
    if (!xnm_sources_keep(&reading->result->sources, source))
        reading->no_memory = true;
    return !reading->no_memory;
}

/* Of a file that is read although it does not come to rest that is said, until it has. */
static bool tell_restless(struct reading *reading, const char *path)
{
    const struct xnm_source *looked = looked_at(reading, path);
    struct xnm_place place = {.file = path};

    if (looked && !looked->told && xnm_source_is_overdue(looked))
        xnm_diagnose(
            reporter_of(reading), XNM_WARNING, &place,
            "has been written to for ten seconds without a second's rest: it is read as it "
            "is, every ten seconds; expected a new file that is renamed to its place");
    return looked && (looked->told || xnm_source_is_overdue(looked));
}

/* Remembers a file that was read, in the state in which it was. */
static bool keep_read(struct reading *reading, const char *path, const struct xnm_stamp *stamp,
                      bool can_wait)
{
    return keep_source(reading, &(struct xnm_source){.path = (char *)path,
                                                     .read = *stamp,
                                                     .found = *stamp,
                                                     .can_wait = can_wait,
                                                     .told = tell_restless(reading, path)});
}

/* Reads a file's text and remembers its state: of one that cannot be read, the one before that. */
static const char *read_text(struct reading *reading, const char *path, size_t size_max,
                             bool can_wait, struct xnm_textfile *file)
{
    xnm_stop_depart(reading->options->stop);
    struct xnm_stamp before = xnm_stamp_of(path);
    const char *why = xnm_textfile_read_until(stop_of(reading), path, size_max, file);

    if (!xnm_stop_return(reading->options->stop) || is_stopped(reading)) {
        if (!why)
            xnm_textfile_free(file);
        return stopped;
    }
    if (keep_read(reading, path, why ? &before : &file->stamp, can_wait) || why)
        return why;
    xnm_textfile_free(file);
    return xnm_budget_trouble();
}

/* --- rule files --- */

static bool read_rule_file(struct reading *reading, const char *path)
{
    const struct xnm_policyfiles_options *options = reading->options;
    const struct xnm_rules_options how = {
        .unicode = options->unicode,
        .diagnostics = options->diagnostics,
        .default_ttl = options->config->policy_ttl,
    };
    struct xnm_place place = {.file = path};
    struct xnm_textfile file;
    const char *why = read_text(reading, path, XNM_RULES_SIZE_MAX, false, &file);

    if (why) {
        reading->result->no_memory |= why == xnm_budget_no_memory;
        if (!reading->no_memory && !is_stopped(reading)) /* no memory is said of all of it */
            xnm_diagnose(options->diagnostics, XNM_ERROR, &place, "%s", why);
        return false;
    }
    bool good = xnm_rules_parse(&reading->rules, &how, path, file.text, file.len);
    xnm_textfile_free(&file);
    return good;
}

/* All of them, so that the errors of all are reported. */
static bool read_rule_files(struct reading *reading)
{
    const struct xnm_config *config = reading->options->config;
    bool good = true;

    for (size_t i = 0; i < config->policy_count; i++)
        good &= read_rule_file(reading, config->policies[i]);
    return good;
}

/* --- lists and RPZ zones --- */

static bool add_entry(void *arg, const struct xnm_list_entry *entry)
{
    struct reading *reading = arg;

    /* A text of 23 MB is not to stand beside two policies of a million names. */
    xnm_textfile_pass(reading->text, entry->unread);
    return xnm_policy_builder_entry(reading->builder, entry) || has_no_memory(reading);
}

#define REMOVE "remove this rule to be rid of them"

/* Puts what a list held before in the place of what was lost, and says so. `why` NULL: it is
 * empty, which may be what it should be; then only a loss is one. */
static void keep_what_it_held(struct reading *reading, const struct xnm_rule *rule, const char *why,
                              const char *remedy)
{
    const struct xnm_diagnostics *diagnostics = reporter_of(reading);
    const struct xnm_policy *before = reading->options->before;
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    char path[512];
    long kept = before ? xnm_policy_builder_keep_list(reading->builder, before, rule->suffixes) : 0;

    if (kept < 0 && !has_no_memory(reading))
        xnm_policy_builder_forget_list(reading->builder);
    reading->budget.exceeded = false;
    if (!why && kept <= 0)
        return;
    reading->result->bad_lists++;
    xnm_quote(rule->path, strlen(rule->path), path, sizeof path);
    if (kept > 0)
        xnm_diagnose(diagnostics, XNM_ERROR, &place,
                     "'%s' %s: what it held before stays in force (%ld %s; %s)", path,
                     why ? why : "has become empty", kept, kept == 1 ? "entry" : "entries", remedy);
    else
        xnm_diagnose(diagnostics, XNM_ERROR, &place, "'%s' %s: nothing of it is in force", path,
                     why);
}

/* Its names are in force; what else it is to decide by nobody looks at. */
static void report_unmet(struct reading *reading, const struct xnm_rule *rule, unsigned unmet)
{
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    char path[512], kinds[64] = "";

    for (xnm_unmet kind = 0; kind < XNM_UNMET_COUNT; kind++)
        if ((unmet | rule->skip) >> kind & 1)
            snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), "%s%s",
                     kinds[0] ? "," : "", xnm_unmet_word(kind));
    xnm_diagnose(reporter_of(reading), XNM_ERROR, &place,
                 "'%s' also has triggers on addresses or name servers, which do nothing here: "
                 "expected skip=%s, and the zone in Unbound's own rpz: for them",
                 xnm_quote(rule->path, strlen(rule->path), path, sizeof path), kinds);
}

/* Has a list lost more than shrink= lets it since the policy in force? A download that was cut off,
 * say. A rule that was not there before has no such loss. */
static bool has_shrunk(const struct reading *reading, const struct xnm_rule *rule, size_t entries,
                       char *loss, size_t loss_cap)
{
    const struct xnm_policy *before = reading->options->before;
    size_t held = before ? xnm_policy_builder_held(reading->builder, before) : 0;
    unsigned left = (unsigned)(XNM_RULE_SHRINK_ANY - rule->shrink);

    if ((uint64_t)entries * 100 >= (uint64_t)held * left)
        return false;
    snprintf(loss, loss_cap, "has %zu %s where it had %zu, a loss of more than shrink=%d%%",
             entries, entries == 1 ? "entry" : "entries", held, rule->shrink);
    return true;
}

/* A list for which the budget has no room. */
static void leave_out(struct reading *reading, const struct xnm_rule *rule)
{
    char why[128];

    snprintf(why, sizeof why, "%s", xnm_budget_trouble());
    reading->budget.exceeded = false;
    xnm_policy_builder_forget_list(reading->builder);
    keep_what_it_held(reading, rule, why, REMOVE);
}

static void read_list_text(struct reading *reading, const struct xnm_rule *rule,
                           struct xnm_textfile *file)
{
    const struct xnm_policyfiles_options *options = reading->options;
    const struct xnm_list_options how = {.unicode = options->unicode,
                                         .diagnostics = reporter_of(reading),
                                         .stop = stop_of(reading),
                                         .entry = add_entry,
                                         .arg = reading};
    struct xnm_list_counts counts = {0};
    size_t bad_lists = reading->result->bad_lists;
    char loss[128];

    reading->text = file;
    bool whole = xnm_list_read(&how, rule, rule->path, file->text, file->len, &counts);

    xnm_textfile_free(file); /* a million names: not beside the next list's */
    reading->result->bad_lines += counts.bad + counts.suffixes;
    reading->result->skipped_lines += counts.skipped;
    if (reading->no_memory || is_stopped(reading))
        return;
    if (reading->budget.exceeded) {
        leave_out(reading, rule);
    } else if (!whole) {
        xnm_policy_builder_forget_list(reading->builder);
        keep_what_it_held(reading, rule, "is refused whole", REMOVE);
    } else if (counts.entries == 0 && counts.bad + counts.suffixes > 0) {
        keep_what_it_held(reading, rule, "has no good line", REMOVE);
    } else if (counts.entries == 0 && rule->shrink < XNM_RULE_SHRINK_ANY) {
        keep_what_it_held(reading, rule, NULL, REMOVE);
    } else if (has_shrunk(reading, rule, counts.entries, loss, sizeof loss)) {
        xnm_policy_builder_forget_list(reading->builder);
        keep_what_it_held(reading, rule, loss, "shrink=any on this rule takes it as it is");
    } else if (counts.bad + counts.suffixes > 0) {
        reading->result->bad_lists++;
    }
    if (whole && counts.unmet != 0) {
        report_unmet(reading, rule, counts.unmet);
        reading->result->bad_lists = bad_lists + 1;
    }
}

/* A list that is being written to is not read where there is something to keep of it. */
static bool leaves_alone(struct reading *reading, const struct xnm_rule *rule)
{
    const struct xnm_policyfiles_options *options = reading->options;
    const struct xnm_source *looked = looked_at(reading, rule->path);
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    char path[512];

    if (!looked || !xnm_source_is_busy(looked) || !options->before)
        return false;
    long kept = xnm_policy_builder_keep_list(reading->builder, options->before, rule->suffixes);
    if (kept < 0 && !has_no_memory(reading))
        xnm_policy_builder_forget_list(reading->builder);
    reading->budget.exceeded = false;
    if (kept <= 0 || !keep_source(reading, looked))
        return false;
    xnm_quote(rule->path, strlen(rule->path), path, sizeof path);
    xnm_diagnose(reporter_of(reading), XNM_WARNING, &place,
                 "'%s' is being written to: what it held before stays in force until it comes to "
                 "rest, or for ten seconds",
                 path);
    return true;
}

static void read_list(struct reading *reading, const struct xnm_rule *rule)
{
    struct xnm_textfile file;
    char cannot[256];

    if (leaves_alone(reading, rule) || reading->no_memory)
        return;
    const char *why = read_text(reading, rule->path, XNM_LIST_SIZE_MAX, true, &file);
    if (!why) {
        read_list_text(reading, rule, &file);
        return;
    }
    if (reading->no_memory || is_stopped(reading))
        return;
    if (reading->budget.exceeded) {
        leave_out(reading, rule);
        return;
    }
    snprintf(cannot, sizeof cannot, "cannot be read: %s", why);
    keep_what_it_held(reading, rule, cannot, REMOVE);
}

/* --- together --- */

/* That of a list which was read once, and was then too much. */
static void leave_out_again(struct reading *reading, const struct xnm_rule *rule,
                            struct rule_state *state)
{
    if (!keep_source(reading, &state->source))
        return;
    reading->again = state->told;
    reading->budget.exceeded = true;
    leave_out(reading, rule);
    reading->again = state->told = true;
}

static bool add_rule(struct reading *reading, size_t number)
{
    const struct xnm_policyfiles_options *options = reading->options;
    const struct xnm_rule *rule = &reading->rules.rules[number];
    struct rule_state *state = &reading->states[number];
    struct xnm_place place = {rule->file, rule->line, rule->column};
    const char *why = NULL;

    if (options->takes && !options->takes(options->takes_arg, rule))
        return true;
    if (!xnm_policy_builder_rule(reading->builder, rule, &why)) {
        if (!why)
            why = xnm_budget_trouble();
        reading->result->no_memory |= why == xnm_budget_no_memory;
        xnm_diagnose(options->diagnostics, XNM_ERROR, &place, "%s", why);
        return false;
    }
    reading->states[reading->added++].nth = number;
    if (state->left_out)
        leave_out_again(reading, rule, state);
    else if (rule->path && !options->no_lists)
        read_list(reading, rule);
    return !reading->no_memory && !is_stopped(reading);
}

/* The alias would be one for itself, which no resolver follows. Lists change, and stop nothing. */
static void report_own_alias(const struct reading *reading, const struct xnm_rule *rule)
{
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    char path[512];

    xnm_quote(rule->path, strlen(rule->path), path, sizeof path);
    xnm_diagnose(reading->options->diagnostics, XNM_ERROR, &place,
                 "'%s' is about the name that this alias leads to, too: whoever asks for that gets "
                 "SERVFAIL; expected a target outside of it",
                 path);
}

static void check_aliases(const struct reading *reading)
{
    for (size_t i = 0; i < reading->rules.count; i++) {
        const struct xnm_rule *rule = &reading->rules.rules[i];
        if (rule->path && xnm_rulealias_leads_back(reading->result->policy, rule))
            report_own_alias(reading, rule);
    }
}

static struct xnm_policy_settings settings_of(const struct xnm_policyfiles_options *options)
{
    const struct xnm_config *config = options->config;

    return (struct xnm_policy_settings){
        .unicode = options->unicode,
        .ttl = config->policy_ttl,
        .soa_mname = config->soa_mname,
        .soa_rname = config->soa_rname,
    };
}

static bool same_name(const struct xnm_wirename *a, const struct xnm_wirename *b)
{
    return a->len == b->len && memcmp(a->octets, b->octets, a->len) == 0;
}

/* Beside settings_of, whose keys these are, and the budget. */
bool xnm_policyfiles_same(const struct xnm_config *a, const struct xnm_config *b)
{
    if (a->policy_count != b->policy_count || a->policy_ttl != b->policy_ttl ||
        a->policy_memory != b->policy_memory || !same_name(&a->soa_mname, &b->soa_mname) ||
        !same_name(&a->soa_rname, &b->soa_rname))
        return false;
    for (size_t i = 0; i < a->policy_count; i++)
        if (strcmp(a->policies[i], b->policies[i]) != 0)
            return false;
    return true;
}

static bool build_once(struct reading *reading, struct xnm_policy_failure *failure)
{
    const struct xnm_policy_settings settings = settings_of(reading->options);

    reading->builder = xnm_policy_builder_new(&settings);
    reading->no_memory |= !reading->builder;
    if (reading->builder)
        xnm_policy_builder_stop(reading->builder, stop_of(reading));
    for (size_t i = 0; i < reading->rules.count && !reading->no_memory; i++)
        if (!add_rule(reading, i))
            return false;
    if (reading->no_memory)
        return false;
    struct xnm_policy_builder *builder = reading->builder;
    reading->builder = NULL;
    reading->result->policy = xnm_policy_finish(builder, reporter_of(reading), failure);
    reading->no_memory = !reading->result->policy && failure->no_memory;
    return reading->result->policy;
}

/* Of a file that was read. */
static const struct xnm_source *source_of(const struct reading *reading, const char *path)
{
    const struct xnm_source *source = reading->result->sources.files;

    while (strcmp(source->path, path) != 0)
        source++;
    return source;
}

/* Of a zone whose names have many records more is needed than its entries: is that what failed, and
 * is there a policy without it? Then all is as before the first list was read. */
static bool can_leave_out(struct reading *reading, const struct xnm_policy_failure *failure,
                          size_t sources)
{
    struct rule_state *state;
    char *path;

    if (!failure->of_rule || !reading->budget.exceeded)
        return false;
    state = &reading->states[reading->states[failure->rule].nth];
    path = reading->rules.rules[state - reading->states].path;
    if (state->left_out || !path)
        return false;
    state->left_out = reading->again = true;
    state->source = *source_of(reading, path);
    state->source.path = path;
    reading->budget.exceeded = reading->no_memory = false;
    reading->added = 0;
    reading->result->bad_lists = reading->result->bad_lines = reading->result->skipped_lines = 0;
    xnm_sources_cut(&reading->result->sources, sources);
    return true;
}

static bool build(struct reading *reading)
{
    struct xnm_policy_failure failure = {0};
    size_t sources = reading->result->sources.count;
    bool good = false;

    reading->states = calloc(reading->rules.count + 1, sizeof *reading->states);
    reading->no_memory = !reading->states;
    while (reading->states && !(good = build_once(reading, &failure)))
        if (!can_leave_out(reading, &failure, sources))
            break;
    free(reading->states);
    if (good)
        check_aliases(reading);
    return good;
}

/* --- a compiled policy --- */

/* What is wrong with the line itself; NULL: nothing. */
static const char *line_fault(const struct reading *reading)
{
    if (reading->options->no_compiled)
        return reading->options->no_compiled;
    return reading->rules.count > 0
               ? "a compiled policy is all there is: expected no other rule in any rule file "
                 "(compile it with them)"
               : NULL;
}

/* The same path in memory that outlives the rules. */
static const char *known_path(const struct reading *reading, const char *path)
{
    const struct xnm_sources *sources = &reading->result->sources;
    size_t i = 0;

    while (i + 1 < sources->count && strcmp(sources->files[i].path, path) != 0)
        i++;
    return sources->files[i].path;
}

static bool take_compiled(struct reading *reading)
{
    const struct xnm_compiled *line = &reading->rules.compiled;
    const struct xnm_policyfiles_options *options = reading->options;
    struct xnm_policy_settings settings = settings_of(options);
    struct xnm_place place = {line->file, line->line, line->column};
    const char *fault = line_fault(reading);
    struct xnm_image_load read;
    char path[512];

    if (fault) {
        xnm_diagnose(options->diagnostics, XNM_ERROR, &place, "%s", fault);
        return false;
    }
    place.column = line->path_column;
    xnm_quote(line->path, strlen(line->path), path, sizeof path);
    if (options->any_ttl)
        settings.ttl = XNM_COMPILED_ANY_TTL;
    xnm_stop_depart(options->stop);
    fault = xnm_image_load(&settings, line->path, stop_of(reading), &read);
    if (!xnm_stop_return(options->stop) || is_stopped(reading) ||
        !keep_read(reading, line->path, &read.stamp, false)) {
        xnm_policy_free(read.policy);
        return false;
    }
    if (fault) {
        if (!is_stopped(reading))
            xnm_diagnose(options->diagnostics, XNM_ERROR, &place, "'%s' %s", path,
                         reading->budget.exceeded ? xnm_budget_trouble() : fault);
        return false;
    }
    reading->result->compiled =
        reading->result->sources.files[reading->result->sources.count - 1].path;
    reading->result->compiled_at = read.stamp.mtime;
    reading->result->policy = read.policy;
    reading->result->compiled_in = place;
    reading->result->compiled_in.file = known_path(reading, line->file);
    return true;
}

bool xnm_policyfiles_read(const struct xnm_policyfiles_options *options,
                          struct xnm_policyfiles *result)
{
    struct reading reading = {.options = options, .result = result};
    struct xnm_place place = {.file = "policy"};

    *result = (struct xnm_policyfiles){0};
    if (options->config->policy_count == 0)
        return true;
    reading.budget.max = options->config->policy_memory;
    if (reading.budget.max == 0)
        reading.budget.max = xnm_budget_default("");
    xnm_budget_open(&reading.budget);
    bool good = read_rule_files(&reading) &&
                (reading.rules.compiled.path ? take_compiled(&reading) : build(&reading));
    xnm_policy_builder_free(reading.builder);
    result->no_memory |= reading.rules.no_memory;
    xnm_rules_free(&reading.rules);
    result->no_memory |= reading.no_memory && !reading.budget.exceeded;
    if (reading.no_memory && !is_stopped(&reading))
        xnm_diagnose(options->diagnostics, XNM_ERROR, &place, "%s", xnm_budget_trouble());
    xnm_budget_open(NULL);
    return good;
}
