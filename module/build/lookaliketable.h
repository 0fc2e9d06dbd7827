/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the tables of the look-alike index. Private to lookalike.c and lookaliketable.c. */
#ifndef XNM_MODULE_BUILD_LOOKALIKETABLE_H
#define XNM_MODULE_BUILD_LOOKALIKETABLE_H

#include "module/policy/data.h"

/* Slots for this many names, of which three quarters are then taken: filters make searches rare. */
static inline size_t xnm_lookaliketable_places(size_t names)
{
    return names + names / 3 + 1;
}

/* Replaces a table with an empty one for this many names, of which `plain` are for names without
 * an A-label. False: no memory. */
bool xnm_lookaliketable_make(struct xnm_lookalike_table *table, size_t names, size_t plain);
void xnm_lookaliketable_trim(struct xnm_lookalike_table *table);

/* Can a name without an A-label look like a protected one? Only if its rule allows differences
 * between ASCII labels, or it has an A-label itself. */
bool xnm_lookaliketable_is_plain(const struct xnm_policy *policy,
                                 const struct xnm_protected_name *name);

/* The hash of the loose key of a label, which begins with its length. */
uint64_t xnm_lookaliketable_key_hash(const struct xnm_policy *policy, const uint8_t *label);

void xnm_lookaliketable_note(const struct xnm_lookalike_table *table, uint64_t hash, bool plain);

/* Inserts the name at a place of the arena after those with the same hash. Of its rule's names that
 * have the same min= and are equal from some label to name->end, only the first is kept; `start`
 * says where that label begins. */
typedef enum {
    XNM_PUT_DONE,
    XNM_PUT_FULL,   /* the rule has XNM_LOOKALIKE_ALIKE_MAX names with this hash */
    XNM_PUT_STOPPED /* *stop was set */
} xnm_put;
xnm_put xnm_lookaliketable_put(const struct xnm_policy *policy,
                               const struct xnm_lookalike_table *table, uint64_t hash, size_t at,
                               size_t start, const atomic_bool *stop);

/* Returns the slots that a protected name takes at most for near= and within=. */
size_t xnm_lookalikeparts_count(const struct xnm_policy *policy,
                                const struct xnm_protected_name *name);

/* Makes the table for near= and within=, and inserts all names that it is for. False: no memory, or
 * *stop was set. */
bool xnm_lookalikeparts_fill(struct xnm_policy *policy, const atomic_bool *stop);

#endif
