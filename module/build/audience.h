/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of clients of a policy, and its audiences, each stored once. */
#ifndef XNM_MODULE_BUILD_AUDIENCE_H
#define XNM_MODULE_BUILD_AUDIENCE_H

#include "module/policy/data.h"

/* Do what xnm_policy_builder_group and xnm_policy_builder_keep_group (module/policy/policy.h) do.
 */
bool xnm_audience_add_set(struct xnm_policy *policy, const char *group, const char *path,
                          const struct xnm_prefix *prefixes, size_t count);
long xnm_audience_keep_set(struct xnm_policy *policy, const char *group, const char *path,
                           const struct xnm_policy *from);

/* Sets *number to that of the audience with these texts, which is new if it is met first; 0 if both
 * are NULL. Their groups must be known. False: no memory, or *why says what is wrong. */
bool xnm_audience_number(struct xnm_policy *policy, const char *client, const char *when,
                         uint16_t *number, const char **why);

#endif
