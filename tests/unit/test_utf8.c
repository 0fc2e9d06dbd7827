/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "core/text/utf8.h"
#include "tests/unit/exact.h"
#include "tests/unit/random.h"

#define OCTETS(literal) literal, sizeof literal - 1

/* --- one sequence --- */

static struct sequence {
    const char *name;
    const char *octets;
    size_t octets_len;
    size_t len; /* 0: refused */
    uint32_t cp;
} sequences[] = {
    /* RFC 3629, section 4: the first and the last of each line of the grammar */
    {"U+0000", OCTETS("\x00"), 1, 0x0000},
    {"U+007F, the last of one octet", OCTETS("\x7F"), 1, 0x007F},
    {"U+0080, the first of two octets", OCTETS("\xC2\x80"), 2, 0x0080},
    {"U+07FF, the last of two octets", OCTETS("\xDF\xBF"), 2, 0x07FF},
    {"U+0800, the first of three octets", OCTETS("\xE0\xA0\x80"), 3, 0x0800},
    {"U+0FFF, the last that begins with E0", OCTETS("\xE0\xBF\xBF"), 3, 0x0FFF},
    {"U+1000, the first that begins with E1", OCTETS("\xE1\x80\x80"), 3, 0x1000},
    {"U+CFFF, the last that begins with EC", OCTETS("\xEC\xBF\xBF"), 3, 0xCFFF},
    {"U+D000, the first that begins with ED", OCTETS("\xED\x80\x80"), 3, 0xD000},
    {"U+D7FF, the last before the surrogates", OCTETS("\xED\x9F\xBF"), 3, 0xD7FF},
    {"U+E000, the first behind the surrogates", OCTETS("\xEE\x80\x80"), 3, 0xE000},
    {"U+FEFF, no byte order mark here", OCTETS("\xEF\xBB\xBF"), 3, 0xFEFF},
    {"U+FFFF, the last of three octets", OCTETS("\xEF\xBF\xBF"), 3, 0xFFFF},
    {"U+10000, the first of four octets", OCTETS("\xF0\x90\x80\x80"), 4, 0x10000},
    {"U+3FFFF, the last that begins with F0", OCTETS("\xF0\xBF\xBF\xBF"), 4, 0x3FFFF},
    {"U+40000, the first that begins with F1", OCTETS("\xF1\x80\x80\x80"), 4, 0x40000},
    {"U+FFFFF, the last that begins with F3", OCTETS("\xF3\xBF\xBF\xBF"), 4, 0xFFFFF},
    {"U+100000, the first that begins with F4", OCTETS("\xF4\x80\x80\x80"), 4, 0x100000},
    {"U+10FFFF, the last", OCTETS("\xF4\x8F\xBF\xBF"), 4, 0x10FFFF},

    {"nothing", OCTETS(""), 0, 0},
    {"a lone continuation 80", OCTETS("\x80"), 0, 0},
    {"a lone continuation BF", OCTETS("\xBF"), 0, 0},
    {"U+0000 in two octets", OCTETS("\xC0\x80"), 0, 0},
    {"U+007F in two octets", OCTETS("\xC1\xBF"), 0, 0},
    {"U+0000 in three octets", OCTETS("\xE0\x80\x80"), 0, 0},
    {"U+07FF in three octets", OCTETS("\xE0\x9F\xBF"), 0, 0},
    {"U+0000 in four octets", OCTETS("\xF0\x80\x80\x80"), 0, 0},
    {"U+FFFF in four octets", OCTETS("\xF0\x8F\xBF\xBF"), 0, 0},
    {"U+0000 in five octets", OCTETS("\xF8\x80\x80\x80\x80"), 0, 0},
    {"U+0000 in six octets", OCTETS("\xFC\x80\x80\x80\x80\x80"), 0, 0},
    {"the surrogate U+D800", OCTETS("\xED\xA0\x80"), 0, 0},
    {"the surrogate U+DBFF", OCTETS("\xED\xAF\xBF"), 0, 0},
    {"the surrogate U+DC00", OCTETS("\xED\xB0\x80"), 0, 0},
    {"the surrogate U+DFFF", OCTETS("\xED\xBF\xBF"), 0, 0},
    {"CESU-8 for U+10000", OCTETS("\xED\xA0\x80\xED\xB0\x80"), 0, 0},
    {"U+110000", OCTETS("\xF4\x90\x80\x80"), 0, 0},
    {"U+13FFFF", OCTETS("\xF4\xBF\xBF\xBF"), 0, 0},
    {"U+140000", OCTETS("\xF5\x80\x80\x80"), 0, 0},
    {"U+1FFFFF", OCTETS("\xF7\xBF\xBF\xBF"), 0, 0},
    {"five octets", OCTETS("\xF8\x88\x80\x80\x80"), 0, 0},
    {"six octets", OCTETS("\xFD\xBF\xBF\xBF\xBF\xBF"), 0, 0},
    {"FE", OCTETS("\xFE\x80\x80\x80\x80\x80\x80"), 0, 0},
    {"FF", OCTETS("\xFF\x80\x80\x80\x80\x80\x80\x80"), 0, 0},
    {"FE alone", OCTETS("\xFE"), 0, 0},
    {"FF alone", OCTETS("\xFF"), 0, 0},
    {"the first of two octets", OCTETS("\xC2"), 0, 0},
    {"the first of three octets", OCTETS("\xE1"), 0, 0},
    {"two of three octets", OCTETS("\xE1\x80"), 0, 0},
    {"the first of four octets", OCTETS("\xF1"), 0, 0},
    {"two of four octets", OCTETS("\xF1\x80"), 0, 0},
    {"three of four octets", OCTETS("\xF1\x80\x80"), 0, 0},
    {"ASCII in the second place of two", OCTETS("\xC2\x41"), 0, 0},
    {"a lead in the second place of two", OCTETS("\xC2\xC2\x80"), 0, 0},
    {"ASCII in the second place of three", OCTETS("\xE1\x41\x80"), 0, 0},
    {"ASCII in the third place of three", OCTETS("\xE1\x80\x41"), 0, 0},
    {"a lead in the third place of three", OCTETS("\xE1\x80\xC0"), 0, 0},
    {"ASCII in the second place of four", OCTETS("\xF1\x41\x80\x80"), 0, 0},
    {"ASCII in the third place of four", OCTETS("\xF1\x80\x41\x80"), 0, 0},
    {"ASCII in the fourth place of four", OCTETS("\xF1\x80\x80\x41"), 0, 0},
    {"a lead in the fourth place of four", OCTETS("\xF1\x80\x80\xF1"), 0, 0},
};

