/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the parts of the table of core/idna/traits.c that are this library's choice: which
 * characters may be shown, and which look like ASCII. core/idna/ulabel.h defines the display set.
 */
#include "tools/tables/traitswords.h"

#include <stdio.h>
#include <string.h>

#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/ulocdata.h>
#include <unicode/uset.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

static USpoofChecker *spoof;
USet *display_allowed, *display_shown, *display_emoji;
static USet *like;

static USet *open_pattern(const UChar *pattern)
{
    UErrorCode error = U_ZERO_ERROR;
    USet *set = uset_openPattern(pattern, -1, &error);

    traits_check(error);
    return set;
}

/* Writes the skeleton of a character (UTS 39, section 4). Returns its length in UTF-16 units. */
enum { SKELETON_MAX = 64 };
static int32_t skeleton_of(UChar32 cp, UChar skeleton[SKELETON_MAX])
{
    UChar text[2];
    UErrorCode error = U_ZERO_ERROR;
    int32_t len = 0;

    U16_APPEND_UNSAFE(text, len, cp);
    len = uspoof_getSkeleton(spoof, 0, text, len, skeleton, SKELETON_MAX, &error);
    traits_check(error);
    return len;
}

/* The letters of each language in CLDR's main exemplar sets, which hold single characters and
 * strings: a letter with marks, and digraphs, whose letters need not occur alone. */
static USet *open_exemplars(void)
{
    USet *all = uset_openEmpty();

    for (int32_t i = 0; i < uloc_countAvailable(); i++) {
        UErrorCode error = U_ZERO_ERROR;
        ULocaleData *locale = ulocdata_open(uloc_getAvailable(i), &error);
        USet *letters = ulocdata_getExemplarSet(locale, NULL, USET_CASE_INSENSITIVE,
                                                ULOCDATA_ES_STANDARD, &error);
        traits_check(error);
        uset_addAll(all, letters);
        uset_close(letters);
        ulocdata_close(locale);
    }
    return all;
}

/* Latin Extended-A is in use as other texts are typed: Romanian with cedillas, Maltese, old
 * spellings. Beyond it, a Latin letter is shown if a language has it. */
static void hide_rare_latin(void)
{
    USet *rare = open_pattern(u"[[:Latin:]-[\\u0000-\\u0137\\u0139-\\u017F]]");
    USet *exemplars = open_exemplars();

    uset_removeAll(rare, exemplars);
    uset_removeAll(display_shown, rare);
    uset_close(exemplars);
    uset_close(rare);
}

static void open_shown(void)
{
    static const UChar32 left_out[] = {0x0338, 0x058A, 0x2010, 0x2019,
                                       0x2027, 0x30A0, 0x02BB, 0x02BC};
    UErrorCode error = U_ZERO_ERROR;

    display_allowed = uset_cloneAsThawed(uspoof_getRecommendedSet(&error));
    uset_addAll(display_allowed, uspoof_getInclusionSet(&error));
    display_shown = uset_cloneAsThawed(display_allowed);
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        uset_remove(display_shown, left_out[i]);
    hide_rare_latin();
    uset_removeRange(display_shown, 0x00, 0x7F); /* ASCII is judged by the wire format, not here */
    traits_check(error);
}

/* Symbols (General_Category So) and emoji by property, without U+2800 and U+1D159, which are blank,
 * and without the characters that draw lines and boxes. */
static void open_emoji_set(void)
{
    display_emoji =
        open_pattern(u"[[:So:][:Extended_Pictographic:][:Emoji_Modifier:][:Regional_Indicator:]"
                     u"-[\\u0000-\\u007F\\u2800\\u2500-\\u259F\\U0001D159]]");
}

bool display_is_separator(UChar32 cp)
{
    UChar skeleton[SKELETON_MAX];
    int32_t len = skeleton_of(cp, skeleton);

    for (int32_t i = 0; i < len; i++)
        if (!u_strchr(u"/\\:?#@.", skeleton[i]))
            return false;
    return len > 0;
}

/* --- what looks like ASCII --- */

/* Scripts whose letters resemble Latin ones so often that ordinary words look like ASCII by the
 * strict key: for them only the closest pairs count. */
