/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditions: what rules ask of the A-labels of a name. Host-free. */
#ifndef XNM_MODULE_POLICY_CONDITION_H
#define XNM_MODULE_POLICY_CONDITION_H

#include "module/rule/rules.h"

/* Is a top-level domain (a wire name of one label, lower case) one of the condition's exceptions?
 */
bool xnm_condition_excepts(const struct xnm_condition *condition, const uint8_t *tld, size_t len);

/* Does the shape of a label that begins with "xn--" fulfil a condition, exceptions apart? False for
 * a trigger that is none. */
bool xnm_condition_is_met(const struct xn_unicode *unicode, xnm_trigger trigger,
                          const struct xnm_condition *condition, const struct xn_shape *shape);

/* --- a part of the compiled policy, for policy*.c alone --- */

struct xnm_shadowed;
struct xnm_policy;
struct xnm_policy_line;
struct xnm_shapes;

/* Adds a condition's line, which has been added. False: no memory. */
bool xnm_condition_add(struct xnm_policy *policy, uint32_t line);

/* Leaves out those that can never decide, and says so. */
void xnm_condition_index(struct xnm_shadowed *shadowed);

/* The number of the first A-label that fulfils a condition, from the left, the first is 1; 0: none
 * does. */
unsigned xnm_condition_find(const struct xn_unicode *unicode, const struct xnm_policy_line *line,
                            struct xnm_shapes *shapes);

#endif
