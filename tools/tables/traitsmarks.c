/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of core/idna/context.c. */
#include "tools/tables/traitswords.h"

#include "core/idna/traits.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>

static const uint32_t *words;
static const UNormalizer2 *nfc;

static bool is_in_nfc(UChar32 starter, UChar32 mark)
{
    UChar units[4];
    UErrorCode error = U_ZERO_ERROR;
    int32_t len = 0;

    U16_APPEND_UNSAFE(units, len, starter);
    U16_APPEND_UNSAFE(units, len, mark);
    bool same = unorm2_isNormalized(nfc, units, len, &error);
    traits_check(error);
    return same;
}

static bool is_hangul(UChar32 cp)
{
    return uscript_hasScript(cp, USCRIPT_HANGUL);
}

static bool is_of_marks(UChar32 cp, uint32_t traits)
{
    return words[cp] & traits && !(words[cp] & TRAIT_MAPPED) && !is_hangul(cp);
}

/* Writes the pairs of a starter and a mark that are not in NFC. Hangul has too many: context.c
 * computes them. */
static void write_composing(void)
{
    static UChar32 marks[TRAITS_END];
    size_t count = 0;

    for (UChar32 cp = 0; cp < TRAITS_END; cp++)
        if (is_of_marks(cp, TRAIT_MAYBE))
            marks[count++] = cp;
    printf("static const struct trait_pair traits_composing[] = {\n");
    for (UChar32 cp = 0; cp < TRAITS_END; cp++)
        for (size_t i = 0; i < count && is_of_marks(cp, TRAIT_COMPOSES | TRAIT_DECOMPOSES); i++)
            if (!is_in_nfc(cp, marks[i]))
                printf("{0x%X, 0x%X},\n", (unsigned)cp, (unsigned)marks[i]);
    printf("};\n");
}

static void write_decomposition(UChar32 cp)
{
    UChar units[2 * TRAIT_PARTS_MAX];
    UChar32 parts[TRAIT_PARTS_MAX];
    UErrorCode error = U_ZERO_ERROR;
    int32_t len = unorm2_getDecomposition(nfc, cp, units, 2 * TRAIT_PARTS_MAX, &error), count;
    bool stacks = false;

    u_strToUTF32(parts, TRAIT_PARTS_MAX, &count, units, len, &error);
    traits_check(error);
    for (int32_t i = 0; i < count; i++)
        stacks |= u_charType(parts[i]) == U_NON_SPACING_MARK;
    if (!stacks)
        return;
    printf("{0x%X, {", (unsigned)cp);
    for (int32_t i = 0; i < count; i++)
        printf("0x%X, ", (unsigned)parts[i] |
                             (u_charType(parts[i]) == U_NON_SPACING_MARK ? TRAIT_PART_STACKS : 0));
    printf("}},\n");
}

void marks_write(const uint32_t *table, const UNormalizer2 *normalizer)
{
    words = table;
    nfc = normalizer;
    printf("#ifdef TRAITS_OF_MARKS\n");
    write_composing();
    printf("static const struct trait_decomposition traits_decomposing[] = {\n");
    for (UChar32 cp = 0; cp < TRAITS_END; cp++)
        if (is_of_marks(cp, TRAIT_DECOMPOSES))
            write_decomposition(cp);
    printf("};\n#else\n");
}
