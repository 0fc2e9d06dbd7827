/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the sets of words that look-alike rules name by words=. */
#ifndef XNM_MODULE_BUILD_WORDSET_H
#define XNM_MODULE_BUILD_WORDSET_H

#include <stddef.h>
#include <stdint.h>

struct xnm_policy;

/* The most sets, each of which takes time for every name. */
enum { XNM_WORDSET_MAX = 16 };

/* Returns how many sets the policy has. */
size_t xnm_wordset_count(const struct xnm_policy *policy);

/* Returns the number, from 1, of the set of a file; 0: the policy has none. */
uint8_t xnm_wordset_find(const struct xnm_policy *policy, const char *path);

/* Adds the set of a file, which the policy must not have yet. `labels` are the words in wire
 * format (the length octet, then the octets), `len` octets in all. Returns the set's number; 0:
 * no memory. */
uint8_t xnm_wordset_add(struct xnm_policy *policy, const char *path, const uint8_t *labels,
                        size_t len);

/* Adds the set that another policy has for the path. *number becomes its number, or 0 if that has
 * no word. Returns the number of its words; -1: no memory. */
long xnm_wordset_keep(struct xnm_policy *policy, const char *path, const struct xnm_policy *from,
                      uint8_t *number);

#endif
