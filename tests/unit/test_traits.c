/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that the table of traits says of labels what ICU says, and XN_NOT_CANONICAL alone of those
 * that UTS 46 changes. */
#include "core/wire/size.h"
#include "tests/unit/vectors.h"

#include "core/idna/icu.h"
#include "core/idna/mapping.h"
#include "core/idna/property.h"
#include "core/idna/traits.h"
#include "core/idna/ulabel.h"
#include "core/idna/unicode.h"
#include "core/text/utf8.h"
#include "tests/unit/iculevel.h"
#include "tests/unit/icureference.h"
#include "tests/unit/random.h"

#include <unicode/uchar.h>

static struct xn_unicode *unicode;

/* --- one label --- */

/* Counts the labels that were asked about. */
struct tally {
    size_t asked, changed, valid, shown;
};

static void describe(const uint32_t *label, size_t len, char *dst)
{
    for (size_t i = 0; i < len; i++)
        dst += sprintf(dst, "U+%04X ", label[i]);
}

/* Expects of the table what ICU says. A label that is not valid is not tested for display. */
static void expect_same(const uint32_t *label, size_t len, struct tally *tally)
{
    char text[16 * XN_ULABEL_MAX];
    xn_reasons valid = xn_ulabel_check_valid(label, len), all = xn_ulabel_check(label, len);
    xn_reasons icu_valid = icu_check_valid(label, len), icu_all = icu_check(label, len);
    xn_level mix = xn_ulabel_mix(label, len), icu_mix = icu_level(label, len);
    bool is_valid = !(valid & XN_INVALID_REASONS);

    if (valid != icu_valid || all != icu_all || mix != icu_mix ||
        (is_valid && xn_ulabel_check_display(label, len) != icu_check_display(label, len))) {
        describe(label, len, text);
        fail_msg("%s: %x, %x, level %d by the table, %x, %x, level %d by ICU", text, valid, all,
                 mix, icu_valid, icu_all, icu_mix);
    }
    tally->asked++;
    tally->changed += valid == xn_reason_bit(XN_NOT_CANONICAL);
    tally->valid += valid == 0;
    tally->shown += all == 0;
}

/* The same label, written so, mapped with the table and by ICU alone. */
static void expect_same_mapping(const uint32_t *label, size_t len, size_t *good)
{
    uint8_t text[4 * XN_ULABEL_MAX], fast[63], slow[63];
    char what[16 * XN_ULABEL_MAX];
    size_t text_len, fast_len, slow_len = 0;

    if (xn_utf8_encode(label, len, text, sizeof text, &text_len) != XN_OK)
        return;
    xn_reasons fast_reasons = xn_unicode_map_label(unicode, text, text_len, fast, &fast_len);
    xn_reasons slow_reasons = xn_icu_map_label(unicode, text, text_len, slow, &slow_len);
    describe(label, len, what);
    if (fast_reasons != slow_reasons || fast_len != slow_len || memcmp(fast, slow, fast_len) != 0)
        fail_msg("%s: %x with the table, %x by ICU", what, fast_reasons, slow_reasons);
    *good += fast_reasons == 0;
}

/* --- labels --- */

/* Every code point alone, between letters, behind and before each of some that others depend on. */
TEST(test_every_code_point, "every code point and its neighbours")
{
    static const uint32_t others[] = {'a',    '1',   '-',   0xE9,  0x430,  0x5D0,  0x627,  0x661,
                                      0x915,  0x93C, 0x94D, 0xE01, 0x1100, 0x1161, 0xAC00, 0x4E00,
                                      0x3042, 0x301, 0x323, 0x5B0, 0x64B,  0x200D};
    struct tally tally = {0};
    size_t mapped = 0;

    for (uint32_t cp = 0; cp < 0x32800; cp++) {
        if (cp - 0xD800 < 0x800)
            continue;
        uint32_t between[] = {'a', cp, 'a'};
        expect_same(&cp, 1, &tally);
        expect_same(between, 3, &tally);
        expect_same_mapping(between, 3, &mapped);
        for (size_t i = 0; i < COUNT(others); i += cp < 0x3400 ? 1 : COUNT(others) / 2) {
            uint32_t pair[] = {others[i], cp}, reverse[] = {cp, others[i]};
            expect_same(pair, 2, &tally);
            expect_same(reverse, 2, &tally);
        }
    }
    assert_true(mapped > 90000);
}

/* Scripts of every code point that there is, beside a letter of each of those that a level depends
 * on, and of others: the level of any label follows from such pairs. */
