/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rule/rulefile.h"

#include "module/base/address.h"
#include "module/base/budget.h"
#include "module/name/suffix.h"
#include "module/rule/ruleline.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_quotes[] = " (write keywords without quotes)";

enum { OWNED_COUNT = 12 };

/* Lists what a rule points to and owns, apart from the RDATA of its records. */
static void list_owned(const struct xnm_rule *rule, void *owned[OWNED_COUNT])
{
    void *const members[OWNED_COUNT] = {
        rule->path,   rule->ede_text,         rule->why,     rule->tag, rule->client, rule->when,
        rule->origin, rule->condition.except, rule->records, rule->url, rule->words,  rule->except};

    memcpy(owned, members, sizeof members);
}

static void free_rule(struct xnm_rule *rule)
{
    void *owned[OWNED_COUNT];

    for (size_t i = 0; i < rule->record_count; i++)
        free(rule->records[i].rdata);
    list_owned(rule, owned);
    for (size_t i = 0; i < OWNED_COUNT; i++)
        free(owned[i]);
}

static void free_group(struct xnm_group *group)
{
    for (size_t i = 0; i < group->file_count; i++)
        free(group->files[i].path);
    free(group->files);
    xnm_arena_free(&group->prefixes);
}

/* --- between action and trigger --- */

/* Returns the next word of the line that is a trigger; NULL: there is none. */
static const char *find_trigger(const struct xnm_ruleline *line)
{
    struct xnm_textline text = line->text;
    const char *pos = line->pos;
    struct xnm_word word;
    xnm_trigger trigger;

    text.diagnostics = &xnm_diagnostics_ignored; /* errors are reported when the line is read */
    while (xnm_textline_word(&text, &pos, line->buffer, &word) == XNM_WORD_FOUND)
        if (xnm_ruletable_find_trigger(&word, &trigger))
            return word.at;
    return NULL;
}

/* Returns whether the word of a line without a trigger is an argument; if not, it is in the place
 * of the trigger. A colon or a final digit marks an address. */
static bool looks_like_argument(const struct xnm_ruleline *line, const struct xnm_word *word,
                                unsigned number)
{
    switch (xnm_ruletable_argument(line->rule.action)) {
    case XNM_ARGUMENT_ADDRESSES:
        return memchr(word->text, ':', word->len) ||
               (word->len > 0 && word->text[word->len - 1] >= '0' &&
                word->text[word->len - 1] <= '9');
    case XNM_ARGUMENT_TARGET:
        return number == 0;
    default:
        return false;
    }
}

static void read_argument(struct xnm_ruleline *line, const struct xnm_word *word, unsigned number)
{
    xnm_argument argument = xnm_ruletable_argument(line->rule.action);
    unsigned most = argument == XNM_ARGUMENT_TARGET ? 1 : 0;
    char quote[XNM_RULELINE_QUOTE_MAX];

    if (argument == XNM_ARGUMENT_ADDRESSES)
        xnm_rulerecord_address(line, word);
    else if (number < most)
        xnm_rulerecord_target(line, word);
    else if (number == most)
        xnm_textline_error(&line->text, word->at,
                           "'%s' is not expected here: %s takes %s before its trigger",
                           xnm_ruleline_quote(word->text, word->len, quote),
                           xnm_action_word(line->rule.action), most ? "one name" : "nothing");
}

static void report_missing_argument(struct xnm_ruleline *line, const char *at)
{
    static const char *const expected[] = {[XNM_ARGUMENT_NONE] = "nothing",
                                           [XNM_ARGUMENT_ADDRESSES] = "one IP address or more",
                                           [XNM_ARGUMENT_TARGET] = "the name that it leads to"};

    xnm_textline_error(&line->text, at, "%s needs %s before its trigger",
                       xnm_action_word(line->rule.action),
                       expected[xnm_ruletable_argument(line->rule.action)]);
}

/* --- triggers --- */

