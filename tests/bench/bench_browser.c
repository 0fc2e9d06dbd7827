/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares libxn's display with what ICU and a browser say of labels. For each line LABEL of
 * standard input, it writes a line: its wire label, libxn's reasons not to show it under a TLD of
 * another script between commas, its skeleton (UTS 39, section 4) and the skeleton without
 * diacritics as UTF-8 in hexadecimal, and 1 if a browser's rules without a list of names hide it. A
 * line without a valid label has "-" alone.
 *
 * The rules are Chromium's, as docs/idn.md of its repository publishes them; by the number of each
 * step there. What it publishes only as source is left out (12), or taken from ICU: which letters
 * of scripts other than Cyrillic look like Latin (10), and which characters like digits (11). */
#include "core/idna/label.h"
#include "core/idna/mapping.h"
#include "core/idna/unicode.h"
#include "core/text/utf8.h"
#include "core/wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

enum { UNITS_MAX = 1024 };

static const struct xn_unicode *unicode;
static USpoofChecker *checker;
static const UNormalizer2 *nfd, *nfc;

/* Step 4, and the Cyrillic letters of step 10. */
static const char disallowed[] =
    "[\\u01CD-\\u01DC\\u1C80-\\u1C8F\\u1E90-\\u1E9B\\u1F00-\\u1FFF\\uA640-\\uA69F\\uA720-\\uA72F"
    "\\u0338\\u058A\\u2010\\u2019\\u2027\\u30A0\\u02BB\\u02BC]";
static const UChar like_latin[] = u"асԁеһіјӏорԛѕԝхуъЬҽпгѵѡ";

static void check(UErrorCode error)
{
    if (U_SUCCESS(error))
        return;
    fprintf(stderr, "bench_browser: %s\n", u_errorName(error));
    exit(1);
}

static void open_all(void)
{
    UErrorCode error = U_ZERO_ERROR;
    UChar pattern[256];
    struct xn_unicode *opened;

    checker = uspoof_open(&error);
    nfd = unorm2_getNFDInstance(&error);
    nfc = unorm2_getNFCInstance(&error);
    u_charsToUChars(disallowed, pattern, sizeof disallowed);
    USet *allowed = uset_cloneAsThawed(uspoof_getRecommendedSet(&error)),
         *refused = uset_openPattern(pattern, -1, &error);
    check(error);
    uset_addAll(allowed, uspoof_getInclusionSet(&error));
    uset_removeAll(allowed, refused);
    uspoof_setAllowedChars(checker, allowed, &error);
    uspoof_setRestrictionLevel(checker, USPOOF_HIGHLY_RESTRICTIVE);
    uspoof_setChecks(checker,
                     USPOOF_CHAR_LIMIT | USPOOF_RESTRICTION_LEVEL | USPOOF_MIXED_NUMBERS |
                         USPOOF_INVISIBLE,
                     &error);
    check(error);
    uset_close(refused);
    uset_close(allowed);
    if (xn_unicode_open(&opened) != XN_OK)
        exit(1);
    unicode = opened;
}

static int32_t characters(const UChar *text, int32_t len, UChar32 found[UNITS_MAX])
{
    UErrorCode error = U_ZERO_ERROR;

    u_strToUTF32(found, UNITS_MAX, &len, text, len, &error);
    check(error);
    return len;
}

/* --- skeletons --- */

static int32_t skeleton(const UChar *text, int32_t len, UChar *found)
{
    UErrorCode error = U_ZERO_ERROR;

    len = uspoof_getSkeleton(checker, 0, text, len, found, UNITS_MAX, &error);
    check(error);
    return len;
}

/* Step 13: the label without the marks that Latin, Greek and Cyrillic letters have. */
static int32_t without_marks(const UChar *text, int32_t len, UChar *found)
{
    UErrorCode error = U_ZERO_ERROR;
    UChar units[UNITS_MAX], kept[UNITS_MAX];
    UChar32 marked[UNITS_MAX];
    int32_t kept_len = 0;
    UScriptCode script = USCRIPT_COMMON;

    len = unorm2_normalize(nfd, text, len, units, UNITS_MAX, &error);
    check(error);
    len = characters(units, len, marked);
    for (int32_t i = 0; i < len; i++) {
        UChar32 cp = marked[i];
        if (u_charType(cp) != U_NON_SPACING_MARK)
            script = uscript_getScript(cp, &error);
        else if (script == USCRIPT_LATIN || script == USCRIPT_GREEK || script == USCRIPT_CYRILLIC)
            continue;
        U16_APPEND_UNSAFE(kept, kept_len, cp);
    }
    len = unorm2_normalize(nfc, kept, kept_len, found, UNITS_MAX, &error);
    check(error);
    return len;
}

