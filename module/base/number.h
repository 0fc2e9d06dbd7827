/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads decimal numbers in the operator's text. */
#ifndef XNM_MODULE_BASE_NUMBER_H
#define XNM_MODULE_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads one or more decimal digits; leading zeros are allowed. Returns false, and leaves *number
 * unchanged, if there is any other character or the number exceeds max. */
bool xnm_number_read(const char *text, size_t len, uint32_t max, uint32_t *number);

#endif