/* Returns whether the word is a name or a path without a trigger before it. A word that is not
 * ASCII is one if it ends the rule; else it may be a trigger with a letter of another script. */
static bool looks_like_subject(const struct xnm_ruleline *line, const struct xnm_word *word)
{
    const char *next = xnm_textline_skip_blanks(line->pos, line->text.end);
    size_t left = (size_t)(line->text.end - next);
    bool last = left == 0 || *next == '#' || memchr(next, '=', left);

    for (size_t i = 0; i < word->len; i++)
        if (strchr("./*", word->text[i]) || (last && (unsigned char)word->text[i] >= 0x80))
            return true;
    return word->quoted;
}

static void report_no_trigger(struct xnm_ruleline *line, const struct xnm_word *word)
{
    const char *action = xnm_action_word(line->rule.action);
    bool path = memchr(word->text, '/', word->len);
    char quote[XNM_RULELINE_QUOTE_MAX], list[XNM_RULETABLE_LIST_MAX];

    xnm_ruleline_quote(word->text, word->len, quote);
    if (looks_like_subject(line, word))
        xnm_textline_error(&line->text, word->at,
                           "'%s' is in the place of the trigger of %s: write '%s %s' for %s, "
                           "or '%s %s' for %s",
                           quote, action, path ? "names" : "name", quote,
                           path ? "the names in this file" : "this name alone",
                           path ? "zones" : "zone", quote,
                           path ? "these and all below them" : "this name and all below it");
    else
        xnm_ruleline_unknown(line, word, word->len, "", "a trigger",
                             xnm_ruletable_near_trigger(line->rule.action, word),
                             xnm_ruletable_list_triggers(line->rule.action, list));
}

/* Reads up to the trigger and the trigger itself. Returns false if the rest of the line cannot be
 * understood. */
static bool read_to_trigger(struct xnm_ruleline *line)
{
    const char *trigger_at = find_trigger(line);
    xnm_action action = line->rule.action;
    char list[XNM_RULETABLE_LIST_MAX];
    struct xnm_word word;

    for (unsigned number = 0;; number++) {
        xnm_word_result result = xnm_ruleline_word(line, &word);
        if (result == XNM_WORD_NONE)
            xnm_textline_error(&line->text, line->pos, "%s needs a trigger: expected %s",
                               xnm_action_word(action), xnm_ruletable_list_triggers(action, list));
        if (result != XNM_WORD_FOUND)
            return false;
        if (word.at == trigger_at) {
            if (number == 0 && xnm_ruletable_argument(action) != XNM_ARGUMENT_NONE)
                report_missing_argument(line, word.at);
            break;
        }
        if (!trigger_at && !looks_like_argument(line, &word, number)) {
            report_no_trigger(line, &word);
            return false;
        }
        read_argument(line, &word, number);
    }
    xnm_ruletable_find_trigger(&word, &line->rule.trigger);
    if (xnm_ruletable_trigger_goes(line->rule.trigger, action))
        return true;
    const char *hint = xnm_ruletable_trigger_hint(line->rule.trigger);
    xnm_textline_error(&line->text, word.at, "'%s' does not go with %s: %s%s",
                       xnm_trigger_word(line->rule.trigger), xnm_action_word(action),
                       hint ? "" : "expected ",
                       hint ? hint : xnm_ruletable_list_triggers(action, list));
    return false;
}

/* --- the trigger's subject --- */

static void set_name(struct xnm_ruleline *line, const struct xnm_word *word)
{
    const struct xnm_ruleline_part part = {word, word->text, word->len};
    struct xnm_rule *rule = &line->rule;
    bool wildcard = false, zone = rule->trigger == XNM_TRIGGER_ZONE;

    if (!xnm_ruleline_name(line, &part, &rule->name, &wildcard)) {
        rule->name.len = 0;
        return;
    }
    rule->scope = wildcard                            ? XNM_SCOPE_BELOW
                  : rule->trigger == XNM_TRIGGER_NAME ? XNM_SCOPE_EXACT
                                                      : XNM_SCOPE_ZONE;
    if (rule->trigger == XNM_TRIGGER_LOOKALIKE)
        xnm_rulelookalike_name(line, wildcard);
    else if (wildcard && zone)
        xnm_textline_error(&line->text, word->at,
                           "'*.' does not go with zone, which is the name and all below it: "
                           "expected the name, or 'name *.' for the names below it alone");
}

