/* SPDX-License-Identifier: BSD-3-Clause */
/* lookalike TABLE > HEADER makes the tables of core/lookalike/lookalike.c from ICU's data and from
 * core/lookalike/lookalike.table. Exits with 1, and says why on standard error, if a row is
 * malformed or a key would not be idempotent. If a row has no effect, or is overruled, it only
 * writes a note: a newer Unicode may say the same as the row, or something else. */
#include "tools/tables/lookalikekeys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

enum {
    ROUNDS_MAX = 16, /* of mapping a text that still changes; then it is an error */
    APOSTROPHE = 0x27,
    MODIFIER_APOSTROPHE = 0x2BC,
    UNITS_MAX = 4 * TEXT_MAX, /* UTF-16 units of ICU's results */
    NAME_MAX = 128
};

static const USpoofChecker *spoof;
static const UNormalizer2 *nfkd;

static struct keys keys;
static struct map fold; /* what the strict key maps, after the exact key */
static struct rows rows;

static void check(UErrorCode error, const char *what)
{
    if (U_FAILURE(error))
        fail("lookalike: %s: %s", what, u_errorName(error));
}

static struct text from_utf16(const UChar *units, int32_t len)
{
    UErrorCode error = U_ZERO_ERROR;
    struct text text = {0, {0}};

    u_strToUTF32(text.cps, TEXT_MAX, &text.len, units, len, &error);
    check(error, "u_strToUTF32");
    return text;
}

static bool is_ascii(const struct text *text)
{
    for (int32_t i = 0; i < text->len; i++)
        if (text->cps[i] >= 0x80)
            return false;
    return true;
}

static bool is_alnum(int32_t cp)
{
    return (cp >= '0' && cp <= '9') || ((cp | 0x20) >= 'a' && (cp | 0x20) <= 'z');
}

static bool is_alnum_text(const struct text *text)
{
    for (int32_t i = 0; i < text->len; i++)
        if (!is_alnum(text->cps[i]))
            return false;
    return true;
}

/* Puts the marks on one letter in the order of code points, so that their order does not matter in
 * a key. */
static void order_marks(struct text *text)
{
    for (int32_t i = 1; i < text->len; i++)
        for (int32_t j = i; j > 0 && keys.ordered[text->cps[j]] && keys.ordered[text->cps[j - 1]] &&
                            text->cps[j] < text->cps[j - 1];
             j--) {
            int32_t cp = text->cps[j];
            text->cps[j] = text->cps[j - 1];
            text->cps[j - 1] = cp;
        }
}

/* Applies the exact key, or with a fold the strict key, until nothing changes any more. */
static struct text close_text(const struct map *strict_fold, struct text start)
{
    struct text text = start;

    for (int round = 0; round < ROUNDS_MAX; round++) {
        struct text next = map_apply(&keys.exact, text);
        if (strict_fold)
            next = map_apply(strict_fold, next);
        order_marks(&next);
        if (text_equal(next, text))
            return text;
        text = next;
    }
    fail("lookalike: the key of U+%04X does not terminate", (unsigned)start.cps[0]);
}

static void find_marks(void)
{
    for (int32_t cp = 0x80; cp < CODE_POINTS; cp++) {
        keys.ordered[cp] = u_getCombiningClass(cp) != 0;
        keys.slight[cp] = keys.ordered[cp] || u_charType(cp) == U_NON_SPACING_MARK ||
                          u_hasBinaryProperty(cp, UCHAR_DIACRITIC);
    }
}

/* --- the exact key: UTS 39, section 4 --- */

static struct text skeleton(int32_t cp)
{
    UErrorCode error = U_ZERO_ERROR;
    UChar text[2], result[UNITS_MAX];
    int32_t len = 0;

    U16_APPEND_UNSAFE(text, len, cp);
    len = uspoof_getSkeleton(spoof, 0, text, len, result, UNITS_MAX, &error);
    check(error, "uspoof_getSkeleton");
    return from_utf16(result, len);
}

/* ASCII that host names do not have stays as it is, unless it looks like a letter. So keys of ASCII
 * labels are ASCII, one or two octets for each octet. Where a skeleton has U+0027, a key has the
 * modifier letter. */
static struct text exact_step(int32_t cp)
{
    struct text text = skeleton(cp);

