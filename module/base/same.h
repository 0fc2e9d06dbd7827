/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares texts that may be missing. */
#ifndef XNM_MODULE_BASE_SAME_H
#define XNM_MODULE_BASE_SAME_H

#include <stdbool.h>
#include <string.h>

/* Returns whether both are the same text, or both NULL. */
static inline bool xnm_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

#endif
