/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the table of core/idna/traits.c as C: ICU's data on each code point. Runs when the library
 * is built. A library whose ICU has another Unicode version cannot be opened. */
#include "tools/tables/traitswords.h"

#include "core/idna/misread.h"
#include "core/idna/traits.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unicode/uchar.h>
#include <unicode/uidna.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>

enum {
    BLOCKS = TRAITS_END / TRAITS_BLOCK,
    SCRIPT_SETS_MAX = TRAIT_SCRIPTS + 1,
    SCRIPTS_MAX = 64 * TRAIT_SCRIPT_WORDS,
    CLASSES_MAX = TRAIT_CLASS >> TRAIT_CLASS_SHIFT,
    EXTENSIONS_MAX = 64,
    UNITS_MAX = 64 /* UTF-16 units of what ICU makes of one code point */
};

static UIDNA *idna;
static const UNormalizer2 *nfc;

void traits_fail(const char *what)
{
    fprintf(stderr, "traits: %s\n", what);
    exit(1);
}

void traits_check(UErrorCode error)
{
    if (U_FAILURE(error))
        traits_fail(u_errorName(error));
}

/* Returns the index of an item in an array, and adds it if it is new. */
static size_t find_or_add(void *items, size_t *count, size_t max, const void *item, size_t size,
                          const char *too_many)
{
    char *at = items, *end = at + *count * size;

    while (at < end && memcmp(at, item, size) != 0)
        at += size;
    if (at == end && *count == max)
        traits_fail(too_many);
    if (at == end) {
        memcpy(at, item, size);
        ++*count;
    }
    return (size_t)(at - (char *)items) / size;
}

/* --- scripts --- */

static struct trait_scripts script_sets[SCRIPT_SETS_MAX];
static size_t script_set_count;
/* The first ones have the bits TRAIT_LATN to TRAIT_CHER. */
static UScriptCode scripts[SCRIPTS_MAX] = {
    USCRIPT_LATIN, USCRIPT_HAN_WITH_BOPOMOFO, USCRIPT_JAPANESE, USCRIPT_KOREAN, USCRIPT_CYRILLIC,
    USCRIPT_GREEK, USCRIPT_CHEROKEE};
static size_t script_count = 7;

static bool is_script(UScriptCode script)
{
    return script != USCRIPT_COMMON && script != USCRIPT_INHERITED;
}

static void add_script(uint64_t *set, UScriptCode script)
{
    size_t at = find_or_add(scripts, &script_count, SCRIPTS_MAX, &script, sizeof script,
                            "there are too many scripts");

    set[at / 64] |= UINT64_C(1) << at % 64;
}

/* Adds a script, and the sets of scripts for which UTS 39, section 5.1, augments it. */
static void add_augmented(uint64_t *set, UScriptCode script)
{
    if (!is_script(script)) {
        memset(set, 0xFF, TRAIT_SCRIPT_WORDS * sizeof *set);
        return;
    }
    add_script(set, script);
    if (script == USCRIPT_HAN || script == USCRIPT_BOPOMOFO)
        set[0] |= TRAIT_HANB;
    if (script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA)
        set[0] |= TRAIT_JPAN;
    if (script == USCRIPT_HAN || script == USCRIPT_HANGUL)
        set[0] |= TRAIT_KORE;
}

