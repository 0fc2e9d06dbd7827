/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/policyread.h"

#include "tools/buffer.h"

#include <stdio.h>

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

const struct xnm_reporter policyread_errors = {report, NULL};

static bool read_files(struct policyread *read, const struct xnm_config *config)
{
    struct xnm_policyfiles_options how = read->how;

    how.config = config;
    bool good = xnm_policyfiles_read(&how, &read->files);
    read->log_only = config->policy_mode == XNM_POLICY_LOG_ONLY;
    xnm_sources_free(&read->files.sources);
    return good;
}

bool policyread_rules(struct policyread *read, char **files, size_t count)
{
    struct xnm_config config;

    xnm_config_init(&config);
    config.policies = files;
    config.policy_count = count;
    return read_files(read, &config);
}

bool policyread_config(struct policyread *read, const char *file)
{
    struct xnm_config config;

    xnm_config_init(&config);
    bool good = xnm_config_load(&config, file, read->how.reporter) && read_files(read, &config);
    xnm_config_free(&config);
    return good;
}
