/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "module/base/budget.h"
#include "module/policy/data.h"
#include "tests/unit/policytext.h"

/* The account counts what is allocated, also the room for an arena's growth, until it is freed. */
TEST(test_arena, "an arena")
{
    struct xnm_budget budget = {.max = 1000};
    struct xnm_arena arena = {0}, other = {0};

    xnm_budget_open(&budget);
    assert_non_null(xnm_arena_add(&arena, 400));
    assert_int_equal(budget.used, 400);
    assert_non_null(xnm_arena_add(&arena, 1));
    assert_int_equal(budget.used, 450);
    assert_int_equal(budget.used, arena.cap);
    assert_false(budget.exceeded);
    assert_null(xnm_arena_add(&arena, 600));
    assert_true(budget.exceeded);
    assert_int_equal(budget.used, 450);
    assert_null(xnm_arena_add(&other, 551));
    assert_non_null(xnm_arena_add(&other, 550));
    assert_int_equal(budget.used, 1000);
    arena.len = 100;
    xnm_arena_trim(&arena);
    xnm_arena_free(&other);
    assert_int_equal(budget.used, 100);
    xnm_arena_free(&arena);
    assert_int_equal(budget.used, 0);
    assert_int_equal(budget.peak, 1000);
    xnm_budget_open(NULL);
}

TEST(test_pool, "a pool")
{
    struct xnm_budget budget = {.max = 100000};
    struct xnm_pool pool = {0};
    unsigned taken = 0;

    xnm_budget_open(&budget);
    while (xnm_pool_take(&pool, 1000))
        taken++;
    assert_in_range(taken, 50, 100);
    assert_int_equal(budget.used, xnm_pool_memory(&pool));
    xnm_pool_free(&pool);
    assert_int_equal(budget.used, 0);
    xnm_budget_open(NULL);
}

/* No sum is too large to be refused. */
TEST(test_most, "the most")
{
    struct xnm_budget budget = {.max = 100};

    xnm_budget_open(&budget);
    assert_true(xnm_budget_take(100));
    assert_false(xnm_budget_take(1));
    assert_true(budget.exceeded);
    assert_false(xnm_budget_take(SIZE_MAX));
    assert_int_equal(budget.used, 100);
    xnm_budget_open(NULL);
    assert_true(xnm_budget_take(SIZE_MAX));
    xnm_budget_give(SIZE_MAX);
}

TEST(test_trouble, "what is said")
{
    struct xnm_budget budget = {.max = 3 << 20};

    assert_string_equal(xnm_budget_trouble(), "out of memory");
    xnm_budget_open(&budget);
    assert_string_equal(xnm_budget_trouble(), "out of memory");
    assert_false(xnm_budget_take(budget.max + 1));
    assert_string_equal(xnm_budget_trouble(), "needs more than policy-memory, which is 3 MiB");
    budget.max++;
    assert_string_equal(xnm_budget_trouble(),
                        "needs more than policy-memory, which is 3145729 octets");
    xnm_budget_open(NULL);
}

/* All of a policy, once; and nothing of it is left. */
TEST(test_policy, "a policy")
{
    struct xnm_budget budget = {.max = 1 << 24};

    xnm_budget_open(&budget);
    struct xnm_policy *policy =
        policy_of("drop name a.example\nanswer name b.example 1\nanswer name b.example 2\n"
                  "rpz rpz zone\n+ c.example answer 1\n+ c.example answer 2\n+ d.example drop\n"
                  "log lookalikes list tag=x\n+ paypal.com\nrefuse invalid",
                  NULL, &xnm_diagnostics_ignored);
    assert_int_equal(budget.used + sizeof *policy, xnm_policy_memory(policy));
    xnm_policy_free(policy);
    assert_int_equal(budget.used, 0);
    xnm_budget_open(NULL);
}

TEST_MAIN
