/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory layout of a policy. Only the code that builds, asks, reads or writes policies
 * includes it (protected names: module/policy/lookalike.h). Look-alikes and conditions, the third
 * tier, are called label rules.
 *
 * Names are looked up from their right end. The hash of a name extends the hash of the name one
 * label shorter, so one walk gives the hashes of all suffixes. The hash starts with a random seed,
 * because others write the names on both sides. A filter tells whether any entry is at or below a
 * suffix; it ends almost every walk that no rule matches before a second cache line is touched. */
#ifndef XNM_MODULE_POLICY_DATA_H
#define XNM_MODULE_POLICY_DATA_H

#include "module/policy/filter.h"
#include "module/policy/lookalike.h"
#include "module/policy/policy.h"
#include "module/rule/audience.h"
#include "module/rule/entry.h"
#include "module/rule/hits.h"
#include "module/rule/rule.h"

/* If several rules match, the lower rank wins. */
enum { XNM_RANK_WRITTEN = 0, XNM_RANK_FIRST_LIST = 1 };
#define XNM_RANK_LOG UINT32_MAX /* adds its tag, never decides */
#define XNM_RANK_LABEL_RULE (UINT32_MAX - 1)

/* The additional data of a label rule's line, in the pool. */
struct xnm_label_rule {
    uint32_t verdict;
    size_t left_out;       /* names left out, because too many names of the rule look alike */
    size_t edits_left_out; /* names of which some edits are left out for the same reason */
    struct xnm_protection protection;
    struct xnm_condition condition; /* `except` is in the pool as well */
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

/* A line of a rule file. */
struct xnm_policy_line {
    struct xnm_policy_rule shown; /* must be first: what the public interface shows */
    unsigned column;
    uint32_t rank;
    uint32_t ttl;
    int ede;
    const char *ede_text;
    uint8_t type_count; /* 0: every type */
    uint16_t types[XNM_RULE_TYPES_MAX];
    uint16_t audience;              /* number of its audience, from 1; 0: everybody, always */
    size_t entries_at, entries_end; /* in the arena of entries, or of protected names */
    uint16_t contest; /* number of the list, from 1, among those in which not only the longest match
                         counts; 0: it is none of them */
    size_t given;     /* entries that the list gave, duplicates included */
    struct xnm_label_rule *label_rule; /* NULL: a rule about names */
    uint8_t hits_key[XNM_HITS_KEY];    /* identifies its counter (module/build/line.c) */
};

/* The verdict of an entry. While the policy is built, a verdict with several records is a chain:
 * each verdict has one record more than its parent, so that equal ones are found. `shown` is
 * complete only in verdicts that an entry uses. */
struct xnm_policy_verdict {
    struct xnm_verdict shown; /* must be first */
    const struct xnm_record *record;
    uint32_t parent; /* if it has a record */
    uint32_t line;
    uint32_t rank; /* the line's */
    bool limited;  /* the line asks for types, or has an audience */
    bool zoned;    /* the line names a response policy zone */
    bool used;
    uint16_t contest;                      /* the line's */
    const struct xnm_modifiers *modifiers; /* NULL: none */
};

/* A name and its verdict, in the arena of entries. Each starts at a multiple of four octets. They
 * are in the order of lines; entries of a list are in the order of its file. */
struct xnm_policy_entry {
    uint32_t verdict_scope; /* verdict << 2 | scope */
    uint8_t len;
    uint8_t octets[];
};
enum { XNM_ENTRY_UNIT = 4, XNM_ENTRY_FIRST = XNM_ENTRY_UNIT, XNM_VERDICTS_MAX = 1 << 30 };

/* A slot of the hash table. Entries of one name are in order. A slot may also be a mark: a name
 * directly below a wildcard of a response policy zone that has no entry itself, only below it. A
 * mark points to such an entry. */
struct xnm_policy_slot {
    uint32_t tag; /* the low 32 bits of the hash */
    uint32_t at;  /* the entry's place, in units; 0: the slot is free */
};

struct xnm_policy {
    struct xnm_policy_settings settings;
    uint64_t seed;
    struct xnm_depths depths; /* of entries */
    struct xnm_arena slots, entries, lines, verdicts;
    struct xnm_arena client_sets, audiences; /* of struct xnm_client_set and xnm_audience */
    struct xnm_filter filter;                /* of every suffix of an entry */
    struct xnm_pool pool;                    /* strings, records and data of label rules */
    uint64_t slot_count;
    size_t marks;        /* of the slots: while they are put in, for how many there is room */
    size_t zone_entries; /* while it is built: of zones, as many as marks at most, … */
    bool wildcards;      /* … if a zone has some */
    struct xnm_lookalike_index lookalikes;
    struct xnm_arena conditions; /* of uint32_t: their lines, in order */
    size_t line_count, entry_count, condition_count;
    size_t bare_count; /* entries with XNM_SCOPE_NONE */
    bool empty;        /* there is nothing to match */
    bool label_rule;   /* some label rule has something to match */
    unsigned tag_count;
    const char *tags[XNM_TAGS_MAX];
    bool changing; /* xnm_policy_changes_answers */
};

static inline struct xnm_policy_line *xnm_policy_line(const struct xnm_policy *policy, size_t n)
{
    return (struct xnm_policy_line *)(void *)policy->lines.octets + n;
}

/* The audience of a number from 1. */
static inline struct xnm_audience *xnm_policy_audience(const struct xnm_policy *policy, size_t n)
{
    return (struct xnm_audience *)(void *)policy->audiences.octets + n - 1;
}

/* Adds a name to a line. It occupies `at` to `end` in the arena of its kind; the names of one line
 * are contiguous. `counts`: it is an entry, not only a name that exists in a zone. */
static inline void xnm_policy_line_add(struct xnm_policy_line *line, size_t at, size_t end,
                                       bool counts)
{
    if (line->entries_end == 0)
        line->entries_at = at;
    line->entries_end = end;
    line->shown.entry_count += counts;
}

/* Forgets the names of a line before they are added again. */
static inline void xnm_policy_line_clear(struct xnm_policy_line *line)
{
    line->entries_at = line->entries_end = 0;
    line->shown.entry_count = 0;
}

static inline struct xnm_policy_verdict *xnm_policy_verdict(const struct xnm_policy *policy,
                                                            size_t n)
{
    return (struct xnm_policy_verdict *)(void *)policy->verdicts.octets + n;
}

/* The verdict of a label rule. */
static inline struct xnm_policy_verdict *xnm_label_rule_verdict(const struct xnm_policy *policy,
                                                                uint32_t line)
{
    return xnm_policy_verdict(policy, xnm_policy_line(policy, line)->label_rule->verdict);
}

static inline struct xnm_policy_slot *xnm_policy_slot(const struct xnm_policy *policy, size_t n)
{
    return (struct xnm_policy_slot *)(void *)policy->slots.octets + n;
}

static inline struct xnm_policy_entry *xnm_policy_entry(const struct xnm_policy *policy, size_t at)
{
    return (struct xnm_policy_entry *)(void *)(policy->entries.octets + at);
}

static inline xnm_scope xnm_entry_scope(const struct xnm_policy_entry *entry)
{
    return (xnm_scope)(entry->verdict_scope & 3);
}

static inline struct xnm_policy_verdict *xnm_entry_verdict(const struct xnm_policy *policy,
                                                           const struct xnm_policy_entry *entry)
{
    return xnm_policy_verdict(policy, entry->verdict_scope >> 2);
}

/* Does an entry with this scope cover a name in hand, which is its own (`whole`) or below it? */
static inline bool xnm_scope_covers(xnm_scope scope, bool whole)
{
    return scope == XNM_SCOPE_ZONE || scope == (whole ? XNM_SCOPE_EXACT : XNM_SCOPE_BELOW);
}

/* Octets of an entry with a name of so many. */
static inline size_t xnm_entry_size(size_t name_len)
{
    size_t size = offsetof(struct xnm_policy_entry, octets) + name_len;

    return (size + XNM_ENTRY_UNIT - 1) / XNM_ENTRY_UNIT * XNM_ENTRY_UNIT;
}

#endif
