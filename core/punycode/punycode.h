/* SPDX-License-Identifier: BSD-3-Clause */
/* Punycode as RFC 3492 defines it, all of it: encodes code points as basic (ASCII) octets, and
 * decodes them. It knows neither the "xn--" prefix nor IDNA.
 *
 * These rules hold for every function here:
 * - src_len and dst_cap count the elements of src and dst. src and dst do not overlap. No NUL is
 *   written. A pointer to no elements may be NULL.
 * - src_len is below 2^32 - 1; if it is not, the result is XN_PUNY_OVERFLOW. There is no other
 *   limit.
 * - Code points are those of Unicode without surrogates, although RFC 3492 could encode any
 *   nonnegative integer (section 5); others are XN_CP_RANGE and XN_CP_SURROGATE.
 * - On any result except XN_OK, *dst_len is 0 and the contents of dst are unspecified.
 * - The functions allocate nothing and keep no state, so any thread may call them.
 * - Time grows with the square of the length in the worst case, so limit the length of untrusted
 *   input (a DNS label has at most 59 octets of Punycode).
 * - The optional check of RFC 3492, section 6.2, "if n is a basic code point then fail", has no
 *   result of its own: n starts at 128 and never decreases, so the check cannot fail. */
#ifndef XN_CORE_PUNYCODE_PUNYCODE_H
#define XN_CORE_PUNYCODE_PUNYCODE_H

#include "core/text/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One insertion, with what the traces in RFC 3492, sections 7.2 and 7.3, say of it. */
struct xn_punycode_step {
    uint32_t delta;      /* the number that the digits encode */
    uint32_t code_point; /* n: the code point inserted */
    uint32_t index;      /* i: its position when it is inserted, in code points from 0 */
    uint32_t bias;       /* the bias after this step */
    size_t digits_at;    /* offset of the digits in the Punycode string, in octets */
    size_t digits_len;   /* number of digits, one octet each */
};

/* Decodes src (section 6.2). Digits may be in either case; literal octets are copied unchanged. A
 * dst_cap of src_len is always enough.
 * Returns XN_OK, XN_NO_SPACE, XN_PUNY_NOT_BASIC, XN_PUNY_LEADING_DELIMITER, XN_PUNY_BAD_DIGIT,
 * XN_PUNY_TRUNCATED, XN_PUNY_OVERFLOW, XN_CP_RANGE, XN_CP_SURROGATE. */
XN_MUST_CHECK xn_status xn_punycode_decode(const uint8_t *src, size_t src_len, uint32_t *dst,
                                           size_t dst_cap, size_t *dst_len);

/* Does the same as xn_punycode_decode and reads the mixed-case annotation of appendix A: upper[j]
 * is true where it suggests upper case for dst[j], by the case of a literal's octet or of an
 * insertion's last digit. upper has room for dst_cap elements. Returns what xn_punycode_decode
 * returns. */
XN_MUST_CHECK xn_status xn_punycode_decode_annotated(const uint8_t *src, size_t src_len,
                                                     uint32_t *dst, bool *upper, size_t dst_cap,
                                                     size_t *dst_len);

/* Does the same as xn_punycode_decode and records each insertion. steps has room for dst_cap
 * elements. If the input is refused, *step_count is the number of steps taken before. Returns what
 * xn_punycode_decode returns. */
XN_MUST_CHECK xn_status xn_punycode_decode_traced(const uint8_t *src, size_t src_len, uint32_t *dst,
                                                  size_t dst_cap, size_t *dst_len,
                                                  struct xn_punycode_step *steps,
                                                  size_t *step_count);

/* Does the same as xn_punycode_decode, and says where the input is refused: *bad_at is the offset
 * of the octet in question, with XN_PUNY_TRUNCATED src_len. If a whole integer is refused
 * (XN_CP_RANGE, XN_CP_SURROGATE, XN_NO_SPACE, mostly XN_PUNY_OVERFLOW), that is its first digit.
 * *bad_at is src_len with XN_OK. Returns what xn_punycode_decode returns. */
XN_MUST_CHECK xn_status xn_punycode_decode_located(const uint8_t *src, size_t src_len,
                                                   uint32_t *dst, size_t dst_cap, size_t *dst_len,
                                                   size_t *bad_at);

/* Encodes src (section 6.3). Digits are written in lower case; basic code points are copied
 * unchanged. Returns XN_OK, XN_NO_SPACE, XN_PUNY_OVERFLOW, XN_CP_RANGE, XN_CP_SURROGATE. */
XN_MUST_CHECK xn_status xn_punycode_encode(const uint32_t *src, size_t src_len, uint8_t *dst,
                                           size_t dst_cap, size_t *dst_len);

/* Does the same as xn_punycode_encode and writes the mixed-case annotation of appendix A: upper[j]
 * sets the case of src[j] if that is basic, or else of its last digit. A decimal digit has no case
 * and loses the flag. upper has src_len elements. Returns what xn_punycode_encode returns. */
XN_MUST_CHECK xn_status xn_punycode_encode_annotated(const uint32_t *src, const bool *upper,
                                                     size_t src_len, uint8_t *dst, size_t dst_cap,
                                                     size_t *dst_len);

/* Does the same as xn_punycode_encode and records each insertion. steps has room for src_len
 * elements. If the input is refused, *step_count is the number of steps taken before. Returns what
 * xn_punycode_encode returns. */
XN_MUST_CHECK xn_status xn_punycode_encode_traced(const uint32_t *src, size_t src_len, uint8_t *dst,
                                                  size_t dst_cap, size_t *dst_len,
                                                  struct xn_punycode_step *steps,
                                                  size_t *step_count);

/* Does the same as xn_punycode_encode, and says where the input is refused: *bad_at is the index of
 * the code point in question: with XN_CP_RANGE and XN_CP_SURROGATE the first such one; with
 * XN_NO_SPACE the first that found no room, or src_len if that was the delimiter; with
 * XN_PUNY_OVERFLOW the first one whose delta does not fit 32 bits. *bad_at is src_len with XN_OK.
 * Returns what xn_punycode_encode returns. */
XN_MUST_CHECK xn_status xn_punycode_encode_located(const uint32_t *src, size_t src_len,
                                                   uint8_t *dst, size_t dst_cap, size_t *dst_len,
                                                   size_t *bad_at);

#ifdef __cplusplus
}
#endif

#endif
