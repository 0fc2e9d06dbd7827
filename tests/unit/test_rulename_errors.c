/* SPDX-License-Identifier: BSD-3-Clause */
/* Written names that are none, and where that is reported. Their messages, and more names, are in
 * tests/rules/bad-written-names.conf and bad-odd-names.conf. */
#include "tests/unit/nameread.h"

#define U16 "üüüüüüüüüüüüüüüü"
#define U80 U16 U16 U16 U16 U16

static struct written_row names[] = {
    {"no more than 1024 octets are looked at",
     OCTETS(U80 U80 U80 U80 U80 U80 "üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü"), NONE, "0"},
    {"as many of ASCII",
     OCTETS(L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 "aaaaaaaaaaaaaaaaa"),
     NONE, "0"},
    {"a tab",
     OCTETS("a\x09"
            "b"),
     NONE, "1"},
    {"an escape character", OCTETS("a\x1B[2J"), NONE, "1"},
    {"DEL", OCTETS("a\x7F"), NONE, "1"},
    {"Latin-1", OCTETS("caf\xE9.com"), NONE, "3"},
    {"Latin-1 behind an underscore", OCTETS("_caf\xE9.com"), NONE, "4"},
    {"cut UTF-8", OCTETS("a.\xE6\x97"), NONE, "2"},
    {"a lone surrogate",
     OCTETS("a\xED\xA0\x80"
            "b"),
     NONE, "1"},
    {"an overlong dot",
     OCTETS("a\xC0\xAE"
            "b"),
     NONE, "1"},
    {"above U+10FFFF", OCTETS("\xF4\x90\x80\x80"), NONE, "0"},
    {"NUL",
     OCTETS("a\x00"
            "b"),
     NONE, "1"},
    {"NUL alone", OCTETS("\x00"), NONE, "0"},
};

static void expect_places(const char *text, size_t len, const char *places)
{
    char said[REPORTS_MAX] = "";
    struct xnm_wirename name;

    assert_false(xnm_rulename_read(unicode, text, len, &name, NULL, collect, said));
    assert_string_equal(places_of(said), places);
}

static void test_no_wildcard(void **state)
{
    (void)state;
    expect_places(OCTETS("*.a.example"), "0");
    expect_places(OCTETS("*"), "0");
    expect_places(OCTETS("ü.a*"), "4");
}

/* --- long ones --- */

/* `count` times the same. The caller frees it. */
static char *repeat(const char *unit, size_t unit_len, size_t count)
{
    char *text = malloc(unit_len * count);

    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * unit_len, unit, unit_len);
    return text;
}

static void expect_of_many(const char *unit, size_t unit_len, size_t count, const char *places)
{
    char *text = repeat(unit, unit_len, count);

    expect_places(text, unit_len * count, places);
    free(text);
}

static void test_one_label_of_64_kib(void **state)
{
    (void)state;
    expect_of_many(OCTETS("a"), 65536, "0");
    expect_of_many(OCTETS("/"), 65536, "0");
    expect_of_many(OCTETS("\\000"), 16384, "0");
    expect_of_many(OCTETS("\\"), 65537, "0");
    expect_of_many(OCTETS("\0"), 65536, "0");
    expect_of_many(OCTETS("ü"), 32768, "0");
    expect_of_many(OCTETS("\u200D"), 21845, "0");
    expect_of_many(OCTETS("\xFF"), 65536, "0");
}

static void test_10000_labels(void **state)
{
    (void)state;
    expect_of_many(OCTETS("a."), 10000, "254");
    expect_of_many(OCTETS("ü."), 10000, "93");
    expect_of_many(OCTETS("."), 10000, "0 1 2 3 4 5 6 7");
    expect_of_many(OCTETS("。"), 10000, "0 3 6 9 12 15 18 21");
}

/* UTS 46 allows it from Unicode 15.1 on. */
static void test_not_equal_to(void **state)
{
    struct xnm_wirename name;

    (void)state;
    if (is_before_unicode(15.1))
        expect_places(OCTETS("a≠b.com"), "1");
    else
        assert_true(xnm_rulename_read(unicode, OCTETS("a≠b.com"), &name, NULL, NULL, NULL));
}

int main(void)
{
    static struct test_group group; /* static: no leak for a sanitizer to report */

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    ADD_TESTS(&group, names, name, test_written);
    add_test(&group, "a star where none may be", test_no_wildcard, NULL);
    add_test(&group, "a character of some versions of Unicode", test_not_equal_to, NULL);
    add_test(&group, "one label of 64 KiB", test_one_label_of_64_kib, NULL);
    add_test(&group, "10,000 labels", test_10000_labels, NULL);
    int failed = run_group("rulename_errors", &group);
    xn_unicode_close(unicode);
    return failed;
}
