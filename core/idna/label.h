/* SPDX-License-Identifier: BSD-3-Clause */
/* One label: from A-label to U-label, with findings. Nothing is allocated; a handle of
 * core/idna/unicode.h may be shared by all threads. */
#ifndef XN_CORE_IDNA_LABEL_H
#define XN_CORE_IDNA_LABEL_H

#include "core/idna/unicode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a label that begins with "xn--" (in any case) is: decodes it in lower case and says whether
 * it is an A-label and may be shown. Over 63 octets, the prefix with them, it is XN_TOO_LONG
 * without a look at it, and under 4 XN_PUNYCODE; its first four are taken for the prefix. dst has
 * room for XN_ULABEL_MAX code points. Unless the reasons are XN_TOO_LONG, XN_PUNYCODE or
 * XN_ASCII_ONLY, dst holds the *dst_len code points that the Punycode stands for, lower-cased where
 * they are ASCII; else *dst_len is 0. Returns the reasons found: 0 for a U-label that may be shown
 * as it is. An invalid label is not tested for display. */
xn_reasons xn_label_decode(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                           uint32_t *dst, size_t *dst_len);

/* The same, and text, which has room for XN_ULABEL_TEXT octets, which may all be written to, holds
 * the UTF-8 of dst; *text_len is 0 where *dst_len is. */
enum { XN_ULABEL_TEXT = 4 * XN_ULABEL_MAX + 64 };
xn_reasons xn_label_decode_text(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                                uint32_t *dst, size_t *dst_len, uint8_t *text, size_t *text_len);

#ifdef __cplusplus
}
#endif

#endif
