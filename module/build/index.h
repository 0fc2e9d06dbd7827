/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of building a policy: merges duplicate entries and fills the tables that decisions
 * use. */
#ifndef XNM_MODULE_BUILD_INDEX_H
#define XNM_MODULE_BUILD_INDEX_H

#include "module/build/shadowed.h"

/* Merges and indexes the entries. Nothing may be added to shadowed->policy afterwards. Reports
 * rules that can never decide. False: xnm_shadowed_is_over, or no memory; the policy can then only
 * be freed. */
bool xnm_policy_index(struct xnm_shadowed *shadowed);

/* Unmaps memory that is reserved but unused, so that it does not count against any limit. */
void xnm_policy_trim(struct xnm_policy *policy);

/* Notes that an entry is a zone's, while the policy is built. */
void xnm_policy_note_zoned(struct xnm_policy *policy, xnm_scope scope);

/* Returns the most marks that the tables may have to hold: above an entry there is one at most that
 * no other entry has between itself and its own wildcard. */
size_t xnm_policy_marks_max(const struct xnm_policy *policy);

/* Octets of the tables for so many entries and marks. */
size_t xnm_policy_tables_memory(size_t entries);

#endif
