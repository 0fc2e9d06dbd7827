/* SPDX-License-Identifier: BSD-3-Clause */
/* Rule files: text -> rules, in the order of the files. Lists and response policy zones that rules
 * name are not read here (module/list/list.h). */
#ifndef XNM_MODULE_RULE_RULES_H
#define XNM_MODULE_RULE_RULES_H

#include "module/rule/rule.h"

/* The largest files that are read, in octets. A million names are some 20 million. */
enum { XNM_RULES_SIZE_MAX = 1 << 26, XNM_LIST_SIZE_MAX = 1 << 30 };

/* A line `compiled PATH`, which stands for all rules there are. */
struct xnm_compiled {
    char *path;       /* already relative to the rule file; NULL: there is no such line. Owned. */
    const char *file; /* the rule file's path; owned by struct xnm_rules */
    unsigned line, column, path_column;
};

/* Charged to the thread's budget (module/base/budget.h): to be freed while that is open, or with
 * none.
 */
struct xnm_rules {
    struct xnm_rule *rules; /* owned, as is what they point to */
    size_t count;
    struct xnm_arena memory; /* private: of rules */
    size_t charged;          /* … octets of what they point to */
    char **files;            /* the paths read, owned */
    size_t file_count;
    struct xnm_compiled compiled;
    bool no_memory; /* for one of them: an error that is gone another time */
};

/* {0} is no rules. Reads the text of a rule file and adds its rules: every error and warning of the
 * file is reported, each at its line and column. Returns whether there was no error; rules of lines
 * without one are added all the same. `file` is its path: relative paths in it begin at its folder.
 */
bool xnm_rules_parse(struct xnm_rules *rules, const struct xnm_rules_options *options,
                     const char *file, const char *text, size_t len);
void xnm_rules_free(struct xnm_rules *rules);

#endif
