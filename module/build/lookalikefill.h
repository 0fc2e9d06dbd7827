/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the table of the look-alike index. Private to lookalike.c and lookalikefill.c. */
#ifndef XNM_MODULE_BUILD_LOOKALIKEFILL_H
#define XNM_MODULE_BUILD_LOOKALIKEFILL_H

#include "module/policy/data.h"

/* Returns the slots for this many names, of which three quarters are then taken: filters make
 * searches rare. */
static inline size_t xnm_lookalikefill_places(size_t names)
{
    return names + names / 3 + 1;
}

/* Makes the table for all names of the index, and inserts them. Counts in their rules the names
 * that are left out. Returns false when out of memory, or if *stop was set. */
bool xnm_lookalikefill_table(struct xnm_policy *policy, const atomic_bool *stop);

#endif
