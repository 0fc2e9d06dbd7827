/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes whole texts of UTF-8 as RFC 3629 defines it: shortest form only, no surrogates,
 * nothing above U+10FFFF. core/text/utf8char.h, which this header includes, does so with one code
 * point. These functions allocate nothing and keep no state, so any thread may call them. src may
 * be NULL if src_len is 0, and dst if dst_cap is 0; both may have any length. */
#ifndef XN_CORE_TEXT_UTF8_H
#define XN_CORE_TEXT_UTF8_H

#include "core/text/status.h"
#include "core/text/utf8char.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether the whole of src is well-formed. */
bool xn_utf8_is_valid(const uint8_t *src, size_t src_len);

/* Decodes the whole of src. dst_cap counts code points; src_len is always enough. Returns XN_OK,
 * XN_NO_SPACE or XN_BAD_UTF8. On the last two, dst holds the *dst_len code points decoded before;
 * with XN_BAD_UTF8, *bad_at is the offset in octets of the malformed sequence (bad_at may be NULL).
 */
XN_MUST_CHECK xn_status xn_utf8_decode(const uint8_t *src, size_t src_len, uint32_t *dst,
                                       size_t dst_cap, size_t *dst_len, size_t *bad_at);

/* Encodes src_len code points. dst_cap counts octets; XN_UTF8_MAX for each code point is enough.
 * Returns XN_OK, XN_NO_SPACE, XN_CP_RANGE, XN_CP_SURROGATE; *dst_len is 0 unless XN_OK. */
XN_MUST_CHECK xn_status xn_utf8_encode(const uint32_t *src, size_t src_len, uint8_t *dst,
                                       size_t dst_cap, size_t *dst_len);

#endif
