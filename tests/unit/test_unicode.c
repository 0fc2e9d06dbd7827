/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests what ICU says of characters and of written labels, and what helps with messages about them.
 */
#include "tests/unit/vectors.h"

#include "core/idna/context.h"
#include "core/idna/mapping.h"
#include "core/idna/property.h"
#include "core/idna/ulabel.h"
#include "core/idna/unicode.h"
#include "core/text/utf8.h"
#include "tests/unit/cputime.h"
#include "tests/unit/exact.h"
#include "tests/unit/logline_grammar.h"
#include "tests/unit/random.h"

static struct xn_unicode *unicode;

static void expect_name(uint32_t cp, const char *name)
{
    char text[XN_CHARACTER_NAME_MAX];

    xn_unicode_character_name(cp, text);
    assert_string_equal(text, name);
}

TEST(test_names, "names of characters")
{
    expect_name('a', "LATIN SMALL LETTER A");
    expect_name(0xAD, "SOFT HYPHEN");
    expect_name(0x4E2D, "CJK UNIFIED IDEOGRAPH-4E2D");
    expect_name(0xAC00, "HANGUL SYLLABLE GA");
    expect_name(0, "control character");
    expect_name(0x85, "control character");
    expect_name(0xE000, "private use character");
    expect_name(0x378, "unassigned character");
    expect_name(0x10FFFF, "unassigned character");
}

/* Every character's name is ASCII and fits with room to spare for Unicode to come. */
TEST(test_every_name, "every name")
{
    for (uint32_t cp = 0; cp < 0x110000; cp++) {
        char *text = malloc(XN_CHARACTER_NAME_MAX);

        xn_unicode_character_name(cp, text);
        size_t len = strlen(text);
        assert_in_range(len, 1, XN_CHARACTER_NAME_MAX - 32);
        for (size_t i = 0; i < len; i++)
            assert_in_range(text[i], 0x20, 0x7E);
        free(text);
    }
}

/* A character is judged alone as the mapping judges it between letters. */
TEST(test_every_answer, "every character alone and between letters")
{
    size_t dropped = 0, refused = 0;

    for (uint32_t cp = 0x80; cp < 0x110000; cp++) {
        uint8_t label[XN_UTF8_MAX + 2] = "a", dst[63];
        size_t len = 1 + xn_utf8_write(cp, label + 1), dst_len;

        if (len == 1)
            continue; /* a surrogate */
        label[len++] = 'b';
        xn_reasons reasons = xn_unicode_map_label(unicode, label, len, dst, &dst_len);
        bool wrong =
            (reasons & (xn_reason_bit(XN_DISALLOWED) | xn_reason_bit(XN_NOT_CANONICAL))) != 0;
        xn_character answer = xn_unicode_judge_character(unicode, cp, 'a', 0);
        if (wrong != (answer != XN_CHARACTER_ALLOWED))
            fail_msg("U+%04X: %d", cp, (int)answer);
        dropped += answer == XN_CHARACTER_DROPPED;
        refused += answer == XN_CHARACTER_REFUSED;
    }
    assert_in_range(dropped, 300, 5000);
    assert_in_range(refused, 100000, 1000000);
}

TEST(test_presentation_selectors, "presentation selectors")
{
    assert_int_equal(xn_unicode_judge_character(unicode, 0xFE0F, 0x1F600, 0), XN_CHARACTER_ALLOWED);
    assert_int_equal(xn_unicode_judge_character(unicode, 0xFE0F, '1', 0), XN_CHARACTER_DROPPED);
    assert_int_equal(xn_unicode_judge_character(unicode, 0xFE0F, '1', 0x20E3),
                     XN_CHARACTER_ALLOWED);
    assert_int_equal(xn_unicode_judge_character(unicode, 0xFE0F, 'x', 0x20E3),
                     XN_CHARACTER_DROPPED);
    assert_int_equal(xn_unicode_judge_character(unicode, 0xFE0F, 'x', 0), XN_CHARACTER_DROPPED);
    assert_int_equal(xn_unicode_judge_character(unicode, 0xFE0F, 0, 0), XN_CHARACTER_DROPPED);
    assert_int_equal(xn_unicode_judge_character(unicode, 0x200D, 0x1F600, 0), XN_CHARACTER_ALLOWED);
}

static xn_reasons reasons_to_map(const char *label)
{
    uint8_t dst[63];
    size_t len = 1;
    xn_reasons reasons =
        xn_unicode_map_label(unicode, (const uint8_t *)label, strlen(label), dst, &len);

    assert_int_equal(len, 0);
    return reasons;
}

