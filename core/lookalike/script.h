/* SPDX-License-Identifier: BSD-3-Clause */
/* What scripts and kinds of characters a U-label is made of (UTS 39, sections 3 and 5). Code points
 * are those of a decoded label, joiners that are valid in their context with them: these are left
 * out of every test here. There may be any number, in time that grows with it, except where less is
 * said; label may be NULL where len is 0. Nothing is allocated. */
#ifndef XN_CORE_LOOKALIKE_SCRIPT_H
#define XN_CORE_LOOKALIKE_SCRIPT_H

#include "core/idna/unicode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "ascii", "single", "highly", "moderate", "minimal", "unrestricted", or "unknown" of any other
 * value. Static storage. */
const char *xn_level_word(xn_level level);

/* How far a label's scripts are mixed (UTS 39, section 5.2). Characters that are not Allowed count
 * by their scripts as others do, so that an emoji or a Hebrew point alone is no mixture
 * (xn_script_find_restricted finds these); but a label is XN_LEVEL_UNRESTRICTED if it has one and
 * is more mixed than XN_LEVEL_HIGHLY, and so is one of more than XN_ULABEL_MAX code points. */
xn_level xn_script_level(const struct xn_unicode *unicode, const uint32_t *label, size_t len);

/* Scripts by ISO 15924 code. {0} is none. */
struct xn_script_set {
    uint64_t bits[XN_SCRIPT_NUMBERS / 64];
};

/* Adds "Latn", in any case. Jpan, Hrkt, Kore, Hans, Hant and Hanb stand for the scripts that they
 * join. False, and the set is as it was: Unicode has no such script, or it is Common or Inherited,
 * which tests pass over, or it is no code but a name such as "Cyrillic". */
bool xn_script_set_add(struct xn_script_set *set, const char *code, size_t len);

/* The index of the first code point that belongs to the set, or of the first that has nothing to do
 * with it; len if there is none. A code point belongs to a set that contains its script (Unicode's
 * property Script) or all scripts that it is used with (Script_Extensions); to a set that contains
 * neither the one nor any of the others it is a stranger. So U+30FC belongs to {Hira, Kana} and is
 * a stranger to {Latn}, and {Kana} finds it neither way. What is used with every script, such as
 * digits, a hyphen or an emoji, is passed over. ASCII letters are Latn. */
size_t xn_script_find_in(const struct xn_script_set *set, const uint32_t *label, size_t len);
size_t xn_script_find_outside(const struct xn_script_set *set, const uint32_t *label, size_t len);

/* The index of the first digit of another decimal system than a digit before it (UTS 39, section
 * 5.3), or len. */
size_t xn_script_find_mixed_digit(const uint32_t *label, size_t len);

/* The index of the first code point whose Identifier_Status is not Allowed (UTS 39, section 3), or
 * len. */
size_t xn_script_find_restricted(const struct xn_unicode *unicode, const uint32_t *label,
                                 size_t len);

/* The index of the first Extended_Pictographic, Emoji_Modifier or Regional_Indicator character that
 * is not ASCII, or len. */
size_t xn_script_find_emoji(const uint32_t *label, size_t len);

/* The index of the first right-to-left character (Bidi class R, AL or AN: RFC 5893, section 2), or
 * len. */
size_t xn_script_find_rtl(const uint32_t *label, size_t len);

/* Could a reader take the whole label for an ASCII one, though no letter of it is Latin and at
 * least one is a letter: is its exact key (core/lookalike/lookalike.h) all ASCII? Not of more than
 * XN_ULABEL_MAX code points, which no label has. */
bool xn_script_is_wholescript(const uint32_t *label, size_t len);

#ifdef __cplusplus
}
#endif

#endif
