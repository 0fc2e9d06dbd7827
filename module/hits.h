/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of rules, over reloads: a rule that stays the same goes on counting, wherever its line
 * has moved to. Host-free. */
#ifndef XNM_MODULE_HITS_H
#define XNM_MODULE_HITS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* The counter of what is called so (any octets), the same for the life of the process: it is never
 * freed, so that a reply under way may count for a policy that is gone. NULL: no memory. By any
 * thread. */
_Atomic uint64_t *xnm_hits_of(const void *key, size_t len);

#endif
