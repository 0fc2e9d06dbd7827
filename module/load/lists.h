/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the lists and RPZ zones of a policy: decides what is in force of each, and reports where
 * that is not what its file says. */
#ifndef XNM_MODULE_LOAD_LISTS_H
#define XNM_MODULE_LOAD_LISTS_H

#include "module/base/arena.h"
#include "module/load/reading.h"

#include <stddef.h>

struct xnm_policy;
struct xnm_policy_builder;
struct xnm_rule;
struct xnm_table;
struct xn_unicode;

/* A list of the policy. */
struct xnm_list_item {
    const struct xnm_rule *rule;
    size_t number;            /* of the rule, for xnm_policy_rule */
    struct xnm_table *before; /* what it held before; NULL: nothing */
};

struct xnm_lists {
    struct xnm_reading *reading;
    const struct xn_unicode *unicode;
    const struct xnm_policy *before; /* what a list that is lost held; NULL: nothing */
    size_t size_max;                 /* of a file, in octets */
    struct xnm_policy_builder *builder;
    struct xnm_arena items; /* of struct xnm_list_item; the caller frees it */
    /* The counts of struct xnm_policyfiles: */
    size_t bad_lists, bad_lines, skipped_lines;
};

/* Adds the list of a rule that the builder has, by the rule's number there; the rule must stay
 * where it is. Returns false when out of memory. */
bool xnm_lists_add(struct xnm_lists *lists, const struct xnm_rule *rule, size_t number);

/* Reads all lists, and gives the builder their entries, or those that they held before. Call it
 * once, after the last rule: rules find room in the budget before any list. Only
 * reading->no_memory and reading->stop end the reading. */
void xnm_lists_read(struct xnm_lists *lists);

#endif
