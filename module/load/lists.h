/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the lists and RPZ zones of a policy: decides what is in force of each, and reports where
 * that is not what its file says. */
#ifndef XNM_MODULE_LOAD_LISTS_H
#define XNM_MODULE_LOAD_LISTS_H

#include "module/load/reading.h"

#include <stddef.h>

struct xnm_policy;
struct xnm_policy_builder;
struct xnm_rule;
struct xn_unicode;

struct xnm_lists {
    struct xnm_reading *reading;
    const struct xn_unicode *unicode;
    const struct xnm_policy *before; /* what a list that is lost held; NULL: nothing */
    size_t size_max;                 /* of a file, in octets */
    struct xnm_policy_builder *builder;
    /* The counts of struct xnm_policyfiles: */
    size_t bad_lists, bad_lines, skipped_lines;
};

/* Reads the list of the rule that the builder was given last, and gives the builder its entries.
 * Only reading->no_memory and reading->stop end the reading of the policy. */
void xnm_lists_read(struct xnm_lists *lists, const struct xnm_rule *rule);

/* Does the same for a list for which the budget has no room: what the list held before stays,
 * unless it has expired. */
void xnm_lists_leave_out(struct xnm_lists *lists, const struct xnm_rule *rule);

#endif
