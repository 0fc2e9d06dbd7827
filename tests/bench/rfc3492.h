/* SPDX-License-Identifier: BSD-3-Clause */
/* RFC 3492, section 6, as its pseudo code has it: what libxn is measured against and compared with.
 * Nothing is made faster here. */
#ifndef XN_TESTS_BENCH_RFC3492_H
#define XN_TESTS_BENCH_RFC3492_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lengths count elements. False for whatever the RFC fails on, for what is no scalar value, and
 * where dst_cap elements are not enough. */
bool rfc3492_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t dst_cap,
                    size_t *dst_len);
bool rfc3492_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                    size_t *dst_len);

#endif
