/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of rules, over reloads: a rule that stays the same goes on counting, wherever its line
 * has moved to. Host-free. */
#ifndef XNM_MODULE_POLICY_HITS_H
#define XNM_MODULE_POLICY_HITS_H

#include <stdatomic.h>
#include <stdint.h>

/* Octets of a key: an XXH3 of 128 bits. */
enum { XNM_HITS_KEY = 16 };

/* Counters that nobody uses any more and that are kept all the same. */
enum { XNM_HITS_IDLE_MAX = 100000 };

/* The counter of what is called so, until xnm_hits_leave, which each call wants once; from 0 on, or
 * from where it was left if not XNM_HITS_IDLE_MAX others have been left since. Its memory is never
 * freed, but may become another rule's: a reply under way may count for a policy that is gone.
 * NULL: no memory. By any thread. */
_Atomic uint64_t *xnm_hits_of(const uint8_t key[XNM_HITS_KEY]);
void xnm_hits_leave(_Atomic uint64_t *hits);

#endif
