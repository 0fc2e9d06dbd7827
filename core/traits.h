/* SPDX-License-Identifier: BSD-3-Clause */
/* What ICU says of each code point, from a table that is made when the library is built, and what
 * follows from that for a label. Only "yes" is an answer: anything else is left to core/unicode.c,
 * which asks ICU. Nothing is allocated and nothing is kept: safe from any thread. */
#ifndef XN_CORE_TRAITS_H
#define XN_CORE_TRAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of Unicode that the table has, as ICU's u_getUnicodeVersion gives it. With another
 * one, neither xn_traits_is_valid nor xn_traits_is_plain nor xn_traits_lower may be trusted.
 */
extern const uint8_t xn_traits_unicode_version[4];

/* Is it certain that xn_unicode_check_ulabel finds nothing in a label of at most 59 code points? */
bool xn_traits_is_valid(const uint32_t *label, size_t len);

/* Is it certain that xn_unicode_check_display finds nothing in it? */
bool xn_traits_is_plain(const uint32_t *label, size_t len);

/* Puts in lower case, each code point in its place, what UTS 46 maps to its simple lower case, and
 * that to itself: capitals of ASCII too. Others stay as they are. */
void xn_traits_lower(uint32_t *label, size_t len);

/* Is it in the display set of core/unicode.h, but for ASCII? */
bool xn_traits_is_displayed(uint32_t cp);

/* Is it in the display set, and is its skeleton (UTS 39, section 4) ASCII punctuation and nothing
 * else? Not for ASCII. */
bool xn_traits_is_punctuation(uint32_t cp);

#endif
