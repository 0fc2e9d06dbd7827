/* SPDX-License-Identifier: BSD-3-Clause */
/* The longest names that lists may have, and how many of their errors are told. */
#include "module/list/rpzfile.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "module/list/listtally.h"
#include "tests/unit/listread.h"

static struct list_result result;

static void read_text(const char *text)
{
    const struct xnm_rule rule = {.action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_NAMES};

    list_read(&result, &rule, text, strlen(text), 0);
}

/* A name has at most 255 octets in wire format, which the dot at its end does not lengthen. */
static void test_longest_name(void **state)
{
    static const struct {
        unsigned last; /* characters of the last of four labels */
        const char *end, *reports;
    } rows[] = {
        {61, "", ""},
        {61, ".", ""},
        {62, "", "name is longer than 255 octets in wire format"},
        {62, ".", "name is longer than 255 octets in wire format"},
        {64, "", "label is 64 octets: expected at most 63"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        memset(text, 'a', 3 * 64 + rows[i].last);
        text[63] = text[127] = text[191] = '.';
        strcpy(text + 3 * 64 + rows[i].last, rows[i].end);
        read_text(text);
        assert_int_equal(result.counts.entries, rows[i].reports[0] == '\0');
        assert_non_null(strstr(result.reports, rows[i].reports));
    }
    read_text("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"); /* 64 */
    assert_string_equal(result.reports, "E 1:1 label is 64 octets: expected at most 63\n");
}

/* A list of names may have a name `zone` with text after it. */
static void test_no_zone(void **state)
{
    (void)state;
    read_text("zone a.example\nb.example\n");
    assert_string_equal(result.entries, "exact b.example.\n");
    assert_string_equal(result.reports, "E 1:6 text follows the name: expected one name a line, or "
                                        "an address and its names\n");
}

/* Whoever takes entries may want no more in the middle of a line. */
static void test_no_more(void **state)
{
    static const struct xnm_rule rule = {.action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_ZONES};
    static const char *const texts[] = {"0.0.0.0 a.example b.example",
                                        "||a.example^$denyallow=b.example|c.example"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        list_read(&result, &rule, texts[i], strlen(texts[i]), 1);
        assert_false(result.good);
        assert_memory_equal(result.entries, "zone a.example.", 15);
        assert_ptr_equal(strchr(result.entries, '\n') + 1, result.entries + result.entries_len);
    }
}

/* The number is told if not all of them are. */
static void test_many_bad(void **state)
{
    (void)state;
    for (unsigned extra = 0; extra < 2; extra++) {
        unsigned bad = XNM_LIST_TALLY_REPORTED_MAX + extra, lines = 0;
        char text[1024] = "";
        for (unsigned i = 0; i < bad; i++)
            strcat(text, "a b c\n");
        read_text(text);
        assert_int_equal(result.counts.bad, bad);
        for (const char *at = result.reports; (at = strchr(at, '\n')); at++)
            lines++;
        assert_int_equal(lines, XNM_LIST_TALLY_REPORTED_MAX + extra);
        assert_int_equal(strstr(result.reports, "E 0:0 21 bad entries in all") != NULL, extra);
    }
}

/* An answer may hold some types; only a zone has the others. */
static void test_data(void **state)
{
    static const uint16_t data[] = {1, 5, 16, 65280}, no_data[] = {2, 6, 39, 43, 46, 47, 63};

    (void)state;
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        assert_true(xnm_rpzfile_is_data(data[i]));
    for (size_t i = 0; i < sizeof no_data / sizeof *no_data; i++)
        assert_false(xnm_rpzfile_is_data(no_data[i]));
}

int main(void)
{
    struct test_group group = {0};

    if (xn_unicode_open(&list_unicode) != XN_OK)
        return 1;
    add_test(&group, "the longest name", test_longest_name, NULL);
    add_test(&group, "the word zone without one", test_no_zone, NULL);
    add_test(&group, "no more entries in the middle of a line", test_no_more, NULL);
    add_test(&group, "as many bad entries as are told, and one more", test_many_bad, NULL);
    add_test(&group, "types of data", test_data, NULL);
    int failed = run_group("list_limits", &group);
    xn_unicode_close(list_unicode);
    return failed;
}
