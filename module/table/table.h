/* SPDX-License-Identifier: BSD-3-Clause */
/* A table has the names of one list, of one RPZ zone, or of all rules in rule files, and their
 * answers. It is immutable once made, and counted: each policy that uses a list shares its table
 * with the policies before and after it. Host-free.
 *
 * Names are looked up from their right end. The hash of a name extends the hash of the name one
 * label shorter, so one walk gives the hashes of all suffixes, for all tables of the process. They
 * share a random seed, because attackers may choose the names in lists and in queries. A filter
 * shows whether any entry is at or below a suffix. */
#ifndef XNM_MODULE_TABLE_TABLE_H
#define XNM_MODULE_TABLE_TABLE_H

#include "module/base/arena.h"
#include "module/rule/entry.h"
#include "module/table/filter.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct xnm_record;

/* The answer of entries; equal entries share it. */
struct xnm_table_answer {
    xnm_action action; /* XNM_ACTION_NONE: that of the rule with the list */
    bool prefix;       /* of CNAME: the query name is put before the target */
    uint32_t line;     /* in the table of rule files: number of the rule; else 0 */
    uint32_t record_count;
    const struct xnm_record *records;      /* of ANSWER and CNAME, if not the rule's own */
    const struct xnm_modifiers *modifiers; /* NULL: none */

    /* While the table is made, an answer with records is a chain: each has one record more than its
     * parent, so that equal ones are found. */
    const struct xnm_record *record;
    uint32_t parent;
    bool used; /* by an entry or a label rule */
};

/* A name and its answer, in the arena of entries, in the order of the file. Each starts at a
 * multiple of four octets. */
struct xnm_table_entry {
    uint32_t answer_scope; /* answer << 2 | scope */
    uint8_t len;
    uint8_t octets[]; /* wire format, lower case */
};
enum { XNM_TABLE_UNIT = 4, XNM_TABLE_FIRST = XNM_TABLE_UNIT, XNM_TABLE_ANSWERS_MAX = 1 << 30 };

/* A slot of the hash table. Entries of one name are in order. A slot may also be a mark: a name
 * directly below a wildcard of a response policy zone that has no entry itself, only below it. A
 * mark points to such an entry. */
struct xnm_table_slot {
    uint32_t tag; /* the low 32 bits of the hash */
    uint32_t at;  /* the entry's place, in units; 0: the slot is free */
};

/* The file that a table was made from, for its reader. */
struct xnm_table_file {
    uint8_t origin[16]; /* identifies the file's state, and how it was read; 0: not known */
    size_t bad_lines, skipped_lines;
    unsigned unmet;          /* as in struct xnm_list_counts */
    uint32_t serial;         /* of a zone's SOA record */
    time_t changed, expires; /* of a zone: when it last changed or was refreshed, and when it
                                expires; 0: never */
};

struct xnm_table {
    atomic_uint users;
    struct xnm_table_file file;
    struct xnm_depths depths; /* of entries and marks */
    struct xnm_filter filter; /* of every suffix of an entry */
    struct xnm_arena slots, entries, answers;
    struct xnm_pool pool; /* of records and modifiers */
    uint64_t slot_count;
    size_t entry_count;    /* all entries */
    size_t inactive_count; /* entries with XNM_SCOPE_NONE */
    size_t typed_count;    /* entries for some types only */
    size_t read_count;     /* entries in the file, duplicates included */
    size_t marks;
    bool is_zone;       /* an RPZ zone: the closest encloser decides (RFC 4592) */
    bool has_wildcards; /* a zone has a wildcard */
    bool has_modifiers; /* the strongest match counts, not the longest */
    bool has_tcp_only;  /* some entry has that action itself */
    bool has_refusals;  /* some entry changes an answer, if its rule does not only log */
};

/* Returns the seed of all tables, which the first call makes. Any thread may call it. */
uint64_t xnm_table_seed(void);

/* Add a user, and return the table; remove a user, and free the table after the last (NULL is
 * fine). Any thread may call both. */
struct xnm_table *xnm_table_share(struct xnm_table *table);
void xnm_table_leave(struct xnm_table *table);

size_t xnm_table_memory(const struct xnm_table *table); /* octets */

/* --- reading it --- */

static inline struct xnm_table_answer *xnm_table_answer(const struct xnm_table *table, size_t n)
{
    return (struct xnm_table_answer *)(void *)table->answers.octets + n;
}

static inline struct xnm_table_slot *xnm_table_slot(const struct xnm_table *table, size_t n)
{
    return (struct xnm_table_slot *)(void *)table->slots.octets + n;
}

static inline struct xnm_table_entry *xnm_table_entry(const struct xnm_table *table, size_t at)
{
    return (struct xnm_table_entry *)(void *)(table->entries.octets + at);
}

/* Returns the octets of an entry with a name of name_len octets. */
static inline size_t xnm_table_entry_size(size_t name_len)
{
    size_t size = offsetof(struct xnm_table_entry, octets) + name_len;

    return (size + XNM_TABLE_UNIT - 1) / XNM_TABLE_UNIT * XNM_TABLE_UNIT;
}

/* Walks all entries in their order. Returns the entry after `entry`, or the first one if that is
 * NULL. Returns NULL at the end. */
static inline const struct xnm_table_entry *xnm_table_walk(const struct xnm_table *table,
                                                           const struct xnm_table_entry *entry)
{
    size_t at = XNM_TABLE_FIRST;

    if (entry)
        at = (size_t)((const uint8_t *)entry - table->entries.octets) +
             xnm_table_entry_size(entry->len);
    return at < table->entries.len ? xnm_table_entry(table, at) : NULL;
}

static inline xnm_scope xnm_table_entry_scope(const struct xnm_table_entry *entry)
{
    return (xnm_scope)(entry->answer_scope & 3);
}

static inline struct xnm_table_answer *xnm_table_entry_answer(const struct xnm_table *table,
                                                              const struct xnm_table_entry *entry)
{
    return xnm_table_answer(table, entry->answer_scope >> 2);
}

/* Returns whether an entry with this scope covers a name, which is the entry's own (`whole`) or
 * below it. */
static inline bool xnm_table_scope_covers(xnm_scope scope, bool whole)
{
    return scope == XNM_SCOPE_ZONE || scope == (whole ? XNM_SCOPE_EXACT : XNM_SCOPE_BELOW);
}

/* Finds the entries of a hash, and those whose hash has the same lower half. Set *place with
 * xnm_table_begin first. Returns the next entry, or NULL at the end. */
static inline size_t xnm_table_begin(const struct xnm_table *table, uint64_t hash)
{
    return xnm_hash_place(hash, table->slot_count);
}

static inline struct xnm_table_entry *xnm_table_next(const struct xnm_table *table, uint64_t hash,
                                                     size_t *place)
{
    const struct xnm_table_slot *slot;

    while ((slot = xnm_table_slot(table, *place))->at != 0) {
        *place = xnm_hash_next(*place, table->slot_count);
        if (slot->tag == (uint32_t)hash)
            return xnm_table_entry(table, (size_t)slot->at * XNM_TABLE_UNIT);
    }
    return NULL;
}

#endif
