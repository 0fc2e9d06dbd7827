/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the conditions of a policy while it is built, and drops those that can never decide. */
#ifndef XNM_MODULE_BUILD_CONDITION_H
#define XNM_MODULE_BUILD_CONDITION_H

#include "module/build/shadowed.h"

/* Adds a condition. Its line must already be in the policy. False: no memory. */
bool xnm_condition_add(struct xnm_policy *policy, uint32_t line);

/* Drops the conditions that can never decide, and reports them. */
void xnm_condition_index(struct xnm_shadowed *shadowed);

#endif
