/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/linefile.h"

#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "module/build/clientset.h"
#include "module/build/wordset.h"
#include "module/file/textline.h"
#include "module/name/namereader.h"
#include "module/policy/policy.h"

#include <stdio.h>
#include <string.h>

enum {
    ERRORS_MAX = 100, /* of one file */
    WORDS_SIZE_MAX = 1 << 20,
    WORD_MIN = 2 /* characters */
};

struct linefile;

/* A kind of files. */
struct kind {
    size_t size_max;      /* octets */
    const char *expected; /* what the file should have, for a message: "words" */
    const char *entry;    /* what a line should have: "word" */
    const char *bad;      /* why a file with bad lines is not used; NULL: its good lines are */
    const char *empty;    /* why a file without an entry is not used */
    /* Adds the entry from `at` to `end`, which has no blanks, to `entries`, or reports an error. */
    void (*read)(struct linefile *file, const char *at, const char *end);
    /* Adds `entries` to the policy. Returns false if there is no room, or the reading was stopped.
     */
    bool (*add)(struct linefile *file);
    /* Adds the entries that the file had before. Returns their number; below 0: no room. */
    long (*keep)(struct linefile *file);
    void (*report_kept)(const struct linefile *file, const char *what, long kept);
};

struct linefile {
    struct xnm_reading *reading;
    const struct kind *kind;
    const char *path;
    struct xnm_place place; /* of the path in a rule file */
    const char *group;      /* of a file of addresses */
    uint8_t number;         /* of the set of words */
    struct xnm_textline line;
    struct xnm_arena entries;
    const char *at; /* the word that is read */
};

static struct xnm_policy *policy_of(const struct linefile *file)
{
    return xnm_policy_builder_policy(file->reading->builder);
}

static const struct xnm_diagnostics *diagnostics_of(const struct linefile *file)
{
    return file->reading->options->diagnostics;
}

/* --- lines --- */

static void read_line(struct linefile *file)
{
    struct xnm_textline *line = &file->line;
    const char *at = xnm_textline_skip_blanks(line->at, line->end);
    const char *end = xnm_textline_trim(at, xnm_textline_comment(line->at, at, line->end));
    const char *next = xnm_textline_skip_word(at, end);
    char quote[80];

    if (at >= end || !xnm_textline_is_text(line))
        return;
    if (next == end) {
        file->kind->read(file, at, end);
        return;
    }
    at = xnm_textline_skip_blanks(next, end);
    xnm_textline_error(line, at, "'%s' is a second word: expected one %s a line",
                       xnm_diagnostics_quote(at, (size_t)(end - at), quote, sizeof quote),
                       file->kind->entry);
}

static void read_lines(struct linefile *file, struct xnm_textfile *text)
{
    xnm_textline_open(&file->line, file->path, text->text, text->len, diagnostics_of(file));
    while (!file->line.no_memory &&
           xnm_textline_goes_on(&file->line, ERRORS_MAX, file->kind->expected) &&
           !xnm_reading_is_stopped(file->reading))
        read_line(file);
    xnm_textfile_free(text);
    file->reading->result->bad_lines += file->line.errors;
}

/* --- files --- */

/* Reports that there is no room for the entries. Returns false. */
static bool no_room(const struct linefile *file)
{
    struct xnm_reading *reading = file->reading;

    if (xnm_reading_is_stopped(reading))
        return false;
    xnm_reading_has_no_memory(reading);
    if (!reading->no_memory)
        xnm_diagnostics_add(diagnostics_of(file), XNM_ERROR, &file->place, "%s",
                            xnm_budget_trouble());
    return false;
}

static bool add(struct linefile *file)
{
    return file->kind->add(file) || no_room(file);
}

/* Keeps the entries that the file had before; if there are none, those of its good lines. */
static bool keep(struct linefile *file, const char *why)
{
    long kept = file->reading->options->before ? file->kind->keep(file) : 0;
    char path[512], what[800];

    if (kept < 0)
        return no_room(file);
    file->reading->result->bad_lists++;
    snprintf(what, sizeof what, "'%s' %s",
             xnm_diagnostics_quote(file->path, strlen(file->path), path, sizeof path), why);
    file->kind->report_kept(file, what, kept);
    return kept > 0 || add(file);
}

/* Reads the file and adds its entries. Returns false if the reading of the policy ends. */
static bool take(struct linefile *file)
{
    struct xnm_reading *reading = file->reading;
    struct xnm_textfile text;
    const char *why = xnm_reading_text(reading, file->path, file->kind->size_max, true, &text);
    char cannot[256];

    if (why) {
        snprintf(cannot, sizeof cannot, "cannot be read: %s", why);
        why = cannot;
    } else {
        read_lines(file, &text);
    }
    if (file->line.no_memory)
        return no_room(file);
    if (reading->no_memory || xnm_reading_is_stopped(reading))
        return false;
    if (!why && file->line.errors > 0)
        why = file->kind->bad;
    if (!why && file->entries.len == 0)
        why = file->kind->empty;
    if (why)
        return keep(file, why);
    reading->result->bad_lists += file->line.errors > 0;
    return add(file);
}

/* --- groups of clients --- */

