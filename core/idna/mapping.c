/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/mapping.h"

#include "core/idna/alabel.h"
#include "core/idna/icu.h"
#include "core/idna/property.h"
#include "core/idna/ulabel.h"
#include "core/text/utf8char.h"
#include "core/wire/size.h"

#include <string.h>

#include <unicode/uchar.h>
#include <unicode/ustring.h>

/* --- what ICU found --- */

static xn_reasons reasons_of(uint32_t errors)
{
    static const struct {
        uint32_t errors;
        xn_reason reason;
    } table[] = {
        {UIDNA_ERROR_LABEL_HAS_DOT, XN_NOT_CANONICAL}, /* U+3002 and the like are mapped to it */
        {UIDNA_ERROR_DISALLOWED, XN_DISALLOWED},
        {UIDNA_ERROR_BIDI, XN_BIDI},
        {UIDNA_ERROR_CONTEXTJ, XN_CONTEXTJ},
        {UIDNA_ERROR_LEADING_COMBINING_MARK, XN_LEADING_MARK},
        {UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4,
         XN_HYPHEN},
        {UIDNA_ERROR_PUNYCODE, XN_PUNYCODE},
        {UIDNA_ERROR_INVALID_ACE_LABEL, XN_NOT_CANONICAL},
        {UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG, XN_TOO_LONG},
        {UIDNA_ERROR_EMPTY_LABEL, XN_EMPTY},
    };
    xn_reasons reasons = 0;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (errors & table[i].errors)
            reasons |= xn_reason_bit(table[i].reason);
    return reasons;
}

/* ICU does not report whether an invalid A-label decodes to ASCII alone. */
xn_reasons xn_icu_reasons_of_mapping(uint32_t errors, const void *mapped, int32_t len)
{
    xn_reasons reasons = reasons_of(errors & ~(uint32_t)UIDNA_ERROR_INVALID_ACE_LABEL);

    if (errors & UIDNA_ERROR_INVALID_ACE_LABEL)
        reasons |= xn_alabel_marked(mapped, (size_t)len);
    return reasons;
}

/* --- mapping --- */

/* Returns whether UTS 46 silently drops a character, except U+FE0E and U+FE0F after an emoji, where
 * dropping is expected. Digits have the property Emoji, but are emoji only before U+20E3. */
static bool is_dropped(uint32_t cp, uint32_t before, uint32_t after)
{
    bool presentation = (cp == 0xFE0E || cp == 0xFE0F) && (before >= 0x80 || after == 0x20E3);

    return u_hasBinaryProperty((UChar32)cp, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) &&
           !xn_unicode_is_joiner(cp) &&
           !(presentation && u_hasBinaryProperty((UChar32)before, UCHAR_EMOJI));
}

static bool drops_characters(const uint8_t *label, size_t len)
{
    uint32_t before = 0, cp = 0, after = 0;

    for (size_t at = 0, step; at < len; at += step, before = cp, cp = after) {
        step = xn_utf8_read(label + at, len - at, &after);
        if (step == 0 || is_dropped(cp, before, after)) /* 0: malformed UTF-8 */
            return true;
    }
    return is_dropped(cp, before, 0);
}

/* Returns whether a long label maps to more than 63 code points. ICU would encode all of them, in
 * time that grows with the square of their number, so we map without encoding first. */