/* Alone, and with more behind it, which must not matter. */
static void expect_read(const struct sequence *row)
{
    uint8_t behind[16];
    uint32_t cp = 0xDEAD;

    uint8_t *src = exact_copy(row->octets, row->octets_len);
    assert_int_equal(xn_utf8_read(src, row->octets_len, &cp), row->len);
    if (row->len > 0)
        assert_int_equal(cp, row->cp);
    free(src);

    memcpy(behind, row->octets, row->octets_len);
    behind[row->octets_len] = 0xFF;
    src = exact_copy(behind, row->octets_len + 1);
    assert_int_equal(xn_utf8_read(src, row->octets_len + 1, &cp), row->len);
    free(src);
}

/* Behind two good code points of three octets: where decoding stops, and what it has got. */
static void expect_decoded(const struct sequence *row)
{
    uint8_t octets[16] = "a\xC3\xA9";
    size_t len = 3 + row->octets_len, dst_len = 99, bad_at = 99;
    uint32_t dst[16];

    memcpy(octets + 3, row->octets, row->octets_len);
    uint8_t *src = exact_copy(octets, len);
    xn_status status = xn_utf8_decode(src, len, dst, 16, &dst_len, &bad_at);
    free(src);

    assert_int_equal(dst[0], 'a');
    assert_int_equal(dst[1], 0xE9);
    if (row->octets_len == 0) {
        assert_int_equal(status, XN_OK);
        assert_int_equal(dst_len, 2);
    } else if (row->len == 0) {
        assert_int_equal(status, XN_BAD_UTF8);
        assert_int_equal(dst_len, 2);
        assert_int_equal(bad_at, 3);
    } else {
        assert_int_equal(status, XN_OK);
        assert_int_equal(dst_len, 3);
        assert_int_equal(dst[2], row->cp);
    }
}

