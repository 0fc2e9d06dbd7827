/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/policyread.h"

#include "module/base/address.h"
#include "module/compiled/file.h"
#include "module/config/config.h"
#include "module/policy/policy.h"
#include "tools/check/check.h"
#include "tools/text/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void policyread_say(const struct xnm_place *place, const char *message)
{
    struct buffer line = {0};

    buffer_message(&line, place, message);
    fprintf(stderr, "%.*s\n", (int)line.len, line.data);
    buffer_free(&line);
}

static void report(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    (void)arg;
    if (severity != XNM_WARNING)
        policyread_say(place, message);
}

const struct xnm_diagnostics policyread_errors = {report, NULL};

static void report_all(void *arg, xnm_severity severity, const struct xnm_place *place,
                       const char *message)
{
    (void)arg, (void)severity;
    policyread_say(place, message);
}

/* The one warning that is about what is asked here: the rules that decide are older than those that
 * can be read. */
static const struct xnm_diagnostics everything = {report_all, NULL};

void policyread_report_age(const struct xnm_diagnostics *diagnostics,
                           const struct xnm_policy *policy, const char *path, struct timespec made,
                           const struct xnm_place *rule)
{
    const struct xnm_compiled_bounds bounds = {POLICYREAD_COMPARED_FILES,
                                               POLICYREAD_COMPARED_OCTETS};
    const struct xnm_compiled_age age = xnm_compiled_age(policy, path, made, &bounds);
    const struct xnm_place place = {.file = path};
    char name[512], subject[520] = "", source[512];

    if (rule)
        snprintf(subject, sizeof subject, "'%s' ",
                 xnm_quote(path, strlen(path), name, sizeof name));
    if (age.stale)
        xnm_diagnose(diagnostics, XNM_WARNING, rule ? rule : &place,
                     "%sis stale%s: '%s' has changed since it was compiled; compile it again",
                     subject, rule ? ", and in force" : "",
                     xnm_quote(age.stale, strlen(age.stale), source, sizeof source));
    else if (!age.all)
        xnm_diagnose(
            diagnostics, XNM_WARNING, rule ? rule : &place,
            "%smay be stale: expected %d files that it was compiled from, and %d GiB to be "
            "read of them, or less",
            subject, POLICYREAD_COMPARED_FILES, (int)(POLICYREAD_COMPARED_OCTETS >> 30));
}

static bool read_files(struct policyread *read, const struct xnm_config *config)
{
    struct xnm_policyfiles_options how = read->how;

    how.config = config;
    bool good = xnm_policyfiles_read(&how, &read->files);
    if (good && read->files.compiled)
        policyread_report_age(&everything, read->files.policy, read->files.compiled,
                              read->files.compiled_at, NULL);
    read->log_only = config->policy_mode == XNM_POLICY_LOG_ONLY;
    if (!good || !read->keeps_sources)
        xnm_sources_free(&read->files.sources);
    return good;
}

bool policyread_rules(struct policyread *read, char **files, size_t count)
{
    struct xnm_config config;

    xnm_config_init(&config);
    config.policies = files;
    config.policy_count = count;
    read->how.any_ttl = true;
    return read_files(read, &config);
}

bool policyread_config(struct policyread *read, const char *file)
{
    struct xnm_config config;

    xnm_config_init(&config);
    bool good = xnm_config_load(&config, file, read->how.diagnostics) && read_files(read, &config);
    xnm_config_free(&config);
    return good;
}

bool policyread_compiled(struct policyread *read, const char *file)
{
    const struct xnm_policy_settings settings = {.unicode = read->how.unicode,
                                                 .ttl = XNM_COMPILED_ANY_TTL};
    const struct xnm_place place = {.file = file};
    struct xnm_compiled_load compiled;
    const char *why = xnm_compiled_load(&settings, file, NULL, &compiled);

    read->files = (struct xnm_policyfiles){.policy = compiled.policy};
    if (why)
        policyread_say(&place, why);
    else
        policyread_report_age(&everything, compiled.policy, file, compiled.stamp.mtime, NULL);
    return !why;
}

