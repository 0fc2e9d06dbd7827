/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/wordfile.h"

#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "module/build/wordset.h"
#include "module/load/linefile.h"
#include "module/name/namereader.h"

#include <string.h>

enum { SIZE_MAX_OF_FILE = 1 << 20, WORD_MIN = 2 };

/* --- a word --- */

static void report_fault(void *arg, xnm_severity severity, size_t at, const char *message)
{
    struct xnm_linefile *file = arg;

    if (severity == XNM_ERROR)
        xnm_textline_error(&file->line, file->at + at, "%s", message);
}

/* Adds the word, as a label in wire format, if it is one label that is long enough. */
static void read_word(struct xnm_linefile *file, const char *at, const char *end)
{
    struct xnm_namereader read = {.takes_wildcard = false};
    struct xnm_wirename name;

    file->at = at;
    if (!xnm_namereader_read(file->reading->options->unicode, at, (size_t)(end - at), &name, &read,
                             report_fault, file))
        return;
    if (name.len != name.octets[0] + 2U) {
        xnm_textline_error(&file->line, at, "this has a dot: expected one word, such as login");
    } else if (name.octets[0] < WORD_MIN) {
        xnm_textline_error(&file->line, at,
                           "this word is too short: expected %d characters or more", WORD_MIN);
    } else {
        uint8_t *added = xnm_arena_add(&file->entries, name.octets[0] + 1U);
        if (added)
            memcpy(added, name.octets, name.octets[0] + 1U);
        else
            xnm_textline_no_memory(&file->line, at);
    }
}

/* --- the file --- */

static bool add_set(struct xnm_linefile *file, uint8_t *number)
{
    struct xnm_policy *policy = xnm_policy_builder_policy(file->reading->builder);

    *number = xnm_wordset_add(policy, file->path, file->entries.octets, file->entries.len);
    return *number > 0 || xnm_linefile_no_room(file);
}

/* Keeps the words that the file had before. If there are none, words= finds nothing. */
static bool keep(struct xnm_linefile *file, const char *why, uint8_t *number)
{
    struct xnm_reading *reading = file->reading;
    const struct xnm_policyfiles_options *options = reading->options;
    long kept = 0;

    if (options->before)
        kept = xnm_wordset_keep(xnm_policy_builder_policy(reading->builder), file->path,
                                options->before, number);
    if (kept < 0)
        return xnm_linefile_no_room(file);
    reading->result->bad_lists++;
    if (kept > 0)
        xnm_diagnose(options->diagnostics, XNM_ERROR, &file->place,
                     "'%s' %s: the words that it held before stay in force (%ld)",
                     xnm_linefile_quote(file), why, kept);
    else
        xnm_diagnose(options->diagnostics, XNM_ERROR, &file->place, "'%s' %s: words= finds nothing",
                     xnm_linefile_quote(file), why);
    return kept > 0 || add_set(file, number);
}

static bool read_file(struct xnm_linefile *file, uint8_t *number)
{
    const char *why;

    if (!xnm_linefile_read(file, &why))
        return false;
    if (!why && file->entries.len > 0) {
        file->reading->result->bad_lists += file->line.errors > 0;
        return add_set(file, number);
    }
    return keep(file, why ? why : "has no word", number);
}

bool xnm_wordfile_read(struct xnm_reading *reading, const struct xnm_rule *rule, uint8_t *number)
{
    const struct xnm_policy *policy = xnm_policy_builder_policy(reading->builder);
    struct xnm_linefile file = {.reading = reading,
                                .path = rule->words,
                                .place = {rule->file, rule->line, rule->words_column},
                                .size_max = SIZE_MAX_OF_FILE,
                                .expected = "words",
                                .entry = "word",
                                .read = read_word};

    *number = 0;
    if (!rule->words || reading->options->no_lists)
        return true;
    *number = xnm_wordset_find(policy, rule->words);
    if (*number > 0)
        return true;
    if (xnm_wordset_count(policy) == XNM_WORDSET_MAX) {
        reading->result->bad_lists++;
        xnm_diagnose(reading->options->diagnostics, XNM_ERROR, &file.place,
                     "too many files of words: expected %d different ones at most; here words= "
                     "finds nothing",
                     XNM_WORDSET_MAX);
        return true;
    }
    bool good = read_file(&file, number);
    xnm_arena_free(&file.entries);
    return good;
}
