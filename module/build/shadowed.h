/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules with one trigger, of which the later one is not needed: found while the policy is built.
 * For policy*.c, lookalikes*.c and condition.c. */
#ifndef XNM_MODULE_BUILD_SHADOWED_H
#define XNM_MODULE_BUILD_SHADOWED_H

#include "module/build/verdicts.h"

#include <stdatomic.h>

#define XNM_OWNER_OF_LINE(number) (UINT64_MAX - (number))

struct xnm_shadowed {
    struct xnm_policy *policy;
    struct xnm_verdicts *verdicts;
    const struct xnm_diagnostics *diagnostics;
    const atomic_bool
        *stop;           /* set by another thread: the policy is not wanted any more. NULL: no */
    size_t count;        /* of rules that never decide, so far */
    bool no_memory;      /* something was left out for that: */
    uint32_t short_line; /* … of this line, the first of which that is so */
    bool refused;        /* a rule is one too many, which is reported */
};

/* As many rules of rule files about one name, or with what looks the same, as can each have a say:
 * a query looks at all of them, and so does each one more while the policy is built. */
enum { XNM_NEEDED_MAX = 256 };

/* Is the policy refused, or not wanted any more? To be asked with each name. */
bool xnm_shadowed_is_over(const struct xnm_shadowed *shadowed);

/* Notes that there was no memory for what a line needs. */
void xnm_shadowed_note_memory(struct xnm_shadowed *shadowed, uint32_t line);

/* Reports that a line is one rule more than XNM_NEEDED_MAX, and refuses the policy. */
void xnm_shadowed_refuse(struct xnm_shadowed *shadowed, const struct xnm_policy_line *line);

/* Are both verdicts records (XNM_ANSWER) for the same types? Then the earlier becomes one that has
 * those of both. `owner` tells whose the earlier one is: XNM_OWNER_OF_LINE, or where an entry lies.
 */
bool xnm_shadowed_merge(struct xnm_shadowed *shadowed, uint64_t owner, uint32_t *earlier,
                        uint32_t later);

/* The same, or says that the later one never decides: the earlier decides whatever it would.
 * False: it is needed, because it decides for other types, before or not at all. */
bool xnm_shadowed_is(struct xnm_shadowed *shadowed, uint64_t owner, uint32_t *earlier,
                     uint32_t later);

/* Says how many more never decide than were told of. */
void xnm_shadowed_finish(const struct xnm_shadowed *shadowed);

#endif
