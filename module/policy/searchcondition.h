/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests conditions, which are about the A-labels of a name. Host-free. */
#ifndef XNM_MODULE_POLICY_SEARCHCONDITION_H
#define XNM_MODULE_POLICY_SEARCHCONDITION_H

#include "module/rule/action.h"

#include <stdbool.h>
#include <stdint.h>

struct xn_shape;
struct xnm_condition;
struct xnm_policy_line;
struct xnm_qlabels;

/* Returns whether the shape of a label that begins with "xn--" meets a condition, regardless of its
 * exceptions. tld is the TLD of its name in wire format; NULL: the label is the TLD. False if the
 * trigger is not a condition. */
bool xnm_searchcondition_is_met(xnm_trigger trigger, const struct xnm_condition *condition,
                                const struct xn_shape *shape, const uint8_t *tld);

/* Returns the number of the first A-label that meets a condition, counted from 1 at the left; 0:
 * none does. */
unsigned xnm_searchcondition_find(const struct xnm_policy_line *line, struct xnm_qlabels *labels);

#endif
