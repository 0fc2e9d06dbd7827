/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the parts of `unbound-idn check`: how they report, and the checks of idn.conf, rules,
 * lists and an unbound.conf. */
#ifndef XN_TOOLS_CHECK_CHECK_H
#define XN_TOOLS_CHECK_CHECK_H

#include "module/base/diagnostics.h"
#include "module/rule/action.h"
#include "tools/text/buffer.h"

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
    const char *root;  /* prefix of each file's name */
    const char *color; /* the word of --color; NULL: none */
    bool json;
    bool brief; /* only errors that stop a start are written, and no list is read: none stops it */
    unsigned lacks; /* what the host that reads a policy lacks: XNM_LACKS_CLIENTS and so on */
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
 * Frees both. */
void check_summary(struct checker *checker, const char *file, struct buffer *text,
                   struct buffer *members);

/* Ends a file: writes "file: fine" or "file: 2 errors, 1 warning" and resets the counts. */
void check_finish_file(struct checker *checker, const char *file);

/* Reads a configuration as the module does and reports what the module reports. If `is_default`,
 * the file may be missing. *config must be freed in every case; after an error every key in it has
 * its default. */
void check_config(struct checker *checker, const char *file, bool is_default,
                  struct xnm_config *config);

/* Reads the policy that a configuration names, lists and all, and reports what the module reports;
 * a note about `file` says what there is. Errors inside lists do not count as such: the module goes
 * on with what is good of them. If `foreign`, it is read as a host reads it: also reports rule
 * files that others may write to, and that no rule is in force. */
void check_policy(struct checker *checker, const struct xnm_config *config, const char *file,
                  bool foreign);

/* Check a rule file by itself, with the default of every key; and a list by itself, as a rule with
 * this trigger and without options reads it. Each error in the list counts. */
void check_rules(struct checker *checker, char *file);
void check_list(struct checker *checker, const char *file, xnm_trigger trigger);

/* Returns the kind of a file by its first word: a key with its colon, an action, or neither
 * (CHECK_DOUBTFUL), as most lists begin. CHECK_SILENT: it is empty or cannot be read. It is then
 * read as a configuration, whose reader reports why. */
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

/* Checks an unbound.conf and everything that its daemon needs to load the module with its
 * configuration. Runs unbound-checkconf(8), which knows how Unbound reads the file; ldd(1); and,
 * for root, this command again by setpriv(1). */
void check_unbound(struct checker *checker, const char *file, const struct check_daemon *what);

/* The files that Unbound opens as its user, by the names that it knows. */
struct check_opened {
    const char *root;   /* the folder in which these are; "": no chroot */
    const char *user;   /* the user that this process has become; "": it is the caller's */
    const char *module; /* "": not known */
    const char *config; /* the module's configuration; "": the default one, which may be missing */
    unsigned lacks;     /* what the host lacks: XNM_LACKS_CLIENTS and so on */
};

/* Checks what a resolver opens with the rights of its user ("": none, so with those of this
 * process): for root by running this command again. Messages about the user are about the place. */
void check_as_user(struct checker *checker, const struct xnm_place *place, const char *user,
                   const struct check_opened *what);

/* A host: a resolver that reads a configuration. Its texts are in static storage. */
struct check_host {
    const char *word;   /* of --host; NULL: no host */
    const char *file;   /* a file that is installed with it; glob(7) */
    const char *user;   /* it reads the configuration with the rights of this user */
    const char *config; /* the configuration that it reads */
    bool alias_alone;   /* a cname rule gives the alias without its target's records */
    unsigned lacks;     /* XNM_LACKS_CLIENTS and so on, as check_find_lacks found it */
};

/* Finds a host by the word of --host, without what it lacks. Returns false if there is none. */
bool check_find_host(const char *word, struct check_host *host);
extern const char check_no_host[]; /* what was expected */

/* Finds what a host lacks. For Unbound's python module this runs unbound-checkconf(8), which knows
 * the module-config. */
void check_find_lacks(struct check_host *host);

/* Checks what a host reads, as its user: the one of this word or, if that is NULL, each that is
 * installed. A configuration or a user that is not NULL takes the place of the host's own. Returns
 * whether there was one. */
bool check_hosts(struct checker *checker, const char *word, const char *config, const char *user);

/* Returns what Unbound's python module lacks with a module-config: XNM_LACKS_CLIENTS and so on. */
unsigned check_python_lacks(const char *order);

/* Returns whether two paths are the same text, or lead to the same file. */
bool check_is_same_file(const char *path, const char *other);

/* Returns whether the configuration names the file as a rule file. */
bool check_is_rule_file(const struct xnm_config *config, const char *file);

/* Notes that a rule file is not in force, if there is a configuration that does not name it. */
void check_note_unnamed(struct checker *checker, const char *file);

/* The two questions of `unbound-idn fetch`, a script. Errors go to standard error.
 *
 * check_urls prints a line for each list whose rule, in a rule file that the configuration `config`
 * names, has url=. Its fields, separated by one tab: the rule's FILE:LINE:COLUMN, the list, the
 * URL, and, if the list's folder cannot be opened without following a symbolic link that others may
 * have made, why. No field has a control character or a character that is invisible. Two rules with
 * the same list and the same URL make one line. Returns STATUS_FINE; STATUS_FINDING if a rule has
 * an error, a list has a second URL, or its path cannot be printed in a line; STATUS_USAGE if the
 * configuration cannot be read, or no rule.
 *
 * check_download checks the file `download`, which was downloaded for the list `list` of
 * check_urls, as its rule reads it, and against the entries of the present list (shrink=). Prints
 * one line without control characters: the number of entries, and returns STATUS_FINE; or the
 * reason to reject the download, and returns STATUS_FINDING. Returns STATUS_USAGE if a file cannot
 * be read, or no rule with url= names the list. */
int check_urls(const struct xn_unicode *unicode, const char *config);
int check_download(const struct xn_unicode *unicode, const char *config, const char *download,
                   const char *list);

/* Asks the loader, by ldd(1), about a module. Reports errors at `place` if the module at `path` is
 * incomplete or needs a library that is not there. root "": no chroot; else each library must be
 * below that folder, too, except those that the daemon (NULL: unknown), which is started outside,
 * has loaded by then. */
void check_library(const struct xnm_diagnostics *diagnostics, const struct xnm_place *place,
                   const char *path, const char *daemon, const char *root);

/* Checks the configuration and all that it names, with the rights of this process and with its root
 * changed. Messages about the user's rights are about the configuration. */
void check_opened(struct checker *checker, const struct check_opened *what);

#endif
