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

/* Returns NULL if there is no memory. */
struct xnm_policy_builder *xnm_policy_builder_new(const struct xnm_policy_settings *settings);
void xnm_policy_builder_free(struct xnm_policy_builder *builder); /* NULL is fine */

/* Sets the policy with which the new one shares unchanged parts, which must exist until
 * xnm_policy_finish, and the flag that another thread sets when the new policy is no longer wanted.
 * Either may be NULL. */
void xnm_policy_builder_follow(struct xnm_policy_builder *builder, const struct xnm_policy *before,
                               const atomic_bool *stop);

/* Adds a rule; a later call counts as a later line. Everything kept is copied. A NAME or ZONE rule
 * is then complete; the entries of a list may follow, also after other rules.
 * False: no memory, and *why (may be NULL) is NULL; or there are more than 64 different tags, or
 * one condition or list too many, or rules are for more than 256 different audiences, which *why
 * says. */
enum { XNM_CONDITIONS_MAX = 1000, XNM_LISTS_MAX = 10000 };
bool xnm_policy_builder_rule(struct xnm_policy_builder *builder, const struct xnm_rule *rule,
                             const char **why);

/* Returns the policy that is being built. */
struct xnm_policy *xnm_policy_builder_policy(const struct xnm_policy_builder *builder);

/* Makes the list of an earlier rule the current one, by the rule's number for xnm_policy_rule: its
 * own list, or with `excepts` that of its except=. The previous list must have ended. After
 * xnm_policy_builder_rule, the new rule's own list is current. */
void xnm_policy_builder_list(struct xnm_policy_builder *builder, size_t rule, bool excepts);

/* Adds an entry to the list in hand; the first one replaces what the list had. Duplicate entries
 * are kept once. False: no memory. */
bool xnm_policy_builder_entry(struct xnm_policy_builder *builder,
                              const struct xnm_list_entry *entry);

/* Ends the list in hand; the next rule and xnm_policy_finish do so, too. Returns false when out of
 * memory: the list is then empty. */
bool xnm_policy_builder_end_list(struct xnm_policy_builder *builder);

/* Empties the list in hand. */
void xnm_policy_builder_forget_list(struct xnm_policy_builder *builder);

/* Gives the list in hand the entries of a table, which other policies may have, too. False: no
 * memory, and the list is empty. */
bool xnm_policy_builder_share_list(struct xnm_policy_builder *builder, struct xnm_table *table);

/* Returns the table of the list in hand; NULL: it has not ended, or is empty. */
struct xnm_table *xnm_policy_builder_table(const struct xnm_policy_builder *builder);

/* Makes the policy, and frees the builder in every case. If the later of two hand-written rules
 * with the same trigger after mapping can never decide, a warning at the later line names the
 * earlier one; `answer` lines with the same trigger are merged instead. If more than 64 names of a
 * list of protected names look alike as a whole, that is reported as an error, and the rest are
 * only exempt. NULL: no memory; or there are more than 256 hand-written rules with the same trigger
 * that may each have a say, an error at the 257th; or the stop flag was set. *no_memory (may be
 * NULL) says then whether it was the first. */
struct xnm_policy *xnm_policy_finish(struct xnm_policy_builder *builder,
                                     const struct xnm_diagnostics *diagnostics, bool *no_memory);

#endif
