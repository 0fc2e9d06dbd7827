/* SPDX-License-Identifier: BSD-3-Clause */
/* The fast way through Punycode gives what the plain one gives, which `make prove` shows to be safe
 * by itself: a trace is always of the latter. In the environment, XN_CPU=generic: of the variant
 * that every processor has; XN_PUNYLABELS=COUNT: of so many random labels, of every payload of
 * three octets and of every code point; XN_SEED: a number. */
#include "tests/unit/vectors.h"

#include "core/idna/alabel.h"
#include "core/punycode/punylabel.h"
#include "core/punycode/trace.h"
#include "core/text/cpu.h"
#include "core/text/utf8.h"
#include "tests/unit/exact.h"
#include "tests/unit/random.h"

#include <ctype.h>

enum { LEN_MAX = 63, ROUNDS = 1000000 };

static const char ldh[] = "abcdefghijklmnopqrstuvwxyz0123456789-ABCDEFGHIJKLMNOPQRSTUVWXYZ";

static unsigned long number_of(const char *variable, unsigned long otherwise)
{
    const char *value = getenv(variable);

    return value ? strtoul(value, NULL, 10) : otherwise;
}

/* Neighbours, as words have them, code points from anywhere, and now and then one that is none. */
static size_t random_code_points(uint32_t *seed, uint32_t *dst)
{
    static const uint32_t blocks[] = {0x80,   0xE0,   0x400,  0x5D0,  0x627,   0x900,   0xE01,
                                      0x4E00, 0xAC00, 0xD7F0, 0xFFF0, 0x1F600, 0x10FFF0};
    uint32_t block = blocks[random_below(seed, sizeof blocks / sizeof *blocks)];
    uint32_t spread = random_below(seed, 4) ? 64 : 0x3000, odd = random_below(seed, 64);
    size_t len = random_below(seed, LEN_MAX + 1);

    for (size_t i = 0; i < len; i++) {
        uint32_t kind = random_below(seed, 8);
        dst[i] = kind == 0   ? random_below(seed, 128)
                 : kind == 1 ? 'a' + random_below(seed, 26)
                             : block + random_below(seed, spread);
    }
    if (odd < 3 && len > 0)
        dst[random_below(seed, (uint32_t)len)] =
            odd == 0 ? random_next(seed) : random_below(seed, 0x120000);
    return len;
}

static void expect_same_text(const uint8_t *a, const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        assert_int_equal(tolower(a[i]), tolower(b[i]));
}

/* Each decoded label encodes to its own Punycode, except for the case of letters. So an A-label
 * need not be encoded again to know that it is the one of its U-label. */
static void expect_encoded(const uint32_t *cps, size_t len, const uint8_t *octets,
                           size_t octets_len)
{
    uint8_t dst[LEN_MAX];
    size_t dst_len;

    assert_int_equal(xn_punycode_encode(cps, len, dst, sizeof dst, &dst_len), XN_OK);
    assert_int_equal(dst_len, octets_len);
    expect_same_text(dst, octets, dst_len);
}

/* Decoding to text gives the same code points, or fails as decoding without text does. */
static void expect_same_text_of(const uint8_t *src, size_t len, const uint32_t *cps, size_t cps_len)
{
    uint32_t again[XN_PUNYLABEL_MAX], plain[XN_PUNYLABEL_MAX];
    uint8_t *text = malloc(XN_PUNYLABEL_TEXT), expected[XN_UTF8_MAX * XN_PUNYLABEL_MAX];
    size_t again_len, plain_len, text_len, expected_len = 0;
    bool good = xn_punylabel_decode_text(src, len, again, &again_len, text, &text_len);

    assert_int_equal(good, xn_punylabel_decode(src, len, plain, &plain_len));
    if (good) {
        assert_int_equal(again_len, cps_len);
        assert_memory_equal(again, cps, cps_len * sizeof *cps);
        for (size_t i = 0; i < cps_len; i++)
            expected_len += xn_utf8_write(cps[i], expected + expected_len);
        assert_int_equal(text_len, expected_len);
        assert_memory_equal(text, expected, expected_len);
    }
    free(text);
}

/* Returns whether it is Punycode. */
static bool expect_same_decoding(const uint8_t *octets, size_t len, size_t cap)
{
    uint8_t *src = exact_copy(octets, len);
    uint32_t *fast = malloc((cap + 1) * sizeof *fast), *plain = malloc((cap + 1) * sizeof *plain);
    struct xn_punycode_step steps[LEN_MAX];
    struct xn_punycode_notes notes = {.steps = steps};
    size_t fast_len, plain_len;
    xn_status status = xn_punycode_decode(src, len, fast, cap, &fast_len);

    assert_int_equal(status, xn_punycode_decode_traced(src, len, plain, cap, &plain_len, &notes));
    assert_int_equal(fast_len, plain_len);
    assert_memory_equal(fast, plain, fast_len * sizeof *fast);
    if (status == XN_OK)
        expect_encoded(fast, fast_len, src, len);
    if (len <= XN_PUNYLABEL_MAX && len <= cap)
        expect_same_text_of(src, len, plain, plain_len);
    free(src);
    free(fast);
    free(plain);
    return status == XN_OK;
}

