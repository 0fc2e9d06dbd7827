/* SPDX-License-Identifier: BSD-3-Clause */
/* How the compiled policy lies in memory: for those alone that build it and decide by it, policy*.c
 * and their parts, and that have it as a file, image*.c (protected names:
 * module/policy/lookalike.h). Look-alikes and conditions, the third tier, are called late rules
 * here.
 *
 * Names are looked up from their right end. The hash of a name is made of its last label's and so
 * on to the first, so that one walk gives the hashes of all its suffixes; it begins with a random
 * number, since others write the names on both sides. A filter tells whether any entry is at or
 * below a suffix, and ends the walk of almost every name that no rule is about before a second
 * line of memory is touched. */
#ifndef XNM_MODULE_POLICY_DATA_H
#define XNM_MODULE_POLICY_DATA_H

#include "module/policy/filter.h"
#include "module/policy/hits.h"
#include "module/policy/lookalike.h"
#include "module/policy/policy.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Which rule of several: the lower rank. */
enum { XNM_RANK_WRITTEN = 0, XNM_RANK_FIRST_LIST = 1 };
#define XNM_RANK_LOG UINT32_MAX /* adds its tag, decides nothing */
#define XNM_RANK_LABEL_RULE (UINT32_MAX - 1)

/* What a late rule's line has besides: in the pool. */
struct xnm_label_rule {
    uint32_t verdict;
    size_t left_out; /* of its names: they look like too many others of it */
    struct xnm_protection protection;
    struct xnm_condition condition; /* `except` is in the pool, too */
};

/* A line of a rule file. */
struct xnm_policy_line {
    struct xnm_policy_rule shown; /* first: shown.* is what others see */
    unsigned column;
    uint32_t rank;
    uint32_t ttl;
    int ede;
    const char *ede_text;
    uint8_t type_count; /* 0: every type */
    uint16_t types[XNM_RULE_TYPES_MAX];
    size_t entries_at, entries_end; /* in the arena of entries, or of protected names */
    size_t
        given; /* entries that its list gave, the same ones twice; of compiled ones entry_count */
    struct xnm_label_rule *label_rule; /* NULL: it is a rule about names */
    uint8_t unseen[XNM_HITS_KEY];      /* what its rule says and no member shows, hashed */
    uint8_t hits_key[XNM_HITS_KEY];    /* what its counter is called (module/build/line.h) */
};

/* What entries say. One of several records is a chain of verdicts while the policy is built, each
 * with one record more than its parent, so that equal ones are found; only of those that entries
 * say `shown` is complete. */
struct xnm_policy_verdict {
    struct xnm_verdict shown; /* first */
    const struct xnm_record *record;
    uint32_t parent; /* of those with a record */
    uint32_t line;
    uint32_t rank; /* the line's */
    bool typed;    /* the line asks for types */
    bool zoned;    /* the line is a response policy zone's */
    bool used;
};

/* A name and what it says: in the arena of entries, each at a multiple of four octets, in the order
 * of lines, and within a list in that of its file. */
struct xnm_policy_entry {
    uint32_t verdict_scope; /* verdict << 2 | scope */
    uint8_t len;
    uint8_t octets[];
};
enum { XNM_ENTRY_UNIT = 4, XNM_ENTRY_FIRST = XNM_ENTRY_UNIT, XNM_VERDICTS_MAX = 1 << 30 };

/* A place of the table. Entries of one name lie in their order. A place may also stand for a name
 * that a response policy zone has directly below one of its wildcards, if it has no entry there but
 * further below: it leads to such an entry, and is a mark. */
struct xnm_policy_slot {
    uint32_t tag; /* the lower half of the hash */
    uint32_t at;  /* of the entry, in units; 0: the place is free */
};

struct xnm_policy {
    struct xnm_arena image; /* of a compiled one: slots, entries, filter, conditions, protected
                               names and all texts are in it, and have no memory of their own */
    struct xnm_policy_settings settings;
    uint64_t seed;
    struct xnm_depths depths; /* of entries */
    struct xnm_arena slots, entries, lines, verdicts;
    struct xnm_filter filter; /* of every suffix of an entry */
    struct xnm_pool pool;     /* strings, records and what late rules say */
    uint64_t slot_count;
    size_t marks;        /* of the slots: while they are put in, for how many there is room */
    size_t zone_entries; /* while it is built: of zones, as many as marks at most, … */
    bool wildcards;      /* … if a zone has some */
    struct xnm_lookalike_index lookalikes;
    struct xnm_arena conditions; /* of uint32_t: their lines, in order */
    size_t line_count, entry_count, condition_count;
    size_t bare_count; /* of the entries: those with XNM_SCOPE_NONE */
    bool empty;        /* there is nothing to match */
    bool label_rule;   /* there are late rules with anything to match */
    unsigned tag_count;
    const char *tags[XNM_TAGS_MAX];
    bool quiet, changing; /* xnm_policy_has_quiet_rules, xnm_policy_changes_answers */
};

static inline uint64_t xnm_policy_hash(uint64_t behind, const uint8_t *label)
{
    return XXH3_64bits_withSeed(label, (size_t)*label + 1, behind);
}

static inline struct xnm_policy_line *xnm_policy_line(const struct xnm_policy *policy, size_t n)
{
    return (struct xnm_policy_line *)(void *)policy->lines.octets + n;
}

/* Adds a name to a line: it lies from `at` to `end` in the arena of its kind, and those of a line
 * lie together. `counts`: it is an entry, not only a name that a zone has. */
static inline void xnm_policy_line_add(struct xnm_policy_line *line, size_t at, size_t end,
                                       bool counts)
{
    if (line->entries_end == 0)
        line->entries_at = at;
    line->entries_end = end;
    line->shown.entry_count += counts;
}

/* Forgets the names of a line, before they are added again. */
static inline void xnm_policy_line_clear(struct xnm_policy_line *line)
{
    line->entries_at = line->entries_end = 0;
    line->shown.entry_count = 0;
}

/* Something says a verdict of this action. */
static inline void xnm_policy_note_action(struct xnm_policy *policy, xnm_action action)
{
    bool quiet = action == XNM_LOG || action == XNM_PASSTHRU;

    policy->quiet |= quiet;
    policy->changing |= !quiet;
}

static inline struct xnm_policy_verdict *xnm_policy_verdict(const struct xnm_policy *policy,
                                                            size_t n)
{
    return (struct xnm_policy_verdict *)(void *)policy->verdicts.octets + n;
}

/* What a late rule says. */
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

/* Octets of an entry with a name of so many. */
static inline size_t xnm_entry_size(size_t name_len)
{
    size_t size = offsetof(struct xnm_policy_entry, octets) + name_len;

    return (size + XNM_ENTRY_UNIT - 1) / XNM_ENTRY_UNIT * XNM_ENTRY_UNIT;
}

#endif