    if (u_hasBinaryProperty(cp, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
        text.len = 0;
    if (cp < 0x80 && text.len > 0 && !is_alnum(text.cps[0]))
        return text_of(cp);
    for (int32_t i = 0; i < text.len; i++)
        if (text.cps[i] == APOSTROPHE)
            text.cps[i] = MODIFIER_APOSTROPHE;
    return text;
}

static void make_exact(void)
{
    for (int32_t cp = 0; cp < CODE_POINTS; cp++)
        if (!is_surrogate(cp))
            map_set(&keys.exact, cp, exact_step(cp));
    for (size_t i = 0; i < rows.len; i++)
        if (rows.row[i].section == SECTION_EXACT)
            map_set(&keys.exact, rows.row[i].cp, rows.row[i].looks);
    for (int32_t cp = 0; cp < CODE_POINTS; cp++)
        if (keys.exact.of[cp])
            map_set(&keys.exact, cp, close_text(NULL, text_of(cp)));
}

/* --- what the strict key folds beyond the exact key --- */

/* Returns whether marks, strokes and hooks modify a letter in a script. */
static bool is_alphabet(UScriptCode script)
{
    return script == USCRIPT_LATIN || script == USCRIPT_GREEK || script == USCRIPT_CYRILLIC;
}

/* In scripts that are no alphabets, a mark may be a vowel, or distinguish letters. */
static bool is_diacritic(int32_t cp)
{
    UErrorCode error = U_ZERO_ERROR;
    UScriptCode script = uscript_getScript(cp, &error);
    int8_t type = u_charType(cp);

    check(error, "uscript_getScript");
    if (type != U_NON_SPACING_MARK && type != U_ENCLOSING_MARK)
        return false;
    return script == USCRIPT_INHERITED || script == USCRIPT_COMMON || is_alphabet(script);
}

/* Maps compatibility forms: circled, raised, full width. Unicode decomposes a spacing diacritic to
 * a space and a mark; here it is only the mark. */
static struct text compatibility(int32_t cp)
{
    UErrorCode error = U_ZERO_ERROR;
    UChar text[2], result[UNITS_MAX];
    int32_t len = 0;

    U16_APPEND_UNSAFE(text, len, cp);
    len = unorm2_normalize(nfkd, text, len, result, UNITS_MAX, &error);
    check(error, "unorm2_normalize");
    if (len >= 2 && result[0] == ' ' && is_diacritic(result[1]))
        return from_utf16(result + 1, len - 1);
    return from_utf16(result, len);
}

/* Returns the value of a decimal digit of any script, or of a digit in a circle, or -1. */
static int32_t digit_value(int32_t cp)
{
    UErrorCode error = U_ZERO_ERROR;
    double value = u_getNumericValue(cp);

    if (u_charDigitValue(cp) >= 0)
        return u_charDigitValue(cp);
    if (u_charType(cp) != U_OTHER_NUMBER || uscript_getScript(cp, &error) != USCRIPT_COMMON)
        return -1;
    for (int32_t digit = 0; digit <= 9; digit++)
        if (value >= digit && value <= digit)
            return digit;
    return -1;
}

/* Skips the words before the letter itself in a name: "TURNED R", "SCRIPT G". */
static const char *skip_manners(const char *at)
{
    static const char *const manners[] = {
        "ANGLICANA ",    "ARCHAIC ",      "BARRED ",      "BLACKLETTER ", "BOTTOM ",
        "BROKEN ",       "CLOSED ",       "DIAERESIZED ", "DOTLESS ",     "GLOTTAL ",
        "HALF ",         "INSULAR ",      "INVERTED ",    "LONG ",        "LONG-LEGGED ",
        "MIDDLE SCOTS ", "MIDDLE-WELSH ", "OLD POLISH ",  "OPEN ",        "REVERSED ",
        "SCRIPT ",       "SIDEWAYS ",     "SIGMOID ",     "STIRRUP ",     "STRETCHED ",
        "TAILLESS ",     "TOP ",          "TURNED ",      "VISIGOTHIC "};

    for (size_t i = 0; i < sizeof manners / sizeof *manners;) {
        size_t len = strlen(manners[i]);
        bool found = strncmp(at, manners[i], len) == 0;
        at += found ? len : 0;
        i = found ? 0 : i + 1;
    }
    return at;
}

/* Returns x for "… LATIN SMALL LETTER X WITH HOOK", and 0 for a name of another form. */
static int32_t named_letter(const char *name)
{
    static const char *const kinds[] = {"LATIN SMALL LETTER ", "LATIN CAPITAL LETTER ",
                                        "LATIN LETTER SMALL CAPITAL ", "LATIN EPIGRAPHIC LETTER ",
                                        "REGIONAL INDICATOR SYMBOL LETTER "};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *at = strstr(name, kinds[i]);
        if (!at)
            continue;
        at = skip_manners(at + strlen(kinds[i]));
        bool ends = at[0] && (at[1] == '\0' || strncmp(at + 1, " WITH", 5) == 0 ||
                              strncmp(at + 1, " BAR", 4) == 0);
        return ends ? at[0] | 0x20 : 0;
    }
    return 0;
}

/* Returns the letter without its addition for "CYRILLIC SMALL LETTER X WITH DESCENDER". Returns 0
 * for a name of another form, or of a script where additions distinguish letters. */
static int32_t without_addition(int32_t cp, const char *name)
{
    UErrorCode error = U_ZERO_ERROR;
    UScriptCode script = uscript_getScript(cp, &error);
    const char *with = strstr(name, " WITH ");
    char base[NAME_MAX];

    if (!with || (u_charType(cp) != U_MATH_SYMBOL && !is_alphabet(script)))
        return 0;
    snprintf(base, sizeof base, "%.*s", (int)(with - name), name);
    int32_t without = u_charFromName(U_UNICODE_CHAR_NAME, base, &error);
    return U_SUCCESS(error) ? without : 0;
}

static int32_t letter_by_name(int32_t cp)
{
    UErrorCode error = U_ZERO_ERROR;
    char name[NAME_MAX];

    u_charName(cp, U_UNICODE_CHAR_NAME, name, sizeof name, &error);
    check(error, "u_charName");
    int32_t letter = named_letter(name);
    return letter ? letter : without_addition(cp, name);
}

/* Returns whether cp is the exact key of another character. */
static bool is_key_of(int32_t cp, int32_t other)
{
    const struct text *exact = keys.exact.of[other];

    return exact && exact->len == 1 && exact->cps[0] == cp;
}

/* Returns what the strict key maps a code point to, in one step; the code point, if to nothing
 * else.
 */
static struct text fold_step(int32_t cp)
{
    struct text text = compatibility(cp);
    int32_t lower = u_tolower(cp), letter;

