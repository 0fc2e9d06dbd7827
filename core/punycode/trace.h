/* SPDX-License-Identifier: BSD-3-Clause */
/* Punycode with a record of its steps and of the place of an error. The rules of
 * core/punycode/punycode.h hold here, too. Private: not part of libxn's interface. */
#ifndef XN_CORE_PUNYCODE_TRACE_H
#define XN_CORE_PUNYCODE_TRACE_H

#include "core/punycode/punycode.h"

#include <stdbool.h>

/* One insertion, with the values that the traces in RFC 3492, sections 7.2 and 7.3, have. */
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
    struct xn_punycode_step *steps; /* the caller's, with room for all insertions; NULL: none */
    size_t step_count; /* insertions recorded; if the input is rejected, those before that */
    size_t bad_at;     /* where the input is rejected; src_len with XN_OK */
};

/* Decodes like xn_punycode_decode. Records each insertion and the place where the input is
 * rejected. notes->steps is NULL or has room for dst_cap elements; the other members are set.
 * bad_at is the offset of the rejected octet, src_len with XN_PUNY_TRUNCATED, and the offset of the
 * first digit if a whole integer is rejected (XN_CP_RANGE, XN_CP_SURROGATE, XN_NO_SPACE, mostly
 * XN_PUNY_OVERFLOW). Returns what xn_punycode_decode returns. */
XN_MUST_CHECK xn_status xn_punycode_decode_traced(const uint8_t *src, size_t src_len, uint32_t *dst,
                                                  size_t dst_cap, size_t *dst_len,
                                                  struct xn_punycode_notes *notes);

/* Encodes like xn_punycode_encode. Records each insertion and the place where the input is
 * rejected. notes->steps is NULL or has room for src_len elements; the other members are set.
 * bad_at is the index of a code point: with XN_CP_RANGE and XN_CP_SURROGATE the first such one;
 * with XN_NO_SPACE the first one without room, or src_len if the delimiter had none; with
 * XN_PUNY_OVERFLOW the first one whose delta does not fit 32 bits. Returns what xn_punycode_encode
 * returns. */
XN_MUST_CHECK xn_status xn_punycode_encode_traced(const uint32_t *src, size_t src_len, uint8_t *dst,
                                                  size_t dst_cap, size_t *dst_len,
                                                  struct xn_punycode_notes *notes);

#endif
