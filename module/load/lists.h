/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists and RPZ zones of a policy that is read: what is in force of each, and what is said where
 * that is not what its file says. */
#ifndef XNM_MODULE_LOAD_LISTS_H
#define XNM_MODULE_LOAD_LISTS_H

#include "core/idna/unicode.h"
#include "module/load/reading.h"
#include "module/policy/policy.h"

struct xnm_lists {
    struct xnm_reading *reading;
    const struct xn_unicode *unicode;
    const struct xnm_policy *before; /* what a list that is lost held; NULL: nothing */
    size_t size_max;                 /* of a file, in octets */
    struct xnm_policy_builder *builder;
    /* As in struct xnm_policyfiles. */
    size_t bad_lists, bad_lines, skipped_lines;
    struct xnm_textfile *text; /* private: of the list in hand */
};

/* Reads the list of a rule that the builder was just given, and gives it the entries. Nothing of
 * it stops the reading but reading->no_memory and reading->stop. */
void xnm_lists_read(struct xnm_lists *lists, const struct xnm_rule *rule);

/* The same of a list for which the budget has no room: what it held before stays. */
void xnm_lists_leave_out(struct xnm_lists *lists, const struct xnm_rule *rule);

#endif
