/* SPDX-License-Identifier: BSD-3-Clause */
/* What tables hash with, so that who writes what is in them does not choose where it lies: names
 * that all come to one place would make each be compared with every other. */
#ifndef XNM_MODULE_BASE_SEED_H
#define XNM_MODULE_BASE_SEED_H

#include <stdint.h>

/* A number that nobody outside the process can tell, another each time. Never waits: early in a
 * boot, where there is no randomness yet, it is the address of something that the caller has. */
uint64_t xnm_seed(const void *address);

#endif
