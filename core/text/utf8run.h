/* SPDX-License-Identifier: BSD-3-Clause */
/* UTF-8 of many code points at once, for core/text/utf8.c, which goes on one by one where this
 * stops. It may stop anywhere, at once too: where the processor has nothing for it, where a code
 * point is rare or none, and where little room is left. Nothing is allocated and nothing is kept:
 * safe from any thread. */
#ifndef XN_CORE_TEXT_UTF8RUN_H
#define XN_CORE_TEXT_UTF8RUN_H

#include <stddef.h>
#include <stdint.h>

/* Code points and octets, from the first on. */
struct xn_utf8run {
    size_t cps, octets;
};

/* What was just written one by one cannot be read as a vector until it is in memory: fewer are
 * sooner written one by one as well. */
enum { XN_UTF8RUN_MIN = 9 };

/* Writes code points, at least XN_UTF8RUN_MIN, to dst, which has room for dst_cap octets: what is
 * behind those returned may be written to as well. */
struct xn_utf8run xn_utf8run_write(const uint32_t *src, size_t src_len, uint8_t *dst,
                                   size_t dst_cap);

#endif
