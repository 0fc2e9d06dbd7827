/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory layout of a policy: its lines, and the tables that they refer to. Only the code that
 * builds and asks policies includes it (protected names: module/policy/lookalike.h). Look-alikes
 * and conditions, the third tier, are called label rules. */
#ifndef XNM_MODULE_POLICY_DATA_H
#define XNM_MODULE_POLICY_DATA_H

#include "module/policy/lookalike.h"
#include "module/policy/policy.h"
#include "module/rule/audience.h"
#include "module/rule/hits.h"
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
    size_t edits_left_out; /* names of which some edits are left out for the same reason */
    struct xnm_protection protection;
    struct xnm_condition condition; /* `except` is in the pool as well */
    const char *except_path;        /* the file of except=; NULL: a look-alike rule without */
    struct xnm_table *except;       /* its names, shared; NULL: none of them is in force */
};

/* A part of client=: a group, or an address or prefix. */
struct xnm_audience_part {
    struct xnm_audience_client client;
    uint32_t sets_at, sets_end; /* of the group */
};

/* Whom rules are for, and when. */
struct xnm_audience {
    const char *client, *when; /* as in struct xnm_rule */
    const struct xnm_audience_part *parts;
    const struct xnm_span *spans;
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
    struct xnm_policy_rule shown; /* must be first: what the public interface shows */
    unsigned column;
    uint32_t rank;
    struct xnm_policy_answer
        own;            /* what its names get, unless its zone says so: action XNM_ACTION_NONE */
    int ede;            /* as in struct xnm_rule: of a zone's entries, too */
    uint8_t type_count; /* 0: every type */
    uint16_t types[XNM_RULE_TYPES_MAX];
    bool suffixes;                     /* as in struct xnm_rule */
    xnm_expire expire;                 /* likewise */
    uint16_t audience;                 /* number of its audience, from 1; 0: everybody, always */
    struct xnm_table *table;           /* of a file, shared; NULL: nothing of it is in force */
    struct xnm_label_rule *label_rule; /* NULL: a rule about names */
    uint8_t hits_key[XNM_HITS_KEY];    /* identifies its counter (module/build/line.c) */
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
    struct xnm_arena lists;    /* of struct xnm_policy_list. Exemptions come first, then those that
                                  decide, then those that log; of each the earlier line. */
    size_t exempting, deciding, logging;     /* so many of each */
    struct xnm_joint *joint;                 /* the filter over them */
    struct xnm_depths depths;                /* of all entries */
    struct xnm_arena client_sets, audiences; /* of struct xnm_client_set and xnm_audience */
    struct xnm_pool pool;                    /* strings, records and data of label rules */
    struct xnm_arena word_sets; /* of struct xnm_word_set; what they point to is in the pool */
    struct xnm_lookalike_index lookalikes;
    struct xnm_arena conditions; /* of uint32_t: their lines, in order */
    size_t line_count, condition_count;
    bool empty;        /* there is nothing to match */
    bool label_rule;   /* some label rule has something to match */
    bool has_tcp_only; /* some list or zone says so */
    unsigned tag_count;
    const char *tags[XNM_TAGS_MAX];
    bool changing;   /* xnm_policy_changes_answers */
    bool protecting; /* xnm_policy_protects */
};

static inline struct xnm_policy_line *xnm_policy_line(const struct xnm_policy *policy, size_t n)
{
    return (struct xnm_policy_line *)(void *)policy->lines.octets + n;
}

/* Returns the table that a line's names are looked up in; NULL: it has none, or one of protected
 * names. */
static inline const struct xnm_table *xnm_line_list(const struct xnm_policy_line *line)
{
    return line->label_rule ? NULL : line->table;
}

/* The audience of a number from 1. */
static inline struct xnm_audience *xnm_policy_audience(const struct xnm_policy *policy, size_t n)
{
    return (struct xnm_audience *)(void *)policy->audiences.octets + n - 1;
}

/* Returns the set of words of a number from 1. */
static inline const struct xnm_word_set *xnm_policy_word_set(const struct xnm_policy *policy,
                                                             size_t n)
{
    return (const struct xnm_word_set *)(const void *)policy->word_sets.octets + n - 1;
}

/* Returns the n-th list, in the order in which they are asked. */
static inline const struct xnm_policy_list *xnm_policy_list(const struct xnm_policy *policy,
                                                            size_t n)
{
    return (const struct xnm_policy_list *)(const void *)policy->lists.octets + n;
}

/* What an entry of a line does to an answer. A name cannot be missing for one type. */
static inline xnm_action xnm_line_action(const struct xnm_policy_line *line,
                                         const struct xnm_table_answer *says)
{
    const struct xnm_modifiers *modifiers = says->modifiers;
    xnm_action action = line->own.action != XNM_ACTION_NONE ? line->own.action : says->action;

    return action == XNM_NXDOMAIN && modifiers && modifiers->type_count > 0 ? XNM_NODATA : action;
}

/* The answer of a label rule, with the records of all lines that say the same. */
static inline const struct xnm_table_answer *xnm_label_rule_answer(const struct xnm_policy *policy,
                                                                   uint32_t line)
{
    return xnm_table_answer(policy->written, xnm_policy_line(policy, line)->label_rule->answer);
}

#endif