static bool expect_same_encoding(const uint32_t *cps, size_t len, size_t cap, uint8_t *dst,
                                 size_t *dst_len)
{
    uint32_t *src = exact_copy(cps, len * sizeof *cps);
    uint8_t *fast = malloc(cap + 1), *plain = malloc(cap + 1);
    struct xn_punycode_step steps[LEN_MAX];
    struct xn_punycode_notes notes = {.steps = steps};
    size_t plain_len;
    xn_status status = xn_punycode_encode(src, len, fast, cap, dst_len);

    assert_int_equal(status, xn_punycode_encode_traced(src, len, plain, cap, &plain_len, &notes));
    assert_int_equal(*dst_len, plain_len);
    assert_memory_equal(fast, plain, plain_len);
    memcpy(dst, fast, plain_len);
    free(src);
    free(fast);
    free(plain);
    return status == XN_OK;
}

TEST(test_encoding, "encodes as the plain way, random labels")
{
    uint32_t seed = (uint32_t)number_of("XN_SEED", 3492);
    size_t good = 0, rounds = number_of("XN_PUNYLABELS", ROUNDS) / 4;

    for (size_t i = 0; i < rounds; i++) {
        uint32_t cps[LEN_MAX];
        uint8_t dst[6 * LEN_MAX];
        size_t len = random_code_points(&seed, cps), dst_len;
        size_t cap = random_below(&seed, 4) ? 59 : random_below(&seed, 4 * LEN_MAX);

        good += expect_same_encoding(cps, len, cap, dst, &dst_len);
    }
    assert_in_range(good, rounds / 10, rounds - rounds / 10);
}

static size_t random_octets(uint32_t *seed, uint8_t *octets)
{
    size_t len = random_below(seed, LEN_MAX + 1);

    for (size_t i = 0; i < len; i++)
        octets[i] = (uint8_t)random_next(seed);
    return len;
}

/* Small digits, of which one ends a delta, are as frequent as others in one label of two. */
static size_t random_digits(uint32_t *seed, uint8_t *octets)
{
    size_t len = random_below(seed, LEN_MAX + 1);
    uint32_t kinds = random_below(seed, 2) ? sizeof ldh - 1 : 1 + random_below(seed, 36);

    for (size_t i = 0; i < len; i++)
        octets[i] = (uint8_t)ldh[random_below(seed, kinds)];
    if (len > 0 && random_below(seed, 2))
        octets[random_below(seed, (uint32_t)len)] = '-';
    return len;
}

/* The encoder's output: whole, cut off, and with octets changed or left out. */
static size_t random_mutant(uint32_t *seed, uint8_t *octets)
{
    uint8_t encoded[6 * LEN_MAX];
    uint32_t cps[LEN_MAX];
    size_t len;

    if (xn_punycode_encode(cps, random_code_points(seed, cps), encoded, sizeof encoded, &len) !=
        XN_OK)
        return 0;
    len = len < LEN_MAX ? len : LEN_MAX;
    memcpy(octets, encoded, len);
    for (uint32_t changes = random_below(seed, 3); len > 0 && changes > 0; changes--) {
        size_t at = random_below(seed, (uint32_t)len);
        uint32_t kind = random_below(seed, 16);
        if (kind == 0)
            memmove(octets + at, octets + at + 1, --len - at);
        else
            octets[at] = (uint8_t)(kind == 1 ? random_next(seed)
                                             : (uint32_t)ldh[random_below(seed, sizeof ldh - 1)]);
    }
    return len;
}

TEST(test_decoding, "decodes as the plain way, random labels")
{
    uint32_t seed = (uint32_t)number_of("XN_SEED", 6);
    size_t good = 0, rounds = number_of("XN_PUNYLABELS", ROUNDS);

    for (size_t i = 0; i < rounds; i++) {
        uint8_t octets[LEN_MAX];
        uint32_t kind = random_below(&seed, 8);
        size_t len = kind == 0   ? random_octets(&seed, octets)
                     : kind == 1 ? random_digits(&seed, octets)
                                 : random_mutant(&seed, octets);
        size_t cap = random_below(&seed, 8) ? 59 : random_below(&seed, LEN_MAX);
        good += expect_same_decoding(octets, len, cap);
    }
    assert_in_range(good, rounds / 10, rounds - rounds / 10);
}

TEST(test_short, "decodes as the plain way, every short payload")
{
    enum { KINDS = sizeof ldh - 1 };
    bool is_long = getenv("XN_PUNYLABELS") != NULL;
    uint8_t octets[4] = {0};

    for (size_t len = 0; len <= (is_long ? 3 : 2); len++)
        for (uint32_t number = 0; number < 1u << 8 * len; number++) {
            for (size_t i = 0; i < len; i++)
                octets[i] = (uint8_t)(number >> 8 * i);
            expect_same_decoding(octets, len, len);
        }
    for (uint32_t number = 0; is_long && number < KINDS * KINDS * KINDS * KINDS; number++) {
        for (uint32_t i = 0, left = number; i < 4; i++, left /= KINDS)
            octets[i] = (uint8_t)ldh[left % KINDS];
        expect_same_decoding(octets, 4, 4);
    }
}

