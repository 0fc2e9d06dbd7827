/* SPDX-License-Identifier: BSD-3-Clause */
/* What an A-label stands for, before anything is asked of it: needs no ICU. */
#ifndef XN_CORE_ALABEL_H
#define XN_CORE_ALABEL_H

#include "core/finding.h"
#include "core/punylabel.h"

#include <stddef.h>
#include <stdint.h>

/* Decodes a label that begins with "xn--" (in any case) to lower case where it is ASCII. len is at
 * most 63 octets, the prefix with them. dst has room for XN_ULABEL_MAX code points
 * (core/unicode.h). Returns 0, or the set of XN_PUNYCODE or of XN_ASCII_ONLY, and then *dst_len is
 * 0. */
xn_reasons xn_alabel_decode(const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len);

/* The same, and the UTF-8 of it, which is sooner written while the label is decoded. text has room
 * for XN_PUNYLABEL_TEXT octets. */
xn_reasons xn_alabel_decode_text(const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len,
                                 uint8_t *text, size_t *text_len);

#endif
