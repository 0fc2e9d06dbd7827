/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/base/hashset.h"
#include "tests/unit/cputime.h"
#include "tests/unit/wirenames.h"

#include <xxhash.h>

static uint64_t *add(struct xnm_hashset *set, size_t words, const uint8_t *name, size_t len,
                     bool *fresh)
{
    assert_true(xnm_hashset_reserve(set, words));
    return xnm_hashset_add(set, XXH3_64bits_withSeed(name, len, set->seed), fresh);
}

/* Each of many is still known when the last has come, with its words. */
TEST(test_many, "many")
{
    enum { NAMES = 100000 };

    for (size_t words = 1; words <= 2; words++) {
        struct xnm_hashset set = {0};
        for (unsigned i = 0; i < 2 * NAMES; i++) {
            uint8_t wire[XN_WIRE_NAME_MAX];
            char name[32];
            bool fresh;
            sprintf(name, "n%u.example", i % NAMES);
            uint64_t *found = add(&set, words, wire, wire_of(name, wire), &fresh);
            assert_int_equal(fresh, i < NAMES);
            if (words == 2)
                assert_int_equal(found[1], fresh ? 0 : i % NAMES);
            if (words == 2 && fresh)
                found[1] = i;
        }
        xnm_arena_free(&set.memory);
    }
}

/* 0 marks a free slot, and is a hash like any other. */
TEST(test_zero, "zero")
{
    struct xnm_hashset set = {0};
    bool fresh;

    for (unsigned i = 0; i < 2; i++) {
        assert_true(xnm_hashset_reserve(&set, 1));
        xnm_hashset_add(&set, 0, &fresh);
        assert_int_equal(fresh, i == 0);
    }
    xnm_arena_free(&set.memory);
}

/* --- names that are chosen --- */

enum { CHOSEN = 16000, CHOSEN_LEN = sizeof "\011n00000000\003rpz" };

/* Names whose hash without a seed is one of 512 below 32,768, a table's size for so many: one in 64
 * is. Or, for comparison, any. */
static void choose(uint8_t (*names)[CHOSEN_LEN], bool any)
{
    char name[32];

    for (unsigned i = 0, found = 0; found < CHOSEN; i++) {
        sprintf(name, "n%08u.rpz", i);
        wire_of(name, names[found]);
        found += any || (XXH3_64bits(names[found], CHOSEN_LEN) & 0x7FFF) < 512;
    }
}

static double seconds_to_add(uint8_t (*names)[CHOSEN_LEN])
{
    struct xnm_hashset set = {0};
    double start = cpu_seconds();
    bool fresh;

    for (unsigned i = 0; i < CHOSEN; i++) {
        add(&set, 2, names[i], CHOSEN_LEN, &fresh);
        assert_true(fresh);
    }
    start = cpu_seconds() - start;
    xnm_arena_free(&set.memory);
    return start;
}

/* Who writes a zone can choose its names, but not where they lie: without a seed these take
 * over a hundred times as long as others. */
TEST(test_chosen, "chosen")
{
    uint8_t(*names)[CHOSEN_LEN] = malloc(CHOSEN * sizeof *names);

    choose(names, true);
    double any = seconds_to_add(names);
    choose(names, false);
    assert_true(seconds_to_add(names) < 20 * any);
    free(names);
}

TEST_MAIN
