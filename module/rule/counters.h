/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of rules that survive reloads: an unchanged rule keeps its count, even if its line has
 * moved. Host-free. */
#ifndef XNM_MODULE_RULE_COUNTERS_H
#define XNM_MODULE_RULE_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

/* Octets of a key: an XXH3 of 128 bits. */
enum { XNM_COUNTERS_KEY = 16 };

/* The most unused counters that are kept. */
enum { XNM_COUNTERS_IDLE_MAX = 100000 };

/* The counters of one policy handle. */
struct xnm_counters;

/* Returns NULL when out of memory. The caller owns it, and frees it after every policy that counts
 * in it. */
struct xnm_counters *xnm_counters_new(void);
void xnm_counters_free(struct xnm_counters *counters); /* NULL is fine */

/* Returns the counter for a key, until xnm_counters_leave, which must be called once for each call.
 * It starts at 0, or where it was left unless XNM_COUNTERS_IDLE_MAX others have been left since.
 * Its memory is never freed but may be reused for another rule, so a reply that is being sent may
 * be counted for a policy that was freed. NULL: no memory. Any thread may call both. */
_Atomic uint64_t *xnm_counters_take(struct xnm_counters *counters,
                                    const uint8_t key[XNM_COUNTERS_KEY]);
void xnm_counters_leave(struct xnm_counters *counters, _Atomic uint64_t *count);

#endif
