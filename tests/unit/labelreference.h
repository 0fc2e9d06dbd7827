/* SPDX-License-Identifier: BSD-3-Clause */
/* A reference for look-alikes and conditions: it compares every label with every other, as the
 * design describes it. */
#ifndef XN_TESTS_UNIT_LABELREFERENCE_H
#define XN_TESTS_UNIT_LABELREFERENCE_H

#include "module/policy/policy.h"
#include "module/rule/rule.h"

/* A match of a label rule. */
struct match_kind {
    unsigned label; /* from the left, from 1; 0: it does not match */
    xnm_match_kind how;
    unsigned count; /* of labels compared */
    bool any_label, ace;
    bool joined; /* with the label before it, which is then the first that looks alike */
    bool second; /* by second readings */
};

/* Returns whether a match decides before another one. */
bool is_better(const struct match_kind *a, const struct match_kind *b);

/* Returns how a name that is asked for matches a protected name. */
struct match_kind kind_of(const struct xnm_protection *protection,
                          const struct xnm_wirename *protected, const struct xnm_wirename *asked);

/* Returns how it matches a rule about labels, such as XNM_TRIGGER_INVALID. */
struct match_kind condition_of(const struct xn_unicode *unicode, xnm_trigger trigger,
                               const struct xnm_condition *condition,
                               const struct xnm_wirename *asked);

#endif