static void set_path(struct xnm_ruleline *line, const struct xnm_word *word)
{
    char quote[XNM_RULELINE_QUOTE_MAX], remedy[XNM_RULELINE_QUOTE_MAX + 64];

    snprintf(remedy, sizeof remedy, ", and after it url=%s for 'unbound-idn fetch'",
             xnm_ruleline_quote(word->text, word->len, quote));
    line->rule.path =
        xnm_ruleline_path(line, word->at, word->text, word->len, remedy, &line->rule.path_column);
}

/* Returns false if the rest of the line cannot be understood. */
static bool read_subject(struct xnm_ruleline *line)
{
    static const char *const needs[] = {[XNM_SUBJECT_NAME] = "a name",
                                        [XNM_SUBJECT_PATH] = "the path of a file",
                                        [XNM_SUBJECT_SCRIPTS] =
                                            "in or not-in and ISO 15924 codes such as Latn,Cyrl",
                                        [XNM_SUBJECT_LEVEL] = "highly, moderate or minimal"};
    xnm_subject subject = xnm_ruletable_subject(line->rule.trigger);
    struct xnm_word word;

    if (subject == XNM_SUBJECT_NONE)
        return true;
    xnm_word_result result = xnm_ruleline_subject(line, needs[subject], &word);
    if (result != XNM_WORD_FOUND)
        return result == XNM_WORD_NONE;
    if (subject == XNM_SUBJECT_SCRIPTS)
        return xnm_rulecondition_scripts(line, &word);
    if (subject == XNM_SUBJECT_LEVEL)
        return xnm_rulecondition_level(line, &word);
    if (subject == XNM_SUBJECT_NAME)
        set_name(line, &word);
    else
        set_path(line, &word);
    return true;
}

/* --- the rest of the line --- */

static void report_unexpected(struct xnm_ruleline *line, const struct xnm_word *word)
{
    bool path = xnm_ruletable_subject(line->rule.trigger) == XNM_SUBJECT_PATH;
    char quote[XNM_RULELINE_QUOTE_MAX], list[XNM_RULETABLE_LIST_MAX];

    xnm_ruletable_list_options(line->rule.action, line->rule.trigger, list);
    xnm_textline_error(&line->text, word->at,
                       "'%s' follows the rule: expected %s, or the end of the line%s",
                       xnm_ruleline_quote(word->text, word->len, quote), list,
                       word->quoted ? no_quotes
                       : path       ? " (put a path with white space in quotes)"
                                    : "");
}

static void read_rest(struct xnm_ruleline *line)
{
    bool has_rdata = xnm_ruletable_has_rdata(line->rule.action), reported = false;
    struct xnm_word word;
    xnm_word_result result;

    while ((result = xnm_ruleline_word(line, &word)) == XNM_WORD_FOUND) {
        if (xnm_ruleoption_key(&word) > 0) {
            xnm_ruleoption_read(line, &word);
        } else if (has_rdata) {
            xnm_rulerecord_rdata(line, &word);
            return;
        } else if (!reported) {
            report_unexpected(line, &word);
            reported = true;
        }
    }
    if (result == XNM_WORD_NONE && has_rdata)
        xnm_textline_error(&line->text, line->pos,
                           "%s needs a record: expected its type and RDATA, such as TXT \"text\"",
                           xnm_action_word(line->rule.action));
}

/* Reports a rule about every name, or about a public suffix, which is rarely intended. A rule that
 * leaves answers as they are is harmless. */
