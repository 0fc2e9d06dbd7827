/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of single characters. Needs ICU, but no handle. Code points are
 * Unicode scalar values (no surrogates, at most U+10FFFF); for others the results are meaningless
 * but harmless. Any thread may call these functions. Private: not part of libxn's interface. */
#ifndef XN_CORE_IDNA_PROPERTY_H
#define XN_CORE_IDNA_PROPERTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether a character may be shown to people unchanged: it is printable ASCII, or in
 * the rest of the display set (core/idna/finding.h) except joiners. */
bool xn_unicode_is_shown(uint32_t cp);

/* Returns whether a code point draws something and affects nothing else, or selects how the one
 * before it is drawn (U+FE0E, U+FE0F). False for General_Category Cc, Cf, Cs, Co, Cn, Zl, Zp and Zs
 * except U+0020, for all other default ignorable code points, such as U+034F and U+3164, and for
 * the blanks U+2800, U+13441, U+13442, U+16FE4 and U+1D159. */
bool xn_unicode_is_visible(uint32_t cp);

/* Returns whether a code point takes two columns of a terminal (East_Asian_Width W or F). */
bool xn_unicode_is_wide(uint32_t cp);

/* Returns whether a code point is a zero width joiner or non-joiner: valid in some labels, but
 * invisible. */
static inline bool xn_unicode_is_joiner(uint32_t cp)
{
    return cp == 0x200C || cp == 0x200D;
}

/* Returns whether a character is a combining mark (General_Category M). */
bool xn_unicode_is_mark(uint32_t cp);

/* Some scripts by ICU's numbers. */
enum {
    XN_SCRIPT_CYRL = 8,
    XN_SCRIPT_GREK = 14,
    XN_SCRIPT_HANI = 17,
    XN_SCRIPT_HEBR = 19,
    XN_SCRIPT_HIRA = 20,
    XN_SCRIPT_KANA = 22,
    XN_SCRIPT_LATN = 25
};
enum { XN_SCRIPT_EXTENSIONS_MAX = 64 };

/* Returns the number of a script of Unicode, by its ISO 15924 code as Unicode writes it ("Latn"),
 * or -1 if there is no such script. Common and Inherited do not count as scripts. */
int xn_unicode_find_script(const char *code);

/* Returns the number of a character's script, or -1 for Common and Inherited. */
int xn_unicode_script(uint32_t cp);

/* Writes the numbers of the scripts that a character is used with (Script_Extensions), without
 * Common and Inherited. Returns how many there are. */
size_t xn_unicode_script_extensions(uint32_t cp, uint8_t dst[XN_SCRIPT_EXTENSIONS_MAX]);

/* Returns the zero of a digit's decimal system (General_Category Nd), or 0 for any other character.
 */
uint32_t xn_unicode_digit_zero(uint32_t cp);

/* Returns whether a label contains a right-to-left character (Bidi class R, AL or AN; RFC 5893,
 * section 2). The label may have any length, and may be NULL if that is 0. */
bool xn_unicode_is_rtl(const uint32_t *label, size_t len);

/* Returns whether a character is a letter (General_Category L). */
bool xn_unicode_is_letter(uint32_t cp);

/* Returns whether a character is Extended_Pictographic, an Emoji_Modifier or a Regional_Indicator,
 * as no ASCII character is. */
bool xn_unicode_is_emoji(uint32_t cp);

/* For messages, never on a query's path: writes a character's Unicode name, such as "SOFT HYPHEN",
 * or its kind if it has no name, such as "control character", in ASCII with a NUL. dst has room for
 * XN_CHARACTER_NAME_MAX octets. */
enum { XN_CHARACTER_NAME_MAX = 128 };
void xn_unicode_character_name(uint32_t cp, char *dst);

#endif