bool policyread_any(struct policyread *read, const char *file)
{
    char *files[] = {(char *)file};
    check_kind kind = check_kind_of(file);

    if (kind == CHECK_COMPILED)
        return policyread_compiled(read, file);
    if (kind != CHECK_CONFIG && kind != CHECK_SILENT)
        return policyread_rules(read, files, 1);
    return policyread_config(read, file);
}

/* --- what is written for others --- */

__attribute__((format(printf, 3, 4))) static void say_nothing_written(const struct policyread *read,
                                                                      const struct xnm_place *place,
                                                                      const char *format, ...)
{
    char why[256], message[384];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    snprintf(message, sizeof message, "%s: %s", read->nothing, why);
    policyread_say(place, message);
}

static bool read_alone(struct policyread *read, const char *file, size_t count)
{
    const struct xnm_place place = {.file = file};

    if (count > 1) {
        say_nothing_written(read, &place, "a configuration must be the only file");
        return false;
    }
    if (!policyread_config(read, file))
        return false;
    if (!read->files.policy)
        say_nothing_written(read, &place, "this configuration names no rule file");
    return read->files.policy != NULL;
}

bool policyread_files(struct policyread *read, char **files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct xnm_place place = {.file = files[i]};
        check_kind kind = check_kind_of(files[i]);
        if (kind == CHECK_CONFIG || (kind == CHECK_SILENT && count == 1))
            return read_alone(read, files[i], count);
        if (kind == CHECK_COMPILED) {
            say_nothing_written(read, &place, "%s", read->how.no_compiled);
            return false;
        }
    }
    return policyread_rules(read, files, count);
}

bool policyread_has_every_list(const struct policyread *read)
{
    const struct xnm_policy *policy = read->files.policy;
    bool all = true;

    for (size_t i = 0; i < xnm_policy_rule_count(policy); i++) {
        const struct xnm_policy_rule *rule = xnm_policy_rule(policy, i);
        const struct xnm_place place = {rule->file, rule->line, 1};
        if (!xnm_trigger_has_path(rule->trigger) || rule->entry_count > 0)
            continue;
        all = false;
        say_nothing_written(read, &place,
                            "this list has no names: if it is meant to be empty, remove the rule");
    }
    for (size_t i = 0; i < xnm_policy_client_set_count(policy); i++) {
        const struct xnm_client_set *set = xnm_policy_client_set(policy, i);
        const struct xnm_place place = {.file = set->path};
        if (!set->path || set->ranges.count[XNM_IPV4] + set->ranges.count[XNM_IPV6] > 0)
            continue;
        all = false;
        say_nothing_written(read, &place,
                            "group %s has no address of this file: if it is meant to be empty, "
                            "remove the file= from the group",
                            set->group);
    }
    return all;
}

/* --- groups of clients --- */

/* The sets of one group, which follow each other. */
struct group_sets {
    const char *group;
    size_t first, end;
};

static struct group_sets sets_from(const struct xnm_policy *policy, size_t first)
{
    struct group_sets sets = {xnm_policy_client_set(policy, first)->group, first, first};

    while (sets.end < xnm_policy_client_set_count(policy) &&
           strcmp(xnm_policy_client_set(policy, sets.end)->group, sets.group) == 0)
        sets.end++;
    return sets;
}

static bool sets_meet(const struct xnm_policy *policy, const struct group_sets *a,
                      const struct group_sets *b, struct xnm_client *client)
{
    for (size_t i = a->first; i < a->end; i++)
        for (size_t j = b->first; j < b->end; j++)
            if (xnm_ranges_meet(&xnm_policy_client_set(policy, i)->ranges,
                                &xnm_policy_client_set(policy, j)->ranges, client))
                return true;
    return false;
}

void policyread_overlaps(const struct xnm_policy *policy,
                         void (*found)(void *arg, const char *group, const char *other,
                                       const char *client),
                         void *arg)
{
    size_t count = xnm_policy_client_set_count(policy);
    struct xnm_prefix client = {.bits = 128};
    char text[XNM_PREFIX_TEXT_MAX];
    struct group_sets a, b;

    for (size_t i = 0; i < count; i = a.end) {
        a = sets_from(policy, i);
        for (size_t j = a.end; j < count; j = b.end) {
            b = sets_from(policy, j);
            if (sets_meet(policy, &a, &b, &client.address))
                found(arg, a.group, b.group, xnm_prefix_text(&client, text));
        }
    }
}
