/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks labels with a table of ICU's data on each code point that is made when the library is
 * built. At run time ICU is asked about single characters and pairs at most, so that the time is
 * linear in the length of a label. The results are ICU's, unless these comments say otherwise.
 * These functions allocate nothing and keep no state, so any thread may call them. */
#ifndef XN_CORE_IDNA_TRAITS_H
#define XN_CORE_IDNA_TRAITS_H

#include "core/idna/finding.h"
#include "core/idna/level.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The Unicode version of the table, as ICU's u_getUnicodeVersion returns it. If the ICU in use has
 * another version, trust only xn_traits_check_characters, xn_traits_is_displayed and
 * xn_traits_is_ambiguous, which define this library's display set. */
extern const uint8_t xn_traits_unicode_version[4];

/* The most nonspacing marks in a row that are shown (UTS 39, section 5.4): no script needs more. */
enum { XN_MARKS_MAX = 4 };

/* Return what xn_unicode_check_ulabel, xn_unicode_check_display or xn_unicode_check_label finds in
 * a label. */
xn_reasons xn_traits_check_ulabel(const uint32_t *label, size_t len);
xn_reasons xn_traits_check_display(const uint32_t *label, size_t len);
xn_reasons xn_traits_check_label(const uint32_t *label, size_t len);
xn_level xn_traits_mix(const uint32_t *label, size_t len);

/* Writes the A-label that xn_unicode_map_label makes of a label (UTF-8) without a fault. dst has
 * room for 63 octets. Returns false if only ICU can tell; the contents of dst are then unspecified,
 * and *dst_len is unchanged. */
bool xn_traits_map_label(const uint8_t *label, size_t len, uint8_t *dst, size_t *dst_len);

/* Returns the ISO 15924 code of the script of a label's first code point, "" for Common and
 * Inherited, or NULL if only ICU can tell. Unless NULL, *same is the number of code points up to
 * the first that may have another script, at least 1. len is not 0. Static storage. */
const char *xn_traits_script(const uint32_t *label, size_t len, size_t *same);

/* Returns whether the Script of a code point is Hiragana, Katakana or Han. */
bool xn_traits_is_kana_or_han(uint32_t cp);

/* Returns whether a code point is in the display set of core/idna/unicode.h and not ASCII. */
bool xn_traits_is_displayed(uint32_t cp);

/* Returns what keeps single characters of a label from being shown: XN_EMOJI for emoji and symbols
 * outside the display set, which the configuration may allow, XN_CHARSET for all other characters
 * outside it. The label may have any length. */
xn_reasons xn_traits_check_characters(const uint32_t *label, size_t len);

/* Returns whether a label of at most 59 code points has letters, none of them Latin, that all look
 * like ASCII letters or digits. */
bool xn_traits_is_like_ascii(const uint32_t *label, size_t len);

/* Return a set of scripts: those that all code points of a label are used with, and those that are
 * written in the country of a TLD of two letters, in any case (0 for any other). A bit that both
 * have is a script. */
uint64_t xn_traits_scripts(const uint32_t *label, size_t len);
uint64_t xn_traits_country(const uint8_t tld[2]);

/* Returns whether a code point is in the display set, and xn_misread_find (core/idna/misread.h) has
 * to look at what is around it. */
bool xn_traits_is_ambiguous(uint32_t cp);

#endif
