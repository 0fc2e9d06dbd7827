/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a table. */
#ifndef XNM_MODULE_TABLE_MAKE_H
#define XNM_MODULE_TABLE_MAKE_H

#include "module/table/tableanswers.h"

/* Returns whether the earlier of two entries with the same name and scope replaces the later one,
 * which is then left out. May replace the earlier one's answer. `owner` identifies its entry. */
typedef bool xnm_table_replaces(void *arg, uint64_t owner, uint32_t *earlier, uint32_t later);

/* A table of protected names has only the entries, in the order of the file: no slots and no
 * filter, and an entry's answer is its min=. */
typedef enum {
    XNM_TABLE_LIST,
    XNM_TABLE_ZONE, /* a response policy zone */
    XNM_TABLE_PROTECTED
} xnm_table_kind;

/* A table that is being made. {0} is none. The members after `stop` are private. */
struct xnm_table_maker {
    xnm_table_replaces *replaces; /* set by the caller; NULL: as in a list */
    void *arg;                    /* the argument of replaces() */
    const atomic_bool *stop;      /* set by the caller; another thread sets it when the table is no
                                     longer wanted; may be NULL */

    struct xnm_table *table;
    xnm_table_kind kind;
    struct xnm_table_answers answers;
    bool is_filled;
    uint32_t by_action[XNM_ACTION_COUNT][2]; /* answers of entries by action and prefix, plus one */
};

/* Begins a table. Returns false when out of memory. */
bool xnm_table_begin_making(struct xnm_table_maker *maker, xnm_table_kind kind);

/* Adds an entry of a list. Returns false when out of memory. */
struct xnm_list_entry;
bool xnm_table_add(struct xnm_table_maker *maker, const struct xnm_list_entry *entry);

/* Adds an entry with an answer of maker->table. Returns false when out of memory. */
bool xnm_table_add_entry(struct xnm_table_maker *maker, uint32_t answer, xnm_scope scope,
                         const uint8_t *name, size_t len);

/* Merges equal entries, and fills the slots. Only answers may be added afterwards. Returns false
 * when out of memory, or if *stop was set. */
bool xnm_table_fill(struct xnm_table_maker *maker);

/* Completes the table, and fills it if that was not done. Returns it with one user; NULL when out
 * of memory, or if *stop was set. The maker is empty afterwards in every case. */
struct xnm_table *xnm_table_end_making(struct xnm_table_maker *maker);

/* Frees the unfinished table. An empty maker is fine. */
void xnm_table_stop_making(struct xnm_table_maker *maker);

/* Adds all suffixes of a name in wire format to a filter. Returns the hash of the name, and writes
 * its number of labels. */
uint64_t xnm_table_note_name(const struct xnm_filter *filter, const uint8_t *name,
                             unsigned *labels);

#endif
