/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes an A-label to code points, without ICU and without checking what they are. */
#ifndef XN_CORE_IDNA_ALABEL_H
#define XN_CORE_IDNA_ALABEL_H

#include "core/idna/finding.h"
#include "core/punycode/punylabel.h"

#include <stddef.h>
#include <stdint.h>

/* Decodes a label that begins with "xn--" (in upper or lower case), with ASCII letters in lower
 * case. The caller has checked that len is 4 to 63 octets, with the prefix. dst has room for
 * XN_ULABEL_MAX code points (core/wire/size.h). Returns 0, or the set of XN_PUNYCODE or of
 * XN_ASCII_ONLY; *dst_len is then 0. */
xn_reasons xn_alabel_decode(const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len);

/* Does the same and also writes the result as UTF-8, which is faster during decoding than after.
 * text has room for XN_PUNYLABEL_TEXT octets. */
xn_reasons xn_alabel_decode_text(const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len,
                                 uint8_t *text, size_t *text_len);

/* Returns why labels of a name that ICU has mapped (UTF-8, of any length) are not A-labels,
 * although they begin with "xn--" and have good Punycode: those in which ICU wrote U+FFFD. Returns
 * XN_ASCII_ONLY, XN_NOT_CANONICAL or both, never 0. */
xn_reasons xn_alabel_marked(const uint8_t *name, size_t len);

#endif