/* Besides those that xn_ulabel_check_valid finds. */
TEST(test_mapping, "what mapping alone finds")
{
    assert_int_equal(reasons_to_map("\uFF58n--é"), xn_reason_bit(XN_PUNYCODE));
    assert_int_equal(reasons_to_map(""), xn_reason_bit(XN_EMPTY));
    /* Digits are Emoji, but the selector behind one is invisible except in a keycap. */
    assert_int_equal(reasons_to_map("1\uFE0F"), xn_reason_bit(XN_DISALLOWED));
    assert_int_equal(reasons_to_map("1\uFE0Fü"), xn_reason_bit(XN_DISALLOWED));
    assert_int_equal(reasons_to_map("1\uFE0E2\u20E3"), xn_reason_bit(XN_DISALLOWED));
    assert_int_equal(reasons_to_map("a\uFE0F\u20E3"), xn_reason_bit(XN_DISALLOWED));
}

/* The selectors U+FE0E and U+FE0F choose how a character is drawn that is there. */
TEST(test_visible, "what draws something")
{
    static const uint32_t blanks[] = {0x13441, 0x13442, 0x16FE4, 0x1D159};

    for (uint32_t cp = 0; cp < 0x110000; cp++) {
        bool expected = !is_forbidden((UChar32)cp) || cp == 0xFE0E || cp == 0xFE0F;

        for (size_t i = 0; i < COUNT(blanks); i++)
            expected = expected && cp != blanks[i];
        if (xn_unicode_is_visible(cp) != expected)
            fail_msg("U+%04X", (unsigned)cp);
    }
}

TEST(test_wide, "what is two columns wide")
{
    assert_false(xn_unicode_is_wide('A'));
    assert_true(xn_unicode_is_wide(0x4E2D));
    assert_true(xn_unicode_is_wide(0xFF21)); /* FULLWIDTH LATIN CAPITAL LETTER A */
}

/* The list keeps the first scripts, each once, until it is full. */
TEST(test_every_script, "more scripts than there is room for")
{
    struct xn_scripts scripts = {.count = 0};

    for (uint32_t cp = 0; cp < 0x20000; cp++)
        xn_ulabel_add_scripts(&cp, 1, &scripts);
    assert_int_equal(scripts.count, XN_SCRIPTS_MAX);
    assert_string_equal(scripts.codes[0], "Latn");
    for (size_t i = 0; i < scripts.count; i++)
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(scripts.codes[i], scripts.codes[j]);
}

/* --- the Bidi rule --- */

/* L, R, AL, AN, EN, ES, ET, ON, NSM: of each one or two that labels may have, CS apart. */
static const uint32_t of_each_class[] = {'a',   0xFC,  0x5D0, 0x5D1, 0x628, 0x645,
                                         0x661, '1',   '2',   '-',   0x66A, 0x2030,
                                         0xB7,  0x300, 0x64B, 0x5B0, 0x6F1, 0x3B1};

/* ICU tests labels with a right-to-left character alone, and says no more than yes or no. */
TEST(test_bidi_as_icu, "the Bidi rule, 200,000 times as ICU")
{
    uint32_t seed = 5893;
    size_t kept = 0, broken = 0;

    for (int round = 0; round < 200000; round++) {
        uint32_t label[6];
        size_t len = 1 + random_next(&seed) % COUNT(label);

        for (size_t i = 0; i < len; i++)
            label[i] = of_each_class[random_next(&seed) % COUNT(of_each_class)];
        xn_reasons reasons = xn_ulabel_check_valid(label, len);
        if (!xn_unicode_is_rtl(label, len) ||
            (reasons & XN_INVALID_REASONS & ~xn_reason_bit(XN_BIDI)))
            continue;
        uint32_t *exact = exact_copy(label, len * sizeof *label);
        size_t fault = xn_unicode_bidi_fault(exact, len);
        free(exact);
        assert_in_range(fault, 0, len);
        assert_int_equal(fault < len, (reasons & xn_reason_bit(XN_BIDI)) != 0);
        kept += fault == len;
        broken += fault < len;
    }
    assert_in_range(kept, 1000, 200000);
    assert_in_range(broken, 1000, 200000);
}

