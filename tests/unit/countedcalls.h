/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts how often labels are looked at, in programs that the Makefile links with --wrap of these
 * functions, and of getrandom, because a filter may by chance let more through. */
#ifndef XN_TESTS_UNIT_COUNTEDCALLS_H
#define XN_TESTS_UNIT_COUNTEDCALLS_H

#include "core/lookalike/lookalike.h"

#include <string.h>
#include <sys/random.h>

static struct counted_calls {
    unsigned shapes, keys, comparisons;
} counted_calls;

void __real_xn_shape_read(const uint8_t *label, size_t len, struct xn_shape *shape);
size_t __real_xn_lookalike_key(const uint8_t *label, size_t len, xn_key key, uint8_t *dst);
xn_looks __real_xn_lookalike_compare(const struct xn_shape *a, const struct xn_shape *b, xn_key key,
                                     xn_ascii ascii);
ssize_t __wrap_getrandom(void *dst, size_t len, unsigned flags);
void __wrap_xn_shape_read(const uint8_t *label, size_t len, struct xn_shape *shape);
size_t __wrap_xn_lookalike_key(const uint8_t *label, size_t len, xn_key key, uint8_t *dst);
xn_looks __wrap_xn_lookalike_compare(const struct xn_shape *a, const struct xn_shape *b, xn_key key,
                                     xn_ascii ascii);

ssize_t __wrap_getrandom(void *dst, size_t len, unsigned flags)
{
    (void)flags;
    memset(dst, 0x5A, len);
    return (ssize_t)len;
}

void __wrap_xn_shape_read(const uint8_t *label, size_t len, struct xn_shape *shape)
{
    counted_calls.shapes++;
    __real_xn_shape_read(label, len, shape);
}

size_t __wrap_xn_lookalike_key(const uint8_t *label, size_t len, xn_key key, uint8_t *dst)
{
    counted_calls.keys++;
    return __real_xn_lookalike_key(label, len, key, dst);
}

xn_looks __wrap_xn_lookalike_compare(const struct xn_shape *a, const struct xn_shape *b, xn_key key,
                                     xn_ascii ascii)
{
    counted_calls.comparisons++;
    return __real_xn_lookalike_compare(a, b, key, ascii);
}

#endif
