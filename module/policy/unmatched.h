/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers questions that no rule matches. Unbound's cache hits are decided only to fill their log
 * lines, and clients ask for the same names again and again. Each thread has a memory of its own
 * (512 KiB, allocated when it first remembers a question), so nothing is locked. */
#ifndef XNM_MODULE_POLICY_UNMATCHED_H
#define XNM_MODULE_POLICY_UNMATCHED_H

#include "module/policy/policy.h"

/* Tells whether this thread knows that no rule of the policy of this generation matches the
 * question. A question is its name's octets, type and class. All octets are compared, so a
 * collision of hashes only makes the thread forget one of the names. */
bool xnm_unmatched_has(const struct xnm_question *question, uint64_t generation);

/* Remembers a question, in place of the one that was there before. Without memory, and for a name
 * of more than 115 octets, it does nothing. */
void xnm_unmatched_note(const struct xnm_question *question, uint64_t generation);

#endif
