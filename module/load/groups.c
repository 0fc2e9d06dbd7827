/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/groups.h"

#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "module/build/clientset.h"
#include "module/load/linefile.h"
#include "module/policy/policy.h"

static size_t count_of(const struct xnm_arena *prefixes)
{
    return prefixes->len / sizeof(struct xnm_prefix);
}

/* Sorts the prefixes. Returns false if the reading is stopped. */
static bool sort(const struct xnm_reading *reading, struct xnm_arena *prefixes)
{
    return !xnm_reading_is_stopped(reading) &&
           xnm_prefixes_sort((struct xnm_prefix *)(void *)prefixes->octets, count_of(prefixes),
                             reading->options->stop);
}

/* Adds prefixes to a group: those of file->path, or of rule files if that is NULL. */
static bool add_set(const struct xnm_linefile *file, const char *group,
                    const struct xnm_arena *prefixes)
{
    return xnm_clientset_add(xnm_policy_builder_policy(file->reading->builder), group, file->path,
                             (const struct xnm_prefix *)(const void *)prefixes->octets,
                             count_of(prefixes)) ||
           xnm_linefile_no_room(file);
}

/* --- a file --- */

static void read_prefix(struct xnm_linefile *file, const char *at, const char *end)
{
    struct xnm_prefix prefix, *added;
    const char *fault = xnm_prefix_read(at, (size_t)(end - at), &prefix);
    char quote[80];

    if (fault) {
        xnm_textline_error(&file->line, at, "'%s' %s",
                           xnm_quote(at, (size_t)(end - at), quote, sizeof quote), fault);
        return;
    }
    added = xnm_arena_add(&file->entries, sizeof *added);
    if (added)
        *added = prefix;
    else
        xnm_textline_no_memory(&file->line, at);
}

/* Keeps the addresses that the file had before, or else those of its good lines. */
static bool keep(struct xnm_linefile *file, const char *group, const char *why)
{
    struct xnm_reading *reading = file->reading;
    const struct xnm_policyfiles_options *options = reading->options;
    long kept = 0;

    if (options->before)
        kept = xnm_clientset_keep(xnm_policy_builder_policy(reading->builder), group, file->path,
                                  options->before);
    if (kept < 0)
        return xnm_linefile_no_room(file);
    reading->result->bad_lists++;
    if (kept > 0)
        xnm_diagnose(options->diagnostics, XNM_ERROR, &file->place,
                     "'%s' %s: what it held before stays in force for group %s",
                     xnm_linefile_quote(file), why, group);
    else
        xnm_diagnose(options->diagnostics, XNM_ERROR, &file->place,
                     "'%s' %s: group %s has %zu addresses and prefixes of it",
                     xnm_linefile_quote(file), why, group, count_of(&file->entries));
    return kept > 0 || add_set(file, group, &file->entries);
}

static bool read_file(struct xnm_linefile *file, const char *group)
{
    const char *why;

    if (!xnm_linefile_read(file, &why) || !sort(file->reading, &file->entries))
        return false;
    if (why)
        return keep(file, group, why);
    if (file->line.errors > 0)
        return keep(file, group, "has lines that are not addresses or prefixes");
    return count_of(&file->entries) == 0 ? keep(file, group, "has no address")
                                         : add_set(file, group, &file->entries);
}

/* --- groups --- */

/* Adds the prefixes that rule files have for a group, and then those of its files. */
static bool read_group(struct xnm_reading *reading, struct xnm_group *group)
{
    struct xnm_linefile rules = {.reading = reading, .place = {group->file, group->line, 0}};
    bool good = sort(reading, &group->prefixes) && add_set(&rules, group->name, &group->prefixes);

    for (size_t i = 0; good && i < group->file_count && !reading->options->no_lists; i++) {
        const struct xnm_group_file *named = &group->files[i];
        struct xnm_linefile file = {.reading = reading,
                                    .path = named->path,
                                    .place = {named->file, named->line, named->path_column},
                                    .size_max = XNM_LIST_SIZE_MAX,
                                    .expected = "addresses and prefixes",
                                    .entry = "address or prefix",
                                    .read = read_prefix};
        good = read_file(&file, group->name);
        xnm_arena_free(&file.entries);
    }
    return good;
}

bool xnm_groups_read(struct xnm_reading *reading)
{
    bool good = true;

    for (size_t i = 0; good && i < reading->rules.group_count; i++)
        good = read_group(reading, &reading->rules.groups[i]);
    return good;
}
