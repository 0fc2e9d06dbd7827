/* SPDX-License-Identifier: BSD-3-Clause */
/* What ICU says of each code point, from a table that is made when the library is built, and what
 * follows from that for a label: what ICU would find, or that it is not certain, which is left to
 * core/idna/unicode.c, which asks ICU. Nothing is allocated and nothing is kept: safe from any
 * thread.
 */
#ifndef XN_CORE_IDNA_TRAITS_H
#define XN_CORE_IDNA_TRAITS_H

#include "core/idna/unicode.h"

/* The version of Unicode that the table has, as ICU's u_getUnicodeVersion gives it. With another
 * one, nothing here may be trusted but xn_traits_check_characters, xn_traits_is_displayed and
 * xn_traits_is_punctuation, which say what this library takes for such. */
extern const uint8_t xn_traits_unicode_version[4];

/* UTS 39, section 5.4: more nonspacing marks in a row than any script needs. */
enum { XN_MARKS_MAX = 4 };

/* A label is at most 59 code points here; with more, nothing is certain. */

/* *reasons is what xn_unicode_check_ulabel finds in a label; what xn_unicode_check_display finds;
 * what it finds where the former finds nothing that makes it invalid, else what does. False: only
 * ICU can tell. */
bool xn_traits_check_ulabel(const uint32_t *label, size_t len, xn_reasons *reasons);
bool xn_traits_check_display(const uint32_t *label, size_t len, xn_reasons *reasons);
bool xn_traits_check_label(const uint32_t *label, size_t len, xn_reasons *reasons);

/* *level is what xn_unicode_mix finds. False: only ICU can tell, since the label is empty or too
 * long. */
bool xn_traits_mix(const uint32_t *label, size_t len, xn_level *level);

/* dst, with room for 63 octets, and *dst_len are the A-label that xn_unicode_map_label makes of a
 * label (UTF-8), in which it finds no fault. False: only ICU can tell; dst holds nothing meaningful
 * then, and *dst_len is as it was. */
bool xn_traits_map_label(const uint8_t *label, size_t len, uint8_t *dst, size_t *dst_len);

/* The ISO 15924 code of the script of a label's first code point, or "" for Common and Inherited.
 * NULL: ask ICU. Else *same becomes the number of code points for which that holds: all up to one
 * that may have another, at least one. len is not 0. Static storage. */
const char *xn_traits_script(const uint32_t *label, size_t len, size_t *same);

/* Is it in the display set of core/idna/unicode.h, but for ASCII? */
bool xn_traits_is_displayed(uint32_t cp);

/* What keeps the characters of a label, each by itself, from being shown: XN_EMOJI for emoji and
 * symbols outside the display set, which the configuration may let pass, XN_CHARSET for all others
 * outside it. Of any length. */
xn_reasons xn_traits_check_characters(const uint32_t *label, size_t len);

/* Is it in the display set, and is its skeleton (UTS 39, section 4) ASCII punctuation and nothing
 * else? Not for ASCII. */
bool xn_traits_is_punctuation(uint32_t cp);

#endif
