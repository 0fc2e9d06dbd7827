/* SPDX-License-Identifier: BSD-3-Clause */
/* The fast way through Punycode gives what the plain one gives: a trace is always of the latter.
 * XN_CPU=generic in the environment: of the variant that every processor has. */
#include "tests/unit/vectors.h"

#include "core/idna/alabel.h"
#include "core/punycode/label.h"
#include "core/punycode/trace.h"
#include "core/text/cpu.h"
#include "core/text/utf8.h"
#include "tests/unit/exact.h"
#include "tests/unit/random.h"

#include <ctype.h>

enum { LEN_MAX = 63, ROUNDS = 1000000 };

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

static void test_encoding(void **state)
{
    uint32_t seed = 3492;
    size_t good = 0;

    (void)state;
    for (int i = 0; i < ROUNDS / 4; i++) {
        uint32_t cps[LEN_MAX];
        uint8_t dst[6 * LEN_MAX];
        size_t len = random_code_points(&seed, cps), dst_len;
        size_t cap = random_below(&seed, 4) ? 59 : random_below(&seed, 4 * LEN_MAX);

        good += expect_same_encoding(cps, len, cap, dst, &dst_len);
    }
    assert_in_range(good, ROUNDS / 40, ROUNDS / 4 - ROUNDS / 40);
}

/* Decodes the encoder's output: whole, cut off, and with octets changed. */
static void test_decoding(void **state)
{
    uint32_t seed = 6;
    size_t good = 0;

    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t cps[LEN_MAX];
        uint8_t octets[6 * LEN_MAX];
        size_t len = 0;

        if (xn_punycode_encode(cps, random_code_points(&seed, cps), octets, sizeof octets, &len) !=
            XN_OK)
            continue;
        len = len < LEN_MAX ? len : LEN_MAX;
        for (uint32_t changes = random_below(&seed, 3); len > 0 && changes > 0; changes--)
            octets[random_below(&seed, (uint32_t)len)] =
                random_below(&seed, 16)
                    ? (uint8_t) "abcdefghijklmnopqrstuvwxyz0123456789-ABXYZ"[random_below(&seed,
                                                                                          42)]
                    : (uint8_t)random_next(&seed);
        size_t cap = random_below(&seed, 8) ? 59 : random_below(&seed, LEN_MAX);
        good += expect_same_decoding(octets, len, cap);
    }
    assert_in_range(good, ROUNDS / 10, ROUNDS - ROUNDS / 10);
}

/* A-labels are read in lower case; a label that is not an A-label has no text. */
static void test_alabels(void **state)
{
    static const struct {
        const char *label, *text;
        xn_reasons reasons;
    } rows[] = {{"xn--bcher-kva", "b\u00FCcher", 0},         {"XN--BCHER-KVA", "b\u00FCcher", 0},
                {"xn--Wgv71a119E", "\u65E5\u672C\u8A9E", 0}, {"xn--a-", "", 1 << XN_ASCII_ONLY},
                {"xn--999999b", "", 1 << XN_PUNYCODE},       {"xn---", "", 1 << XN_PUNYCODE}};

    (void)state;
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
static void test_is_taken(void **state)
{
    static const char *const good[] = {"bcher-kva", "0zwm56d", "e1afmkfd", "wgv71a119e"};
    static const char *const left[] = {"a-", "-", "", "999999b", "b-\xC3\xBC"};
    uint32_t dst[XN_PUNYLABEL_MAX];
    uint8_t octets[XN_PUNYLABEL_MAX + 1];
    size_t len;

    (void)state;
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
static void test_processor(void **state)
{
    const char *asked = getenv("XN_CPU");
    char *before = asked ? strdup(asked) : NULL;

    (void)state;
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

int main(void)
{
    static struct test_group group; /* static: no leak for a sanitizer to report */

    add_test(&group, "decodes as the plain way, 1,000,000 mutants", test_decoding, NULL);
    add_test(&group, "encodes as the plain way, 250,000 labels", test_encoding, NULL);
    add_test(&group, "A-labels as text", test_alabels, NULL);
    add_test(&group, "labels are taken", test_is_taken, NULL);
    add_test(&group, "what XN_CPU says", test_processor, NULL);
    return run_group("punylabel", &group);
}
