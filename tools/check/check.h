/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of `unbound-idn check`: how they report, and the checks of idn.conf, rules,
 * lists and an unbound.conf. */
#ifndef XN_TOOLS_CHECK_CHECK_H
#define XN_TOOLS_CHECK_CHECK_H

#include "module/base/diagnostics.h"
#include "module/rule/action.h"
#include "tools/text/buffer.h"

#include <pwd.h>
#include <stdio.h>

struct xnm_config;

struct check_counts {
    unsigned errors, warnings; /* of the file in hand */
    unsigned in_lists;         /* errors inside the lists that its rules name */
    bool failed;               /* there was an error in any file */
};

struct checker {
    struct xnm_diagnostics diagnostics; /* writes messages, and counts them */
    struct xn_unicode *unicode;
    FILE *out;
    const char *root; /* what stands before the name of each file */
    bool json;
    bool brief; /* what refuses is all that is written, and no list is read: none refuses */
    const struct xnm_config *policy; /* that is being read: other files than its rule files are
                                        lists; NULL: none */
    struct check_counts counts;
    struct buffer line;
};

/* Writes a note, which is neither error nor warning: why something was not checked, or what was
 * compared with what. */
void check_note(struct checker *checker, const struct xnm_place *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes a note about a file; with --json, the object also gets `members`, the same for programs.
 */
void check_summary(struct checker *checker, const char *file, const struct buffer *text,
                   const struct buffer *members);

/* Ends a file: writes "file: fine" or "file: 2 errors, 1 warning" and begins to count anew. */
void check_finish_file(struct checker *checker, const char *file);

/* Reads a configuration as the module does and reports what the module reports. Where `is_default`,
 * the file may be missing. *config, to be freed in every case, is as the module has it, which knows
 * the file by the name `inside`; after an error every key in it has its default. */
void check_config(struct checker *checker, const char *file, const char *inside, bool is_default,
                  struct xnm_config *config);

/* Reads the policy that a configuration names, lists and all, and reports what the module reports;
 * a note about `file` says what there is. Errors inside lists do not count as such: the module goes
 * on with what is good of them. */
void check_policy(struct checker *checker, const struct xnm_config *config, const char *file);

/* Checks the policy as a daemon reads it: with the ids of `user` (NULL: the caller's) and inside
 * the folder `root` ("": no other), where `file` is a name. With a user, also checks who may write
 * to the rule files. If the daemon's ids or root cannot be taken, a note says so if there is a
 * root; without one, the policy is checked with the caller's ids. */
void check_policy_as(struct checker *checker, const struct xnm_config *config, const char *file,
                     const struct passwd *user, const char *root);

/* Check a rule file by itself, with the default of every key; and a list by itself, as a rule with
 * this trigger and without options reads it. Each error in the list counts. */
void check_rules(struct checker *checker, char *file);
void check_list(struct checker *checker, const char *file, xnm_trigger trigger);

/* Tells what a file is by its first word: a key with its colon, an action, or neither
 * (CHECK_DOUBTFUL), as most lists begin. CHECK_SILENT: it cannot be read, or is
 * empty; by itself it is then read as a configuration, whose reader reports why. */
typedef enum { CHECK_CONFIG, CHECK_RULES, CHECK_DOUBTFUL, CHECK_SILENT } check_kind;
check_kind check_kind_of(const char *file);

/* Returns the path of the configuration that a module reads if no dynlib-file names one. */
const char *check_default_config(bool *is_default);

/* The daemon that an unbound.conf is for; a member that is NULL has its usual value. */
struct check_daemon {
    const char *daemon;    /* the first in the usual places */
    const char *checkconf; /* unbound-checkconf(8): the one beside the daemon, else the system's */
    const char *user;      /* as unbound.conf has it */
};

/* A change of unbound.conf that would load the module and is not made yet: dynlib before the
 * modules it has, and two dynlib-file entries before all others. */
struct check_draft {
    const char *module, *config;
    struct buffer order; /* the result: module-config, and a NUL; empty: it is not known, or … */
    bool is_loaded;      /* … the configuration has dynlib by itself, and was checked as it is */
};

/* Checks an unbound.conf, with a draft (NULL: as it is), and everything that its daemon needs to
 * load the module with its configuration. Runs unbound-checkconf(8), which knows how Unbound reads
 * it. */
void check_unbound(struct checker *checker, const char *file, const struct check_daemon *what,
                   struct check_draft *draft);

/* Does the same in brief: returns whether Unbound would start with the module, and writes to `out`
 * a line for each error that prevents it. */
bool check_starts(struct xn_unicode *unicode, const char *file, const struct check_daemon *what,
                  struct check_draft *draft, FILE *out);

#endif
