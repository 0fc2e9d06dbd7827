/* SPDX-License-Identifier: BSD-3-Clause */
/* The only door to ICU: what UTS 46 (nontransitional; STD3, Bidi, ContextJ and hyphen tests) and
 * UTS 39 say of labels.
 *
 * A handle is opened once, never changes afterwards and serves any number of threads at a time.
 * Only xn_unicode_open and xn_unicode_close may not run beside other calls on the same handle. Code
 * points given to these functions are Unicode scalar values (no surrogates, at most U+10FFFF); what
 * is said of others means nothing, and harms nothing. What has no elements may be NULL. Labels of
 * code points may be of any length, in time that grows with it, except where less is said. */
#ifndef XN_CORE_IDNA_UNICODE_H
#define XN_CORE_IDNA_UNICODE_H

#include "core/idna/finding.h"
#include "core/text/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct xn_unicode;

/* Code points in a U-label: each costs an octet or more of the 59 that an A-label has behind
 * "xn--". */
enum { XN_ULABEL_MAX = 63 - 4 };

/* Opens ICU's data: 2 ms, some allocations, no file.
 * Returns XN_OK, and the caller owns *unicode; XN_UNICODE_DATA or XN_NO_MEMORY, and *unicode is
 * NULL. */
XN_MUST_CHECK xn_status xn_unicode_open(struct xn_unicode **unicode);
void xn_unicode_close(struct xn_unicode *unicode); /* NULL is fine */

/* How often ICU had no memory to look at a label in, in the life of the process: what is found then
 * is worse than the label may be, and nothing to remember. */
unsigned xn_unicode_lacks(void);

/* The version of Unicode that the linked ICU knows, such as "15.0". Static storage. */
const char *xn_unicode_version(void);

/* What keeps the code points of a label, at least one of them not ASCII, from being a U-label: the
 * set of XN_NOT_CANONICAL, XN_DISALLOWED, XN_BIDI, XN_CONTEXTJ, XN_LEADING_MARK and XN_HYPHEN that
 * apply (UTS 46, section 4.1). Of a label that none of these applies to, XN_PUNCTUATION, which
 * keeps it not from being valid, for a middle dot or the like out of its context
 * (core/idna/context.h). Of more than XN_ULABEL_MAX code points XN_TOO_LONG is all that is said,
 * here and in the next two, and of none XN_EMPTY (xn_unicode_check_display: 0). The Bidi rule is
 * tested within the label. */
xn_reasons xn_unicode_check_ulabel(const struct xn_unicode *unicode, const uint32_t *label,
                                   size_t len);

/* What keeps a U-label (no invalid reason above) from being shown as it is: the set of XN_CHARSET,
 * XN_SCRIPT_MIX, XN_PUNCTUATION and XN_EMOJI that apply. Its joiners are valid in their context and
 * are left out of the tests (UTS 39, section 5.2, would find them outside the Allowed set).
 *
 * The display set: ASCII, and UTS 39's Allowed characters (Recommended and Inclusion) less U+0338,
 * U+058A, U+2010, U+2019, U+2027, U+30A0, U+02BB and U+02BC, which look like ASCII punctuation or
 * strike through. */
xn_reasons xn_unicode_check_display(const struct xn_unicode *unicode, const uint32_t *label,
                                    size_t len);

/* Both: what keeps code points from being a U-label and nothing else, or if nothing does, what
 * keeps the U-label from being shown as it is. */
xn_reasons xn_unicode_check_label(const struct xn_unicode *unicode, const uint32_t *label,
                                  size_t len);

/* Maps a label (UTF-8) as UTS 46, section 4, does and writes its A-label, or plain ASCII if
 * nothing else is left of it, to dst, which has room for 63 octets. Returns what is wrong with it,
 * as xn_unicode_check_ulabel does, XN_PUNYCODE of what is mapped to an "xn--" without Punycode,
 * XN_TOO_LONG and XN_EMPTY; and then *dst_len is 0. A character that the mapping would silently
 * drop (U+00AD, U+200B and their like, but for U+FE0E and U+FE0F behind an emoji, which a digit is
 * before U+20E3 alone) is XN_DISALLOWED, and so is what is no UTF-8.
 * Time is bounded: over XN_PRESENTATION_LABEL_MAX octets a label is too long without a look at it,
 * and of one over XN_PRESENTATION_LABEL_LONG that is much too long nothing else is said. */
