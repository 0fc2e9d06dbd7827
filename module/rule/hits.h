/* SPDX-License-Identifier: BSD-3-Clause */
/* Hit counters of rules that survive reloads: an unchanged rule keeps its count, even if its line
 * has moved. Host-free. */
#ifndef XNM_MODULE_RULE_HITS_H
#define XNM_MODULE_RULE_HITS_H

#include <stdatomic.h>
#include <stdint.h>

/* Octets of a key: an XXH3 of 128 bits. */
enum { XNM_HITS_KEY = 16 };

/* Unused counters that are kept at most. */
enum { XNM_HITS_IDLE_MAX = 100000 };

/* The counters of one who keeps a policy in force over its reloads. */
struct xnm_hits;

/* NULL: no memory. The caller owns it, and frees it after every policy that counts in it. */
struct xnm_hits *xnm_hits_new(void);
void xnm_hits_free(struct xnm_hits *table); /* NULL is fine */

/* The counter for a key, held until xnm_hits_leave; call that once for each call. It starts at 0,
 * or where it was left unless XNM_HITS_IDLE_MAX others have been left since. Its memory is never
 * freed but may be reused for another rule, so a reply under way may count for a policy that is
 * gone. NULL: no memory. Any thread may call both. */
_Atomic uint64_t *xnm_hits_of(struct xnm_hits *table, const uint8_t key[XNM_HITS_KEY]);
void xnm_hits_leave(struct xnm_hits *table, _Atomic uint64_t *hits);

#endif