static void read_prefix(struct linefile *file, const char *at, const char *end)
{
    struct xnm_prefix prefix, *added;
    const char *fault = xnm_prefix_read(at, (size_t)(end - at), &prefix);
    char quote[80];

    if (fault) {
        xnm_textline_error(&file->line, at, "'%s' %s",
                           xnm_diagnostics_quote(at, (size_t)(end - at), quote, sizeof quote),
                           fault);
        return;
    }
    added = xnm_arena_add(&file->entries, sizeof *added);
    if (added)
        *added = prefix;
    else
        xnm_textline_no_memory(&file->line, at);
}

/* Sorts prefixes, and adds them to the group. */
static bool add_sorted(const struct linefile *file, struct xnm_arena *prefixes)
{
    struct xnm_prefix *first = (struct xnm_prefix *)(void *)prefixes->octets;
    size_t count = prefixes->len / sizeof *first;

    return xnm_prefixes_sort(first, count, file->reading->options->stop) &&
           xnm_clientset_add(policy_of(file), file->group, file->path, first, count);
}

static bool add_prefixes(struct linefile *file)
{
    return add_sorted(file, &file->entries);
}

static long keep_prefixes(struct linefile *file)
{
    return xnm_clientset_keep(policy_of(file), file->group, file->path,
                              file->reading->options->before);
}

static void report_kept_prefixes(const struct linefile *file, const char *what, long kept)
{
    if (kept > 0)
        xnm_diagnostics_add(diagnostics_of(file), XNM_ERROR, &file->place,
                            "%s: what it held before stays in force for group %s", what,
                            file->group);
    else
        xnm_diagnostics_add(diagnostics_of(file), XNM_ERROR, &file->place,
                            "%s: group %s has %zu addresses and prefixes of it", what, file->group,
                            file->entries.len / sizeof(struct xnm_prefix));
}

static const struct kind addresses = {.size_max = XNM_LIST_SIZE_MAX,
                                      .expected = "addresses and prefixes",
                                      .entry = "address or prefix",
                                      .bad = "has lines that are not addresses or prefixes",
                                      .empty = "has no address",
                                      .read = read_prefix,
                                      .add = add_prefixes,
                                      .keep = keep_prefixes,
                                      .report_kept = report_kept_prefixes};

/* Adds the prefixes that rule files have for a group, and then those of its files. */
static bool read_group(struct xnm_reading *reading, struct xnm_group *group)
{
    const struct linefile rules = {
        .reading = reading, .place = {group->file, group->line, 0}, .group = group->name};
    bool good = add_sorted(&rules, &group->prefixes) || no_room(&rules);

    for (size_t i = 0; good && i < group->file_count && !reading->options->no_lists; i++) {
        const struct xnm_group_file *named = &group->files[i];
        struct linefile file = {.reading = reading,
                                .kind = &addresses,
                                .path = named->path,
                                .place = {named->file, named->line, named->path_column},
                                .group = group->name};
        good = take(&file);
        xnm_arena_free(&file.entries);
    }
    return good;
}

bool xnm_linefile_groups(struct xnm_reading *reading)
{
    bool good = true;

    for (size_t i = 0; good && i < reading->rules.group_count; i++)
        good = read_group(reading, &reading->rules.groups[i]);
    return good;
}

/* --- words --- */

static void report_fault(void *arg, xnm_severity severity, size_t at, const char *message)
{
    struct linefile *file = arg;

    if (severity == XNM_ERROR)
        xnm_textline_error(&file->line, file->at + at, "%s", message);
}

/* Adds the word, as a label in wire format, if it is one label that is long enough. */
static void read_word(struct linefile *file, const char *at, const char *end)
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

static bool add_words(struct linefile *file)
{
    file->number =
        xnm_wordset_add(policy_of(file), file->path, file->entries.octets, file->entries.len);
    return file->number > 0;
}

static long keep_words(struct linefile *file)
{
    return xnm_wordset_keep(policy_of(file), file->path, file->reading->options->before,
                            &file->number);
}

static void report_kept_words(const struct linefile *file, const char *what, long kept)
{
    if (kept > 0)
        xnm_diagnostics_add(diagnostics_of(file), XNM_ERROR, &file->place,
                            "%s: the words that it held before stay in force (%ld)", what, kept);
    else
        xnm_diagnostics_add(diagnostics_of(file), XNM_ERROR, &file->place,
                            "%s: words= finds nothing", what);
}

static const struct kind words = {.size_max = WORDS_SIZE_MAX,
                                  .expected = "words",
                                  .entry = "word",
                                  .empty = "has no word",
                                  .read = read_word,
                                  .add = add_words,
                                  .keep = keep_words,
                                  .report_kept = report_kept_words};

bool xnm_linefile_words(struct xnm_reading *reading, const struct xnm_rule *rule, uint8_t *number)
{
    const struct xnm_policy *policy = xnm_policy_builder_policy(reading->builder);
    struct linefile file = {.reading = reading,
                            .kind = &words,
                            .path = rule->words,
                            .place = {rule->file, rule->line, rule->words_column}};

    *number = 0;
    if (!rule->words || reading->options->no_lists)
        return true;
    *number = xnm_wordset_find(policy, rule->words);
    if (*number > 0)
        return true;
    if (xnm_wordset_count(policy) == XNM_WORDSET_MAX) {
        reading->result->bad_lists++;
        xnm_diagnostics_add(
            diagnostics_of(&file), XNM_ERROR, &file.place,
            "too many files of words: expected %d different ones at most; here words= "
            "finds nothing",
            XNM_WORDSET_MAX);
        return true;
    }
    bool good = take(&file);
    *number = file.number;
    xnm_arena_free(&file.entries);
    return good;
}
