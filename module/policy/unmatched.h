/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers questions that no rule matches: the same names are asked again and again, and Unbound's
 * cache hits are decided for their log lines alone. Each thread has a memory of its own (512 KiB,
 * made when it first remembers something, freed when it ends): nothing is locked. */
#ifndef XNM_MODULE_POLICY_UNMATCHED_H
#define XNM_MODULE_POLICY_UNMATCHED_H

#include <stdbool.h>
#include <stdint.h>

struct xnm_question;

/* Does this thread know that no rule of the policy of this generation matches the question? Only
 * what decides a name alone counts: its octets, type and class, and from_a. All octets are
 * compared, so names that collide are only forgotten. Generations are unique in a process, so
 * policies of several owners do not meet. */
bool xnm_unmatched_has(const struct xnm_question *question, uint64_t generation);

/* Remembers it, in place of what was remembered there before. Without memory, and for a name of
 * more than 114 octets, it does nothing. */
void xnm_unmatched_note(const struct xnm_question *question, uint64_t generation);

#endif
