/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what the linked ICU says about every non-ASCII character that stands unmapped in some
 * label: one line each of code point, General_Category, script, digit value (-1: none), name, and
 * in UTF-8 the canonical decomposition and the skeleton (UTS 39, section 4), which may contain a
 * TAB. */
#include "core/idna/mapping.h"
#include "core/idna/property.h"
#include "core/idna/unicode.h"
#include "core/punycode/punycode.h"
#include "core/text/utf8.h"
#include "core/wire/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

enum { UNITS_MAX = 64 };

static void fail(const char *what)
{
    fprintf(stderr, "bench_characters: %s\n", what);
    exit(1);
}

static bool contains(const uint32_t *label, size_t len, uint32_t cp)
{
    for (size_t i = 0; i < len; i++)
        if (label[i] == cp)
            return true;
    return false;
}

/* Returns whether the U-label of `before` followed by the character contains that character. */
static bool stands_after(const struct xn_unicode *unicode, const char *before, uint32_t cp)
{
    uint8_t text[8], alabel[63];
    uint32_t label[XN_ULABEL_MAX];
    size_t len = strlen(before), alabel_len, label_len;

    memcpy(text, before, len);
    len += xn_utf8_write(cp, text + len);
    if (xn_unicode_map_label(unicode, text, len, alabel, &alabel_len) & XN_INVALID_REASONS)
        return false;
    return alabel_len > 4 && memcmp(alabel, "xn--", 4) == 0 &&
           xn_punycode_decode(alabel + 4, alabel_len - 4, label, XN_ULABEL_MAX, &label_len) ==
               XN_OK &&
           contains(label, label_len, cp);
}

static void print_units(const UChar *units, int32_t len)
{
    char text[UNITS_MAX * 3];
    int32_t text_len;
    UErrorCode error = U_ZERO_ERROR;

    u_strToUTF8(text, sizeof text, &text_len, units, len, &error);
    if (U_FAILURE(error))
        fail(u_errorName(error));
    printf("\t%.*s", (int)text_len, text);
}

static void print_character(const USpoofChecker *checker, const UNormalizer2 *nfd, UChar32 cp)
{
    UErrorCode error = U_ZERO_ERROR;
    UChar self[2], units[UNITS_MAX];
    int32_t self_len = 0, len;
    char name[XN_CHARACTER_NAME_MAX];

    U16_APPEND_UNSAFE(self, self_len, cp);
    xn_unicode_character_name((uint32_t)cp, name);
    printf("%04X\t%s\t%s\t%d\t%s", (unsigned)cp,
           u_getPropertyValueName(UCHAR_GENERAL_CATEGORY, u_charType(cp), U_SHORT_PROPERTY_NAME),
           uscript_getShortName(uscript_getScript(cp, &error)), (int)u_charDigitValue(cp), name);
    len = unorm2_normalize(nfd, self, self_len, units, UNITS_MAX, &error);
    print_units(units, len);
    len = uspoof_getSkeleton(checker, 0, self, self_len, units, UNITS_MAX, &error);
    print_units(units, len);
    if (U_FAILURE(error))
        fail(u_errorName(error));
    putchar('\n');
}

int main(void)
{
    UErrorCode error = U_ZERO_ERROR;
    USpoofChecker *checker = uspoof_open(&error);
    const UNormalizer2 *nfd = unorm2_getNFDInstance(&error);
    struct xn_unicode *unicode;

    if (U_FAILURE(error) || xn_unicode_open(&unicode) != XN_OK)
        fail("ICU cannot be opened");
    printf("Unicode %s\n", xn_unicode_version());
    for (uint32_t cp = 0x80; cp <= 0x10FFFF; cp++)
        if (!(cp >= 0xD800 && cp < 0xE000) && u_isdefined((UChar32)cp) &&
            (stands_after(unicode, "x", cp) || stands_after(unicode, "", cp)))
            print_character(checker, nfd, (UChar32)cp);
    xn_unicode_close(unicode);
    uspoof_close(checker);
}
