/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/list/cnamecheck.h"
#include "tests/unit/cputime.h"
#include "tests/unit/wirenames.h"

#include <xxhash.h>

static struct row {
    const char *owner;
    uint32_t kind;
    xnm_cnamecheck_result result;
    unsigned line; /* afterwards */
} rows[] = {
    {"a.example", 0, XNM_CNAMECHECK_AGREE, 1},  {"a.example", 0, XNM_CNAMECHECK_AGREE, 2},
    {"a.example", 5, XNM_CNAMECHECK_DIFFER, 1}, {"*.a.example", 5, XNM_CNAMECHECK_AGREE, 4},
    {"", 7, XNM_CNAMECHECK_AGREE, 5},           {"*.a.example", 0, XNM_CNAMECHECK_DIFFER, 4},
    {"a.example", 0, XNM_CNAMECHECK_AGREE, 7},  {"", 9, XNM_CNAMECHECK_DIFFER, 5},
};

static void test_rows(void **state)
{
    struct xnm_cnamecheck owners = {0};
    uint8_t wire[XN_WIRE_NAME_MAX];

    (void)state;
    for (unsigned i = 0; i < COUNT(rows); i++) {
        unsigned line = i + 1;
        assert_int_equal(
            xnm_cnamecheck_add(&owners, wire, wire_of(rows[i].owner, wire), rows[i].kind, &line),
            rows[i].result);
        assert_int_equal(line, rows[i].line);
    }
    xnm_cnamecheck_free(&owners);
}

/* Each of many is still known when the last has come. */
static void test_many(void **state)
{
    enum { NAMES = 100000 };
    struct xnm_cnamecheck owners = {0};
    uint8_t wire[XN_WIRE_NAME_MAX];
    char name[32];

    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < NAMES; i++) {
            unsigned line = i;
            sprintf(name, "n%u.example", i);
            assert_int_equal(
                xnm_cnamecheck_add(&owners, wire, wire_of(name, wire), i + round, &line),
                round == 0 ? XNM_CNAMECHECK_AGREE : XNM_CNAMECHECK_DIFFER);
            assert_int_equal(line, i);
        }
    }
    xnm_cnamecheck_free(&owners);
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
    struct xnm_cnamecheck owners = {0};
    double start = cpu_seconds();

    for (unsigned i = 0; i < CHOSEN; i++) {
        unsigned line = i;
        assert_int_equal(xnm_cnamecheck_add(&owners, names[i], CHOSEN_LEN, 0, &line),
                         XNM_CNAMECHECK_AGREE);
    }
    start = cpu_seconds() - start;
    xnm_cnamecheck_free(&owners);
    return start;
}

/* Who writes a zone can choose its names, but not where they lie: without a seed these take
 * over a hundred times as long as others. */
static void test_chosen(void **state)
{
    uint8_t(*names)[CHOSEN_LEN] = malloc(CHOSEN * sizeof *names);

    (void)state;
    choose(names, true);
    double any = seconds_to_add(names);
    choose(names, false);
    assert_true(seconds_to_add(names) < 20 * any);
    free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_chosen),
    };

    return cmocka_run_group_tests_name("owners", tests, NULL, NULL);
}