TEST(test_every_level, "every code point's scripts")
{
    static const uint32_t others[] = {'a',    '1',    0x3B1,  0x430, 0x13A0, 0x4E00, 0x3042,
                                      0x30A2, 0x3105, 0xAC00, 0x5D0, 0x627,  0x915,  0xB85,
                                      0x1820, 0x1CD0, 0x300,  0x378, 0x2F00, 0x10140};
    static unsigned found[XN_LEVEL_UNRESTRICTED];

    for (uint32_t cp = 0; cp < 0x110000; cp++) {
        bool alike = (cp - 0x3400 < 0x6C00 && cp % 16) || (cp - 0xAC00 < 0x4D00 && cp % 16) ||
                     (cp >= 0x20000 && cp - 0xE0000 >= 0x200); /* as those before it */
        if (cp - 0xD800 < 0x800)
            continue;
        for (size_t i = 0; i < COUNT(others); i += alike ? COUNT(others) - 1 : 1) {
            uint32_t label[] = {cp, others[i], 'a'};
            for (size_t len = 2; len <= 3; len++) {
                xn_level level = xn_ulabel_mix(label, len);
                found[level]++;
                if (level != icu_level(label, len))
                    fail_msg("U+%04X U+%04X%s: level %d", cp, others[i], len == 3 ? " a" : "",
                             level);
            }
        }
    }
    for (size_t level = 0; level < COUNT(found); level++)
        assert_true(found[level] > 100);
}

/* Words of one block or of several, with marks, digits, hyphens and capitals strewn in. */
static size_t random_label(uint32_t *seed, uint32_t *dst)
{
    static const uint32_t blocks[] = {
        0x41,   0x61,   0xC0,   0xE0,    0x100,   0x180,  0x250,  0x370,  0x390,  0x410,  0x450,
        0x531,  0x561,  0x5B0,  0x5D0,   0x60C,   0x620,  0x640,  0x660,  0x6F0,  0x700,  0x900,
        0x930,  0x980,  0x9BC,  0xA00,   0xA80,   0xB00,  0xB80,  0xBBE,  0xC00,  0xC80,  0xD00,
        0xD80,  0xDCA,  0xE01,  0xE30,   0xE80,   0xF40,  0x1000, 0x10D0, 0x1100, 0x1160, 0x11A8,
        0x1200, 0x1780, 0x1E00, 0x1EA0,  0x1F00,  0x3041, 0x30A1, 0x30F0, 0x3105, 0x4E00, 0xAC00,
        0xA640, 0xFB1D, 0xFE70, 0x1F600, 0x1E900, 0x20000};
    static const uint32_t marks[] = {0x300, 0x301, 0x308, 0x323, 0x327, 0x338, 0x5B4,  0x64E,
                                     0x651, 0x93C, 0x941, 0x94D, 0xE38, 0xE48, 0x3099, 0x1AB0};
    size_t len = 1 + random_below(seed, 12);
    uint32_t block = blocks[random_below(seed, COUNT(blocks))], mixed = random_below(seed, 4);

    for (size_t i = 0; i < len; i++) {
        uint32_t kind = random_below(seed, 24);
        if (mixed == 0 && random_below(seed, 3) == 0)
            block = blocks[random_below(seed, COUNT(blocks))];
        dst[i] = kind == 0                 ? (uint8_t)("0123456789-"[random_below(seed, 11)])
                 : kind == 1               ? marks[random_below(seed, COUNT(marks))]
                 : kind == 2               ? 'a' + random_below(seed, 26)
                 : kind == 3 && mixed == 1 ? (i > 0 ? dst[i - 1] : 0x30FB)
                                           : block + random_below(seed, 40);
    }
    return len;
}

TEST(test_mutants, "1,000,000 mutants")
{
    struct tally tally = {0};
    size_t mapped = 0;
    uint32_t seed = 5891;

    for (int i = 0; i < 1000000; i++) {
        uint32_t label[XN_ULABEL_MAX];
        size_t len = random_label(&seed, label);

        expect_same(label, len, &tally);
        if (i % 4 == 0)
            expect_same_mapping(label, len, &mapped);
    }
    assert_in_range(tally.valid, 100000, 900000);
    assert_in_range(mapped, 25000, 240000);
}

