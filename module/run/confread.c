/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/run/confread.h"

#include "module/config/config.h"
#include "module/run/state.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static void forget(char **path)
{
    free(*path);
    *path = NULL;
}

/* Overrides the configuration where the host decides instead of its author. */
static void heed_host(const struct xnm_state_options *options, struct xnm_config *config)
{
    if (options->must_read)
        config->policy.required = XNM_REQUIRED_YES;
    if (options->observes)
        config->policy.mode = XNM_POLICY_LOG_ONLY;
    if (!options->to_host)
        return;
    forget(&config->log_to);
    forget(&config->metrics_file);
}

bool xnm_confread(const struct xnm_state_options *options, struct xnm_config *config)
{
    xnm_config_init(config);
    bool is_missing = options->config_may_be_missing && access(options->config_path, F_OK) != 0 &&
                      errno == ENOENT; /* and not an unreadable folder */
    bool good = is_missing || xnm_config_load(config, options->config_path, options->diagnostics);
    heed_host(options, config);
    return good;
}

void xnm_confread_stand_in(struct xnm_config *config)
{
    struct xnm_config none;

    xnm_config_init(&none);
    none.log = XNM_LOG_NONE;
    none.policy.mode = config->policy.mode;
    none.metrics_file = config->metrics_file;
    none.metrics_interval = config->metrics_interval;
    config->metrics_file = NULL;
    xnm_config_free(config);
    *config = none;
}
