/* SPDX-License-Identifier: BSD-3-Clause */
/* Keywords that a misspelt word may mean. */
#include "tests/unit/vectors.h"

#include "core/text/near.h"

static const struct {
    const char *text, *word;
    unsigned edits;
} rows[] = {
    {"nxdomain", "nxdomain", 0},
    {"NXDomain", "nxdomain", 0},
    {"nxdoman", "nxdomain", 1},
    {"nxdomainn", "nxdomain", 1},
    {"nxdomian", "nxdomain", 1},
    {"nxd\u043Emain", "nxdomain", 2},
    {"nxdo", "nxdomain", XN_NEAR_FAR},
    {"domain", "nxdomain", 2},
    {"main", "nxdomain", XN_NEAR_FAR},
    {"nam", "name", 1},
    {"anme", "name", 1},
    {"nmae", "name", 1},
    {"gnmae", "name", XN_NEAR_FAR},
    {"nma", "name", XN_NEAR_FAR},
    {"", "a", 1},
    {"", "ab", XN_NEAR_FAR},
    {"a", "", 1},
    {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 2},
    {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", XN_NEAR_FAR},
    {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", XN_NEAR_FAR},
};

TEST(test_edits, "edits")
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        print_message("# %s %s\n", rows[i].text, rows[i].word);
        assert_int_equal(xn_near_edits(rows[i].text, strlen(rows[i].text), rows[i].word),
                         rows[i].edits);
    }
}

TEST_MAIN
