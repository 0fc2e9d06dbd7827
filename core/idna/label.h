/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes one A-label to a U-label and returns what is wrong with it. Allocates nothing and keeps
 * no state; all threads may share a handle. The handle only proves that ICU has the Unicode version
 * of the tables, which decide. */
#ifndef XN_CORE_IDNA_LABEL_H
#define XN_CORE_IDNA_LABEL_H

#include "core/idna/finding.h"
#include "core/idna/unicode.h"
#include "core/wire/size.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Decodes a label of len octets that begins with "xn--" (in upper or lower case), and checks
 * whether it is an A-label and may be shown. The first four octets are not compared with the
 * prefix. A label over 63 octets (with the prefix) is XN_TOO_LONG, and one under 4 is XN_PUNYCODE;
 * neither is decoded. dst has room for XN_ULABEL_MAX code points, and gets the *dst_len code points
 * that the Punycode encodes, with ASCII letters in lower case. *dst_len is 0 if the reason is
 * XN_TOO_LONG, XN_PUNYCODE or XN_ASCII_ONLY. Returns the reasons, or 0 if it is a U-label that may
 * be shown as it is. An invalid label has no reason that restricts a label. */
xn_reasons xn_label_decode(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                           uint32_t *dst, size_t *dst_len);

/* Does the same, and also writes dst as UTF-8 to text, which has room for XN_ULABEL_TEXT octets,
 * all of which may be overwritten. *text_len is 0 if *dst_len is. */
enum { XN_ULABEL_TEXT = 4 * XN_ULABEL_MAX + 64 };
xn_reasons xn_label_decode_text(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                                uint32_t *dst, size_t *dst_len, uint8_t *text, size_t *text_len);

#ifdef __cplusplus
}
#endif

#endif
