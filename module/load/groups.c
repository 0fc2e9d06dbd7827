/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/groups.h"

#include "module/base/diagnostics.h"
#include "module/file/textline.h"
#include "module/policy/policy.h"

#include <stdio.h>
#include <string.h>

enum { ERRORS_MAX = 100 }; /* of one file */

/* A file of prefixes while it is read. */
struct group_reading {
    struct xnm_lists *lists;
    const struct xnm_group *group;
    const struct xnm_group_file *file;
    struct xnm_arena prefixes; /* of struct xnm_prefix */
};

static size_t count_of(const struct xnm_arena *prefixes)
{
    return prefixes->len / sizeof(struct xnm_prefix);
}

static bool no_room(struct xnm_lists *lists, const char *file, unsigned line)
{
    struct xnm_place place = {.file = file, .line = line};

    xnm_reading_has_no_memory(lists->reading);
    if (!lists->reading->no_memory)
        xnm_diagnose(lists->reading->diagnostics, XNM_ERROR, &place, "%s", xnm_budget_trouble());
    return false;
}

/* False: the reading is stopped. */
static bool sort(const struct xnm_lists *lists, struct xnm_arena *prefixes)
{
    return !xnm_reading_is_stopped(lists->reading) &&
           xnm_prefixes_sort((struct xnm_prefix *)(void *)prefixes->octets, count_of(prefixes),
                             lists->reading->stop);
}

static bool add_set(struct xnm_lists *lists, const struct xnm_group *group, const char *path,
                    const struct xnm_arena *prefixes)
{
    return xnm_policy_builder_group(lists->builder, group->name, path,
                                    (const struct xnm_prefix *)(const void *)prefixes->octets,
                                    count_of(prefixes)) ||
           no_room(lists, group->file, group->line);
}

/* --- a file --- */

/* Reads the line's first word as a prefix. */
static void read_line(struct group_reading *reading, struct xnm_textline *line)
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
        added = xnm_arena_add(&reading->prefixes, sizeof *added);
        if (added)
            *added = prefix;
        else
            xnm_textline_no_memory(line, at);
    }
}

/* Returns how many lines are bad. */
static unsigned read_text(struct group_reading *reading, const struct xnm_textfile *file)
{
    struct xnm_textline line;

    xnm_textline_open(&line, reading->file->path, file->text, file->len,
                      reading->lists->reading->diagnostics);
    while (!line.no_memory && xnm_textline_goes_on(&line, ERRORS_MAX, "addresses and prefixes") &&
           !xnm_reading_is_stopped(reading->lists->reading))
        read_line(reading, &line);
    return line.errors;
}

/* Warns once of prefixes that others of the file hold. */
static void check_held(const struct group_reading *reading)
{
    const struct xnm_prefix *prefixes =
        (const struct xnm_prefix *)(const void *)reading->prefixes.octets;
    const struct xnm_place place = {.file = reading->file->path};
    const struct xnm_prefix *inner, *outer;
    char text[XNM_PREFIX_TEXT_MAX], other[XNM_PREFIX_TEXT_MAX];
    size_t held = xnm_prefixes_held(prefixes, count_of(&reading->prefixes), &inner, &outer);

    if (held > 0)
        xnm_diagnose(reading->lists->reading->diagnostics, XNM_WARNING, &place,
                     "'%s' is in '%s'; in all, %zu prefix%s of this file %s in another one",
                     xnm_prefix_text(inner, text), xnm_prefix_text(outer, other), held,
                     held == 1 ? "" : "es", held == 1 ? "is" : "are");
}

/* Leaves in force what the file held before, or else what there is of it. */
static bool keep(struct group_reading *reading, const char *why)
{
    struct xnm_lists *lists = reading->lists;
    struct xnm_place place = {reading->file->file, reading->file->line, reading->file->path_column};
    const char *path = reading->file->path;
    char quote[512];
    long kept = lists->before ? xnm_policy_builder_keep_group(lists->builder, reading->group->name,
                                                              path, lists->before)
                              : 0;

    if (kept < 0)
        return no_room(lists, place.file, place.line);
    lists->bad_lists++;
    xnm_quote(path, strlen(path), quote, sizeof quote);
    if (kept > 0)
        xnm_diagnose(lists->reading->diagnostics, XNM_ERROR, &place,
                     "'%s' %s: what it held before stays in force for group %s", quote, why,
                     reading->group->name);
    else
        xnm_diagnose(lists->reading->diagnostics, XNM_ERROR, &place,
                     "'%s' %s: group %s has %zu addresses and prefixes of it", quote, why,
                     reading->group->name, count_of(&reading->prefixes));
    return kept > 0 || add_set(lists, reading->group, path, &reading->prefixes);
}

static bool read_file(struct xnm_lists *lists, const struct xnm_group *group,
                      const struct xnm_group_file *file)
{
    struct group_reading reading = {.lists = lists, .group = group, .file = file};
    char cannot[256];
    struct xnm_textfile text;
    unsigned bad = 0;
    const char *why = xnm_reading_text(lists->reading, file->path, lists->size_max, true, &text);

    if (!why) {
        bad = read_text(&reading, &text);
        xnm_textfile_free(&text);
    }
    lists->bad_lines += bad;
    if (lists->reading->no_memory || !sort(lists, &reading.prefixes)) {
        xnm_arena_free(&reading.prefixes);
        return false;
    }
    check_held(&reading);
    if (why)
        snprintf(cannot, sizeof cannot, "cannot be read: %s", why);
    else if (bad > 0)
        snprintf(cannot, sizeof cannot, "has lines that are not addresses or prefixes");
    else
        snprintf(cannot, sizeof cannot, "has no address");
    bool good = why || bad > 0 || count_of(&reading.prefixes) == 0
                    ? keep(&reading, cannot)
                    : add_set(lists, group, file->path, &reading.prefixes);
    xnm_arena_free(&reading.prefixes);
    return good;
}

/* --- all of them --- */

bool xnm_groups_read(struct xnm_lists *lists, const struct xnm_rules *rules, bool files)
{
    for (size_t i = 0; i < rules->group_count; i++) {
        struct xnm_group *group = &rules->groups[i];
        if (!sort(lists, &group->prefixes) || !add_set(lists, group, NULL, &group->prefixes))
            return false;
        for (size_t j = 0; j < group->file_count && files; j++)
            if (!read_file(lists, group, &group->files[j]))
                return false;
    }
    return true;
}