static const struct {
    uint32_t label[4];
    size_t len, fault;
} bidi_rows[] = {
    {{'a', 'b'}, 2, 2},
    {{'a', '1'}, 2, 2},
    {{'1', 'a'}, 2, 0},
    {{'-', 'a'}, 2, 0},
    {{'a', '-'}, 2, 1},
    {{'a', '-', 'b'}, 3, 3},
    {{0x5D0}, 1, 1},
    {{0x5D0, 'a'}, 2, 1},
    {{'a', 0x5D0}, 2, 1},
    {{0x5D0, '1'}, 2, 2},
    {{0x5D0, '-'}, 2, 1},
    {{0x5D0, '1', 0x661}, 3, 2},
    {{0x5D0, 0x661, '1'}, 3, 2},
    {{0x661}, 1, 0},
    {{0x5D0, 0x5B0}, 2, 2},
    {{0x5D0, '-', 0x5B0}, 3, 1},
    {{0x300, 'a'}, 2, 0},
    {{'a', 0x300}, 2, 2},
    {{'a', '-', 0x300}, 3, 1},
};

TEST(test_bidi_rows, "the Bidi rule, row by row")
{
    assert_int_equal(xn_unicode_bidi_fault(NULL, 0), 0);
    for (size_t i = 0; i < COUNT(bidi_rows); i++)
        if (xn_unicode_bidi_fault(bidi_rows[i].label, bidi_rows[i].len) != bidi_rows[i].fault)
            fail_msg("row %zu", i);
}

/* --- joiners, lengths, Han --- */

TEST(test_joiners, "loose joiners")
{
    static const uint32_t fine[] = {0xD9A, 0xDCA, 0x200D, 0xDC2};
    static const uint32_t second[] = {0x628, 0x646, 0x200C, 0x628, '-', 0x200C, 0x628};
    static const uint32_t first[] = {0x200D};

    assert_int_equal(xn_context_find_joiner(fine, COUNT(fine)), COUNT(fine));
    assert_int_equal(xn_context_find_joiner(second, COUNT(second)), 5);
    assert_int_equal(xn_context_find_joiner(first, COUNT(first)), 0);
    assert_int_equal(xn_context_find_joiner(NULL, 0), 0);
}

static size_t overlength(const char *label, size_t times)
{
    size_t len = strlen(label);
    uint8_t *text = malloc(len * times);

    for (size_t i = 0; i < times; i++)
        memcpy(text + i * len, label, len);
    size_t result = xn_unicode_alabel_overlength(unicode, text, len * times);
    free(text);
    return result;
}

TEST(test_overlength, "labels that are too long in ACE form")
{
    assert_int_equal(overlength("ü", 10), 0);
    assert_int_equal(overlength("ü", 57), 0);
    assert_int_equal(overlength("ü", 58), 64);
    assert_int_equal(overlength("ü", 512), 518);
    assert_int_equal(overlength("ü", 513), 0);      /* over XN_PRESENTATION_LABEL_MAX */
    assert_int_equal(overlength("\uFFFC", 100), 0); /* not the length is wrong */
}

/* Syllables written in three letters of three octets each: 252 octets, and then more than those
 * that are mapped twice. */
TEST(test_composed, "long labels that get short")
{
    static const char han[] = "\u1112\u1161\u11AB";
    uint8_t label[9 * 60], dst[63];
    size_t dst_len;

    for (size_t i = 0; i < 60; i++) {
        memcpy(label + 9 * i, han, 9);
        bool fits = i + 1 <= 56;
        assert_int_equal(xn_unicode_map_label(unicode, label, 9 * (i + 1), dst, &dst_len),
                         fits ? 0 : xn_reason_bit(XN_TOO_LONG));
        assert_int_equal(dst_len > 0, fits);
    }
}

/* Measures the mapping of a label of different characters, 32 of them for each octet of its
 * length. */
static double seconds_to_map(size_t len)
{
    uint8_t *label = malloc(len), dst[63];
    size_t dst_len;

    for (size_t i = 0; i < len; i += 3)
        xn_utf8_write(0x4E00 + 37 * (uint32_t)i % 20000, label + i);
    double start = cpu_seconds();
    for (size_t i = 0; i < 32; i++)
        assert_int_equal(xn_unicode_map_label(unicode, label, len, dst, &dst_len),
                         xn_reason_bit(XN_TOO_LONG));
    free(label);
    return (cpu_seconds() - start) / (double)len;
}

/* Who writes a list cannot have it read for minutes: with Punycode for all of it an octet of the
 * longest label takes eight times as long as one of a label of 120. */
TEST(test_long_labels, "an octet of a long label takes no longer")
{
    seconds_to_map(120);
    double least = seconds_to_map(120);
    assert_true(seconds_to_map(1020) < 4 * least);
}

TEST_MAIN_WITH_UNICODE(unicode)
