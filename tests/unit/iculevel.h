/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks ICU how far a label's scripts are mixed: in UTF-8, and of a checker that knows no other
 * test. */
#ifndef XN_TESTS_UNIT_ICULEVEL_H
#define XN_TESTS_UNIT_ICULEVEL_H

#include "core/text/utf8.h"
#include "core/wire/size.h"

#include <stdlib.h>

#include <unicode/uspoof.h>

static inline xn_level icu_level(const uint32_t *label, size_t len)
{
    static USpoofChecker *checker;
    UErrorCode error = U_ZERO_ERROR;
    uint8_t text[XN_UTF8_MAX * XN_ULABEL_MAX];
    size_t text_len;

    if (!checker) {
        checker = uspoof_open(&error);
        uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL | USPOOF_AUX_INFO, &error);
        uspoof_setRestrictionLevel(checker, USPOOF_ASCII);
    }
    if (xn_utf8_encode(label, len, text, sizeof text, &text_len) != XN_OK)
        abort();
    int32_t level = uspoof_checkUTF8(checker, (const char *)text, (int32_t)text_len, NULL, &error);
    if (U_FAILURE(error))
        abort();
    return (xn_level)((((unsigned)level & USPOOF_RESTRICTION_LEVEL_MASK) - USPOOF_ASCII) >> 28);
}

#endif
