/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which scripts and kinds of characters a U-label is made of (UTS 39, sections 3 and 5). The
 * code points are those of a decoded label. Joiners that are valid in their context are left out of
 * every test. A label may have any length, in time that grows with it, unless a function says
 * otherwise; it may be NULL if len is 0. These functions allocate nothing. */
#ifndef XN_CORE_LOOKALIKE_SCRIPT_H
#define XN_CORE_LOOKALIKE_SCRIPT_H

#include "core/idna/ulabel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns how far a label's scripts are mixed (UTS 39, section 5.2). Characters that are not
 * Allowed count by their scripts like any other, so an emoji or a Hebrew point alone is no mixture
 * (xn_script_find_restricted finds these). But a label that has one and is more mixed than
 * XN_LEVEL_HIGHLY is XN_LEVEL_UNRESTRICTED, and so is a label of more than XN_ULABEL_MAX code
 * points. */
xn_level xn_script_level(const uint32_t *label, size_t len);

/* A set of scripts, by ICU's numbers, which fit in an octet. {0} is the empty set. */
enum { XN_SCRIPT_NUMBERS = 256 };
struct xn_script_set {
    uint64_t bits[XN_SCRIPT_NUMBERS / 64];
};

/* Adds a script by its ISO 15924 code, such as "Latn", in upper or lower case. Jpan, Hrkt, Kore,
 * Hans, Hant and Hanb add the scripts that they join. Returns false, with the set unchanged, if
 * Unicode has no such script, if it is Common or Inherited, which tests pass over, or if it is a
 * name such as "Cyrillic" instead of a code. */
bool xn_script_set_add(struct xn_script_set *set, const char *code, size_t len);

/* xn_script_find_in returns the index of the first code point that belongs to the set,
 * xn_script_find_outside that of the first one outside it; both return len if there is none. A code
 * point belongs to a set that contains its script (Unicode's property Script) or all scripts that
 * it is used with (Script_Extensions). It is outside a set that contains neither its script nor any
 * that it is used with. For example, U+30FC belongs to {Hira, Kana} and is outside {Latn}; for
 * {Kana} it is neither. Both pass over characters used with every script, such as digits, a hyphen
 * or an emoji. ASCII letters are Latn. */
size_t xn_script_find_in(const struct xn_script_set *set, const uint32_t *label, size_t len);
size_t xn_script_find_outside(const struct xn_script_set *set, const uint32_t *label, size_t len);

/* Returns the index of the first code point whose Identifier_Status is not Allowed (UTS 39, section
 * 3), or len. */
size_t xn_script_find_restricted(const uint32_t *label, size_t len);

/* Returns the index of the first Extended_Pictographic, Emoji_Modifier or Regional_Indicator
 * character that is not ASCII, or len. */
size_t xn_script_find_emoji(const uint32_t *label, size_t len);

/* Returns the index of the first right-to-left character (Bidi class R, AL or AN; RFC 5893, section
 * 2), or len. */
size_t xn_script_find_rtl(const uint32_t *label, size_t len);

/* Returns whether a reader could take the whole label for an ASCII one: it has a letter but no
 * Latin character, and its exact key (core/lookalike/lookalike.h) is all ASCII. Always false for
 * more than XN_ULABEL_MAX code points, which no U-label has. */
bool xn_script_is_wholescript(const uint32_t *label, size_t len);

#endif
