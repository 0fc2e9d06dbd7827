/* SPDX-License-Identifier: BSD-3-Clause */
/* The policy that a subcommand works with: of a configuration, or of rule files by themselves. */
#ifndef XN_TOOLS_POLICYREAD_H
#define XN_TOOLS_POLICYREAD_H

#include "module/policyfiles.h"

/* Writes a message about somebody's file to standard error, as check has it. */
void policyread_say(const struct xnm_place *place, const char *message);

/* Says errors, and no warnings: these are check's to give, since whoever reads the policy here did
 * not write the rules just now. */
extern const struct xnm_reporter policyread_errors;

struct policyread {
    struct xnm_policyfiles_options how; /* given by the caller, but for the configuration */
    struct xnm_policyfiles files;       /* what is read: its policy is the caller's to free */
    bool log_only;                      /* policy-mode */
};

/* Reads rule files, one policy in their order, with the default of every key. False: the module
 * would refuse, and nothing is to be freed. */
bool policyread_rules(struct policyread *read, char **files, size_t count);

/* The same of the rule files that a configuration names, which may be none. */
bool policyread_config(struct policyread *read, const char *file);

#endif
