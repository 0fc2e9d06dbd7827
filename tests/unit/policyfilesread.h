/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the files that a configuration names, as one policy. */
#ifndef XN_TESTS_UNIT_POLICYFILESREAD_H
#define XN_TESTS_UNIT_POLICYFILESREAD_H

#include "tests/unit/policyfolder.h"

#include "module/load/policyfiles.h"

#define ONE "policy: @/rules\n"
#define TWO "policy: @/rules\npolicy: @/more\n"

static struct xn_unicode *unicode;

/* With these lines as the configuration, and what else the options say. Returns whether it could be
 * read; to be freed all the same. */
static inline bool read_policyfiles(const char *lines, const struct xnm_policyfiles_options *more,
                                    struct xnm_policyfiles *read)
{
    struct xnm_config config = config_of(lines);
    struct xnm_policyfiles_options options = *more;

    options.config = &config;
    options.unicode = unicode;
    options.diagnostics = &diagnostics;
    bool good = xnm_policyfiles_read(&options, read);
    xnm_config_free(&config);
    return good;
}

static inline void free_policyfiles(struct xnm_policyfiles *read)
{
    xnm_policy_free(read->policy);
    xnm_sources_free(&read->sources);
}

#endif
