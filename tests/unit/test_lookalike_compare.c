/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "core/lookalike/shape.h"
#include "tests/unit/wirelabel.h"

enum { SAME = XN_LOOKS_SAME, ALIKE = XN_LOOKS_ALIKE, NEAR = XN_LOOKS_NEAR, OTHER = XN_LOOKS_OTHER };

/* A protected label, one that is asked for, and how they look by each key and class. */
static struct row {
    const char *protected, *asked;
    int exact[3], strict[3]; /* off, safe, wide */
} rows[] = {
    {"paypal", "paypal", {SAME, SAME, SAME}, {SAME, SAME, SAME}},
    {"paypal", "PAYPAL", {SAME, SAME, SAME}, {SAME, SAME, SAME}},
    {"bücher", "bücher", {SAME, SAME, SAME}, {SAME, SAME, SAME}},
    {"paypal", "pаypal", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}}, /* Cyrillic a */
    {"apple", "аррӏе", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"google", "gооgle", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"paypal", "páypal", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},
    {"mini", "mӏnӏ", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},         /* palochka: i … */
    {"linkedin", "ӏіnkedӏn", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}}, /* … and l */
    {"ӏід", "іӏд", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"lint", "іӏnt", {OTHER, OTHER, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"lilt", "ӏӏӏ", {OTHER, OTHER, OTHER}, {OTHER, OTHER, OTHER}},
    {"maol", "mӏol", {OTHER, OTHER, OTHER}, {OTHER, OTHER, OTHER}},
    {"paypal", "example", {OTHER, OTHER, OTHER}, {OTHER, OTHER, OTHER}},
    {"paypal", "paypa", {OTHER, OTHER, OTHER}, {OTHER, OTHER, OTHER}},
    {"paypal", "pаypals", {OTHER, OTHER, OTHER}, {OTHER, OTHER, OTHER}},

    /* a protected name that is an IDN */
    {"bücher", "búcher", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},
    {"bücher", "bucher", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},
    {"bücher", "bũcher", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},
    {"bücherm", "bücherrn", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"почта", "nочта", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},

    /* ASCII alone: what differs counts if the class alone makes them equal */
    {"paypal", "paypa1", {NEAR, ALIKE, ALIKE}, {NEAR, ALIKE, ALIKE}},
    {"paypal", "paypai", {OTHER, OTHER, ALIKE}, {NEAR, NEAR, ALIKE}},
    {"list", "1ist", {NEAR, ALIKE, ALIKE}, {NEAR, ALIKE, ALIKE}},
    {"google", "g00gle", {OTHER, ALIKE, ALIKE}, {NEAR, ALIKE, ALIKE}},
    {"modern", "rnodem", {NEAR, ALIKE, ALIKE}, {NEAR, ALIKE, ALIKE}},
    {"wales", "vvales", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},
    {"vw", "wv", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},
    {"deli", "cleli", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},
    {"5even", "seven", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},
    {"d0wn", "clovvn", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},

    /* both */
    {"google", "gо0gle", {OTHER, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"windows", "vvindоws", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},
    {"mail", "маіl", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}}, /* UTS 39: no m */

    /* capitals of other scripts are none of ASCII's classes */
    {"o", "О", {OTHER, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"a", "Ꭺ", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},
};

static void looks(void **state)
{
    const struct row *row = *state;
    uint8_t label[XN_WIRE_LABEL_MAX];
    struct xn_shape protected, asked;

    xn_shape_read(label, wire_label(row->protected, label), &protected);
    xn_shape_read(label, wire_label(row->asked, label), &asked);
    for (int ascii = XN_ASCII_OFF; ascii <= XN_ASCII_WIDE; ascii++) {
        for (int key = XN_KEY_EXACT; key <= XN_KEY_STRICT; key++) {
            int expected = key == XN_KEY_EXACT ? row->exact[ascii] : row->strict[ascii];
            int got = (int)xn_lookalike_compare(&protected, &asked, (xn_key)key, (xn_ascii)ascii);
            int back = (int)xn_lookalike_compare(&asked, &protected, (xn_key)key, (xn_ascii)ascii);
            if (got != expected || back != expected)
                fail_msg("%s, %s: %d and %d, expected %d", xn_key_word((xn_key)key),
                         xn_ascii_word((xn_ascii)ascii), got, back, expected);
        }
    }
}

/* An A-label that does not decode, and one that decodes to ASCII, are ASCII. */
static void test_broken_labels(void **state)
{
    struct xn_shape broken, asked;

    (void)state;
    xn_shape_read((const uint8_t *)"xn--9999m", 9, &broken);
    xn_shape_read((const uint8_t *)"xn--9999rn", 10, &asked);
    assert_int_equal(xn_lookalike_compare(&broken, &asked, XN_KEY_EXACT, XN_ASCII_OFF), NEAR);
    assert_int_equal(xn_lookalike_compare(&broken, &asked, XN_KEY_EXACT, XN_ASCII_SAFE), ALIKE);
    xn_shape_read((const uint8_t *)"abc", 3, &broken);
    xn_shape_read((const uint8_t *)"xn--abc-", 8, &asked);
    assert_int_equal(xn_lookalike_compare(&broken, &asked, XN_KEY_STRICT, XN_ASCII_WIDE), OTHER);
}

/* A shape that is too long looks like nothing, itself included. */
static void test_too_long(void **state)
{
    struct xn_shape label, longer = {.len = XN_WIRE_LABEL_MAX + 1};

    (void)state;
    xn_shape_read((const uint8_t *)"abc", 3, &label);
    assert_int_equal(xn_lookalike_compare(&label, &longer, XN_KEY_EXACT, XN_ASCII_OFF), OTHER);
    assert_int_equal(xn_lookalike_compare(&longer, &label, XN_KEY_EXACT, XN_ASCII_OFF), OTHER);
    assert_int_equal(xn_lookalike_compare(&longer, &longer, XN_KEY_EXACT, XN_ASCII_OFF), OTHER);
}

int main(void)
{
    static char names[COUNT(rows)][64];
    struct test_group group = {0};

    for (size_t i = 0; i < COUNT(rows); i++) {
        snprintf(names[i], sizeof names[i], "%s, %s", rows[i].protected, rows[i].asked);
        add_test(&group, names[i], looks, &rows[i]);
    }
    add_test(&group, "broken labels", test_broken_labels, NULL);
    add_test(&group, "shapes that are too long", test_too_long, NULL);
    int failed = run_group("lookalike, comparing", &group);
    free(group.tests);
    return failed;
}
