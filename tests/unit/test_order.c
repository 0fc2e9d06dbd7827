/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/base/order.h"
#include "tests/unit/exact.h"

static struct row {
    const char *order;
    size_t dynlibs, position;
    const char *cache; /* NULL: none */
} rows[] = {
    {"", 0, 0, NULL},
    {"  \t ", 0, 3, NULL},
    {"dynlib validator iterator", 1, 0, NULL},
    {"dynlib validator iterator", 1, 1, NULL},
    {"dynlib validator iterator", 1, 2, "validator"},
    {"python dynlib validator iterator", 1, 1, NULL},
    {"dynlib dynlib iterator", 2, 1, NULL},
    {"dns64 dynlib validator iterator", 1, 1, "dns64"},
    {"\tsubnetcache  dynlib iterator", 1, 1, "subnetcache"},
    {"python respip dynlib", 1, 2, "respip"},
    {"x dynlib", 1, 1, "x"},
    {"respip cachedb dynlib", 1, 2, "respip"},
    {"dynlibx dynlib xdynlib dyn lib", 1, 1, "dynlibx"},
    {"pythonx dynlib", 1, 1, "pythonx"},
    {"Dynlib dynlib", 1, 1, "Dynlib"},
    {"dynlib", 1, 99, NULL},
};

TEST_ROWS(test_row, rows, order)
{
    const struct row *row = *state;
    char *order = exact_copy(row->order, strlen(row->order) + 1);
    size_t len = 0;

    assert_int_equal(xnm_order_dynlib_count(order), row->dynlibs);
    const char *word = xnm_order_cache_before(order, row->position, &len);
    assert_true((word != NULL) == (row->cache != NULL));
    if (word) {
        assert_int_equal(len, strlen(row->cache));
        assert_memory_equal(word, row->cache, len);
    }
    free(order);
}

TEST_MAIN
