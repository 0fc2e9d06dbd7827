/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdicts of a policy that is being built. Entries that say the same share one verdict. */
#ifndef XNM_MODULE_BUILD_VERDICTS_H
#define XNM_MODULE_BUILD_VERDICTS_H

#include "module/base/hashset.h"
#include "module/policy/data.h"

#define XNM_NO_VERDICT UINT32_MAX

/* Finds the verdict that has one given record more than another. {0} is empty. All fields are
 * private. */
struct xnm_verdicts {
    uint32_t *places;
    size_t place_count, used;
    struct xnm_hashset owned; /* records of owners that have many */
};
void xnm_verdicts_forget(struct xnm_verdicts *verdicts); /* it is empty afterwards */

/* Adds a verdict without records, with the options of its line. Returns its number; XNM_NO_VERDICT:
 * no memory. */
uint32_t xnm_verdicts_add(struct xnm_policy *policy, uint32_t line, xnm_action action, bool prefix);

/* Have two entries the same modifiers? */
bool xnm_modifiers_are_same(const struct xnm_modifiers *a, const struct xnm_modifiers *b);

/* Adds a verdict like `base` for entries with modifiers, which are copied. Where nxdomain is for
 * some types alone, it is nodata: a name cannot be missing for one type. XNM_NO_VERDICT: no memory.
 */
uint32_t xnm_verdicts_modified(struct xnm_policy *policy, uint32_t base,
                               const struct xnm_modifiers *modifiers);

/* Numbers the lists in which not only the longest match counts, for their verdicts. */
void xnm_verdicts_note_contests(struct xnm_policy *policy);

/* The verdict with the records of `parent` and this one. Returns `parent` itself if it has the
 * record already, or has the most it may. A new record is copied. XNM_NO_VERDICT: no memory. This
 * searches all records of `parent`; use it for the few of one rule. */
uint32_t xnm_verdicts_with(struct xnm_verdicts *verdicts, struct xnm_policy *policy,
                           uint32_t parent, const struct xnm_record *record);

/* Does the same for a record that `parent` does not have. */
uint32_t xnm_verdicts_with_new(struct xnm_verdicts *verdicts, struct xnm_policy *policy,
                               uint32_t parent, const struct xnm_record *record);

/* Does the same for all records of the verdict `other`, however many. `owner` is any number the
 * caller chooses; `parent` is the verdict that earlier calls returned for it, or its first one. */
uint32_t xnm_verdicts_with_all_of(struct xnm_verdicts *verdicts, struct xnm_policy *policy,
                                  uint64_t owner, uint32_t parent, uint32_t other);

/* Completes `shown` of each used verdict. Lines and verdicts must not move any more. False: no
 * memory for a verdict of line *line. */
bool xnm_verdicts_finish(struct xnm_policy *policy, uint32_t *line);

#endif