enum { XN_PRESENTATION_LABEL_MAX = 1024, XN_PRESENTATION_LABEL_LONG = 4 * 63 };
xn_reasons xn_unicode_map_label(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                                uint8_t *dst, size_t *dst_len);

/* UTS 46 ToASCII and ToUnicode of a whole name (UTF-8), with every test on: CheckHyphens,
 * CheckBidi (across the labels), CheckJoiners, UseSTD3ASCIIRules, nontransitional; ToASCII with
 * VerifyDnsLength too, so that a final dot is XN_EMPTY: it has allowed no root label since Unicode
 * 15, whatever ICU says. *reasons gets what is wrong, and then dst holds what UTS 46 makes of the
 * name all the same. But ICU takes time with the square of a name's length: over XN_STRICT_NAME_MAX
 * octets a name is XN_TOO_LONG without a look at it, and *dst_len is 0.
 * Return XN_OK, XN_BAD_UTF8, XN_NO_SPACE, XN_NO_MEMORY; dst is meaningful with XN_OK alone. ICU may
 * allocate. */
enum { XN_STRICT_NAME_MAX = 10000 };
XN_MUST_CHECK xn_status xn_unicode_to_ascii(const struct xn_unicode *unicode, const uint8_t *name,
                                            size_t len, uint8_t *dst, size_t dst_cap,
                                            size_t *dst_len, xn_reasons *reasons);
XN_MUST_CHECK xn_status xn_unicode_to_unicode(const struct xn_unicode *unicode, const uint8_t *name,
                                              size_t len, uint8_t *dst, size_t dst_cap,
                                              size_t *dst_len, xn_reasons *reasons);

/* May a character stand as it is in text for people? Members of the display set, but for joiners,
 * and printable ASCII. */
bool xn_unicode_is_shown(uint32_t cp);

/* Does a code point draw something, and nothing but itself, or choose how the one before it is
 * drawn (U+FE0E, U+FE0F)? False for Cc, Cf, Cs, Co, Cn, Zl, Zp, Zs but U+0020, for all else that is
 * default ignorable, such as U+034F and U+3164, and for the blanks U+2800, U+13441, U+13442,
 * U+16FE4 and U+1D159. */
bool xn_unicode_is_visible(uint32_t cp);

/* Does it take two columns of a terminal (East_Asian_Width W or F)? */
bool xn_unicode_is_wide(uint32_t cp);

/* ISO 15924 codes, such as "Cyrl", each once, in the order of appearance. Static storage. */
enum { XN_SCRIPTS_MAX = 32 };
struct xn_scripts {
    size_t count;
    const char *codes[XN_SCRIPTS_MAX];
};

/* Adds the scripts (Unicode's property Script; Common and Inherited are none) of a label's code
 * points. What finds no room is left out. */
void xn_unicode_add_scripts(const uint32_t *label, size_t len, struct xn_scripts *scripts);

/* Zero width joiner or non-joiner: valid in some labels, but without a shape of its own. */
static inline bool xn_unicode_is_joiner(uint32_t cp)
{
    return cp == 0x200C || cp == 0x200D;
}

/* Does a label contain a right-to-left character (Bidi class R, AL or AN; RFC 5893, section 2)? */
bool xn_unicode_is_rtl(const uint32_t *label, size_t len);

/* --- what core/lookalike/script.h stands on --- */

/* UTS 39, section 5.2; the more mixed the higher. */
typedef enum {
    XN_LEVEL_ASCII,
    XN_LEVEL_SINGLE,
    XN_LEVEL_HIGHLY,
    XN_LEVEL_MODERATE,
    XN_LEVEL_MINIMAL,
    XN_LEVEL_UNRESTRICTED
} xn_level;

/* How a label's scripts are mixed, whether its characters are Allowed or not: never
 * XN_LEVEL_UNRESTRICTED, except for more than XN_ULABEL_MAX code points and where ICU fails. */
xn_level xn_unicode_mix(const struct xn_unicode *unicode, const uint32_t *label, size_t len);

/* Copies a label without its joiners to dst, which has room for len. Returns how many are left. */
size_t xn_unicode_drop_joiners(const uint32_t *label, size_t len, uint32_t *dst);

/* Is the Identifier_Status (UTS 39, section 3.1) of a character Allowed? */
bool xn_unicode_is_allowed(const struct xn_unicode *unicode, uint32_t cp);

