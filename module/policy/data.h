/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory layout of a policy: its lines, and the tables that they refer to. Only code that
 * builds or searches policies includes it. module/policy/lookalikeindex.h has the protected names.
 * Look-alikes and conditions are called label rules: they decide after names and lists. */
#ifndef XNM_MODULE_POLICY_DATA_H
#define XNM_MODULE_POLICY_DATA_H

#include "module/policy/lookalikeindex.h"
#include "module/policy/policy.h"
#include "module/rule/counters.h"
#include "module/rule/limit.h"
#include "module/rule/rule.h"
#include "module/table/joint.h"

/* If several rules match, the lower rank wins. */
enum { XNM_RANK_WRITTEN = 0, XNM_RANK_FIRST_LIST = 1 };
#define XNM_RANK_LOG UINT32_MAX /* adds its tag, never decides */
#define XNM_RANK_LABEL_RULE (UINT32_MAX - 1)

/* The additional data of a label rule's line, in the pool. */
struct xnm_label_rule {
    uint32_t answer;
    size_t left_out;       /* names left out, because too many names of the rule look alike */
    size_t parts_left_out; /* names of which near=, elsewhere= or the like finds less, likewise */
    struct xnm_protection protection;
    struct xnm_condition condition; /* `except` is in the pool as well */
    const char *except_path;        /* the file of except=; NULL: the rule has no except= */
    struct xnm_table *except;       /* its names, shared; NULL: none of them is in force */
};

/* A part of client=: a group, an address or a prefix. */
struct xnm_limit_part {
    struct xnm_limit_client client;
    uint32_t sets_at, sets_end; /* the client sets of the group */
};

/* The values of client= and when=, which rules share. */
struct xnm_limit {
    const char *client, *when; /* as in struct xnm_rule */
    const struct xnm_limit_part *parts;
    const struct xnm_limit_span *spans;
    unsigned part_count, span_count;
};

/* The words of a file of words=, by their loose keys. */
struct xnm_word_set {
    const char *path;
    uint64_t *hashes;           /* xnm_lookalike_word_hash; 0: free */
    uint64_t places;            /* of `hashes` */
    size_t count;               /* words */
    uint16_t shortest, longest; /* octets of their keys */
};

/* A line of a rule file. */
struct xnm_policy_line {
    struct xnm_policy_rule rule; /* must be first: the public part of the line */
    unsigned column;
    uint32_t rank;
    struct xnm_policy_answer answer; /* for all its names. If the action is XNM_ACTION_NONE, entries
                                        of its zone have their own answers */
    int ede;                         /* as in struct xnm_rule; valid for a zone's entries, too */
    uint8_t type_count;              /* 0: every type */
    uint16_t types[XNM_RULE_TYPES_MAX];
    bool suffixes;           /* as in struct xnm_rule */
    xnm_expire expire;       /* as in struct xnm_rule */
    uint16_t limit;          /* number of its limit, from 1; 0: no client= and no when= */
    struct xnm_table *table; /* of a file, shared; NULL: none of its entries is in force */
    struct xnm_label_rule *label_rule;     /* NULL: a rule about names */
    uint8_t counter_key[XNM_COUNTERS_KEY]; /* identifies its counter (module/build/policyline.c) */
};

/* A line with a table of names. */
struct xnm_policy_list {
    const struct xnm_table *table; /* the line's */
    uint32_t line;                 /* its number */
};

struct xnm_policy {
    struct xnm_policy_settings settings;
    uint64_t seed;             /* xnm_table_seed() */
    struct xnm_table *written; /* the names of rule files; its answers have their lines, and those
                                  of label rules */
    struct xnm_arena lines;    /* of struct xnm_policy_line */
    struct xnm_arena lists;    /* of struct xnm_policy_list. Exempting lists come first, then
                                  deciding ones, then logging ones, each kind in line order. */
    size_t exempting, deciding, logging;  /* the number of lists of each kind */
    struct xnm_joint *joint;              /* the filter over all lists */
    struct xnm_depths depths;             /* of all entries */
    struct xnm_arena client_sets, limits; /* of struct xnm_client_set and struct xnm_limit */
    struct xnm_pool pool;                 /* strings, records and data of label rules */
    struct xnm_arena word_sets;           /* of struct xnm_word_set; their memory is in the pool */
    struct xnm_lookalikeindex lookalikes;
    struct xnm_arena conditions; /* of uint32_t: their lines, in order */
    size_t line_count, condition_count;
    bool empty;        /* there is nothing to match */
    bool label_rule;   /* some label rule has something to match */
    bool has_tcp_only; /* some list or zone has a tcp-only entry */
    unsigned tag_count;
    const char *tags[XNM_TAGS_MAX];
    bool changes_answers; /* xnm_policy_changes_answers */
    bool protects;        /* xnm_policy_protects */
};

static inline struct xnm_policy_line *xnm_policy_line(const struct xnm_policy *policy, size_t n)
{
    return (struct xnm_policy_line *)(void *)policy->lines.octets + n;
}

/* Returns the table in which a line's names are looked up. NULL: the line has no table, or a table
 * of protected names. */
static inline const struct xnm_table *xnm_policy_line_list(const struct xnm_policy_line *line)
{
    return line->label_rule ? NULL : line->table;
}

/* Returns the limit with a number, from 1. */
static inline struct xnm_limit *xnm_policy_limit(const struct xnm_policy *policy, size_t n)
{
    return (struct xnm_limit *)(void *)policy->limits.octets + n - 1;
}

/* Returns the word set with a number, from 1. */
static inline const struct xnm_word_set *xnm_policy_word_set(const struct xnm_policy *policy,
                                                             size_t n)
{
    return (const struct xnm_word_set *)(const void *)policy->word_sets.octets + n - 1;
}

/* Returns the n-th list, in the order in which lists are searched. */
static inline const struct xnm_policy_list *xnm_policy_list(const struct xnm_policy *policy,
                                                            size_t n)
{
    return (const struct xnm_policy_list *)(const void *)policy->lists.octets + n;
}

/* Returns the action of an entry of a line. NXDOMAIN for some types becomes NODATA, since a name
 * exists for all types or for none. */
static inline xnm_action xnm_policy_line_action(const struct xnm_policy_line *line,
                                                const struct xnm_table_answer *entry)
{
    const struct xnm_modifiers *modifiers = entry->modifiers;
    xnm_action action =
        line->answer.action != XNM_ACTION_NONE ? line->answer.action : entry->action;

    return action == XNM_NXDOMAIN && modifiers && modifiers->type_count > 0 ? XNM_NODATA : action;
}

/* Returns the answer of a label rule, with the records of all lines that were merged with it. */
static inline const struct xnm_table_answer *
xnm_policy_label_answer(const struct xnm_policy *policy, uint32_t line)
{
    return xnm_table_answer(policy->written, xnm_policy_line(policy, line)->label_rule->answer);
}

#endif