TEST_ROWS(test_sequence, sequences, name)
{
    expect_read(*state);
    expect_decoded(*state);
}

/* --- whole texts --- */

static struct decoding {
    const char *name;
    const char *src;
    size_t src_len;
    size_t dst_cap;
    xn_status status;
    size_t dst_len;
    size_t bad_at; /* with XN_BAD_UTF8 */
} decodings[] = {
    {"decode nothing into nothing", OCTETS(""), 0, XN_OK, 0, 0},
    {"decode NUL", OCTETS("a\0b"), 3, XN_OK, 3, 0},
    {"decode one to four octets", OCTETS("A\xC3\x9F\xE6\x97\xA5\xF0\x9F\x98\x80"), 4, XN_OK, 4, 0},
    {"decode one to four octets into three", OCTETS("A\xC3\x9F\xE6\x97\xA5\xF0\x9F\x98\x80"), 3,
     XN_NO_SPACE, 3, 0},
    {"decode ASCII into nothing", OCTETS("a"), 0, XN_NO_SPACE, 0, 0},
    {"decode four octets into nothing", OCTETS("\xF0\x9F\x98\x80"), 0, XN_NO_SPACE, 0, 0},
    {"decode bad octets at the start",
     OCTETS("\xFF"
            "abc"),
     4, XN_BAD_UTF8, 0, 0},
    {"decode bad octets in the middle", OCTETS("\xC3\xA9\xE6\x97\xA5\x80z"), 8, XN_BAD_UTF8, 2, 5},
    {"decode bad octets at the end", OCTETS("abc\xC3"), 4, XN_BAD_UTF8, 3, 3},
    {"decode bad octets twice: the first counts",
     OCTETS("a\xC3"
            "b\xFF"),
     4, XN_BAD_UTF8, 1, 1},
    {"decode a bad third octet: the sequence counts", OCTETS("a\xE6\x97z"), 4, XN_BAD_UTF8, 1, 1},
    {"decode a surrogate", OCTETS("ab\xED\xA0\x80"), 5, XN_BAD_UTF8, 2, 2},
    {"decode bad octets behind the room", OCTETS("ab\xFF"), 1, XN_NO_SPACE, 1, 0},
    {"decode bad octets where the room ends", OCTETS("ab\xFF"), 2, XN_BAD_UTF8, 2, 2},
};

TEST_ROWS(test_decoding, decodings, name)
{
    const struct decoding *row = *state;
    size_t dst_len = 99, bad_at = 99;
    uint8_t *src = exact_copy(row->src, row->src_len);
    uint32_t *dst = malloc(row->dst_cap * sizeof *dst);

    assert_int_equal(xn_utf8_decode(src, row->src_len, dst, row->dst_cap, &dst_len, &bad_at),
                     row->status);
    assert_int_equal(dst_len, row->dst_len);
    if (row->status == XN_BAD_UTF8)
        assert_int_equal(bad_at, row->bad_at);
    assert_int_equal(xn_utf8_decode(src, row->src_len, dst, row->dst_cap, &dst_len, NULL),
                     row->status);
    free(src);
    free(dst);
}