static void expect_same_both_ways(const uint32_t *cps, size_t len)
{
    uint8_t octets[6 * LEN_MAX];
    size_t octets_len;

    if (expect_same_encoding(cps, len, LEN_MAX, octets, &octets_len))
        assert_true(expect_same_decoding(octets, octets_len, octets_len));
}

/* Alone and beside others. Those that are none: the next 65,536, and what is one, or ASCII, without
 * its upper bits. */
TEST(test_points, "encodes as the plain way, every code point")
{
    static const uint32_t company[] = {'a', 0x80, 0xFC, 0x4E00, 0xD7FF, 0xE000, 0x10FFFF};
    uint32_t step = getenv("XN_PUNYLABELS") ? 1 : 61;

    for (uint32_t cp = 0; cp < 0x120000; cp += step) {
        expect_same_both_ways((uint32_t[]){cp, cp}, 1);
        expect_same_both_ways((uint32_t[]){cp, cp}, 2);
        for (size_t i = 0; i < COUNT(company); i++) {
            expect_same_both_ways((uint32_t[]){cp, company[i]}, 2);
            expect_same_both_ways((uint32_t[]){company[i], cp}, 2);
        }
    }
    for (int bit = 21; bit < 32; bit++)
        for (uint32_t low = 0; low < 0x400; low++) {
            expect_same_both_ways((uint32_t[]){(UINT32_C(1) << bit) + low}, 1);
            expect_same_both_ways((uint32_t[]){UINT32_MAX << bit | low, 'a'}, 2);
        }
}

/* A-labels are read in lower case; a label that is not an A-label has no text. */
TEST(test_alabels, "A-labels as text")
{
    static const struct {
        const char *label, *text;
        xn_reasons reasons;
    } rows[] = {{"xn--bcher-kva", "b\u00FCcher", 0},         {"XN--BCHER-KVA", "b\u00FCcher", 0},
                {"xn--Wgv71a119E", "\u65E5\u672C\u8A9E", 0}, {"xn--a-", "", 1 << XN_ASCII_ONLY},
                {"xn--999999b", "", 1 << XN_PUNYCODE},       {"xn---", "", 1 << XN_PUNYCODE}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len = strlen(rows[i].label), cps_len, text_len;
        uint8_t *label = exact_copy(rows[i].label, len), *text = malloc(XN_PUNYLABEL_TEXT);
        uint32_t cps[XN_PUNYLABEL_MAX];

        assert_int_equal(xn_alabel_decode_text(label, len, cps, &cps_len, text, &text_len),
                         rows[i].reasons);
        assert_int_equal(text_len, strlen(rows[i].text));
        assert_memory_equal(text, rows[i].text, text_len);
        free(label);
        free(text);
    }
}

/* Labels are not left to the plain way: the longest, hardest and simplest. */
TEST(test_is_taken, "labels are taken")
{
    static const char *const good[] = {"bcher-kva", "0zwm56d", "e1afmkfd", "wgv71a119e"};
    static const char *const left[] = {"a-", "-", "", "999999b", "b-\xC3\xBC"};
    uint32_t dst[XN_PUNYLABEL_MAX];
    uint8_t octets[XN_PUNYLABEL_MAX + 1];
    size_t len;

    for (size_t i = 0; i < 4; i++)
        assert_true(xn_punylabel_decode((const uint8_t *)good[i], strlen(good[i]), dst, &len));
    for (size_t i = 0; i < 5; i++)
        assert_false(xn_punylabel_decode((const uint8_t *)left[i], strlen(left[i]), dst, &len));
    for (size_t i = 0; i < 57; i++)
        dst[i] = 0xFC;
    assert_true(xn_punylabel_encode(dst, 57, octets, sizeof octets, &len));
    assert_int_equal(len, 59);
    assert_true(xn_punylabel_decode(octets, len, dst, &len));
    assert_int_equal(len, 57);
}

/* XN_CPU=generic turns off what only some processors have; any other value is ignored. */
TEST(test_processor, "what XN_CPU says")
{
    const char *asked = getenv("XN_CPU");
    char *before = asked ? strdup(asked) : NULL;

    unsetenv("XN_CPU");
    bool haswell = xn_cpu_is_haswell();
    setenv("XN_CPU", "other", 1);
    assert_int_equal(xn_cpu_is_haswell(), haswell);
    setenv("XN_CPU", "generic", 1);
    assert_false(xn_cpu_is_haswell());
    if (before)
        setenv("XN_CPU", before, 1);
    else
        unsetenv("XN_CPU");
    free(before);
}

TEST_MAIN
