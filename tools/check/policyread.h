/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the policy that a subcommand works with, from a configuration or from rule files. */
#ifndef XN_TOOLS_CHECK_POLICYREAD_H
#define XN_TOOLS_CHECK_POLICYREAD_H

#include "module/load/policyfiles.h"

/* Writes a message about somebody's file to standard error, as check has it. */
void policyread_say(const struct xnm_place *place, const char *message);

/* Prints errors, and no warnings: these are for `check`, since whoever reads the policy here did
 * not just write the rules. The functions below report a stale compiled policy. */
extern const struct xnm_diagnostics policyread_errors;

/* Limits of what policyread_report_age compares with a compiled policy. */
enum { POLICYREAD_COMPARED_FILES = 4096 };
#define POLICYREAD_COMPARED_OCTETS (UINT64_C(1) << 32)

/* Warns where the compiled policy that was read from `path`, whose mtime is `made`, is of files
 * that have changed since, or of too many to say so: at the rule that names it, or NULL. */
void policyread_report_age(const struct xnm_diagnostics *diagnostics,
                           const struct xnm_policy *policy, const char *path, struct timespec made,
                           const struct xnm_place *rule);

struct policyread {
    struct xnm_policyfiles_options how; /* given by the caller, except the configuration */
    const char *nothing; /* … how messages of policyread_files and _has_every_list begin: "no zone
                            is written" */
    bool keeps_sources; /* … files.sources is the caller's to free after a reading that was good */
    struct xnm_policyfiles files; /* what is read: its policy is the caller's to free */
    bool log_only;                /* policy-mode */
};

/* Reads rule files, one policy in their order, with the default of every key; a compiled
 * policy may have any policy-ttl. False: the module would refuse, and nothing is to be freed. */
bool policyread_rules(struct policyread *read, char **files, size_t count);

/* Does the same with the rule files that a configuration names, which may be none. */
bool policyread_config(struct policyread *read, const char *file);

/* Does the same with a compiled policy. */
bool policyread_compiled(struct policyread *read, const char *file);

/* Does whichever of these the file's first word asks for. */
bool policyread_any(struct policyread *read, const char *file);

/* Reads rule files, or one configuration, as the first word of each says. False, too, and said: a
 * configuration does not stand alone, or names no rule file. */
bool policyread_files(struct policyread *read, char **files, size_t count);

/* Does each list give a name? The module keeps what a lost list held; whoever writes a file for
 * others has nothing to keep, and it would stop blocking wherever it goes. Each that gives none is
 * said. */
bool policyread_has_every_list(const struct policyread *read);

/* Calls found() once for any two groups that have clients in common, with one of these as text. The
 * texts are valid during the call. */
void policyread_overlaps(const struct xnm_policy *policy,
                         void (*found)(void *arg, const char *group, const char *other,
                                       const char *client),
                         void *arg);

#endif
