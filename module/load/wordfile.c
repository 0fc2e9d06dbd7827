/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/wordfile.h"

#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "module/build/wordset.h"
#include "module/file/textline.h"
#include "module/name/read.h"

#include <stdio.h>
#include <string.h>

enum { SIZE_MAX_OF_FILE = 1 << 20, ERRORS_MAX = 100 /* of one file */, WORD_MIN = 2 };

/* A file of words while it is read. */
struct source {
    struct xnm_reading *reading;
    const struct xnm_rule *rule;
    struct xnm_textline line;
    const char *word;       /* the current one, in the line */
    struct xnm_arena words; /* labels in wire format */
};

static struct xnm_place place_of(const struct xnm_rule *rule)
{
    return (struct xnm_place){rule->file, rule->line, rule->words_column};
}

/* --- a line --- */

static void report_fault(void *arg, xnm_severity severity, size_t at, const char *message)
{
    struct source *source = arg;

    if (severity == XNM_ERROR)
        xnm_textline_error(&source->line, source->word + at, "%s", message);
}

/* Adds the word if it is one label that is long enough. */
static void add_word(struct source *source, const char *at, const struct xnm_wirename *name)
{
    struct xnm_textline *line = &source->line;

    if (name->len != name->octets[0] + 2U) {
        xnm_textline_error(line, at, "this has a dot: expected one word, such as login");
    } else if (name->octets[0] < WORD_MIN) {
        xnm_textline_error(line, at, "this word is too short: expected %d characters or more",
                           WORD_MIN);
    } else {
        uint8_t *added = xnm_arena_add(&source->words, name->octets[0] + 1U);
        if (added)
            memcpy(added, name->octets, name->octets[0] + 1U);
        else
            xnm_textline_no_memory(line, at);
    }
}

static void read_line(struct source *source)
{
    struct xnm_textline *line = &source->line;
    const char *at = xnm_textline_skip_blanks(line->at, line->end);
    const char *end = xnm_textline_trim(at, xnm_textline_comment(line->at, at, line->end));
    const char *next = xnm_textline_skip_word(at, end);
    struct xnm_wirename name;
    struct xnm_nameread read = {.takes_wildcard = false};
    char quote[80];

    if (at >= end || !xnm_textline_is_text(line))
        return;
    source->word = at;
    if (next < end) {
        at = xnm_textline_skip_blanks(next, end);
        xnm_textline_error(line, at, "'%s' is a second word: expected one word a line",
                           xnm_quote(at, (size_t)(end - at), quote, sizeof quote));
    } else if (xnm_nameread(source->reading->options->unicode, at, (size_t)(end - at), &name, &read,
                            report_fault, source)) {
        add_word(source, at, &name);
    }
}

/* --- the file --- */

/* Returns how many lines are bad. */
static unsigned read_text(struct source *source, const struct xnm_textfile *file)
{
    struct xnm_textline *line = &source->line;

    xnm_textline_open(line, source->rule->words, file->text, file->len,
                      source->reading->options->diagnostics);
    while (!line->no_memory && xnm_textline_goes_on(line, ERRORS_MAX, "words") &&
           !xnm_reading_is_stopped(source->reading))
        read_line(source);
    return line->errors;
}

static bool no_room(struct xnm_reading *reading, const struct xnm_rule *rule)
{
    struct xnm_place place = place_of(rule);

    xnm_reading_has_no_memory(reading);
    if (!reading->no_memory)
        xnm_diagnose(reading->options->diagnostics, XNM_ERROR, &place, "%s", xnm_budget_trouble());
    return false;
}

static bool add_set(struct source *source, uint8_t *number)
{
    struct xnm_policy *policy = xnm_policy_builder_policy(source->reading->builder);

    *number = xnm_wordset_add(policy, source->rule->words, source->words.octets, source->words.len);
    return *number > 0 || no_room(source->reading, source->rule);
}

/* Leaves in force what the file held before; if that is nothing, it has no words. */
static bool keep(struct source *source, const char *why, uint8_t *number)
{
    struct xnm_reading *reading = source->reading;
    const struct xnm_policyfiles_options *options = reading->options;
    struct xnm_place place = place_of(source->rule);
    const char *path = source->rule->words;
    char quote[512];
    long kept = 0;

    if (options->before)
        kept = xnm_wordset_keep(xnm_policy_builder_policy(reading->builder), path, options->before,
                                number);
    if (kept < 0)
        return no_room(reading, source->rule);
    reading->result->bad_lists++;
    xnm_quote(path, strlen(path), quote, sizeof quote);
    if (kept > 0)
        xnm_diagnose(options->diagnostics, XNM_ERROR, &place,
                     "'%s' %s: the words that it held before stay in force (%ld)", quote, why,
                     kept);
    else
        xnm_diagnose(options->diagnostics, XNM_ERROR, &place, "'%s' %s: words= finds nothing",
                     quote, why);
    return kept > 0 || add_set(source, number);
}

static bool read_file(struct source *source, uint8_t *number)
{
    struct xnm_reading *reading = source->reading;
    char cannot[256];
    struct xnm_textfile text;
    const char *why = xnm_reading_text(reading, source->rule->words, SIZE_MAX_OF_FILE, true, &text);

    if (!why) {
        unsigned bad = read_text(source, &text);
        xnm_textfile_free(&text);
        reading->result->bad_lines += bad;
        reading->result->bad_lists += bad > 0 && source->words.len > 0;
    }
    if (reading->no_memory || source->line.no_memory || xnm_reading_is_stopped(reading))
        return source->line.no_memory ? no_room(reading, source->rule) : false;
    if (!why && source->words.len > 0)
        return add_set(source, number);
    if (why)
        snprintf(cannot, sizeof cannot, "cannot be read: %s", why);
    else
        snprintf(cannot, sizeof cannot, "has no word");
    return keep(source, cannot, number);
}

bool xnm_wordfile_read(struct xnm_reading *reading, const struct xnm_rule *rule, uint8_t *number)
{
    const struct xnm_policy *policy = xnm_policy_builder_policy(reading->builder);
    struct source source = {.reading = reading, .rule = rule};
    struct xnm_place place = place_of(rule);

    *number = 0;
    if (!rule->words || reading->options->no_lists)
        return true;
    *number = xnm_wordset_find(policy, rule->words);
    if (*number > 0)
        return true;
    if (xnm_wordset_count(policy) == XNM_WORDSET_MAX) {
        reading->result->bad_lists++;
        xnm_diagnose(reading->options->diagnostics, XNM_ERROR, &place,
                     "too many files of words: expected %d different ones at most; here words= "
                     "finds nothing",
                     XNM_WORDSET_MAX);
        return true;
    }
    bool good = read_file(&source, number);
    xnm_arena_free(&source.words);
    return good;
}