static void print_skeleton(const UChar *text, int32_t len)
{
    UChar units[UNITS_MAX];
    char octets[UNITS_MAX * 3];
    int32_t octets_len;
    UErrorCode error = U_ZERO_ERROR;

    len = skeleton(text, len, units);
    u_strToUTF8(octets, sizeof octets, &octets_len, units, len, &error);
    check(error);
    putchar('\t');
    for (int32_t i = 0; i < octets_len; i++)
        printf("%02x", (unsigned)(unsigned char)octets[i]);
}

/* --- the browser's rules --- */

/* Returns the ASCII letter or digit that is the whole skeleton of the character, or 0. */
static UChar ascii_of(UChar32 cp)
{
    UChar self[2], units[UNITS_MAX];
    int32_t len = 0;

    U16_APPEND_UNSAFE(self, len, cp);
    return skeleton(self, len, units) == 1 && units[0] < 0x80 && u_isalnum(units[0]) ? units[0] : 0;
}

static bool looks_latin(UChar32 cp, UScriptCode script)
{
    return script == USCRIPT_CYRILLIC ? u_strchr32(like_latin, cp) != NULL : ascii_of(cp) != 0;
}

static bool looks_like_digit(UChar32 cp)
{
    for (UChar32 digit = '0'; digit <= '9' && u_charType(cp) != U_NON_SPACING_MARK; digit++)
        if (ascii_of(cp) == ascii_of(digit) && !(cp < 0x80 && u_isalpha(cp)))
            return true;
    return u_charDigitValue(cp) >= 0;
}

static bool browser_hides(const UChar *text, int32_t len)
{
    UErrorCode error = U_ZERO_ERROR;
    bool extended_latin = false, other_script = false, digits = true, whole = true;
    UScriptCode letters = USCRIPT_COMMON;
    UChar32 label[UNITS_MAX];

    if (uspoof_check(checker, text, len, NULL, &error)) /* 3 to 7, 9 */
        return true;
    check(error);
    len = characters(text, len, label);
    for (int32_t i = 0; i < len; i++) {
        UChar32 cp = label[i];
        UScriptCode script = uscript_getScript(cp, &error);
        bool common = script == USCRIPT_COMMON || script == USCRIPT_INHERITED;
        if (cp == 0xB7 && !(i > 0 && label[i - 1] == 'l' && i + 1 < len && label[i + 1] == 'l'))
            return true; /* 8 */
        extended_latin |= script == USCRIPT_LATIN && cp >= 0x80;
        other_script |= script != USCRIPT_LATIN && !common;
        digits &= looks_like_digit(cp);
        if (common)
            continue;
        whole &= (letters == USCRIPT_COMMON || letters == script) && script != USCRIPT_LATIN &&
                 looks_latin(cp, script);
        letters = script;
    }
    return (extended_latin && other_script) || digits || (whole && letters != USCRIPT_COMMON);
}

/* --- lines --- */

static void judge(const uint8_t *wire, size_t wire_len)
{
    uint32_t ulabel[XN_ULABEL_MAX];
    UChar text[UNITS_MAX], plain[UNITS_MAX];
    int32_t text_len = 0;
    size_t len = wire_len;
    bool ace = xn_wire_has_ace_prefix(wire, wire_len);
    xn_reasons reasons = ace ? xn_label_decode(unicode, wire, wire_len, ulabel, &len) : 0;

    for (size_t i = 0; i < len; i++)
        U16_APPEND_UNSAFE(text, text_len, (UChar32)(ace ? ulabel[i] : wire[i]));
    printf("%.*s\t", (int)wire_len, (const char *)wire);
    for (xn_reason reason = 0; reason < XN_REASON_COUNT; reason++)
        if (reasons & xn_reason_bit(reason))
            printf("%s,", xn_reason_word(reason));
    print_skeleton(text, text_len);
    print_skeleton(plain, without_marks(text, text_len, plain));
    printf("\t%d\n", ace && browser_hides(text, text_len));
}

int main(void)
{
    char *line = NULL;
    size_t cap = 0, wire_len;
    uint8_t wire[63];

    open_all();
    for (ssize_t len; (len = getline(&line, &cap, stdin)) > 0;) {
        len -= line[len - 1] == '\n';
        xn_reasons reasons =
            xn_unicode_map_label(unicode, (const uint8_t *)line, (size_t)len, wire, &wire_len);
        if ((reasons & XN_INVALID_REASONS) || wire_len == 0)
            puts("-");
        else
            judge(wire, wire_len);
    }
    free(line);
}
