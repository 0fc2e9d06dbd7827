/* SPDX-License-Identifier: BSD-3-Clause */
/* Seeds for hash tables, so that the author of the entries cannot choose where they land: names
 * that all hash to one slot would each be compared with every other. */
#ifndef XNM_MODULE_BASE_SEED_H
#define XNM_MODULE_BASE_SEED_H

#include <stdint.h>

/* Returns a number that nobody outside the process can predict, a new one at each call. Never
 * waits: early in a boot, before the kernel has randomness, it returns `address`, that of an object
 * of the caller's. */
uint64_t xnm_seed(const void *address);

#endif
