/* SPDX-License-Identifier: BSD-3-Clause */
/* ICU's findings about labels, for tests that compare the library's table with them. */
#ifndef XN_TESTS_UNIT_ICUREFERENCE_H
#define XN_TESTS_UNIT_ICUREFERENCE_H

#include "core/idna/context.h"
#include "core/idna/misread.h"
#include "core/idna/traits.h"
#include "core/idna/ulabel.h"
#include "tests/unit/iculevel.h"

#include <stdlib.h>
#include <string.h>

#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

enum { ICU_UNITS_MAX = 2 * XN_ULABEL_MAX };

static inline int32_t icu_units(const uint32_t *label, size_t len, UChar units[ICU_UNITS_MAX])
{
    int32_t out = 0;

    for (size_t i = 0; i < len; i++)
        U16_APPEND_UNSAFE(units, out, label[i]);
    return out;
}

static inline const UIDNA *icu_idna(void)
{
    static UIDNA *idna;
    UErrorCode error = U_ZERO_ERROR;

    if (!idna)
        idna = uidna_openUTS46(UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE |
                                   UIDNA_USE_STD3_RULES | UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ,
                               &error);
    if (U_FAILURE(error))
        abort();
    return idna;
}

/* --- A-labels --- */

/* Asserts that ICU decodes an A-label of ASCII as xn_label_decode did, or calls it invalid, too.
 * They differ about Punycode that stands for ASCII alone, an error from UTS 46's revision 33 on
 * (Unicode 15.1). Returns whether ICU calls the label valid. */
static inline bool expect_decoded_as_icu(const uint8_t *label, size_t len, xn_reasons reasons,
                                         const uint32_t *cps, size_t cps_len)
{
    char shown[512];
    uint32_t theirs[XN_WIRE_LABEL_MAX];
    size_t count;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode error = U_ZERO_ERROR;
    int32_t shown_len = uidna_labelToUnicodeUTF8(icu_idna(), (const char *)label, (int32_t)len,
                                                 shown, sizeof shown, &info, &error);

    assert_true(U_SUCCESS(error));
    if (reasons & xn_reason_bit(XN_ASCII_ONLY)) {
        assert_int_equal(reasons, xn_reason_bit(XN_ASCII_ONLY));
        return info.errors == 0;
    }
    if ((info.errors == 0) != !(reasons & XN_INVALID_REASONS))
        fail_msg("%.*s: ICU's errors are %x", (int)len, (const char *)label, info.errors);
    if (info.errors != 0)
        return false;
    assert_int_equal(xn_utf8_decode((const uint8_t *)shown, (size_t)shown_len, theirs,
                                    XN_WIRE_LABEL_MAX, &count, NULL),
                     XN_OK);
    assert_int_equal(cps_len, count);
    assert_memory_equal(cps, theirs, count * sizeof *cps);
    return true;
}

/* --- validity --- */

static inline xn_reasons icu_reasons(uint32_t errors)
{
    static const struct {
        uint32_t errors;
        xn_reason reason;
    } table[] = {
        {UIDNA_ERROR_LABEL_HAS_DOT | UIDNA_ERROR_PUNYCODE | UIDNA_ERROR_INVALID_ACE_LABEL |
             UIDNA_ERROR_EMPTY_LABEL,
         XN_NOT_CANONICAL},
        {UIDNA_ERROR_DISALLOWED, XN_DISALLOWED},
        {UIDNA_ERROR_BIDI, XN_BIDI},
        {UIDNA_ERROR_CONTEXTJ, XN_CONTEXTJ},
        {UIDNA_ERROR_LEADING_COMBINING_MARK, XN_LEADING_MARK},
        {UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4,
         XN_HYPHEN},
    };
    xn_reasons reasons = 0;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (errors & table[i].errors)
            reasons |= xn_reason_bit(table[i].reason);
    return reasons;
}

/* A label is valid if UTS 46's ToUnicode finds no fault in it and does not change it: then every
 * code point has the status valid or deviation, and the label is in NFC. */
