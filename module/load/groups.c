/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/groups.h"

#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "module/file/textline.h"
#include "module/policy/policy.h"

#include <stdio.h>
#include <string.h>

enum { ERRORS_MAX = 100 }; /* of one file */

/* A file of prefixes while it is read. */
struct source {
    struct xnm_reading *reading;
    const struct xnm_group *group;
    const struct xnm_group_file *file;
    struct xnm_arena prefixes; /* of struct xnm_prefix */
};

static size_t count_of(const struct xnm_arena *prefixes)
{
    return prefixes->len / sizeof(struct xnm_prefix);
}

static bool no_room(struct xnm_reading *reading, const char *file, unsigned line)
{
    struct xnm_place place = {.file = file, .line = line};

    xnm_reading_has_no_memory(reading);
    if (!reading->no_memory)
        xnm_diagnose(reading->options->diagnostics, XNM_ERROR, &place, "%s", xnm_budget_trouble());
    return false;
}

/* False: the reading is stopped. */
static bool sort(const struct xnm_reading *reading, struct xnm_arena *prefixes)
{
    return !xnm_reading_is_stopped(reading) &&
           xnm_prefixes_sort((struct xnm_prefix *)(void *)prefixes->octets, count_of(prefixes),
                             reading->options->stop);
}

static bool add_set(struct xnm_reading *reading, const struct xnm_group *group, const char *path,
                    const struct xnm_arena *prefixes)
{
    return xnm_policy_builder_group(reading->builder, group->name, path,
                                    (const struct xnm_prefix *)(const void *)prefixes->octets,
                                    count_of(prefixes)) ||
           no_room(reading, group->file, group->line);
}

/* --- a file --- */

/* Reads the line's first word as a prefix. */
static void read_line(struct source *source, struct xnm_textline *line)
{
    const char *at = xnm_textline_skip_blanks(line->at, line->end);
    const char *end = xnm_textline_trim(at, xnm_textline_comment(line->at, at, line->end));
    size_t len = (size_t)(xnm_textline_skip_word(at, end) - at);
    struct xnm_prefix prefix, *added;
    char quote[80];

    if (at >= end || !xnm_textline_is_text(line))
        return;
    const char *fault = xnm_prefix_read(at, len, &prefix);
    if (fault) {
        xnm_textline_error(line, at, "'%s' %s", xnm_quote(at, len, quote, sizeof quote), fault);
    } else if (at + len < end) {
        at = xnm_textline_skip_blanks(at + len, end);
        xnm_textline_error(line, at, "'%s' is a second word: expected one address or prefix a line",
                           xnm_quote(at, (size_t)(end - at), quote, sizeof quote));
    } else {
        added = xnm_arena_add(&source->prefixes, sizeof *added);
        if (added)
            *added = prefix;
        else
            xnm_textline_no_memory(line, at);
    }
}

/* Returns how many lines are bad. */
static unsigned read_text(struct source *source, const struct xnm_textfile *file)
{
    struct xnm_textline line;

    xnm_textline_open(&line, source->file->path, file->text, file->len,
                      source->reading->options->diagnostics);
    while (!line.no_memory && xnm_textline_goes_on(&line, ERRORS_MAX, "addresses and prefixes") &&
           !xnm_reading_is_stopped(source->reading))
        read_line(source, &line);
    return line.errors;
}

/* Leaves in force what the file held before, or else what there is of it. */
static bool keep(struct source *source, const char *why)
{
    struct xnm_reading *reading = source->reading;
    const struct xnm_policyfiles_options *options = reading->options;
    const char *path = source->file->path, *group = source->group->name;
    struct xnm_place place = {source->file->file, source->file->line, source->file->path_column};
    char quote[512];
    long kept = 0;

    if (options->before)
        kept = xnm_policy_builder_keep_group(reading->builder, group, path, options->before);
    if (kept < 0)
        return no_room(reading, place.file, place.line);
    reading->result->bad_lists++;
    xnm_quote(path, strlen(path), quote, sizeof quote);
    if (kept > 0)
        xnm_diagnose(options->diagnostics, XNM_ERROR, &place,
                     "'%s' %s: what it held before stays in force for group %s", quote, why, group);
    else
        xnm_diagnose(options->diagnostics, XNM_ERROR, &place,
                     "'%s' %s: group %s has %zu addresses and prefixes of it", quote, why, group,
                     count_of(&source->prefixes));
    return kept > 0 || add_set(reading, source->group, path, &source->prefixes);
}

static bool read_file(struct xnm_reading *reading, const struct xnm_group *group,
                      const struct xnm_group_file *file)
{
    struct source source = {.reading = reading, .group = group, .file = file};
    char cannot[256];
    struct xnm_textfile text;
    unsigned bad = 0;
    const char *why = xnm_reading_text(reading, file->path, XNM_LIST_SIZE_MAX, true, &text);

    if (!why) {
        bad = read_text(&source, &text);
        xnm_textfile_free(&text);
    }
    reading->result->bad_lines += bad;
    if (reading->no_memory || !sort(reading, &source.prefixes)) {
        xnm_arena_free(&source.prefixes);
        return false;
    }
    if (why)
        snprintf(cannot, sizeof cannot, "cannot be read: %s", why);
    else if (bad > 0)
        snprintf(cannot, sizeof cannot, "has lines that are not addresses or prefixes");
    else
        snprintf(cannot, sizeof cannot, "has no address");
    bool good = why || bad > 0 || count_of(&source.prefixes) == 0
                    ? keep(&source, cannot)
                    : add_set(reading, group, file->path, &source.prefixes);
    xnm_arena_free(&source.prefixes);
    return good;
}

/* --- all of them --- */

bool xnm_groups_read(struct xnm_reading *reading)
{
    for (size_t i = 0; i < reading->rules.group_count; i++) {
        struct xnm_group *group = &reading->rules.groups[i];
        if (!sort(reading, &group->prefixes) || !add_set(reading, group, NULL, &group->prefixes))
            return false;
        for (size_t j = 0; j < group->file_count && !reading->options->no_lists; j++)
            if (!read_file(reading, group, &group->files[j]))
                return false;
    }
    return true;
}