    if (is_diacritic(cp))
        return (struct text){0, {0}};
    if (lower != cp && !is_key_of(cp, lower))
        return text_of(lower);
    if (cp < 0x80)
        return text_of(cp);
    if (digit_value(cp) >= 0)
        return text_of('0' + digit_value(cp));
    if (text.len != 1 || text.cps[0] != cp)
        return text;
    letter = letter_by_name(cp);
    return text_of(letter ? letter : cp);
}

/* A fold holds for all characters that UTS 39 says look alike. If the one that is their exact key
 * has no fold, it takes that of another, if that is ASCII. It does not take the fold of a digit if
 * it is a letter: the Tamil 1 is also the letter ka. Nor does a fold remove it if one of them is a
 * letter: the Hebrew yod looks like an apostrophe. */
static void fold_by_others(void)
{
    static bool letter[CODE_POINTS];

    for (int32_t cp = 0; cp < CODE_POINTS; cp++)
        if (keys.exact.of[cp] && keys.exact.of[cp]->len == 1)
            letter[keys.exact.of[cp]->cps[0]] |= u_charType(cp) == U_OTHER_LETTER;
    for (int32_t cp = 0; cp < CODE_POINTS; cp++) {
        const struct text *exact = keys.exact.of[cp];
        int32_t to = exact && exact->len == 1 ? exact->cps[0] : 0;
        if (to < 0x80 || fold.of[to] || !fold.of[cp] || (digit_value(cp) >= 0 && u_isalpha(to)))
            continue;
        struct text text = close_text(&fold, *fold.of[cp]);
        if (text.len > 0 ? is_alnum_text(&text) : !letter[to])
            map_set(&fold, to, text);
    }
}

/* --- rows --- */

static void note(const struct row *row, const char *what)
{
    fprintf(stderr, "%s:%d: note: %s\n", rows.path, row->line, what);
}

static struct text exact_of(const struct row *row)
{
    return map_apply(&keys.exact, text_of(row->cp));
}

/* Writes a note if a row has no effect or is overruled. `instead` is what its character would be
 * mapped to without the row. */
static void note_effect(const struct row *row, struct text instead)
{
    struct text exact = exact_of(row), now = map_apply(&fold, exact);
    struct text is = close_text(&fold, exact), said = close_text(&fold, row->looks);

    map_set(&fold, exact.cps[0], instead);
    struct text without = close_text(&fold, exact);
    map_set(&fold, exact.cps[0], now);
    if (!text_equal(is, said))
        note(row, "overruled by a row for what UTS 39 says looks the same");
    else if (text_equal(is, without))
        note(row, "without effect: generated rules or another row say so");
}

/* A row holds for all characters that UTS 39 says look like its own. */
static void fold_rows(void)
{
    static struct text instead[ROWS_MAX]; /* len -1: the row has no effect */

    for (size_t i = 0; i < rows.len; i++) {
        const struct row *row = &rows.row[i];
        struct text exact = exact_of(row);
        instead[i] = map_apply(&fold, exact);
        if (row->section != SECTION_STRICT)
            continue;
        if (exact.len == 1 && (!is_alnum(exact.cps[0]) || exact.cps[0] == row->cp))
            map_set(&fold, exact.cps[0], row->looks);
        else
            instead[i].len = -1;
    }
    for (size_t i = 0; i < rows.len; i++) {
        if (rows.row[i].section != SECTION_STRICT)
            continue;
        if (instead[i].len < 0)
            note(&rows.row[i], "without effect: UTS 39 says what this character looks like");
        else
            note_effect(&rows.row[i], instead[i]);
    }
}

static void make_strict(void)
{
    for (int32_t cp = 0; cp < CODE_POINTS; cp++)
        if (!is_surrogate(cp) && !is_hangul_syllable(cp))
            map_set(&fold, cp, fold_step(cp));
    fold_by_others();
    fold_rows();
    for (int32_t cp = 0; cp < CODE_POINTS; cp++)
        if (!is_surrogate(cp)) {
            struct text text = close_text(&fold, text_of(cp));
            if (!text_equal(map_apply(&keys.exact, text), text))
                fail("lookalike: the exact key changes the strict one of U+%04X", (unsigned)cp);
            map_set(&keys.strict, cp, text);
        }
}

static void add_second(const struct row *row)
{
    if (row->cp < 0x80 || row->looks.len != 1 || row->looks.cps[0] >= 0x80 ||
        !is_alnum(row->looks.cps[0]))
        fail("lookalike: [second]: U+%04X must not be ASCII, and its text one letter or digit of "
             "ASCII",
             (unsigned)row->cp);
    if (text_equal(map_apply(&keys.strict, text_of(row->cp)),
                   map_apply(&keys.strict, row->looks))) {
        note(row, "without effect: the strict key says so");
        return;
    }
    keys.second[row->cp] = (uint8_t)row->looks.cps[0];
}

static void make_second(void)
{
    for (size_t i = 0; i < rows.len; i++)
        if (rows.row[i].section == SECTION_SECOND)
            add_second(&rows.row[i]);
}

/* The loose key maps the ASCII that the strict key leaves. */
static void make_loose(void)
{
    for (size_t i = 0; i < rows.len; i++)
        if (rows.row[i].section == SECTION_LOOSE)
            map_set(&keys.loose, rows.row[i].cp, rows.row[i].looks);
    for (int32_t cp = 0; cp < CODE_POINTS; cp++) {
        const struct text *text = keys.loose.of[cp];
        if (text && (cp >= 0x80 || keys.strict.of[cp] || !is_ascii(text) ||
                     !text_equal(*text, map_apply(&keys.strict, *text)) ||
                     !text_equal(*text, map_apply(&keys.loose, *text))))
            fail("lookalike: [loose]: U+%04X and its text must be ASCII that no key maps on",
                 (unsigned)cp);
    }
}

int main(int argc, char **argv)
{
    UErrorCode error = U_ZERO_ERROR;

    if (argc != 2)
        fail("usage: lookalike TABLE > HEADER");
    spoof = uspoof_open(&error);
    nfkd = unorm2_getNFKDInstance(&error);
    check(error, "opening ICU");
    read_rows(argv[1], &rows);
    find_marks();
    make_exact();
    make_strict();
    make_second();
    make_loose();
    write_keys(&keys, U_UNICODE_VERSION);
    return ferror(stdout) || fflush(stdout) != 0;
}
