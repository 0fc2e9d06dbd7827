/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the Punycode decoder and encoder say that they refuse their input. */
#include "tests/unit/vectors.h"

#include "core/punycode/trace.h"
#include "tests/unit/random.h"

enum { SIZE = 16 };

static size_t random_input(uint32_t *seed, uint8_t *src)
{
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789-99";
    size_t len = 1 + random_below(seed, SIZE);

    for (size_t i = 0; i < len; i++)
        src[i] = random_below(seed, 99) == 0 ? (uint8_t)random_next(seed)
                                             : (uint8_t)digits[random_below(seed, 39)];
    return len;
}

/* The result is that of the other functions; the place is behind the steps that were taken; and
 * what stands before it is no reason to refuse the input, except that it may be cut off. */
static void test_random(void **state)
{
    uint32_t seed = 20261123;
    unsigned seen[XN_UNICODE_DATA] = {0};

    (void)state;
    for (unsigned round = 0; round < 2000000; round++) {
        struct xn_punycode_step steps[SIZE];
        uint8_t src[SIZE];
        uint32_t dst[SIZE], again[SIZE];
        struct xn_punycode_notes notes = {.steps = steps, .bad_at = 99};
        size_t src_len = random_input(&seed, src), len, again_len, taken = 0;
        size_t cap = random_below(&seed, 4) == 0 ? random_below(&seed, SIZE) : SIZE;

        xn_status status = xn_punycode_decode_traced(src, src_len, dst, cap, &len, &notes);
        seen[status]++;
        assert_int_equal(status, xn_punycode_decode(src, src_len, again, cap, &again_len));
        size_t bad_at = notes.bad_at, count = notes.step_count;
        assert_int_equal(len, again_len);
        if (status == XN_OK)
            assert_memory_equal(dst, again, len * sizeof *dst);
        if (status == XN_OK || status == XN_PUNY_TRUNCATED)
            assert_int_equal(bad_at, src_len);
        else
            assert_in_range(bad_at, 0, src_len - 1);
        if (count > 0)
            taken = steps[count - 1].digits_at + steps[count - 1].digits_len;
        assert_true(bad_at >= taken);
        if (count > 0 && (status == XN_CP_RANGE || status == XN_CP_SURROGATE))
            assert_int_equal(bad_at, taken);
        if (status == XN_PUNY_BAD_DIGIT) {
            xn_status before = xn_punycode_decode(src, bad_at, dst, SIZE, &len);
            assert_true(before == XN_OK || before == XN_PUNY_TRUNCATED);
        }
    }
    for (int status = XN_PUNY_NOT_BASIC; status <= XN_CP_RANGE; status++)
        assert_true(seen[status] > 100);
}