static bool is_hopeless(const struct xn_unicode *unicode, const uint8_t *label, size_t len)
{
    char mapped[4 * XN_PRESENTATION_LABEL_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t code_points = 0;

    if (len <= XN_PRESENTATION_LABEL_LONG)
        return false;
    int32_t mapped_len = uidna_labelToUnicodeUTF8(unicode->idna, (const char *)label, (int32_t)len,
                                                  mapped, sizeof mapped, &info, &error);
    for (int32_t at = 0; U_SUCCESS(error) && at < mapped_len; at++)
        code_points += !U8_IS_TRAIL(mapped[at]);
    return U_FAILURE(error) || code_points > 63;
}

xn_reasons xn_icu_map_label(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                            uint8_t *dst, size_t *dst_len)
{
    char mapped[XN_PRESENTATION_LABEL_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;

    if (len > XN_PRESENTATION_LABEL_MAX)
        return xn_reason_bit(XN_TOO_LONG);
    if (drops_characters(label, len))
        return xn_reason_bit(XN_DISALLOWED);
    if (is_hopeless(unicode, label, len))
        return xn_reason_bit(XN_TOO_LONG);
    int32_t mapped_len = uidna_labelToASCII_UTF8(unicode->idna, (const char *)label, (int32_t)len,
                                                 mapped, sizeof mapped, &info, &error);
    bool fits = U_SUCCESS(error);
    xn_reasons reasons = xn_icu_reasons_of_mapping(info.errors, mapped, fits ? mapped_len : 0);
    if (!fits || mapped_len > 63)
        reasons |= xn_reason_bit(XN_TOO_LONG);
    if (reasons == 0) {
        memcpy(dst, mapped, (size_t)mapped_len);
        *dst_len = (size_t)mapped_len;
    }
    return reasons;
}

xn_reasons xn_unicode_map_label(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                                uint8_t *dst, size_t *dst_len)
{
    *dst_len = 0;
    if (xn_ulabel_map(label, len, dst, dst_len))
        return 0;
    return xn_icu_map_label(unicode, label, len, dst, dst_len);
}

/* --- for messages --- */

/* ICU's errors about hyphens, joiners and marks depend on their place, and are ignored here. */
xn_character xn_unicode_judge_character(const struct xn_unicode *unicode, uint32_t cp,
                                        uint32_t before, uint32_t after)
{
    enum { MAPPED_MAX = 64 }; /* the longest mapping of a character, that of U+FDFA, has 18 */
    static const uint32_t refused = UIDNA_ERROR_DISALLOWED | UIDNA_ERROR_LABEL_HAS_DOT;
    UChar units[2], mapped[MAPPED_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t len = 0;

    if (is_dropped(cp, before, after))
        return XN_CHARACTER_DROPPED;
    U16_APPEND_UNSAFE(units, len, cp);
    uidna_labelToUnicode(unicode->idna, units, len, mapped, MAPPED_MAX, &info, &error);
    return U_FAILURE(error) || (info.errors & refused) ? XN_CHARACTER_REFUSED
                                                       : XN_CHARACTER_ALLOWED;
}

size_t xn_unicode_alabel_overlength(const struct xn_unicode *unicode, const uint8_t *label,
                                    size_t len)
{
    char mapped[8 * XN_PRESENTATION_LABEL_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;

    if (len > XN_PRESENTATION_LABEL_MAX)
        return 0;
    int32_t mapped_len = uidna_labelToASCII_UTF8(unicode->idna, (const char *)label, (int32_t)len,
                                                 mapped, sizeof mapped, &info, &error);
    bool too_long = U_SUCCESS(error) && info.errors == UIDNA_ERROR_LABEL_TOO_LONG;
    return too_long ? (size_t)mapped_len : 0;
}

size_t xn_unicode_bidi_fault(const uint32_t *label, size_t len)
{
    static const uint32_t any = U_MASK(U_EUROPEAN_NUMBER) | U_MASK(U_EUROPEAN_NUMBER_SEPARATOR) |
                                U_MASK(U_EUROPEAN_NUMBER_TERMINATOR) |
                                U_MASK(U_COMMON_NUMBER_SEPARATOR) | U_MASK(U_OTHER_NEUTRAL) |
                                U_MASK(U_BOUNDARY_NEUTRAL) | U_MASK(U_DIR_NON_SPACING_MARK);
    static const uint32_t rtl = U_MASK(U_RIGHT_TO_LEFT) | U_MASK(U_RIGHT_TO_LEFT_ARABIC);
    static const uint32_t ltr = U_MASK(U_LEFT_TO_RIGHT), arabic = U_MASK(U_ARABIC_NUMBER);
    static const uint32_t digits = U_MASK(U_EUROPEAN_NUMBER) | U_MASK(U_ARABIC_NUMBER);
    uint32_t first = len > 0 ? U_MASK(u_charDirection((UChar32)label[0])) : 0, seen = 0;
    uint32_t letters = first & rtl ? rtl : ltr;
    size_t last = 0; /* the last code point that is not a mark */

    if (!(first & (rtl | ltr)))
        return 0; /* rule 1 */
    for (size_t i = 0; i < len; i++) {
        uint32_t class = U_MASK(u_charDirection((UChar32)label[i]));
        if (!(class & (letters | any | (letters == rtl ? arabic : 0))))
            return i; /* rules 2 and 5 */
        seen |= class;
        if (letters == rtl && (seen & digits) == digits)
            return i; /* rule 4 */
        last = class == U_MASK(U_DIR_NON_SPACING_MARK) ? last : i;
    }
    uint32_t end = U_MASK(u_charDirection((UChar32)label[last]));
    return end & (letters | U_MASK(U_EUROPEAN_NUMBER) | (letters == rtl ? arabic : 0))
               ? len
               : last; /* rules 3 and 6 */
}