static void check_suffix(struct xnm_ruleline *line)
{
    const struct xnm_rule *rule = &line->rule;
    bool is_named = rule->trigger == XNM_TRIGGER_NAME || rule->trigger == XNM_TRIGGER_ZONE;

    if (!is_named || rule->scope == XNM_SCOPE_EXACT || rule->name.len == 0 || rule->suffixes ||
        rule->action == XNM_PASSTHRU || rule->action == XNM_LOG)
        return;
    if (rule->name.len == 1)
        xnm_textline_error(&line->text, line->subject_at,
                           "this rule is about every name: write suffixes=yes on it if that is "
                           "meant");
    else if (xnm_suffix_is_listed(rule->name.octets, rule->name.len))
        xnm_textline_error(&line->text, line->subject_at,
                           "this is a public suffix, below which a registry sells names: write "
                           "suffixes=yes on the rule if all of them are meant");
}

/* Completes the rule and makes the checks that need the whole line. */
static void check_rule(struct xnm_ruleline *line)
{
    struct xnm_rule *rule = &line->rule;

    for (size_t i = 0; i < rule->record_count; i++)
        rule->records[i].ttl = rule->ttl;
    if (xnm_trigger_is_lookalike(rule->trigger))
        xnm_rulelookalike_finish(line);
    check_suffix(line);
    xnm_ruleoption_finish(line);
    xnm_rulegroup_finish(line);
    xnm_rulerecord_finish(line);
}

/* --- lines --- */

/* Reads the action word. Returns false if the rest of the line cannot be understood. */
static bool read_action(struct xnm_ruleline *line, const struct xnm_word *word)
{
    char list[XNM_RULETABLE_LIST_MAX], expected[XNM_RULETABLE_LIST_MAX + sizeof no_quotes];
    struct xnm_client address;

    line->rule.column = xnm_textline_place(&line->text, word->at).column;
    if (xnm_client_read(word->text, word->len, &address)) {
        xnm_textline_error(&line->text, word->at,
                           "this is a line of a hosts file: expected a rule; put such lines in a "
                           "file of their own, and write: nxdomain names FILE");
        return false;
    }
    if (!xnm_ruletable_find_action(word, &line->rule.action)) {
        snprintf(expected, sizeof expected, "%s%s", xnm_ruletable_list_actions(list),
                 word->quoted ? no_quotes : "");
        xnm_ruleline_unknown(line, word, word->len, "", "an action",
                             xnm_ruletable_near_action(word), expected);
        return false;
    }
    line->rule.ede = xnm_action_ede(line->rule.action);
    if (line->rule.action != XNM_ACTION_NONE)
        return read_to_trigger(line);
    line->rule.trigger = XNM_TRIGGER_RPZ;
    return true;
}

/* The kind of a line, with or without an error. LINE_OTHER: a group or a tag. */
typedef enum { LINE_EMPTY, LINE_RULE, LINE_OTHER } line_kind;

static line_kind read_line(struct xnm_ruleline *line, struct xnm_rules *rules)
{
    size_t len = (size_t)(line->text.end - line->text.at);
    struct xnm_word word;

    line->pos = line->text.at;
    line->errors_before = line->text.errors;
    memset(line->option_at, 0, sizeof line->option_at);
    if (len > XNM_RULE_LINE_MAX) {
        xnm_textline_error(&line->text, line->text.at,
                           "this line has %zu octets: expected %d at most", len, XNM_RULE_LINE_MAX);
        return LINE_EMPTY;
    }
    if (!xnm_textline_is_text(&line->text) || xnm_ruleline_word(line, &word) != XNM_WORD_FOUND)
        return LINE_EMPTY;
    bool is_group = xnm_ruletable_is_group(&word);
    if (is_group || xnm_ruletable_is_tag(&word)) {
        (is_group ? xnm_rulegroup_read : xnm_ruletag_read)(line, &word, rules);
        return LINE_OTHER;
    }
    if (read_action(line, &word) && read_subject(line)) {
        read_rest(line);
        check_rule(line);
    }
    return LINE_RULE;
}

