/* SPDX-License-Identifier: BSD-3-Clause */
/* Punycode as RFC 3492 defines it: encodes code points as basic (ASCII) octets, and decodes them.
 * It does not know the "xn--" prefix or IDNA, and has no mixed-case annotation (appendix A),
 * because the DNS ignores case.
 *
 * These rules hold for every function here:
 * - src_len and dst_cap count the elements of src and dst. src and dst do not overlap. No NUL is
 *   written. A pointer to no elements may be NULL.
 * - src_len must be below 2^32 - 1; otherwise the result is XN_PUNY_OVERFLOW. There is no other
 *   limit.
 * - Code points are those of Unicode without surrogates, although RFC 3492 could encode any
 *   nonnegative integer (section 5); others are XN_CP_RANGE and XN_CP_SURROGATE.
 * - If the result is not XN_OK, *dst_len is 0 and the contents of dst are unspecified.
 * - The functions allocate nothing and keep no state, so any thread may call them.
 * - Time grows with the square of the length in the worst case, so limit the length of untrusted
 *   input (a DNS label has at most 59 octets of Punycode).
 * - The optional check of RFC 3492, section 6.2, "if n is a basic code point then fail", cannot
 *   fail: n starts at 128 and never decreases. */
#ifndef XN_CORE_PUNYCODE_PUNYCODE_H
#define XN_CORE_PUNYCODE_PUNYCODE_H

#include "core/text/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Decodes src (section 6.2). Digits may be in either case; literal octets are copied unchanged. A
 * dst_cap of src_len is always enough.
 *
 * Returns XN_OK, XN_NO_SPACE, XN_PUNY_NOT_BASIC, XN_PUNY_LEADING_DELIMITER, XN_PUNY_BAD_DIGIT,
 * XN_PUNY_TRUNCATED, XN_PUNY_OVERFLOW, XN_CP_RANGE, XN_CP_SURROGATE. */
XN_MUST_CHECK xn_status xn_punycode_decode(const uint8_t *src, size_t src_len, uint32_t *dst,
                                           size_t dst_cap, size_t *dst_len);

/* Encodes src (section 6.3). Digits are written in lower case; basic code points are copied
 * unchanged. Returns XN_OK, XN_NO_SPACE, XN_PUNY_OVERFLOW, XN_CP_RANGE, XN_CP_SURROGATE. */
XN_MUST_CHECK xn_status xn_punycode_encode(const uint32_t *src, size_t src_len, uint8_t *dst,
                                           size_t dst_cap, size_t *dst_len);

#ifdef __cplusplus
}
#endif

#endif
