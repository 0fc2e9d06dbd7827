/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes policies: rules first, then what their lists hold. Host-free. */
#ifndef XNM_MODULE_BUILD_BUILD_H
#define XNM_MODULE_BUILD_BUILD_H

#include "module/policy/policy.h"

struct xnm_diagnostics;
struct xnm_list_entry;
struct xnm_policy_builder;
struct xnm_prefix;
struct xnm_rule;
struct xnm_table;

/* Returns NULL when out of memory. */
struct xnm_policy_builder *xnm_policy_builder_new(const struct xnm_policy_settings *settings);
void xnm_policy_builder_free(struct xnm_policy_builder *builder); /* NULL is fine */

/* Sets the policy with which the new one shares unchanged parts, which must exist until
 * xnm_policy_finish, and the flag that another thread sets when the new policy is no longer wanted.
 * Either may be NULL. */
void xnm_policy_builder_follow(struct xnm_policy_builder *builder, const struct xnm_policy *before,
                               const atomic_bool *stop);

/* Adds a rule; a later call counts as a later line. Everything is copied. A NAME or ZONE rule is
 * then complete; the entries of a list may follow, also after other rules. Returns false when out
 * of memory, and sets *why (may be NULL) to NULL; or if there are more than 64 different tags, more
 * than 256 different limits, or too many conditions or lists, with an error in *why. */
enum { XNM_CONDITIONS_MAX = 1000, XNM_LISTS_MAX = 10000 };
bool xnm_policy_builder_rule(struct xnm_policy_builder *builder, const struct xnm_rule *rule,
                             const char **why);

/* Returns the policy that is being built. */
struct xnm_policy *xnm_policy_builder_policy(const struct xnm_policy_builder *builder);

/* Makes the list of an earlier rule the current one, by the rule's number for xnm_policy_rule: its
 * own list, or with `excepts` that of its except=. The previous list must have ended. After
 * xnm_policy_builder_rule, the new rule's own list is current. */
void xnm_policy_builder_list(struct xnm_policy_builder *builder, size_t rule, bool excepts);

/* Adds an entry to the current list; the first one replaces the list's previous entries. Duplicate
 * entries are kept once. Returns false when out of memory. */
bool xnm_policy_builder_entry(struct xnm_policy_builder *builder,
                              const struct xnm_list_entry *entry);

/* Ends the current list; the next rule and xnm_policy_finish do so, too. Returns false when out of
 * memory: the list is then empty. */
bool xnm_policy_builder_end_list(struct xnm_policy_builder *builder);

/* Empties the current list. */
void xnm_policy_builder_forget_list(struct xnm_policy_builder *builder);

/* Makes a table, which other policies may share, the current list's. Returns false when out of
 * memory, and the list is then empty. */
bool xnm_policy_builder_share_list(struct xnm_policy_builder *builder, struct xnm_table *table);

/* Returns the current list's table. NULL: the list has not ended, or is empty. */
struct xnm_table *xnm_policy_builder_table(const struct xnm_policy_builder *builder);

/* Makes the policy, and frees the builder in every case. If the later of two rules in rule files
 * with the same trigger after mapping can never decide, a warning at the later line names the
 * earlier one; `answer` lines with the same trigger are merged instead. If more than 64 names of a
 * list of protected names look alike as a whole, that is reported as an error, and the rest are
 * only exempt. Returns NULL when out of memory; after an error, if more than 256 rules in rule
 * files with the same trigger can each decide; or if the stop flag was set. *no_memory (may be
 * NULL) is then whether memory ran out. */
struct xnm_policy *xnm_policy_finish(struct xnm_policy_builder *builder,
                                     const struct xnm_diagnostics *diagnostics, bool *no_memory);

#endif
