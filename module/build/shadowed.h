/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds shadowed rules while a policy is built: rules that never decide because another rule with
 * the same trigger decides first. */
#ifndef XNM_MODULE_BUILD_SHADOWED_H
#define XNM_MODULE_BUILD_SHADOWED_H

#include "module/policy/data.h"
#include "module/table/make.h"

#include <stdatomic.h>

#define XNM_OWNER_OF_LINE(number) (UINT64_MAX - (number))

struct xnm_shadowed {
    struct xnm_policy *policy;
    struct xnm_table_maker *written; /* the table of rule files, and the answers of label rules */
    const struct xnm_diagnostics *diagnostics;
    const atomic_bool
        *stop;         /* another thread sets it once the policy is no longer wanted; NULL: never */
    size_t count;      /* rules that never decide, so far */
    bool no_memory;    /* memory ran out for an entry */
    bool refused;      /* there are too many rules, which was reported */
    uint32_t compared; /* the answer of the last entry that was compared */
    unsigned needed;   /* number of needed entries of its name that it was compared with */
};

/* The most rules of rule files for one name, or for names that look alike, that can each decide.
 * Each query, and each added rule while the policy is built, is compared with all of them. */
enum { XNM_NEEDED_MAX = 256 };

/* Returns whether the policy is refused or no longer wanted. Callers check this for each name. */
bool xnm_shadowed_is_over(const struct xnm_shadowed *shadowed);

/* Reports that a line exceeds XNM_NEEDED_MAX, and refuses the policy. */
void xnm_shadowed_refuse(struct xnm_shadowed *shadowed, const struct xnm_policy_line *line);

/* If both answers are records (XNM_ANSWER) for the same types and the same limit, replaces the
 * earlier answer by one with the records of both, and returns true, also when out of memory
 * (no_memory). `owner` identifies the earlier one: XNM_OWNER_OF_LINE, or the place of its entry. */
bool xnm_shadowed_merge(struct xnm_shadowed *shadowed, uint64_t owner, uint32_t *earlier,
                        uint32_t later);

/* Merges like xnm_shadowed_merge, or reports that the later rule never decides because the earlier
 * one always decides first. Returns false if the later one is needed, because the earlier one
 * decides for other types, decides after it, or never decides. */
bool xnm_shadowed_is(struct xnm_shadowed *shadowed, uint64_t owner, uint32_t *earlier,
                     uint32_t later);

/* The xnm_table_replaces of the table of rule files; `arg` is a struct xnm_shadowed. */
xnm_table_replaces xnm_shadowed_entry;

/* Reports how many more rules never decide than were reported one by one. */
void xnm_shadowed_finish(const struct xnm_shadowed *shadowed);

/* Adds a condition, whose line must already be in the policy. Returns false when out of memory. */
bool xnm_shadowed_add_condition(struct xnm_policy *policy, uint32_t line);

/* Drops the conditions that can never decide, and reports them. */
void xnm_shadowed_conditions(struct xnm_shadowed *shadowed);

#endif
