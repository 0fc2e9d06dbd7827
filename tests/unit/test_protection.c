/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lookalike/lookalike.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "module/rule/protection.h"
#include "tests/unit/exact.h"
#include "tests/unit/wirenames.h"

/* The longest label that counts, in code points, with tld=same, tld=any and label=any. */
static struct row {
    const char *name;
    uint8_t same, any_tld, any_label;
} rows[] = {
    {"paypal.com", 6, 6, 6},
    {"a.museum", 6, 1, 1},
    {"abc.de.museum", 6, 3, 2},
    {"de.abc.co.uk", 3, 3, 3},
    {"abcd.x.co.uk", 4, 4, 1},
    {"x.yz.unknown-tld", 11, 2, 2},
    {"xn--bcher-kva.de", 6, 6, 6},
    {"abc.xn--80akhbyknj4f", 9, 3, 3}, /* испытание */
    {"xn--_.de", 5, 5, 5},             /* no Punycode: octets */
    {"xn--abc-.de", 8, 8, 8},          /* … for ASCII alone: octets */
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.b.de", 63, 63, 1},
};

static void expect_longest(const char *name, const struct xnm_protection *compared, uint8_t longest)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = wire_of(name, wire);
    uint8_t *exact = exact_copy(wire, len);

    for (unsigned min = 1; min <= XN_WIRE_LABEL_MAX; min++) {
        struct xnm_protection protection = *compared;
        protection.min = (uint8_t)min;
        assert_int_equal(xnm_protection_can_match(&protection, exact, len), min <= longest);
    }
    free(exact);
}

TEST_ROWS(test_row, rows, name)
{
    const struct row *row = *state;

    expect_longest(row->name, &(struct xnm_protection){.key = XN_KEY_STRICT}, row->same);
    expect_longest(row->name, &(struct xnm_protection){.any_tld = true}, row->any_tld);
    expect_longest(row->name, &(struct xnm_protection){.any_label = true}, row->any_label);
}

TEST(test_most_labels, "127 labels")
{
    char name[2 * XN_WIRE_LABELS_MAX + 1] = "";

    for (unsigned i = 0; i < XN_WIRE_LABELS_MAX; i++)
        strcat(name, i + 1 < XN_WIRE_LABELS_MAX ? "a." : "a");
    expect_longest(name, &(struct xnm_protection){0}, 1);
    expect_longest(name, &(struct xnm_protection){.any_tld = true}, 1);
    expect_longest(name, &(struct xnm_protection){.any_label = true}, 1);
}

TEST(test_min, "from which length a difference counts")
{
    struct xnm_protection protection = {0};

    xnm_protection_set_min(&protection, 0);
    assert_int_equal(protection.min, 4);
    for (uint8_t given = 1; given <= XN_WIRE_LABEL_MAX; given++) {
        xnm_protection_set_min(&protection, given);
        assert_int_equal(protection.min, given);
    }
}

TEST_MAIN
