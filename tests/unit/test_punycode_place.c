/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the Punycode decoder says that it refuses its input. */
#include "tests/unit/vectors.h"

#include "core/punycode/punycode.h"
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
        size_t src_len = random_input(&seed, src), len, again_len, count, bad_at = 99, taken = 0;
        size_t cap = random_below(&seed, 4) == 0 ? random_below(&seed, SIZE) : SIZE;

        xn_status status = xn_punycode_decode_located(src, src_len, dst, cap, &len, &bad_at);
        seen[status]++;
        assert_int_equal(
            status, xn_punycode_decode_traced(src, src_len, again, cap, &again_len, steps, &count));
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
    size_t len = 9, bad_at = 9;

    (void)state;
    assert_int_equal(xn_punycode_decode_located(NULL, 0, NULL, 0, &len, &bad_at), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(bad_at, 0);
    assert_int_equal(xn_punycode_decode_located((const uint8_t *)"abc-", 4, dst, 2, &len, &bad_at),
                     XN_NO_SPACE);
    assert_int_equal(bad_at, 2);
    assert_int_equal(
        xn_punycode_decode_located((const uint8_t *)"tdatda", 6, dst, 1, &len, &bad_at),
        XN_NO_SPACE);
    assert_int_equal(bad_at, 3);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_limits),
    };

    return cmocka_run_group_tests_name("punycode_place", tests, NULL, NULL);
}