static struct encoding {
    const char *name;
    uint32_t cps[4];
    size_t cps_len;
    size_t dst_cap;
    xn_status status;
    const char *octets;
} encodings[] = {
    {"encode nothing into nothing", {0}, 0, 0, XN_OK, ""},
    {"encode one to four octets",
     {'A', 0xDF, 0x65E5, 0x1F600},
     4,
     10,
     XN_OK,
     "A\xC3\x9F\xE6\x97\xA5\xF0\x9F\x98\x80"},
    {"encode one to four octets, one too many",
     {'A', 0xDF, 0x65E5, 0x1F600},
     4,
     9,
     XN_NO_SPACE,
     ""},
    {"encode one octet into nothing", {'A'}, 1, 0, XN_NO_SPACE, ""},
    {"encode two octets into one", {0x80}, 1, 1, XN_NO_SPACE, ""},
    {"encode three octets into two", {0x800}, 1, 2, XN_NO_SPACE, ""},
    {"encode four octets into three", {0x10000}, 1, 3, XN_NO_SPACE, ""},
    {"encode two octets into two", {0x80}, 1, 2, XN_OK, "\xC2\x80"},
    {"encode three octets into three", {0x800}, 1, 3, XN_OK, "\xE0\xA0\x80"},
    {"encode four octets into four", {0x10000}, 1, 4, XN_OK, "\xF0\x90\x80\x80"},
    {"encode U+10FFFF", {0x10FFFF}, 1, 4, XN_OK, "\xF4\x8F\xBF\xBF"},
    {"encode U+D7FF", {0xD7FF}, 1, 3, XN_OK, "\xED\x9F\xBF"},
    {"encode U+D800", {0xD800}, 1, 4, XN_CP_SURROGATE, ""},
    {"encode U+DFFF behind a letter", {'a', 0xDFFF}, 2, 8, XN_CP_SURROGATE, ""},
    {"encode U+E000", {0xE000}, 1, 3, XN_OK, "\xEE\x80\x80"},
    {"encode U+110000", {0x110000}, 1, 4, XN_CP_RANGE, ""},
    {"encode FFFFFFFF behind a letter", {'a', 0xFFFFFFFF}, 2, 8, XN_CP_RANGE, ""},
};

TEST_ROWS(test_encoding, encodings, name)
{
    const struct encoding *row = *state;
    size_t dst_len = 99;
    uint32_t *src = exact_copy(row->cps, row->cps_len * sizeof *src);
    uint8_t *dst = malloc(row->dst_cap);

    assert_int_equal(xn_utf8_encode(src, row->cps_len, dst, row->dst_cap, &dst_len), row->status);
    assert_int_equal(dst_len, strlen(row->octets));
    if (dst_len > 0)
        assert_memory_equal(dst, row->octets, dst_len);
    free(src);
    free(dst);
}

/* --- everything --- */

static size_t expected_len(uint32_t cp)
{
    return cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
}

TEST(test_round_trip, "each of 1,112,064 scalar values there and back")
{
    uint8_t *octets[XN_UTF8_MAX + 1];
    unsigned count = 0;

    for (size_t len = 1; len <= XN_UTF8_MAX; len++)
        octets[len] = malloc(len);
    for (uint32_t cp = 0; cp <= 0x10FFFF; cp++) {
        uint8_t *exact = octets[expected_len(cp)];
        uint32_t back = ~cp;
        if (cp >= 0xD800 && cp <= 0xDFFF)
            continue;
        if (xn_utf8_write(cp, exact) != expected_len(cp) ||
            xn_utf8_read(exact, expected_len(cp), &back) != expected_len(cp) || back != cp)
            fail_msg("U+%04X became U+%04X", cp, back);
        count++;
    }
    assert_int_equal(count, 1112064);
    for (size_t len = 1; len <= XN_UTF8_MAX; len++)
        free(octets[len]);
}

TEST(test_surrogates, "each surrogate refused")
{
    static const uint8_t untouched[XN_UTF8_MAX] = {1, 2, 3, 4};

    for (uint32_t cp = 0xD800; cp <= 0xDFFF; cp++) {
        uint8_t octets[XN_UTF8_MAX] = {1, 2, 3, 4};
        assert_int_equal(xn_utf8_write(cp, octets), 0);
        assert_memory_equal(octets, untouched, sizeof octets);
        uint8_t *src = exact_copy(
            (uint8_t[]){0xED, (uint8_t)(0x80 | (cp >> 6 & 0x3F)), (uint8_t)(0x80 | (cp & 0x3F))},
            3);
        assert_int_equal(xn_utf8_read(src, 3, &(uint32_t){0}), 0);
        free(src);
    }
}