static inline xn_reasons icu_check_seen(const uint32_t *label, size_t len)
{
    UChar units[ICU_UNITS_MAX], mapped[4 * ICU_UNITS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t units_len = icu_units(label, len, units);
    int32_t mapped_len = uidna_labelToUnicode(icu_idna(), units, units_len, mapped,
                                              4 * ICU_UNITS_MAX, &info, &error);

    if (U_FAILURE(error)) /* a valid label of 59 code points does not grow so far */
        return xn_reason_bit(XN_NOT_CANONICAL);
    if (info.errors != 0)
        return icu_reasons(info.errors);
    if (mapped_len != units_len || u_memcmp(units, mapped, units_len) != 0)
        return xn_reason_bit(XN_NOT_CANONICAL);
    return xn_context_is_kept(label, len) ? 0 : xn_reason_bit(XN_PUNCTUATION);
}

/* Does ICU disallow a code point, or what it maps it to? Remembers the answers. */
static inline bool icu_disallows(uint32_t cp)
{
    static uint8_t known[0x110000];
    const uint32_t label[] = {'x', cp};

    if (known[cp] == 0)
        known[cp] = 1 + (icu_check_seen(label, 2) == xn_reason_bit(XN_DISALLOWED));
    return known[cp] > 1;
}

/* Does ICU normalize a label to another one? */
static inline bool icu_changes(const uint32_t *label, size_t len)
{
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *uts46 = unorm2_getInstance(NULL, "uts46", UNORM2_COMPOSE, &error);
    UChar units[ICU_UNITS_MAX];
    bool same = unorm2_isNormalized(uts46, units, icu_units(label, len, units), &error);

    if (U_FAILURE(error))
        abort();
    return !same;
}

/* Finds by ICU what xn_ulabel_check_valid finds in a label of any length. A label that UTS 46
 * changes has no other reason; a disallowed code point counts as U+FFFD. */
static inline xn_reasons icu_check_valid(const uint32_t *label, size_t len)
{
    uint32_t seen[XN_ULABEL_MAX];
    bool changed = false;

    if (len == 0 || len > XN_ULABEL_MAX)
        return xn_reason_bit(len == 0 ? XN_EMPTY : XN_TOO_LONG);
    if (len >= 4 && memcmp(label, U"xn--", 4 * sizeof *label) == 0) /* it would be decoded again */
        return xn_reason_bit(XN_HYPHEN);
    for (size_t i = 0; i < len; i++) {
        seen[i] = icu_disallows(label[i]) ? 0xFFFD : label[i];
        changed |= label[i] == '.';
    }
    return changed || icu_changes(seen, len) ? xn_reason_bit(XN_NOT_CANONICAL)
                                             : icu_check_seen(seen, len);
}

/* --- display --- */

/* UTS 39, section 5.4: a mark twice looks like one, and many marks reach into other lines. */
static inline bool icu_has_odd_marks(const uint32_t *label, size_t len)
{
    static USpoofChecker *checker;
    UChar units[ICU_UNITS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    size_t marks = 0;

    if (!checker) {
        checker = uspoof_open(&error);
        uspoof_setChecks(checker, USPOOF_INVISIBLE, &error);
    }
    for (size_t i = 0; i < len && marks <= XN_MARKS_MAX; i++)
        marks = u_charType((UChar32)label[i]) == U_NON_SPACING_MARK ? marks + 1 : 0;
    bool odd = marks > XN_MARKS_MAX ||
               uspoof_check(checker, units, icu_units(label, len, units), NULL, &error) != 0;
    if (U_FAILURE(error))
        abort();
    return odd;
}

/* Returns what the table of traits finds in single characters: that is the library's own choice. */
static inline xn_reasons check_characters(const uint32_t *label, size_t len)
{
    xn_reasons reasons = 0;

    for (size_t i = 0; i < len; i++) {
        uint32_t traits = xn_traits_of(label[i]);
        if (traits & TRAIT_HIDDEN)
            reasons |= xn_reason_bit(traits & TRAIT_EMOJI ? XN_EMOJI : XN_CHARSET);
    }
    return reasons;
}

static inline bool looks_like_ascii(const uint32_t *label, size_t len)
{
    bool letters = false;

    for (size_t i = 0; i < len; i++) {
        bool like = xn_traits_script_sets[xn_traits_of(label[i]) & TRAIT_SCRIPTS].like_ascii;
        if (!like && label[i] != '-' && label[i] - '0' > 9)
            return false;
        letters |= like;
    }
    return letters;
}

/* Finds by ICU what xn_ulabel_check_display finds in a label of any length. */
static inline xn_reasons icu_check_display(const uint32_t *label, size_t len)
{
    uint32_t rest[XN_ULABEL_MAX];

    if (len > XN_ULABEL_MAX)
        return xn_reason_bit(XN_TOO_LONG);
    size_t rest_len = xn_ulabel_drop_joiners(label, len, rest);
    xn_reasons reasons = check_characters(rest, rest_len);
    if (icu_has_odd_marks(rest, rest_len))
        reasons |= xn_reason_bit(XN_CHARSET);
    if (icu_level(rest, rest_len) > XN_LEVEL_HIGHLY)
        reasons |= xn_reason_bit(XN_SCRIPT_MIX);
    if (looks_like_ascii(rest, rest_len))
        reasons |= xn_reason_bit(XN_WHOLESCRIPT);
    return reasons | xn_misread_find(rest, rest_len);
}

/* Finds by ICU what xn_ulabel_check finds in a label of any length. */
static inline xn_reasons icu_check(const uint32_t *label, size_t len)
{
    xn_reasons reasons = icu_check_valid(label, len);

    if (reasons & XN_INVALID_REASONS)
        return reasons & XN_INVALID_REASONS;
    return reasons | icu_check_display(label, len);
}

#endif
