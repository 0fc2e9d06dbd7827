/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests what core/lookalike/lookalike.h promises for every code point and every label, with ICU's
 * skeletons beside it. */
#include "tests/unit/vectors.h"

#include "core/lookalike/shape.h"
#include "tests/unit/random.h"
#include "tests/unit/wirelabel.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

enum { ROUNDS = 200000, UNITS_MAX = 4096 };

static uint32_t seed = 39;

/* A code point of the kinds that labels are made of: letters that UTS 39 or we say look alike, what
 * composes and what does not, marks of many scripts and classes, syllables, joiners, anything. */
static uint32_t random_code_point(void)
{
    static const struct {
        uint32_t first, count;
    } ranges[] = {
        {'a', 26},      {'0', 10},       {0xE0, 32},     {0x100, 0x150}, {0x250, 0xB0},
        {0x300, 0x70},  {0x300, 0x30},   {0x370, 0x90},  {0x430, 0x100}, {0x560, 0x28},
        {0x591, 0x60},  {0x610, 0x60},   {0x900, 0x80},  {0xE01, 0x58},  {0x1AB0, 0x20},
        {0x1E00, 256},  {0x1F00, 256},   {0xAC00, 512},  {0x200B, 3},    {0xA640, 0x60},
        {0x2C80, 0x60}, {0x1D400, 1024}, {0xF900, 256},  {0x13A0, 86},   {0x20D0, 0x20},
        {0x302A, 6},    {0x1DC0, 64},    {0x10400, 200}, {0x16B0, 0x40}, {1, 0x10FFFF},
    };
    for (;;) {
        size_t range = random_below(&seed, COUNT(ranges));
        uint32_t cp = ranges[range].first + random_below(&seed, ranges[range].count);
        if (cp < 0xD800 || (cp > 0xDFFF && cp < 0x110000))
            return cp;
    }
}

static void random_shape(struct xn_shape *shape, size_t max)
{
    shape->ace = true;
    shape->len = (uint8_t)(1 + random_below(&seed, (uint32_t)max));
    for (size_t i = 0; i < shape->len; i++) {
        uint32_t cp = random_code_point();
        shape->code_points[i] = cp - 'A' < 26 ? cp | 0x20 : cp;
    }
}

/* The key of a key, which may have more code points than a label. */
static size_t key_again(const uint8_t *key, size_t len, xn_key which, struct xn_shape *shape)
{
    size_t count = 0;

    assert_int_equal(xn_utf8_decode(key, len, shape->code_points, XN_WIRE_LABEL_MAX, &count, NULL),
                     XN_OK);
    shape->len = (uint8_t)count;
    return xn_shape_key(shape, which, (uint8_t[XN_KEY_MAX]){0});
}

static void expect_idempotent(const struct xn_shape *shape, xn_key key)
{
    struct xn_shape again = {.ace = true};
    uint8_t first[XN_KEY_MAX], second[XN_KEY_MAX];
    size_t len = xn_shape_key(shape, key, first);

    assert_int_equal(key_again(first, len, key, &again), len);
    assert_int_equal(xn_shape_key(&again, key, second), len);
    if (memcmp(first, second, len) != 0)
        fail_msg("%s: %.*s, %.*s", xn_key_word(key), (int)len, first, (int)len, second);
}

/* --- every code point --- */

TEST(test_every_sequence, "every sequence")
{
    size_t changed = 0;

    for (uint32_t cp = 0; cp < 0x110000; cp++) {
        if (cp >= 0xD800 && cp <= 0xDFFF)
            continue;
        for (int key = XN_KEY_EXACT; key <= XN_KEY_LOOSE; key++) {
            struct xn_shape shape = {.len = 1, .code_points = {cp}};
            uint8_t *sequence = malloc(XN_KEY_MAX), self[XN_UTF8_MAX];
            size_t len = xn_lookalike_sequence(cp, (xn_key)key, sequence);
            assert_in_range(len, 0, XN_KEY_SEQUENCE_MAX);
            assert_true(xn_utf8_is_valid(sequence, len));
            changed += len != xn_utf8_write(cp, self) || memcmp(sequence, self, len) != 0;
            expect_idempotent(&shape, (xn_key)key);
            free(sequence);
        }
    }
    assert_in_range(changed, 3 * 18000, 3 * 30000);
}

