/* SPDX-License-Identifier: BSD-3-Clause */
/* Test inputs in heap buffers of exactly their size, so that a sanitizer sees each octet read
 * beyond them. */
#ifndef XN_TESTS_UNIT_EXACT_H
#define XN_TESTS_UNIT_EXACT_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The caller frees the copy. A copy of nothing is a buffer of nothing. */
static inline void *exact_copy(const void *src, size_t len)
{
    void *copy = calloc(len, 1);

    if (!copy && len > 0)
        abort();
    if (len > 0)
        memcpy(copy, src, len);
    return copy;
}

#endif
