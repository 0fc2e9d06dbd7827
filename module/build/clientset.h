/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds a policy's groups of clients, and its limits: what rules have in client= and when=. */
#ifndef XNM_MODULE_BUILD_CLIENTSET_H
#define XNM_MODULE_BUILD_CLIENTSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_policy;
struct xnm_prefix;

/* Adds addresses to a group, from the file `path`, or from rule files if that is NULL. They are in
 * the order of xnm_prefixes_sort. Add all sets of a group one after another, and before the first
 * rule. Returns false when out of memory. */
bool xnm_clientset_add(struct xnm_policy *policy, const char *group, const char *path,
                       const struct xnm_prefix *prefixes, size_t count);

/* Adds the set that `from` has for the same group and path. Returns its number of address ranges;
 * 0: there is none, or it is empty; -1: no memory. */
long xnm_clientset_keep(struct xnm_policy *policy, const char *group, const char *path,
                        const struct xnm_policy *from);

/* Finds or adds the limit with these texts, each of which may be NULL. *number becomes its number,
 * or 0 if both are NULL. The policy must have its groups. Returns false when out of memory, or if
 * *why has an error. */
bool xnm_clientset_limit(struct xnm_policy *policy, const char *client, const char *when,
                         uint16_t *number, const char **why);

#endif