static struct trait_scripts scripts_of(UChar32 cp)
{
    UScriptCode extensions[EXTENSIONS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    struct trait_scripts set = {0};
    UScriptCode script = uscript_getScript(cp, &error);
    int32_t count = uscript_getScriptExtensions(cp, extensions, EXTENSIONS_MAX, &error);

    traits_check(error);
    for (int32_t i = 0; i < count; i++)
        add_augmented(set.used_with, extensions[i]);
    set.like_ascii = display_is_like_ascii(cp);
    set.kana_or_han =
        script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA || script == USCRIPT_HAN;
    if (is_script(script))
        snprintf(set.code, sizeof set.code, "%s", uscript_getShortName(script));
    return set;
}

/* Compares members, because the struct has padding. kana_or_han follows from the code. */
static bool is_same_set(const struct trait_scripts *a, const struct trait_scripts *b)
{
    return memcmp(a->used_with, b->used_with, sizeof a->used_with) == 0 &&
           a->like_ascii == b->like_ascii && strcmp(a->code, b->code) == 0;
}

static uint32_t script_set(UChar32 cp)
{
    struct trait_scripts set = scripts_of(cp);
    uint32_t at = 0;

    while (at < script_set_count && !is_same_set(&script_sets[at], &set))
        at++;
    if (at == SCRIPT_SETS_MAX)
        traits_fail("there are too many sets of scripts");
    if (at == script_set_count)
        script_sets[script_set_count++] = set;
    return at;
}

/* Numbers the scripts of the display set first, so that they are in the first word. */
static void find_displayed_scripts(void)
{
    script_set(' '); /* Common has index 0 */
    for (UChar32 cp = 0; cp < TRAITS_END; cp++)
        if (cp < 0x80 || uset_contains(display_shown, cp))
            script_set(cp);
    if (script_count > 64)
        traits_fail("there are too many scripts in the display set");
}

/* Moves the set of unassigned code points to TRAITS_UNKNOWN. Call it before any index is stored. */
static void move_unknown(void)
{
    uint32_t at = script_set(0x10FFFF);
    struct trait_scripts unknown = script_sets[at];

    script_sets[at] = script_sets[TRAITS_UNKNOWN];
    script_sets[TRAITS_UNKNOWN] = unknown;
}

/* --- validity --- */

/* Returns what UTS 46 maps a code point to in a label, or -1 if that is not exactly one code point.
 * A letter precedes it, so that it may be a mark, and no mark composes with that letter. */
static UChar32 map(UChar32 cp)
{
    static const UChar letter = 0x0E01;
    static const uint32_t refused =
        UIDNA_ERROR_DISALLOWED | UIDNA_ERROR_LABEL_HAS_DOT | UIDNA_ERROR_PUNYCODE;
    UChar units[3] = {letter}, mapped[UNITS_MAX];
    UChar32 result[UNITS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t len = 1, count = 0;

    U16_APPEND_UNSAFE(units, len, cp);
    len = uidna_labelToUnicode(idna, units, len, mapped, UNITS_MAX, &info, &error);
    u_strToUTF32(result, UNITS_MAX, &count, mapped, len, &error);
    traits_check(error);
    return !(info.errors & refused) && count == 2 && result[0] == letter ? result[1] : -1;
}

/* Returns whether UTS 46 disallows a code point, or STD3 what it is mapped to. */
static bool is_disallowed(UChar32 cp)
{
    UChar units[3] = {'x'}, mapped[UNITS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t len = 1;

    U16_APPEND_UNSAFE(units, len, cp);
    uidna_labelToUnicode(idna, units, len, mapped, UNITS_MAX, &info, &error);
    traits_check(error);
    return info.errors == UIDNA_ERROR_DISALLOWED;
}

/* Returns whether core/idna/context.c has a rule for a code point. */
static bool depends_on_context(UChar32 cp)
{
    static const UChar32 all[] = {0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (cp == all[i])
            return true;
    return false;
}

static uint32_t direction(UChar32 cp)
{
    switch (u_charDirection(cp)) {
    case U_LEFT_TO_RIGHT:
        return TRAIT_LEFT;
    case U_RIGHT_TO_LEFT:
    case U_RIGHT_TO_LEFT_ARABIC:
        return TRAIT_RIGHT;
    case U_ARABIC_NUMBER:
        return TRAIT_ARABIC;
    case U_EUROPEAN_NUMBER:
        return TRAIT_EUROPEAN;
    case U_DIR_NON_SPACING_MARK:
        return TRAIT_NONSPACING;
    case U_EUROPEAN_NUMBER_SEPARATOR:
    case U_EUROPEAN_NUMBER_TERMINATOR:
    case U_COMMON_NUMBER_SEPARATOR:
    case U_OTHER_NEUTRAL:
    case U_BOUNDARY_NEUTRAL:
        return 0;
    default:
        return TRAIT_MAPPED; /* RFC 5893 does not allow it in a right-to-left label */
    }
}

static bool in_category(UChar32 cp, uint32_t categories)
{
    return (U_MASK(u_charType(cp)) & categories) != 0;
}

/* The ranks of canonical combining classes, in their order; class 0 has rank 0. */
static uint32_t class_ranks[UINT8_MAX + 1];

static void rank_classes(void)
{
    bool used[UINT8_MAX + 1] = {true};
    uint32_t rank = 0;

    for (UChar32 cp = 0; cp <= 0x10FFFF; cp++)
        used[u_getCombiningClass(cp)] = true;
    for (size_t number = 1; number <= UINT8_MAX; number++)
        class_ranks[number] = used[number] ? ++rank : 0;
    if (rank > CLASSES_MAX)
        traits_fail("there are too many combining classes");
}

static uint32_t normalization(UChar32 cp)
{
    UChar decomposition[UNITS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    uint32_t traits = class_ranks[u_getCombiningClass(cp)] << TRAIT_CLASS_SHIFT;

    if (u_getIntPropertyValue(cp, UCHAR_NFC_QUICK_CHECK) == UNORM_MAYBE)
        traits |= TRAIT_MAYBE;
    if (unorm2_getDecomposition(nfc, cp, decomposition, UNITS_MAX, &error) >= 0)
        traits |= TRAIT_DECOMPOSES;
    traits_check(error);
    return traits;
}

/* The distances from capitals to their small letters; the first, 0, is for all other code points.
 */
static uint32_t distances[(TRAIT_LOWER >> TRAIT_LOWER_SHIFT) + 1];
static size_t distance_count = 1;

static uint32_t lowers_by(uint32_t distance)
{
    size_t at =
        find_or_add(distances, &distance_count, sizeof distances / sizeof *distances, &distance,
                    sizeof distance, "there are too many distances of lower case");

    return TRAIT_LOWERS | (uint32_t)at << TRAIT_LOWER_SHIFT;
}

static uint32_t validity(UChar32 cp)
{
    UChar32 mapped = map(cp);
    uint32_t traits = direction(cp) | normalization(cp);

    if (is_disallowed(cp)) /* replaced by U+FFFD, which has none of these */
        return TRAIT_MAPPED | TRAIT_DISALLOWED;
    if (traits & TRAIT_MAPPED && mapped == cp)
        traits_fail("a code point that is not mapped breaks the Bidi rule");
    if (mapped != cp || cp == 0x200C || cp == 0x200D)
        traits |= TRAIT_MAPPED;
    if (depends_on_context(cp))
        traits |= TRAIT_CONTEXT;
    if (mapped >= 0 && mapped != cp && mapped == u_tolower(cp) && map(mapped) == mapped &&
        (traits & TRAIT_LOWER) == 0)
        traits |= lowers_by((uint32_t)(mapped - cp));
    if (in_category(cp, U_GC_M_MASK))
        traits |= TRAIT_MARK;
    return traits;
}

static uint32_t traits_of(UChar32 cp)
{
    uint32_t traits = validity(cp) | script_set(cp);

    if (in_category(cp, U_GC_MN_MASK))
        traits |= TRAIT_STACKS;
    if (cp >= 0x80 && !uset_contains(display_shown, cp))
        return traits | TRAIT_HIDDEN | (uset_contains(display_emoji, cp) ? TRAIT_EMOJI : 0);
    if (cp >= 0x80 && (xn_misread_listed((uint32_t)cp) != XN_MISREAD_NEVER ||
                       in_category(cp, U_GC_ND_MASK) || display_is_separator(cp)))
        traits |= TRAIT_AMBIGUOUS;
    return traits;
}

/* --- the table --- */

static uint32_t words[TRAITS_END];
static uint16_t begin_of[BLOCKS]; /* offset in the blocks that are written, in code points */
static uint32_t blocks[BLOCKS][TRAITS_BLOCK];
static size_t block_count;

/* Marks each code point that is the first of a pair that composes. */
static void find_composing(void)
{
    for (UChar32 cp = 0; cp < TRAITS_END; cp++) {
        UChar units[UNITS_MAX];
        UChar32 pair[UNITS_MAX];
        UErrorCode error = U_ZERO_ERROR;
        int32_t len = unorm2_getRawDecomposition(nfc, cp, units, UNITS_MAX, &error), count = 0;

        u_strToUTF32(pair, UNITS_MAX, &count, units, len > 0 ? len : 0, &error);
        traits_check(error);
        if (count == 2 && unorm2_composePair(nfc, pair[0], pair[1]) == cp &&
            !(words[pair[0]] & TRAIT_DISALLOWED))
            words[pair[0]] |= TRAIT_COMPOSES;
    }
}

/* Returns whether a code point that the table lacks has the traits that core/idna/traits.h gives
 * it. */
static bool is_as_expected_behind_end(UChar32 cp)
{
    bool dropped = cp >= TRAITS_DROPPED && cp < TRAITS_DROPPED_END;
    bool tag = cp == TRAITS_TAG || (cp >= TRAITS_TAGS && cp < TRAITS_TAGS_END);

    return (dropped || is_disallowed(cp)) &&
           script_set(cp) == (dropped || tag ? 0 : TRAITS_UNKNOWN) &&
           !uset_contains(display_shown, cp) && !uset_contains(display_emoji, cp);
}

static void ask_all(void)
{
    for (UChar32 cp = 0; cp <= 0x10FFFF; cp++) {
        if (cp >= TRAITS_END && !is_as_expected_behind_end(cp))
            traits_fail("the table ends too early");
        if (cp >= 0xD800 && cp < 0xE000)
            words[cp] = TRAIT_MAPPED | TRAIT_HIDDEN;
        else if (cp < TRAITS_END)
            words[cp] = traits_of(cp);
    }
    find_composing();
}

static void share_blocks(void)
{
    for (size_t b = 0; b < BLOCKS; b++)
        begin_of[b] =
            (uint16_t)(TRAITS_BLOCK * find_or_add(blocks, &block_count, UINT16_MAX / TRAITS_BLOCK,
                                                  words + b * TRAITS_BLOCK, sizeof *blocks,
                                                  "there are too many blocks"));
}

static void write_scripts(const struct trait_scripts *set)
{
    printf("{{");
    for (size_t i = 0; i < TRAIT_SCRIPT_WORDS; i++)
        printf("0x%llX, ", (unsigned long long)set->used_with[i]);
    printf("}, %d, %d, \"%s\"},\n", set->like_ascii, set->kana_or_han, set->code);
}

/* Writes the scripts of each country. Scripts without a bit in the first word are not shown. */
static void write_country(const char *tld, const UScriptCode *written, int32_t count)
{
    uint64_t set = 0;

    for (int32_t i = 0; i < count; i++)
        for (size_t at = 0; at < 64 && at < script_count; at++)
            set |= (uint64_t)(scripts[at] == written[i]) << at;
    printf("    {\"%s\", 0x%llX},\n", tld, (unsigned long long)set);
}

/* Writes the Allowed characters that the traits do not mark: ASCII as bits, and those outside the
 * display set. */
static void write_allowed(void)
{
    uint64_t ascii[2] = {0};

    for (UChar32 cp = 0; cp < 0x80; cp++)
        ascii[cp / 64] |= (uint64_t)uset_contains(display_allowed, cp) << cp % 64;
    printf("static const uint64_t traits_allowed_ascii[] = {0x%llX, 0x%llX};\n",
           (unsigned long long)ascii[0], (unsigned long long)ascii[1]);
    printf("static const uint32_t traits_allowed[] = {");
    for (UChar32 cp = 0x80; cp <= 0x10FFFF; cp++)
        if (uset_contains(display_allowed, cp) && !uset_contains(display_shown, cp))
            printf("0x%X, ", (unsigned)cp);
    printf("};\n");
}

static void write_table(void)
{
    UVersionInfo version;

    u_getUnicodeVersion(version);
    printf("const uint8_t xn_traits_unicode_version[4] = {%u, %u, %u, %u};\n", version[0],
           version[1], version[2], version[3]);
    printf("const struct trait_scripts xn_traits_script_sets[] = {\n");
    for (size_t i = 0; i < script_set_count; i++)
        write_scripts(&script_sets[i]);
    printf("};\nstatic const struct trait_country traits_countries[] = {\n");
    countries_list(write_country);
    printf("};\nconst uint32_t xn_traits_lower[] = {");
    for (size_t i = 0; i < distance_count; i++)
        printf("%s0x%X", i > 0 ? ", " : "", distances[i]);
    printf("};\n");
    write_allowed();
    printf("const uint16_t xn_traits_begin_of[] = {");
    for (size_t i = 0; i < BLOCKS; i++)
        printf("%s%u", i > 0 ? ", " : "", begin_of[i]);
    printf("};\nconst uint32_t xn_traits_words[] = {");
    for (size_t i = 0; i < block_count * TRAITS_BLOCK; i++)
        printf("%s0x%X,", i % TRAITS_BLOCK == 0 ? "\n" : " ",
               blocks[i / TRAITS_BLOCK][i % TRAITS_BLOCK]);
    printf("\n};\n");
}

int main(int argc, char **argv)
{
    static const uint32_t options =
        UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE;
    UErrorCode error = U_ZERO_ERROR;

    if (argc != 2)
        traits_fail("name the table of look-alikes");
    idna = uidna_openUTS46(options | UIDNA_USE_STD3_RULES, &error);
    nfc = unorm2_getNFCInstance(&error);
    traits_check(error);
    display_open(argv[1]);
    rank_classes();
    find_displayed_scripts();
    move_unknown();
    ask_all();
    share_blocks();
    marks_write(words, nfc);
    write_table();
    printf("#endif\n"); /* marks_write() began it */
    return ferror(stdout) || fflush(stdout) != 0;
}
