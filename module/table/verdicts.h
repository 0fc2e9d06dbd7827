/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdicts of a table that is being made. Entries that say the same share one verdict. */
#ifndef XNM_MODULE_TABLE_VERDICTS_H
#define XNM_MODULE_TABLE_VERDICTS_H

#include "module/base/hashset.h"
#include "module/table/table.h"

#define XNM_NO_VERDICT UINT32_MAX

/* Finds the verdict that has one given record more than another. {0} is empty. All fields are
 * private. */
struct xnm_verdicts {
    uint32_t *places;
    size_t place_count, used;
    struct xnm_hashset owned; /* records of owners that have many */
};
void xnm_verdicts_forget(struct xnm_verdicts *verdicts); /* it is empty afterwards */

/* Adds a verdict without records. Returns its number; XNM_NO_VERDICT: no memory. */
uint32_t xnm_verdicts_add(struct xnm_table *table, uint32_t line, xnm_action action, bool prefix);

/* Returns the verdict for entries with these modifiers, which are copied; one that was added before
 * if it is among the last XNM_VERDICTS_RECENT. XNM_NO_VERDICT: no memory. */
enum { XNM_VERDICTS_RECENT = 256 };
uint32_t xnm_verdicts_modified(struct xnm_table *table, const struct xnm_modifiers *modifiers);

/* Returns the verdict with the records of `parent` and this one: `parent` itself if it has the
 * record already, or has the most it may. A new record is copied. XNM_NO_VERDICT: no memory. This
 * searches all records of `parent`; use it for the few of one rule. */
uint32_t xnm_verdicts_with(struct xnm_verdicts *verdicts, struct xnm_table *table, uint32_t parent,
                           const struct xnm_record *record);

/* Does the same for all records of the verdict `other`, however many. `owner` is any number the
 * caller chooses; `parent` is the verdict that earlier calls returned for it, or its first one. */
uint32_t xnm_verdicts_with_all_of(struct xnm_verdicts *verdicts, struct xnm_table *table,
                                  uint64_t owner, uint32_t parent, uint32_t other);

/* Completes the records of each used verdict. Verdicts must not move any more. Returns false when
 * out of memory. */
bool xnm_verdicts_finish(struct xnm_table *table);

#endif