/* --- files --- */

/* Returns the array with room for one element more. NULL: no memory, and the array is unchanged. */
static void *grow(void *array, size_t count, size_t size)
{
    bool full = (count & (count - 1)) == 0; /* it has room up to the next power of two */

    return full ? realloc(array, (count ? 2 * count : 1) * size) : array;
}

static const char *keep_file(struct xnm_rules *rules, const char *file)
{
    char **files = grow(rules->files, rules->file_count, sizeof *files);

    if (!files)
        return NULL;
    rules->files = files;
    files[rules->file_count] = strdup(file);
    return files[rules->file_count] ? files[rules->file_count++] : NULL;
}

/* Returns the octets that a rule points to and owns. */
static size_t rule_memory(const struct xnm_rule *rule)
{
    void *owned[OWNED_COUNT];
    size_t octets = 0;

    list_owned(rule, owned);
    for (size_t i = 0; i < OWNED_COUNT; i++)
        octets += malloc_usable_size(owned[i]);
    for (size_t i = 0; i < rule->record_count; i++)
        octets += malloc_usable_size(rule->records[i].rdata);
    return octets;
}

/* Returns false when out of memory. */
static bool add_rule(struct xnm_rules *rules, const struct xnm_rule *rule)
{
    size_t octets = rule_memory(rule);
    struct xnm_rule *added;

    if (!xnm_budget_take(octets))
        return false;
    added = xnm_arena_add(&rules->memory, sizeof *added);
    if (!added) {
        xnm_budget_give(octets);
        return false;
    }
    *added = *rule;
    rules->rules = (struct xnm_rule *)(void *)rules->memory.octets;
    rules->count++;
    rules->charged += octets;
    return true;
}

/* Adds the current rule if its line has no error. Returns false, and reports it, when out of
 * memory. */
static bool keep_rule(struct xnm_rules *rules, struct xnm_ruleline *line)
{
    bool good = line->text.errors == line->errors_before;

    line->rule.text_hash = xnm_textline_hash(&line->text);
    if (good && add_rule(rules, &line->rule))
        return true;
    if (good)
        xnm_textline_no_memory(&line->text, line->text.at);
    free_rule(&line->rule);
    return !good;
}

bool xnm_rules_parse(struct xnm_rules *rules, const struct xnm_rules_options *options,
                     const char *file, const char *text, size_t len)
{
    struct xnm_ruleline line = {.options = options, .buffer = malloc(XNM_RULE_LINE_MAX)};
    const char *kept = line.buffer ? keep_file(rules, file) : NULL;

    if (!kept) {
        xnm_diagnostics_add(options->diagnostics, XNM_ERROR, &(struct xnm_place){.file = file},
                            "out of memory");
        rules->no_memory = true;
        free(line.buffer);
        return false;
    }
    xnm_textline_open(&line.text, file, text, len, options->diagnostics);
    while (xnm_textline_goes_on(&line.text, XNM_RULES_ERRORS_MAX,
                                "rules (to read a list, write nxdomain zones PATH)")) {
        line.rule = (struct xnm_rule){.file = kept,
                                      .line = line.text.number,
                                      .ttl = options->default_ttl,
                                      .shrink = XNM_RULE_SHRINK};
        if (read_line(&line, rules) == LINE_RULE && !keep_rule(rules, &line))
            break;
    }
    free(line.buffer);
    rules->no_memory |= line.text.no_memory;
    return line.text.errors == 0;
}

void xnm_rules_free(struct xnm_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        free_rule(&rules->rules[i]);
    for (size_t i = 0; i < rules->group_count; i++)
        free_group(&rules->groups[i]);
    free(rules->groups);
    xnm_ruletag_free(rules);
    for (size_t i = 0; i < rules->file_count; i++)
        free(rules->files[i]);
    xnm_arena_free(&rules->memory);
    xnm_budget_give(rules->charged);
    free(rules->files);
    *rules = (struct xnm_rules){0};
}