/* Scripts by ICU's numbers, which are the same wherever the same ICU is linked. */
enum {
    XN_SCRIPT_GREK = 14,
    XN_SCRIPT_HANI = 17,
    XN_SCRIPT_HEBR = 19,
    XN_SCRIPT_HIRA = 20,
    XN_SCRIPT_KANA = 22,
    XN_SCRIPT_LATN = 25
};
enum { XN_SCRIPT_NUMBERS = 256, XN_SCRIPT_EXTENSIONS_MAX = 64 };

/* The number of a script that Unicode has, by its ISO 15924 code as Unicode writes it ("Latn"), or
 * -1: Common and Inherited are none. */
int xn_unicode_find_script(const char *code);

/* A character's script, or -1 for Common and Inherited. */
int xn_unicode_script(uint32_t cp);

/* A script's name in Unicode, such as "Cyrillic" or "Old_Italic", by ICU's number. NULL: there is
 * no such script. Static storage. */
const char *xn_unicode_script_name(int script);

/* The scripts that a character is used with (Script_Extensions), without Common and Inherited.
 * Returns how many. */
size_t xn_unicode_script_extensions(uint32_t cp, uint8_t dst[XN_SCRIPT_EXTENSIONS_MAX]);

/* The zero of the decimal system of a digit (General_Category Nd), or 0 for any other character. */
uint32_t xn_unicode_digit_zero(uint32_t cp);

/* Is it a letter (General_Category L)? */
bool xn_unicode_is_letter(uint32_t cp);

/* Is it Extended_Pictographic, an Emoji_Modifier or a Regional_Indicator? No ASCII is. */
bool xn_unicode_is_emoji(uint32_t cp);

/* --- for messages about written names: while rules are loaded, never on a query's path --- */

/* A character's name in Unicode, such as "SOFT HYPHEN", or what kind it is of where it has none,
 * such as "control character": ASCII with a NUL. dst has room for XN_CHARACTER_NAME_MAX octets. */
enum { XN_CHARACTER_NAME_MAX = 128 };
void xn_unicode_character_name(uint32_t cp, char *dst);

typedef enum {
    XN_CHARACTER_ALLOWED, /* it may still be out of place: a hyphen, a joiner, a mark at the start
                           */
    XN_CHARACTER_DROPPED, /* xn_unicode_map_label refuses it because UTS 46 drops it */
    XN_CHARACTER_REFUSED  /* UTS 46 with STD3 allows it in no label */
} xn_character;

/* What xn_unicode_map_label says of a character, which does not depend on the label but for the
 * characters before it (0 at the start) and behind it (0 at the end). */
xn_character xn_unicode_judge_character(const struct xn_unicode *unicode, uint32_t cp,
                                        uint32_t before, uint32_t after);

/* Is it a combining mark (General_Category M)? */
bool xn_unicode_is_mark(uint32_t cp);

/* May UTS 46's A-label of a label be longer than 63 octets? Then that is its length; 0: it is not,
 * or it cannot be told, as of a label (UTF-8) over XN_PRESENTATION_LABEL_MAX octets. */
size_t xn_unicode_alabel_overlength(const struct xn_unicode *unicode, const uint8_t *label,
                                    size_t len);

/* The Bidi rule (RFC 5893, section 2), which every label of a name must keep if one of them is
 * right-to-left. Returns the index of the first code point that may not stand where it does, or
 * len. */
size_t xn_unicode_bidi_fault(const uint32_t *label, size_t len);

/* The index of the first joiner outside the contexts of RFC 5892, appendix A.1 and A.2, or len; of
 * more than XN_ULABEL_MAX code points always len. */
size_t xn_unicode_joiner_fault(const struct xn_unicode *unicode, const uint32_t *label, size_t len);

/* Writes a label (UTF-8) in simplified Chinese characters, or if it was, in traditional ones, as
 * ICU's transliterators have it. Returns the octets, 0 where both are the same, dst_cap is too
 * small, the label has more than XN_PRESENTATION_LABEL_MAX octets or it is no UTF-8. ICU allocates,
 * the first time 4 MB, which it keeps, and 17 ms; 25 us later. */
size_t xn_unicode_other_han(const uint8_t *label, size_t len, uint8_t *dst, size_t dst_cap);

#ifdef __cplusplus
}
#endif

#endif
