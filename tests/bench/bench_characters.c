/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what the linked ICU says about every non-ASCII character that stands unmapped in some
 * label: one line each of code point, General_Category, name, and canonical decomposition in UTF-8.
 */
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

static void print_character(const UNormalizer2 *nfd, UChar32 cp)
{
    UErrorCode error = U_ZERO_ERROR;
    UChar self[2], units[UNITS_MAX];
    int32_t self_len = 0, len;
    char name[XN_CHARACTER_NAME_MAX], text[UNITS_MAX * 3];

    U16_APPEND_UNSAFE(self, self_len, cp);
    xn_unicode_character_name((uint32_t)cp, name);
    len = unorm2_normalize(nfd, self, self_len, units, UNITS_MAX, &error);
    u_strToUTF8(text, sizeof text, &len, units, len, &error);
    if (U_FAILURE(error))
        fail(u_errorName(error));
    printf("%04X\t%s\t%s\t%.*s\n", (unsigned)cp,
           u_getPropertyValueName(UCHAR_GENERAL_CATEGORY, u_charType(cp), U_SHORT_PROPERTY_NAME),
           name, (int)len, text);
}

int main(void)
{
    UErrorCode error = U_ZERO_ERROR;
    const UNormalizer2 *nfd = unorm2_getNFDInstance(&error);
    struct xn_unicode *unicode;

    if (U_FAILURE(error) || xn_unicode_open(&unicode) != XN_OK)
        fail("ICU cannot be opened");
    for (uint32_t cp = 0x80; cp <= 0x10FFFF; cp++)
        if (!(cp >= 0xD800 && cp < 0xE000) && u_isdefined((UChar32)cp) &&
            (stands_after(unicode, "x", cp) || stands_after(unicode, "", cp)))
            print_character(nfd, (UChar32)cp);
    xn_unicode_close(unicode);
}
