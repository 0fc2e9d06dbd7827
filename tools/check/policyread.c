/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/policyread.h"

#include "module/base/address.h"
#include "module/config/config.h"
#include "module/list/listtally.h"
#include "module/policy/policy.h"
#include "tools/check/check.h"
#include "tools/command/progress.h"
#include "tools/text/buffer.h"

#include <stdio.h>
#include <string.h>

void policyread_say(const struct xnm_place *place, const char *message)
{
    struct buffer line = {0};

    progress_clear();
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

static void show_progress(void *arg, const char *file, size_t done, size_t size)
{
    (void)arg;
    progress_share(file, done, size);
}

const struct xnm_list_watch policyread_progress = {show_progress, NULL};

static bool read_files(struct policyread *read, const struct xnm_config *config)
{
    struct xnm_policyfiles_options how = read->how;

    how.config = config;
    how.watch = &policyread_progress;
    bool good = xnm_policyfiles_read(&how, &read->files);
    progress_clear();
    read->log_only = config->policy.mode == XNM_POLICY_LOG_ONLY;
    xnm_sources_free(&read->files.sources);
    return good;
}

bool policyread_rules(struct policyread *read, char **files, size_t count)
{
    struct xnm_config config;

    xnm_config_init(&config);
    config.policy.files = files;
    config.policy.file_count = count;
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

bool policyread_any(struct policyread *read, const char *file)
{
    char *files[] = {(char *)file};
    check_kind kind = check_kind_of(file);

    if (kind != CHECK_CONFIG && kind != CHECK_SILENT)
        return policyread_rules(read, files, 1);
    return policyread_config(read, file);
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
