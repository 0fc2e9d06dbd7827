/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditions: what rules ask of the A-labels of a name. A part of the compiled policy, for
 * policy*.c alone. */
#ifndef XNM_MODULE_CONDITION_H
#define XNM_MODULE_CONDITION_H

#include "module/asked.h"
#include "module/needless.h"

/* Adds a condition's line, which has been added. False: no memory. */
bool xnm_condition_add(struct xnm_policy *policy, uint32_t line);

/* Leaves out those that can never decide, and says so. */
void xnm_condition_index(struct xnm_needless *needless);

/* The number of the first A-label that fulfils a condition, from the left, the first is 1; 0: none
 * does. */
unsigned xnm_condition_find(const struct xn_unicode *unicode, const struct xnm_policy_line *line,
                            struct xnm_shapes *shapes);

#endif
