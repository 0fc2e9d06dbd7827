/* SPDX-License-Identifier: BSD-3-Clause */
/* The conditions of a policy while it is built: added line by line, and without those that can
 * never decide. */
#ifndef XNM_MODULE_BUILD_CONDITION_H
#define XNM_MODULE_BUILD_CONDITION_H

#include "module/build/shadowed.h"

/* Adds a condition's line, which has been added. False: no memory. */
bool xnm_condition_add(struct xnm_policy *policy, uint32_t line);

/* Leaves out those that can never decide, and says so. */
void xnm_condition_index(struct xnm_shadowed *shadowed);

#endif
