/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/base/arena.h"

/* The content stays while the arena grows; memory that was taken back is 0 again. */
TEST(test_grows, "an arena grows")
{
    struct xnm_arena arena = {0};
    uint32_t *numbers;

    for (uint32_t i = 0; i < 1000000; i++) {
        uint32_t *added = xnm_arena_add(&arena, sizeof *added);
        assert_non_null(added);
        assert_int_equal(*added, 0);
        *added = i;
    }
    arena.len = 500000 * sizeof *numbers;
    assert_int_equal(*(uint32_t *)xnm_arena_add(&arena, sizeof *numbers), 0);
    xnm_arena_trim(&arena);
    assert_int_equal(arena.cap, arena.len);
    numbers = (uint32_t *)(void *)arena.octets;
    for (uint32_t i = 0; i < 500000; i++)
        assert_int_equal(numbers[i], i);
    xnm_arena_free(&arena);
    assert_null(arena.octets);
}

/* A table of a known size takes no more than that; what grows has room to grow on. */
TEST(test_first, "an arena's sizes")
{
    struct xnm_arena arena = {0};

    assert_non_null(xnm_arena_add(&arena, 8000));
    assert_int_equal(arena.cap, 8000);
    assert_non_null(xnm_arena_add(&arena, 1));
    assert_int_equal(arena.cap, 9000);
    assert_non_null(xnm_arena_add(&arena, 8000));
    assert_int_equal(arena.cap, 16001);
    xnm_arena_free(&arena);
}

TEST(test_nothing, "an arena of nothing")
{
    struct xnm_arena arena = {0};

    xnm_arena_trim(&arena);
    assert_null(arena.octets);
    assert_non_null(xnm_arena_add(&arena, 1));
    arena.len = 0;
    xnm_arena_trim(&arena);
    assert_null(arena.octets);
    assert_false(xnm_arena_reserve(&arena, SIZE_MAX));
    assert_null(xnm_arena_add(&arena, SIZE_MAX - 5));
    xnm_arena_free(&arena);
}

TEST(test_pool, "a pool")
{
    struct xnm_pool pool = {NULL, 0};
    char *first = xnm_pool_string(&pool, "first", 5);
    struct xnm_pool_mark mark = xnm_pool_mark(&pool);
    size_t memory = xnm_pool_memory(&pool);

    for (unsigned i = 0; i < 1000; i++) {
        uint64_t *taken = xnm_pool_take(&pool, i * 16);
        assert_non_null(taken);
        assert_int_equal((uintptr_t)taken % _Alignof(max_align_t), 0);
        memset(taken, 0xFF, i * 16);
    }
    assert_string_equal(first, "first");
    assert_null(xnm_pool_take(&pool, SIZE_MAX));
    assert_true(xnm_pool_memory(&pool) > 999 * 500 * 16);
    xnm_pool_release(&pool, mark);
    assert_int_equal(xnm_pool_memory(&pool), memory);
    assert_string_equal(xnm_pool_string(&pool, "", 0), "");
    assert_string_equal(first, "first");
    xnm_pool_free(&pool);
    assert_int_equal(xnm_pool_memory(&pool), 0);
}

TEST_MAIN
