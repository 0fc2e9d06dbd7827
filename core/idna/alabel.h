/* SPDX-License-Identifier: BSD-3-Clause */
/* What an A-label stands for, before anything is asked of it: needs no ICU. */
#ifndef XN_CORE_IDNA_ALABEL_H
#define XN_CORE_IDNA_ALABEL_H

#include "core/idna/finding.h"
#include "core/punycode/label.h"

#include <stddef.h>
#include <stdint.h>

/* Decodes a label that begins with "xn--" (in any case) to lower case where it is ASCII. len is 4
 * to 63 octets, the prefix with them, which the caller has checked. dst has room for XN_ULABEL_MAX
 * code points (core/idna/unicode.h). Returns 0, or the set of XN_PUNYCODE or of XN_ASCII_ONLY, and
 * then *dst_len is 0. */
xn_reasons xn_alabel_decode(const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len);

/* The same, and the UTF-8 of it, which is sooner written while the label is decoded. text has room
 * for XN_PUNYLABEL_TEXT octets. */
xn_reasons xn_alabel_decode_text(const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len,
                                 uint8_t *text, size_t *text_len);

/* What keeps the labels of a name (UTF-8, mapped, of any length) that begin with "xn--", and in
 * which ICU wrote U+FFFD, from being A-labels where their Punycode is good: XN_ASCII_ONLY,
 * XN_NOT_CANONICAL or both. Not 0. */
xn_reasons xn_alabel_marked(const uint8_t *name, size_t len);

#endif
