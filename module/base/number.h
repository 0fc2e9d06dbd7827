/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimal numbers in the operator's text. Host-free. */
#ifndef XNM_MODULE_BASE_NUMBER_H
#define XNM_MODULE_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads digits alone, at least one, leading zeros among them. False: there is something else, or it
 * is over max; *number is what it was. */
bool xnm_number_read(const char *text, size_t len, uint32_t max, uint32_t *number);

#endif
