/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdicts of a policy that is being built: entries that say the same share one. */
#ifndef XNM_MODULE_BUILD_VERDICTS_H
#define XNM_MODULE_BUILD_VERDICTS_H

#include "module/build/recordset.h"
#include "module/policy/data.h"

#define XNM_NO_VERDICT UINT32_MAX

/* As many records of one owner as a message of 65535 octets holds: a pointer, type, class, TTL and
 * length are 12 octets each. Any more are left out. */
enum { XNM_VERDICT_RECORDS_MAX = 65535 / 12 };

/* Which verdicts have a record more than another: {0} is empty. All fields are private. */
struct xnm_verdicts {
    uint32_t *places;
    size_t place_count, used;
    struct xnm_recordset owned; /* the records of owners that have many */
};
void xnm_verdicts_forget(struct xnm_verdicts *verdicts); /* it is empty afterwards */

/* Adds a verdict without records, as the line has it. Returns its number; XNM_NO_VERDICT: no
 * memory. */
uint32_t xnm_verdicts_add(struct xnm_policy *policy, uint32_t line, xnm_action action, bool prefix);

/* The verdict that says what `parent` does and this record too, which is copied where it is new:
 * `parent` itself if that has the record, or has as many as it may. XNM_NO_VERDICT: no memory. It
 * looks through all records that there are: few, of one rule. */
uint32_t xnm_verdicts_with(struct xnm_verdicts *verdicts, struct xnm_policy *policy,
                           uint32_t parent, const struct xnm_record *record);

/* The same for a record that `parent` has not. */
uint32_t xnm_verdicts_with_new(struct xnm_verdicts *verdicts, struct xnm_policy *policy,
                               uint32_t parent, const struct xnm_record *record);

/* The same for all records of another verdict, however many there are. `parent` is what an owner,
 * a number of the caller's, has become by earlier calls, or has without any. */
uint32_t xnm_verdicts_with_all_of(struct xnm_verdicts *verdicts, struct xnm_policy *policy,
                                  uint64_t owner, uint32_t parent, uint32_t other);

/* Completes `shown` of each that is used. Lines and verdicts must not move any more. False: no
 * memory for one of *line. */
bool xnm_verdicts_finish(struct xnm_policy *policy, uint32_t *line);

#endif
