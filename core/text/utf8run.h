/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes many code points at once as UTF-8, for core/text/utf8.c, which writes the rest one by one.
 * It may stop anywhere, even at the start: if the processor lacks the instructions, at a code point
 * that is rare or invalid, or when little room is left. It allocates nothing and keeps no state, so
 * any thread may call it. */
#ifndef XN_CORE_TEXT_UTF8RUN_H
#define XN_CORE_TEXT_UTF8RUN_H

#include <stddef.h>
#include <stdint.h>

/* Counts the code points that were read, and the octets that were written for them. */
struct xn_utf8run {
    size_t cps, octets;
};

/* Fewer code points are faster one by one: the caller has often just stored them one by one, and a
 * vector load would have to wait until they reach memory. */
enum { XN_UTF8RUN_MIN = 9 };

/* Writes code points to dst, which has room for dst_cap octets. src_len is at least XN_UTF8RUN_MIN.
 * Octets of dst after those returned may be overwritten. */
struct xn_utf8run xn_utf8run_write(const uint32_t *src, size_t src_len, uint8_t *dst,
                                   size_t dst_cap);

#endif
