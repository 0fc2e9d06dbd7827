/* SPDX-License-Identifier: BSD-3-Clause */
/* Durations: each lies in a bucket that is no wider than a 32nd of it; medians and other shares.
 */
#include "tests/unit/vectors.h"

#include "tests/unit/random.h"
#include "tools/report/durations.h"

static int64_t alone(int64_t duration)
{
    struct durations durations = {0};

    durations_add(&durations, duration);
    assert_int_equal(durations.count, 1);
    return durations_within(&durations, 0.5);
}

static void test_one(void **state)
{
    uint32_t random = 7;

    (void)state;
    for (int64_t i = 0; i < 32; i++)
        assert_int_equal(alone(i), i);
    for (int i = 0; i < 200000; i++) {
        int64_t duration =
            (int64_t)((uint64_t)random_next(&random) << 8 >> random_below(&random, 40));
        int64_t got = alone(duration);
        assert_true(got >= duration && got - duration <= duration / 32);
    }
    assert_int_equal(alone((INT64_C(1) << 40) - 1), (INT64_C(1) << 40) - 1);
    assert_int_equal(alone(INT64_MAX), (INT64_C(1) << 40) - 1);
}

static void test_shares(void **state)
{
    struct durations durations = {0};

    (void)state;
    assert_int_equal(durations_within(&durations, 0.5), 0);
    for (int64_t i = 1; i <= 100; i++)
        durations_add(&durations, i < 96 ? 4 : 1000 * i);
    assert_int_equal(durations.sum, 95 * 4 + 1000 * (96 + 97 + 98 + 99 + 100));
    assert_int_equal(durations_within(&durations, 0), 4);
    assert_int_equal(durations_within(&durations, 0.5), 4);
    assert_int_equal(durations_within(&durations, 0.95), 4);
    assert_true(durations_within(&durations, 0.96) >= 96000);
    assert_true(durations_within(&durations, 1) >= 100000);
    assert_true(durations_within(&durations, 1) <= 103125);
}

static void test_few(void **state)
{
    struct durations durations = {0};

    (void)state;
    durations_add(&durations, 10);
    durations_add(&durations, 20);
    assert_int_equal(durations_within(&durations, 0.5), 10);
    assert_int_equal(durations_within(&durations, 0.95), 20);
    durations_add(&durations, 30);
    assert_int_equal(durations_within(&durations, 0.5), 20);
    assert_int_equal(durations_within(&durations, 0.95), 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one), cmocka_unit_test(test_shares),
                                       cmocka_unit_test(test_few)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
