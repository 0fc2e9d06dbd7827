/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the defaults of a configuration, copies it and frees it. */
#include "module/config/config.h"

#include <stdlib.h>
#include <string.h>

enum {
    METRICS_INTERVAL = 15,
    POLICY_MEMORY = 1 << 30, /* octets */
    POLICY_TTL = 60
};

bool xnm_config_add_policy(struct xnm_config *config, char *path)
{
    size_t size = (config->policy.file_count + 1) * sizeof *config->policy.files;
    char **policies = path ? realloc(config->policy.files, size) : NULL;

    if (!policies)
        return false;
    config->policy.files = policies;
    config->policy.files[config->policy.file_count++] = path;
    return true;
}

void xnm_config_init(struct xnm_config *config)
{
    *config = (struct xnm_config){.metrics_interval = METRICS_INTERVAL,
                                  .policy = {.ttl = POLICY_TTL,
                                             .memory = POLICY_MEMORY,
                                             .soa_mname = {1, ""},
                                             .soa_rname = {16, "\6nobody\7invalid"},
                                             .why = {.language = "en"}}};
}

void xnm_config_free(struct xnm_config *config)
{
    for (size_t i = 0; i < config->policy.file_count; i++)
        free(config->policy.files[i]);
    free(config->policy.files);
    free(config->log_to);
    free(config->metrics_file);
    config->log_to = config->metrics_file = NULL;
    config->policy.files = NULL;
    config->policy.file_count = 0;
}

/* Copies a path; NULL stays NULL. Returns false when out of memory. */
static bool copy_path(const char *path, char **copy)
{
    *copy = path ? strdup(path) : NULL;
    return *copy || !path;
}

static bool copy_policies(const struct xnm_config *config, struct xnm_config *copy)
{
    for (size_t i = 0; i < config->policy.file_count; i++) {
        char *path = strdup(config->policy.files[i]);
        if (!xnm_config_add_policy(copy, path)) {
            free(path);
            return false;
        }
    }
    return true;
}

bool xnm_config_copy(const struct xnm_config *config, struct xnm_config *copy)
{
    *copy = *config;
    copy->log_to = copy->metrics_file = NULL;
    copy->policy.files = NULL;
    copy->policy.file_count = 0;
    if (copy_path(config->log_to, &copy->log_to) &&
        copy_path(config->metrics_file, &copy->metrics_file) && copy_policies(config, copy))
        return true;
    xnm_config_free(copy);
    return false;
}
