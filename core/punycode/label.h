/* SPDX-License-Identifier: BSD-3-Clause */
/* Punycode of what a DNS label holds, fast: the same results as core/punycode/punycode.c, which
 * calls this and stays the one that says why something is refused. Nothing is allocated and nothing
 * is kept: safe from any thread. */
#ifndef XN_CORE_PUNYCODE_LABEL_H
#define XN_CORE_PUNYCODE_LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XN_PUNYLABEL_MAX = 63 - 4 }; /* octets behind "xn--", and so code points */

/* Decodes (RFC 3492, section 6.2): core/punycode/decode.c. src_len is at most XN_PUNYLABEL_MAX,
 * which the caller has checked; src is not NULL; dst has room for src_len code points. False: it is
 * left to core/punycode/punycode.c, as is whatever is no Punycode and what has nothing behind its
 * last delimiter; dst holds nothing meaningful then, and *dst_len is unspecified. */
bool xn_punylabel_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len);

/* The same, and the UTF-8 of it: text has room for XN_PUNYLABEL_TEXT octets, which may all be
 * written to. Literals are copied from where they stand in the Punycode. */
enum { XN_PUNYLABEL_TEXT = 4 * XN_PUNYLABEL_MAX + 64 };
bool xn_punylabel_decode_text(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len,
                              uint8_t *text, size_t *text_len);

/* Encodes (section 6.3): core/punycode/encode.c. src_len is at most XN_PUNYLABEL_MAX, as above.
 * False: it is left to core/punycode/punycode.c, as is what does not fit in dst_cap octets and what
 * is no scalar value; as above. */
bool xn_punylabel_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                         size_t *dst_len);

#endif
