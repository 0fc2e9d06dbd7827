/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the policy that a subcommand works with, from a configuration or from rule files. */
#ifndef XN_TOOLS_CHECK_POLICYREAD_H
#define XN_TOOLS_CHECK_POLICYREAD_H

#include "module/load/policyfiles.h"

/* Writes a message about a file to standard error, in the format of check. */
void policyread_say(const struct xnm_place *place, const char *message);

/* Prints errors, and no warnings: these are for `check`, since the caller
 * did not just write the rules. */
extern const struct xnm_diagnostics policyread_errors;

/* Shows on a terminal how far the reading of a list is. */
extern const struct xnm_list_watch policyread_progress;

struct policyread {
    struct xnm_policyfiles_options how; /* given by the caller, except the configuration */
    struct xnm_policyfiles files;       /* what is read: its policy is the caller's to free */
    bool log_only;                      /* policy-mode */
};

/* Reads rule files, one policy in their order, with the default of every key. False: the module
 * would refuse, and nothing is to be freed. */
bool policyread_rules(struct policyread *read, char **files, size_t count);

/* Does the same with the rule files of a configuration, which may name none. */
bool policyread_config(struct policyread *read, const char *file);

/* Calls one of these two, by the file's first word. */
bool policyread_any(struct policyread *read, const char *file);

/* Calls found() once for any two groups that have clients in common, with one of these as text. The
 * texts are valid during the call. */
void policyread_overlaps(const struct xnm_policy *policy,
                         void (*found)(void *arg, const char *group, const char *other,
                                       const char *client),
                         void *arg);

#endif