static void test_limits(void **state)
{
    uint32_t dst[4];
    struct xn_punycode_notes notes = {.bad_at = 9};
    size_t len = 9;

    (void)state;
    assert_int_equal(xn_punycode_decode_traced(NULL, 0, NULL, 0, &len, &notes), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(notes.bad_at, 0);
    assert_int_equal(xn_punycode_decode_traced((const uint8_t *)"abc-", 4, dst, 2, &len, &notes),
                     XN_NO_SPACE);
    assert_int_equal(notes.bad_at, 2);
    assert_int_equal(xn_punycode_decode_traced((const uint8_t *)"tdatda", 6, dst, 1, &len, &notes),
                     XN_NO_SPACE);
    assert_int_equal(notes.bad_at, 3);
}

/* --- the encoder --- */

static struct encoding {
    const char *name;
    uint32_t src[4];
    size_t len, cap;
    xn_status status;
    size_t bad_at;
} encodings[] = {
    {"nothing", {0}, 0, 0, XN_OK, 0},
    {"all is well", {'a', 0xFC}, 2, 16, XN_OK, 2},
    {"a surrogate", {'a', 0xFC, 0xD800, 0xDFFF}, 4, 16, XN_CP_SURROGATE, 2},
    {"beyond Unicode", {0xFC, 0x110000, 0xD800}, 3, 16, XN_CP_RANGE, 1},
    {"no room for a literal", {'a', 'b', 'c'}, 3, 2, XN_NO_SPACE, 2},
    {"no room for the delimiter", {'a', 'b', 'c'}, 3, 3, XN_NO_SPACE, 3},
    {"no room for the digits of the least", {0x20AC, 'a', 0xFC}, 3, 2, XN_NO_SPACE, 2},
    {"no room for the digits of the next", {0x20AC, 'a', 0xFC}, 3, 5, XN_NO_SPACE, 0},
};

static void test_encoding(void **state)
{
    const struct encoding *row = *state;
    uint8_t dst[16], again[16];
    struct xn_punycode_notes notes = {.bad_at = 9};
    size_t len = 9, again_len = 9;

    assert_int_equal(xn_punycode_encode_traced(row->src, row->len, dst, row->cap, &len, &notes),
                     row->status);
    assert_int_equal(notes.bad_at, row->bad_at);
    assert_int_equal(xn_punycode_encode(row->src, row->len, again, row->cap, &again_len),
                     row->status);
    assert_int_equal(len, again_len);
    assert_memory_equal(dst, again, len);
}

/* The deltas of U+10FFFF after n literals are (0x10FFFF - 0x80) * (n + 1). */
static void test_overflow(void **state)
{
    enum { LITERALS = 3855, AT = 1234 };
    static uint32_t src[LITERALS + 2];
    static uint8_t dst[LITERALS + 20];
    struct xn_punycode_notes notes = {.steps = NULL};
    size_t len;

    (void)state;
    for (size_t i = 0; i < LITERALS + 2; i++)
        src[i] = 'a';
    src[AT] = 0x10FFFF;
    assert_int_equal(xn_punycode_encode_traced(src, LITERALS, dst, sizeof dst, &len, &notes),
                     XN_OK);
    assert_int_equal(notes.bad_at, LITERALS);
    assert_int_equal(xn_punycode_encode_traced(src, LITERALS + 2, dst, sizeof dst, &len, &notes),
                     XN_PUNY_OVERFLOW);
    assert_int_equal(notes.bad_at, AT);
}

/* A length that 32 bits do not hold is refused before anything is read. */
static void test_largest(void **state)
{
    struct xn_punycode_notes notes = {.bad_at = 0};
    size_t len = 1;

    (void)state;
    assert_int_equal(xn_punycode_decode_traced(NULL, UINT32_MAX, NULL, 0, &len, &notes),
                     XN_PUNY_OVERFLOW);
    assert_int_equal(notes.bad_at, UINT32_MAX - 1);
    assert_int_equal(len, 0);
    len = 1;
    assert_int_equal(xn_punycode_encode_traced(NULL, UINT32_MAX, NULL, 0, &len, &notes),
                     XN_PUNY_OVERFLOW);
    assert_int_equal(notes.bad_at, UINT32_MAX - 1);
    assert_int_equal(len, 0);
}

/* A delta of 2^32 - 256 fits, and one for each of 255 more literals; the next does not. */
static void test_counted_overflow(void **state)
{
    enum { LITERALS = 3855 };
    uint32_t *cps = malloc((LITERALS + 1) * sizeof *cps);
    uint8_t *dst = malloc(2 * LITERALS);
    struct xn_punycode_notes notes = {.bad_at = 0};
    size_t len;

    (void)state;
    for (size_t i = 0; i < LITERALS; i++)
        cps[i] = 'a';
    cps[LITERALS] = 0x80 + (UINT32_MAX - 255) / (LITERALS + 1);
    assert_int_equal(
        xn_punycode_encode_traced(cps, LITERALS + 1, dst, (size_t)2 * LITERALS, &len, &notes),
        XN_PUNY_OVERFLOW);
    assert_int_equal(notes.bad_at, LITERALS);
    free(dst);
    free(cps);
}

int main(void)
{
    struct test_group group = {0};

    add_test(&group, "random input of the decoder", test_random, NULL);
    add_test(&group, "limits of the decoder", test_limits, NULL);
    ADD_TESTS(&group, encodings, name, test_encoding);
    add_test(&group, "a delta that does not fit", test_overflow, NULL);
    add_test(&group, "a length that does not fit", test_largest, NULL);
    add_test(&group, "a delta that counts too far", test_counted_overflow, NULL);
    int failed = run_group("punycode_place", &group);
    free(group.tests);
    return failed;
}
