/* SPDX-License-Identifier: BSD-3-Clause */
/* One filter over the lists of a policy: most names are in none of them, and end at its first
 * probe, however many lists there are. Immutable once made, and counted: policies with the same
 * lists share it. */
#ifndef XNM_MODULE_TABLE_JOINT_H
#define XNM_MODULE_TABLE_JOINT_H

#include "module/table/table.h"

struct xnm_joint {
    atomic_uint users;
    struct xnm_filter filter; /* of every suffix of an entry */
    size_t noted;             /* entries, also those of tables that an older one had */
    size_t table_count;
    const struct xnm_table *tables[]; /* not owned: each user has them */
};

/* Makes the filter of so many tables. `older` is that of a policy which is still there, or NULL. It
 * is shared if its tables are the same; else it is copied, and new tables are added, while not too
 * many names of it have gone. Returns it with one user; NULL: no memory, or *stop was set. */
struct xnm_joint *xnm_joint_make(const struct xnm_table *const *tables, size_t count,
                                 struct xnm_joint *older, const atomic_bool *stop);

/* One user less; frees it after the last (NULL is fine). Any thread may call it. */
void xnm_joint_leave(struct xnm_joint *joint);

size_t xnm_joint_memory(const struct xnm_joint *joint); /* octets */

/* Returns the octets that a table adds to a filter over many, at most. */
size_t xnm_joint_cost(const struct xnm_table *table);

#endif