TEST(test_octets_that_are_no_text, "octets that are no text")
{
    uint8_t octet[XN_KEY_MAX];

    for (int key = XN_KEY_EXACT; key <= XN_KEY_LOOSE; key++)
        for (unsigned i = 0x80; i < 0x100; i++) {
            assert_int_equal(xn_lookalike_sequence(XN_SHAPE_OCTET + i, (xn_key)key, octet), 1);
            assert_int_equal(octet[0], i);
        }
}

/* Characters that are invisible or may become so, according to Unicode, have empty keys. */
TEST(test_ignorable, "ignorable")
{
    for (uint32_t cp = 0x80; cp < 0x110000; cp++)
        if (u_hasBinaryProperty((UChar32)cp, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
            for (int key = XN_KEY_EXACT; key <= XN_KEY_LOOSE; key++)
                assert_int_equal(xn_lookalike_sequence(cp, (xn_key)key, (uint8_t[XN_KEY_MAX]){0}),
                                 0);
}

/* A digit has the key of its value, or of what UTS 39 says it looks like. */
TEST(test_digits, "digits")
{
    size_t by_value = 0;

    for (uint32_t cp = 0x80; cp < 0x110000; cp++) {
        if (u_charType((UChar32)cp) != U_DECIMAL_DIGIT_NUMBER)
            continue;
        uint8_t exact[XN_KEY_MAX], strict[XN_KEY_MAX], self[XN_UTF8_MAX];
        size_t len = xn_lookalike_sequence(cp, XN_KEY_EXACT, exact);
        if (len != xn_utf8_write(cp, self) || memcmp(exact, self, len) != 0)
            continue;
        assert_int_equal(xn_lookalike_sequence(cp, XN_KEY_STRICT, strict), 1);
        assert_int_equal(strict[0], "ol23456789"[u_charDigitValue((UChar32)cp)]);
        by_value++;
    }
    assert_in_range(by_value, 500, 700);
}

/* --- ICU --- */

static size_t to_utf16(const struct xn_shape *shape, UChar *units)
{
    int32_t len = 0;

    for (size_t i = 0; i < shape->len; i++) {
        UChar32 cp = (UChar32)shape->code_points[i];
        if (!u_hasBinaryProperty(cp, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
            U16_APPEND_UNSAFE(units, len, cp == 0x4CF ? 'l' : cp);
    }
    return (size_t)len;
}

/* The skeleton of the skeleton and so on: ICU's own data are not closed. Then what
 * core/lookalike/lookalike.h says is different of it: the order of marks, and U+0027, which no host
 * name has, as U+02BC. */
static size_t icu_key(const USpoofChecker *spoof, const struct xn_shape *shape, uint8_t *dst)
{
    UErrorCode error = U_ZERO_ERROR;
    UChar text[UNITS_MAX], next[UNITS_MAX];
    UChar32 cps[UNITS_MAX];
    int32_t len = (int32_t)to_utf16(shape, text), count, out = 0;

    for (int round = 0; round < 3; round++) {
        len = uspoof_getSkeleton(spoof, 0, text, len, next, UNITS_MAX, &error);
        memcpy(text, next, (size_t)len * sizeof *text);
    }
    u_strToUTF32(cps, UNITS_MAX, &count, text, len, &error);
    assert_true(U_SUCCESS(error));
    for (int32_t i = 0; i < count; i++) {
        cps[i] = cps[i] == 0x27 ? 0x2BC : cps[i];
        for (int32_t j = i; j > 0 && u_getCombiningClass(cps[j]) &&
                            u_getCombiningClass(cps[j - 1]) && cps[j] < cps[j - 1];
             j--) {
            UChar32 cp = cps[j];
            cps[j] = cps[j - 1];
            cps[j - 1] = cp;
        }
    }
    UChar32 letter = 0;
    for (int32_t i = 0; i < count; i++) {
        letter = u_getCombiningClass(cps[i]) ? letter : cps[i];
        if (cps[i] != 0x307 || (letter != 'i' && letter != 'j')) /* whose own dot it is */
            out += (int32_t)xn_utf8_write((uint32_t)cps[i], dst + out);
    }
    return (size_t)out;
}

/* Makes a label what IDNA would have made of it. Is it one still? */
static bool normalize(const UNormalizer2 *nfc, struct xn_shape *shape)
{
    UErrorCode error = U_ZERO_ERROR;
    UChar text[UNITS_MAX], composed[UNITS_MAX];
    UChar32 cps[UNITS_MAX];
    int32_t len = 0, count;

    for (size_t i = 0; i < shape->len; i++)
        U16_APPEND_UNSAFE(text, len, (UChar32)shape->code_points[i]);
    len = unorm2_normalize(nfc, text, len, composed, UNITS_MAX, &error);
    u_strToUTF32(cps, UNITS_MAX, &count, composed, len, &error);
    assert_true(U_SUCCESS(error));
    for (int32_t i = 0; i < count && i < XN_ULABEL_MAX; i++)
        shape->code_points[i] = (uint32_t)cps[i];
    shape->len = (uint8_t)(count <= XN_ULABEL_MAX ? count : 0);
    return shape->len > 0;
}

/* ASCII that no host name has is none of ICU's. */
static bool is_host_like(const struct xn_shape *shape)
{
    for (size_t i = 0; i < shape->len; i++)
        if (shape->code_points[i] < 0x80 && !u_isalnum((UChar32)shape->code_points[i]) &&
            shape->code_points[i] != '-')
            return false;
    return true;
}

TEST(test_exact_is_the_skeleton, "exact is the skeleton")
{
    UErrorCode error = U_ZERO_ERROR;
    USpoofChecker *spoof = uspoof_open(&error);
    const UNormalizer2 *nfc = unorm2_getNFCInstance(&error);
    size_t tested = 0;

    assert_true(U_SUCCESS(error));
    for (int round = 0; round < ROUNDS; round++) {
        struct xn_shape shape;
        uint8_t ours[XN_KEY_MAX + 1], icu[4 * UNITS_MAX];
        random_shape(&shape, 8);
        if (!normalize(nfc, &shape) || !is_host_like(&shape))
            continue;
        size_t len = xn_shape_key(&shape, XN_KEY_EXACT, ours),
               icu_len = icu_key(spoof, &shape, icu);
        if (len != icu_len || memcmp(ours, icu, len) != 0)
            fail_msg("round %d: %.*s, ICU %.*s", round, (int)len, ours, (int)icu_len, icu);
        tested++;
    }
    assert_in_range(tested, ROUNDS / 2, ROUNDS);
    uspoof_close(spoof);
}

/* --- limits --- */

TEST(test_longest, "longest")
{
    uint32_t longest = 0;
    size_t max = 0;

    for (uint32_t cp = 0; cp < 0x110000; cp++) {
        size_t len = xn_lookalike_sequence(cp, XN_KEY_LOOSE, (uint8_t[XN_KEY_MAX]){0});
        longest = len > max ? cp : longest;
        max = len > max ? len : max;
    }
    struct xn_shape shape = {.ace = true, .len = XN_WIRE_LABEL_MAX};
    for (size_t i = 0; i < shape.len; i++)
        shape.code_points[i] = longest;
    uint8_t *key = malloc(XN_KEY_MAX);
    assert_int_equal(xn_shape_key(&shape, XN_KEY_LOOSE, key), max * XN_WIRE_LABEL_MAX);
    assert_int_equal(xn_lookalike_compare(&shape, &shape, XN_KEY_STRICT, XN_ASCII_WIDE),
                     XN_LOOKS_SAME);
    struct xn_shape other = shape;
    other.code_points[0] = 'x';
    assert_int_equal(xn_lookalike_compare(&shape, &other, XN_KEY_STRICT, XN_ASCII_WIDE),
                     XN_LOOKS_OTHER);
    free(key);
}

/* A label of nothing but marks, and the same from the other end: marks have no order. */
TEST(test_many_marks, "many marks")
{
    struct xn_shape shape = {.ace = true, .len = XN_ULABEL_MAX}, reversed = shape;
    uint8_t a[XN_KEY_MAX], b[XN_KEY_MAX];

    for (uint32_t i = 0; i < XN_ULABEL_MAX; i++) {
        shape.code_points[i] = 0x300 + i;
        reversed.code_points[XN_ULABEL_MAX - 1 - i] = 0x300 + i;
    }
    size_t len = xn_shape_key(&shape, XN_KEY_EXACT, a);
    assert_in_range(len, XN_ULABEL_MAX, XN_KEY_MAX);
    assert_int_equal(xn_shape_key(&reversed, XN_KEY_EXACT, b), len);
    assert_memory_equal(a, b, len);
    assert_int_equal(xn_shape_key(&shape, XN_KEY_STRICT, a), 0);
}

TEST_MAIN
