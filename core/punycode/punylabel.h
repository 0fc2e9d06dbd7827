/* SPDX-License-Identifier: BSD-3-Clause */
/* The fast path for Punycode that fits in a DNS label. Its results are those of
 * core/punycode/punycode.c, which tries it first, and which returns why an input is rejected. These
 * functions allocate nothing and keep no state, so any thread may call them. */
#ifndef XN_CORE_PUNYCODE_PUNYLABEL_H
#define XN_CORE_PUNYCODE_PUNYLABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XN_PUNYLABEL_MAX = 63 - 4 }; /* octets after "xn--"; as many code points at most */

/* Decodes src (RFC 3492, section 6.2; core/punycode/decode.c). The caller has checked that src_len
 * is at most XN_PUNYLABEL_MAX; src is not NULL; dst has room for src_len code points. Returns false
 * if core/punycode/punycode.c must read the input: always if it is not Punycode, or if nothing
 * follows its last delimiter. The contents of dst and *dst_len are then unspecified. */
bool xn_punylabel_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len);

/* Does the same and also writes the result as UTF-8. text has room for XN_PUNYLABEL_TEXT octets,
 * all of which may be overwritten. Literals are copied straight from the Punycode. */
enum { XN_PUNYLABEL_TEXT = 4 * XN_PUNYLABEL_MAX + 64 };
bool xn_punylabel_decode_text(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len,
                              uint8_t *text, size_t *text_len);

/* Encodes src (section 6.3; core/punycode/encode.c). The caller has checked that src_len is at most
 * XN_PUNYLABEL_MAX. Returns false if core/punycode/punycode.c must read the input: always if the
 * result does not fit in dst_cap octets, or if src has anything but Unicode scalar values. The
 * contents of dst and *dst_len are then unspecified. */
bool xn_punylabel_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                         size_t *dst_len);

#endif
