/* SPDX-License-Identifier: BSD-3-Clause */
/* Punycode with its steps and the place of a fault. The rules of core/punycode/punycode.h hold
 * here, too. Private: not part of libxn's interface. */
#ifndef XN_CORE_PUNYCODE_TRACE_H
#define XN_CORE_PUNYCODE_TRACE_H

#include "core/punycode/punycode.h"

#include <stdbool.h>

/* One insertion, with what the traces in RFC 3492, sections 7.2 and 7.3, say of it. */
struct xn_punycode_step {
    uint32_t delta;      /* the number that the digits encode */
    uint32_t code_point; /* n: the code point inserted */
    uint32_t index;      /* i: its position when it is inserted, in code points from 0 */
    uint32_t bias;       /* the bias after this step */
    size_t digits_at;    /* offset of the digits in the Punycode string, in octets */
    size_t digits_len;   /* number of digits, one octet each */
};

/* The steps of a conversion, and the place where it ended. */
struct xn_punycode_notes {
    struct xn_punycode_step *steps; /* the caller's: room for all insertions; NULL: none is kept */
    size_t step_count; /* insertions kept; if the input is refused, those before that */
    size_t bad_at;     /* where the input is refused; src_len with XN_OK */
};

/* Decodes like xn_punycode_decode. Records each insertion and the place where the input is refused.
 * notes->steps is NULL or has room for dst_cap elements; the other members are set. bad_at is the
 * offset of the octet in question, with XN_PUNY_TRUNCATED src_len. If a whole integer is refused
 * (XN_CP_RANGE, XN_CP_SURROGATE, XN_NO_SPACE, mostly XN_PUNY_OVERFLOW), that is its first digit.
 * Returns what xn_punycode_decode returns. */
XN_MUST_CHECK xn_status xn_punycode_decode_traced(const uint8_t *src, size_t src_len, uint32_t *dst,
                                                  size_t dst_cap, size_t *dst_len,
                                                  struct xn_punycode_notes *notes);

/* Encodes like xn_punycode_encode. Records each insertion and the place where the input is refused.
 * notes->steps is NULL or has room for src_len elements; the other members are set. bad_at is the
 * index of the code point in question: with XN_CP_RANGE and XN_CP_SURROGATE the first such one;
 * with XN_NO_SPACE the first that found no room, or src_len if that was the delimiter; with
 * XN_PUNY_OVERFLOW the first one whose delta does not fit 32 bits. Returns what xn_punycode_encode
 * returns. */
XN_MUST_CHECK xn_status xn_punycode_encode_traced(const uint32_t *src, size_t src_len, uint8_t *dst,
                                                  size_t dst_cap, size_t *dst_len,
                                                  struct xn_punycode_notes *notes);

#endif
