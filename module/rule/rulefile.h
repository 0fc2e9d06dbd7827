/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads rule files into rules, in the order of the files. Lists and RPZ zones that rules name are
 * read elsewhere (module/list/list.h). */
#ifndef XNM_MODULE_RULE_RULEFILE_H
#define XNM_MODULE_RULE_RULEFILE_H

#include "module/base/arena.h"
#include "module/rule/limit.h"
#include "module/rule/rule.h"

/* The size limits of rule files and lists, in octets. A million names take about 20 million. */
enum { XNM_RULES_SIZE_MAX = 1 << 26, XNM_LIST_SIZE_MAX = 1 << 30 };

/* A file of prefixes of a group. */
struct xnm_group_file {
    char *path;       /* in the rule file's folder, if it was relative; owned */
    const char *file; /* the rule file's path; owned by struct xnm_rules */
    unsigned line, path_column;
};

/* A group of clients, from all its lines. */
struct xnm_group {
    char name[XNM_GROUP_NAME_MAX + 1];
    const char *file; /* of its first line; owned by struct xnm_rules */
    unsigned line, column;
    struct xnm_arena prefixes; /* of struct xnm_prefix */
    struct xnm_group_file *files;
    size_t file_count;
    bool used; /* some client= names it */
};

/* Rules are charged to the thread's budget (module/base/budget.h). Free them while that is open, or
 * without any. */
struct xnm_rules {
    struct xnm_rule *rules; /* owned, as is what they point to */
    size_t count;
    struct xnm_arena memory; /* private: holds the rules */
    size_t charged;          /* private: octets of what the rules point to */
    char **files;            /* the paths read, owned */
    size_t file_count;
    struct xnm_group *groups; /* in the order of their first lines */
    size_t group_count;
    struct xnm_tag_reason *tags; /* in the order of their lines */
    size_t tag_count;
    bool no_memory; /* memory ran out while one of them was read; a later attempt may succeed */
};

/* Reads the text of a rule file and adds its rules; {0} is an empty set. Reports every error and
 * warning of the file with its line and column. Returns whether there was no error. The rules of
 * lines without errors are always added. `file` is its path: relative paths in it begin at its
 * folder. */
bool xnm_rules_parse(struct xnm_rules *rules, const struct xnm_rules_options *options,
                     const char *file, const char *text, size_t len);
void xnm_rules_free(struct xnm_rules *rules);

/* Reports each client= with an unknown group, and warns about groups that no client= uses. Call it
 * after the last file. Returns whether there was no error. */
bool xnm_rules_check_groups(struct xnm_rules *rules, const struct xnm_diagnostics *diagnostics);

/* Sets the tag_reason of each rule, and warns about lines whose tag no rule has. Call it after the
 * last file. */
void xnm_rules_apply_tags(struct xnm_rules *rules, const struct xnm_diagnostics *diagnostics);

static inline size_t xnm_group_prefix_count(const struct xnm_group *group)
{
    return group->prefixes.len / sizeof(struct xnm_prefix);
}

#endif
