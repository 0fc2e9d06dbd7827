/* SPDX-License-Identifier: BSD-3-Clause */
/* One filter over the lists of a policy. Most names are in no list, and need only its first
 * probe, for any number of lists. Immutable once made, and counted: policies with the same lists
 * share it. */
#ifndef XNM_MODULE_TABLE_JOINT_H
#define XNM_MODULE_TABLE_JOINT_H

#include "module/table/table.h"

struct xnm_joint {
    atomic_uint users;
    struct xnm_filter filter; /* of every suffix of an entry */
    size_t noted; /* entries in the filter, also of tables that only an older policy has */
    size_t table_count;
    const struct xnm_table *tables[]; /* not owned: each user of the filter uses them, too */
};

/* Makes the filter over `count` tables. `older` is that of a policy that still exists, or NULL. It
 * is shared if its tables are the same; else it is copied, and new tables are added, unless too
 * many of its names are gone. Returns the filter with one user; NULL when out of memory, or if
 * *stop was set. */
struct xnm_joint *xnm_joint_make(const struct xnm_table *const *tables, size_t count,
                                 struct xnm_joint *older, const atomic_bool *stop);

/* Removes one user, and frees the filter after the last (NULL is fine). Any thread may call it. */
void xnm_joint_leave(struct xnm_joint *joint);

size_t xnm_joint_memory(const struct xnm_joint *joint); /* octets */

/* Returns the octets that a table adds to a filter over many tables, at most. */
size_t xnm_joint_cost(const struct xnm_table *table);

#endif
