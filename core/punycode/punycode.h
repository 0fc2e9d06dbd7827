/* SPDX-License-Identifier: BSD-3-Clause */
/* Punycode: RFC 3492 in full, between code points and basic (ASCII) octets. No "xn--" prefix, no
 * IDNA.
 *
 * Common to every function here:
 * - src_len and dst_cap count elements of src and dst; src and dst do not overlap; no NUL is
 * written. What has no elements may be NULL.
 * - src_len is below 2^32 - 1, or the result is XN_PUNY_OVERFLOW; there is no other limit.
 * - On any result but XN_OK *dst_len is 0 and dst holds nothing meaningful.
 * - Nothing is allocated and nothing is kept: safe from any thread.
 * - Time grows with the square of the length in the worst case: bound the length of what strangers
 * send (a DNS label has at most 59 octets of Punycode).
 * - The optional refusal of RFC 3492, section 6.2, "if n is a basic code point then fail", has no
 *   result of its own: n starts at 128 and never decreases, so that it cannot happen. */
#ifndef XN_CORE_PUNYCODE_PUNYCODE_H
#define XN_CORE_PUNYCODE_PUNYCODE_H

#include "core/text/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One insertion: what a line group of RFC 3492's traces (sections 7.2 and 7.3) tells. */
struct xn_punycode_step {
    uint32_t delta;      /* the number that the digits stand for */
    uint32_t code_point; /* n: what is inserted */
    uint32_t index;      /* i: where, counted in code points from 0, at the time of this step */
    uint32_t bias;       /* after this step */
    size_t digits_at;    /* the digits in the Punycode string: offset in octets … */
    size_t digits_len;   /* … and number of octets */
};

/* Decodes (section 6.2). Digits are accepted in either case; literal octets are copied as they are.
 * src_len code points of room are always enough.
 * Returns XN_OK, XN_NO_SPACE, XN_PUNY_NOT_BASIC, XN_PUNY_LEADING_DELIMITER, XN_PUNY_BAD_DIGIT,
 * XN_PUNY_TRUNCATED, XN_PUNY_OVERFLOW, XN_CP_RANGE, XN_CP_SURROGATE. */
XN_MUST_CHECK xn_status xn_punycode_decode(const uint8_t *src, size_t src_len, uint32_t *dst,
                                           size_t dst_cap, size_t *dst_len);

/* The same, and upper[j] becomes true where the annotation of appendix A suggests the upper-case
 * form of dst[j]: for a literal the case of the octet, for an insertion that of its last digit.
 * upper has room for dst_cap elements. Results as above. */
XN_MUST_CHECK xn_status xn_punycode_decode_annotated(const uint8_t *src, size_t src_len,
                                                     uint32_t *dst, bool *upper, size_t dst_cap,
                                                     size_t *dst_len);

/* The same as xn_punycode_decode, and the steps taken: steps has room for dst_cap elements.
 * *step_count is also right after a refusal: it counts the steps before it. Results as above. */
XN_MUST_CHECK xn_status xn_punycode_decode_traced(const uint8_t *src, size_t src_len, uint32_t *dst,
                                                  size_t dst_cap, size_t *dst_len,
                                                  struct xn_punycode_step *steps,
                                                  size_t *step_count);

/* Encodes (section 6.3). Digits are written in lower case; basic code points are copied as they
 * are. Returns XN_OK, XN_NO_SPACE, XN_PUNY_OVERFLOW, XN_CP_RANGE, XN_CP_SURROGATE. */
XN_MUST_CHECK xn_status xn_punycode_encode(const uint32_t *src, size_t src_len, uint8_t *dst,
                                           size_t dst_cap, size_t *dst_len);

/* The same with the annotation of appendix A: upper[j] forces the case of a basic src[j], and
 * chooses that of the last digit for any other (a decimal digit has no case: its flag is lost).
 * upper has src_len elements. Results as above. */
XN_MUST_CHECK xn_status xn_punycode_encode_annotated(const uint32_t *src, const bool *upper,
                                                     size_t src_len, uint8_t *dst, size_t dst_cap,
                                                     size_t *dst_len);

/* The same as xn_punycode_encode, and the steps taken: steps has room for src_len elements.
 * *step_count is also right after a refusal. Results as above. */
XN_MUST_CHECK xn_status xn_punycode_encode_traced(const uint32_t *src, size_t src_len, uint8_t *dst,
                                                  size_t dst_cap, size_t *dst_len,
                                                  struct xn_punycode_step *steps,
                                                  size_t *step_count);

#ifdef __cplusplus
}
#endif

#endif