static bool is_close_to_latin(UChar32 cp)
{
    UErrorCode error = U_ZERO_ERROR;
    UScriptCode script = uscript_getScript(cp, &error);

    return script == USCRIPT_CYRILLIC || script == USCRIPT_GREEK || script == USCRIPT_ARMENIAN;
}

static bool is_like_by_skeleton(UChar32 cp)
{
    UChar skeleton[SKELETON_MAX];

    return skeleton_of(cp, skeleton) == 1 && skeleton[0] < 0x80 && u_isalnum(skeleton[0]);
}

/* Letters that differ from ASCII by no more than a serif, though UTS 39 does not say so. */
static void add_close(void)
{
    USet *close = open_pattern(u"[\u0433\u043F\u044C\u0461\u0475\u04BD\u0517"
                               u"\u03B7\u03BA\u03C4\u03C9\u0582]");

    uset_addAll(like, close);
    uset_close(close);
}

/* A row of the table of look-alikes: "U+0D20 ൠ o  why". */
static void add_row(const char *row)
{
    unsigned cp;
    char first;

    if (sscanf(row, "U+%X %*s %c", &cp, &first) == 2 && cp >= 0x80 && (UChar)first < 0x80 &&
        u_isalnum(first) && !is_close_to_latin((UChar32)cp))
        uset_add(like, (UChar32)cp);
}

static void open_like(const char *table)
{
    char row[1024];
    FILE *file = fopen(table, "r");

    if (!file)
        traits_fail("the table of look-alikes cannot be read");
    like = uset_openEmpty();
    while (fgets(row, sizeof row, file))
        add_row(row);
    fclose(file);
    for (UChar32 cp = 0x80; cp <= 0x10FFFF; cp++)
        if (uset_contains(display_shown, cp) && is_like_by_skeleton(cp))
            uset_add(like, cp);
    add_close();
}

bool display_is_like_ascii(UChar32 cp)
{
    UErrorCode error = U_ZERO_ERROR;

    return uset_contains(like, cp) && uset_contains(display_shown, cp) && u_isalpha(cp) &&
           uscript_getScript(cp, &error) != USCRIPT_LATIN;
}

/* --- the scripts of countries --- */

enum { COUNTRIES = 26 * 26, COUNTRY_SCRIPTS_MAX = 64 };
static struct country {
    int32_t count;
    UScriptCode scripts[COUNTRY_SCRIPTS_MAX];
} countries[COUNTRIES];

static void add_country(const char *code, const UScriptCode *scripts, int32_t count)
{
    struct country *country = &countries[(code[0] - 'a') * 26 + code[1] - 'a'];

    for (int32_t i = 0; i < count && country->count < COUNTRY_SCRIPTS_MAX; i++)
        country->scripts[country->count++] = scripts[i];
}

/* A country writes the scripts of the languages that CLDR has a locale of for it. */
static void read_locales(void)
{
    for (int32_t i = 0; i < uloc_countAvailable(); i++) {
        UErrorCode error = U_ZERO_ERROR;
        const char *locale = uloc_getAvailable(i);
        char code[ULOC_COUNTRY_CAPACITY];
        UScriptCode scripts[8];
        int32_t len = uloc_getCountry(locale, code, sizeof code, &error);
        int32_t count = uscript_getCode(locale, scripts, 8, &error);

        if (U_FAILURE(error) || len != 2 || !u_isalpha(code[0]))
            continue;
        code[0] = (char)u_tolower(code[0]);
        code[1] = (char)u_tolower(code[1]);
        add_country(strcmp(code, "gb") == 0 ? "uk" : code, scripts, count);
        if (strcmp(code, "ru") == 0)
            add_country("su", scripts, count);
    }
}

void countries_list(void (*list)(const char *tld, const UScriptCode *scripts, int32_t count))
{
    static const UScriptCode union_of[] = {USCRIPT_LATIN, USCRIPT_GREEK, USCRIPT_CYRILLIC};

    read_locales();
    add_country("eu", union_of, 3);
    for (int i = 0; i < COUNTRIES; i++) {
        char tld[] = {(char)('a' + i / 26), (char)('a' + i % 26), '\0'};
        if (countries[i].count > 0)
            list(tld, countries[i].scripts, countries[i].count);
    }
}

void display_open(const char *table)
{
    UErrorCode error = U_ZERO_ERROR;

    spoof = uspoof_open(&error);
    traits_check(error);
    open_shown();
    open_emoji_set();
    open_like(table);
}