/* The reader takes each sequence of `len` octets that the writer makes, and no other. */
static void expect_sequences(size_t len, unsigned expected)
{
    uint8_t *octets = malloc(len);
    unsigned count = 0;

    for (uint32_t all = 0; all < 1u << 8 * len; all++) {
        uint32_t cp;
        for (size_t i = 0; i < len; i++)
            octets[i] = (uint8_t)(all >> 8 * i);
        count += xn_utf8_read(octets, len, &cp) == len;
    }
    free(octets);
    assert_int_equal(count, expected);
}

TEST(test_no_other_sequence, "each sequence of up to three octets")
{
    expect_sequences(1, 0x80);
    expect_sequences(2, 0x800 - 0x80);
    expect_sequences(3, 0x10000 - 0x800 - 0x800);
}

/* --- many at once --- */

enum { RUN_MAX = 70 };

/* Makes a run of code points of one length or of several, now and then with one that cannot be
 * written. */
static size_t random_run(uint32_t *seed, uint32_t *cps)
{
    static const uint32_t ends[] = {0x80, 0x800, 0x10000, 0x110000, 0x120000};
    size_t len = random_below(seed, RUN_MAX + 1);
    uint32_t kinds = random_below(seed, 16), rare = random_below(seed, 4);

    for (size_t i = 0; i < len; i++) {
        cps[i] =
            random_below(seed, ends[kinds < 12 ? random_below(seed, kinds % 4 + 1) : kinds % 2]);
        if (rare > 0 && cps[i] - 0xD800 < 0x800)
            cps[i] = 0xE000;
    }
    if (rare == 0 && len > 0)
        cps[random_below(seed, (uint32_t)len)] = random_below(seed, 2) ? ends[4] : UINT32_MAX;
    return len;
}

/* Writes code points one by one. Returns the status, with the octets before the code point that
 * cannot be written. */
static xn_status write_each(const uint32_t *cps, size_t len, uint8_t *dst, size_t *dst_len)
{
    *dst_len = 0;
    for (size_t i = 0; i < len; i++) {
        size_t octets = xn_utf8_write(cps[i], dst + *dst_len);
        if (octets == 0)
            return cps[i] > 0x10FFFF ? XN_CP_RANGE : XN_CP_SURROGATE;
        *dst_len += octets;
    }
    return XN_OK;
}

static void expect_run(const uint32_t *src, size_t len, size_t cap, xn_status expected,
                       const uint8_t *octets, size_t octets_len)
{
    uint32_t *cps = exact_copy(src, len * sizeof *src);
    uint8_t *dst = malloc(cap);
    size_t dst_len;

    assert_int_equal(xn_utf8_encode(cps, len, dst, cap, &dst_len), expected);
    assert_int_equal(dst_len, expected == XN_OK ? octets_len : 0);
    assert_memory_equal(dst, octets, dst_len);
    free(dst);
    free(cps);
}

TEST(test_runs, "300,000 runs as one by one")
{
    uint32_t seed = 3629;
    size_t good = 0;

    for (int i = 0; i < 300000; i++) {
        uint32_t cps[RUN_MAX];
        uint8_t octets[XN_UTF8_MAX * RUN_MAX];
        size_t len = random_run(&seed, cps), octets_len;
        xn_status status = write_each(cps, len, octets, &octets_len);

        good += status == XN_OK;
        expect_run(cps, len, sizeof octets, status, octets, octets_len);
        expect_run(cps, len, octets_len, status, octets, octets_len);
        if (status == XN_OK && octets_len > 0)
            expect_run(cps, len, random_below(&seed, (uint32_t)octets_len), XN_NO_SPACE, octets, 0);
    }
    assert_in_range(good, 100000, 290000);
}

/* A fault is returned without its place if that is not asked for, also if there is no room. */
TEST(test_no_place, "a fault without its place")
{
    uint32_t cp;
    size_t len;

    assert_int_equal(xn_utf8_decode((const uint8_t *)"\xFF", 1, NULL, 0, &len, NULL), XN_BAD_UTF8);
    assert_int_equal(xn_utf8_decode((const uint8_t *)"\xFF", 1, &cp, 1, &len, NULL), XN_BAD_UTF8);
}

TEST_MAIN