/* Short labels of every pair of scripts' letters: which mixtures may be shown. */
TEST(test_scripts, "every pair of scripts")
{
    uint32_t letters[1024];
    size_t count = 0;
    struct tally tally = {0};

    for (uint32_t cp = 0x80, last = 0; cp < 0x20000 && count < COUNT(letters); cp++) {
        uint32_t script = (uint32_t)(xn_unicode_script(cp) + 1);
        if (xn_traits_is_displayed(cp) && (script != last || xn_traits_is_ambiguous(cp))) {
            letters[count++] = cp;
            last = script;
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            uint32_t label[] = {letters[i], letters[j], 'a', letters[i]};
            expect_same(label, 2, &tally);
            expect_same(label, 4, &tally);
        }

    assert_true(tally.shown > 900);
}

/* Makes a label that strangers may send: any code points, few of them twice, with hyphens and
 * joiners. */
static size_t any_label(uint32_t *seed, uint32_t *dst)
{
    static const uint32_t ends[] = {0x80, 0x250, 0x600, 0x3400, 0xD800, 0x34000, 0x110000};
    size_t len = 1 + random_below(seed, XN_ULABEL_MAX);
    uint32_t end = ends[random_below(seed, COUNT(ends))];

    for (size_t i = 0; i < len; i++) {
        uint32_t kind = random_below(seed, 16), cp = random_below(seed, end);
        dst[i] = kind == 0                       ? '-'
                 : kind == 1                     ? 0x200C + random_below(seed, 2)
                 : kind == 2                     ? 0x1F600 + random_below(seed, 64)
                 : kind == 3                     ? 0x300 + random_below(seed, 0x70)
                 : cp - 0xD800 < 0x800           ? 0xFFFD
                 : cp - 'A' < 26                 ? cp + ('a' - 'A')
                 : kind < 10 && cp - 0x80 < 0x80 ? cp % 26 + 'a'
                                                 : cp;
    }
    return len;
}

TEST(test_any_code_points, "any code points")
{
    struct tally tally = {0};
    uint32_t seed = 39;

    for (int i = 0; i < 200000; i++) {
        uint32_t label[XN_ULABEL_MAX];
        size_t len = any_label(&seed, label), part = 1 + len % 6;

        expect_same(label, len, &tally);
        expect_same(label, part < len ? part : len, &tally);
    }
    assert_true(tally.changed > 20000);
}

/* Labels of characters that ICU finds nothing wrong with, of every script that Unicode has, two or
 * three scripts to a label. */
TEST(test_mixed_scripts, "1,000,000 labels of two scripts and three")
{
    static uint32_t letters[0x34000];
    size_t count = 0;
    uint32_t seed = 1024;
    struct tally tally = {0};

    for (uint32_t cp = 'a'; cp < COUNT(letters); cp++)
        if (cp - 0xD800 >= 0x800 && (cp - 0x3500 >= 0xA600 - 0x3500) && cp < 0x20000 &&
            xn_ulabel_check_valid(&cp, 1) == 0)
            letters[count++] = cp;
    assert_true(count > 20000);
    for (int i = 0; i < 1000000; i++) {
        uint32_t label[8], at[3];
        size_t len = 2 + random_below(&seed, 7);

        for (size_t j = 0; j < COUNT(at); j++)
            at[j] = random_below(&seed, (uint32_t)count - 8);
        for (size_t j = 0; j < len; j++)
            label[j] =
                letters[at[random_below(&seed, 1 + (uint32_t)i % 3)] + random_below(&seed, 8)];
        expect_same(label, len, &tally);
    }
}

/* Code points that depend on their neighbours, beside each neighbour that matters. */
TEST(test_contexts, "contexts")
{
    static const uint32_t parts[] = {0xB7,   0x375,  0x5F3,  0x5F4,   0x30FB, 'l',
                                     'a',    '-',    0x3B1,  0x370,   0x5D0,  0x5B4,
                                     0x3042, 0x30A2, 0x4E00, 0x3105,  0x30FC, 0x1F600,
                                     0x301,  0x200D, 0xFFFD, 0x20000, 0x94D,  0x660};
    struct tally tally = {0};
    uint32_t seed = 5892;

    for (int i = 0; i < 500000; i++) {
        uint32_t label[6];
        size_t len = 1 + random_below(&seed, COUNT(label));

        for (size_t j = 0; j < len; j++)
            label[j] = parts[random_below(&seed, i % 2 ? 13 : COUNT(parts))];
        expect_same(label, len, &tally);
    }
    assert_true(tally.valid > 20000);
    assert_true(tally.shown > 3000);
}

/* Joiners in and out of their context, marks beside them: what is shown is judged without them. */
TEST(test_joiners, "joiners")
{
    static const uint32_t parts[] = {0x200C, 0x200D, 0x628, 0x627, 0x64E,  0x651, 0x915,
                                     0x94D,  0x93C,  0x941, 'a',   0xE9,   0x301, 0x5D0,
                                     0x430,  '-',    '1',   0x661, 0x1F600};
    struct tally tally = {0};
    uint32_t seed = 200;

    for (int i = 0; i < 500000; i++) {
        uint32_t label[9];
        size_t len = 1 + random_below(&seed, 9);

        for (size_t j = 0; j < len; j++)
            label[j] = parts[random_below(&seed, i % 2 ? 7 : COUNT(parts))];
        expect_same(label, len, &tally);
    }
    assert_true(tally.valid > 1000);
}

/* Every mark behind each of its block: one may be what another one decomposes to or begins with, as
 * U+0CC6 is of U+0CCA, which is spacing and stacks on nothing. */
TEST(test_pairs_of_marks, "every pair of marks of a block")
{
    enum { BLOCK = 128 };
    struct tally tally = {0};

    for (uint32_t cp = 0x300; cp < 0x20000; cp++)
        for (uint32_t i = 0, block = cp - cp % BLOCK; xn_unicode_is_mark(cp) && i < BLOCK; i++) {
            uint32_t label[] = {'a', block + i, cp};
            if (xn_unicode_is_mark(block + i))
                expect_same(label, 3, &tally);
        }
    assert_true(tally.asked > 50000);
    assert_true(tally.changed > 100);
}

TEST_MAIN_WITH_UNICODE(unicode)
