/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of protected names. */
#include "core/lookalike/lookalike.h"
#include "module/base/diagnostics.h"
#include "module/rule/rule.h"
#include "tests/unit/listread.h"
#include "tests/unit/places.h"

static struct row {
    const char *name;
    const char *text;
    size_t len;
    const char *entries, *places; /* … of what is reported (places.h) */
} rows[] = {
    {"plain names", OCTETS("paypal.com\nGoogle.co.uk.\r\n\n# c\n! c\n bücher.example # x\n"),
     "zone paypal.com.\nzone google.co.uk.\nzone xn--bcher-kva.example.\n", ""},
    {"A-labels", OCTETS("xn--bcher-kva.example\nxn--a.example\nxn--_.example"),
     "zone xn--bcher-kva.example.\nzone xn--a.example.\nzone xn--_.example.\n", ""},
    {"names with all below them", OCTETS(".a.example\n||b.example^\n.bücher.example\n||例え.jp^"),
     "zone a.example.\nzone b.example.\nzone xn--bcher-kva.example.\nzone xn--r8jz45g.jp.\n", ""},
    {"a hosts file", OCTETS("0.0.0.0 a.example b.example\n::1 c.example # d\n"),
     "zone a.example.\nzone b.example.\nzone c.example.\n", ""},
    {"wildcards",
     OCTETS("*.a.example\n||*.b.example^\n*。c.example\n0.0.0.0 *.d.example e.example"),
     "zone e.example.\n", "1:1 2:3 3:1 4:9"},
    {"what stands for no name of anybody",
     OCTETS("127.0.0.1 localhost broadcasthost\n192.0.2.1\n::1\n.\nip6-x\nlocal"), "",
     "4:1w 2:1w 1:11w"},
    {"public suffixes", OCTETS("com\nрф\nco.uk\n.co.uk\n||de^\nunknown-tld\na.unknown-tld\nfoo.ck"),
     "zone a.unknown-tld.\n", "1:1 2:1 3:1 4:2 5:3 6:1 8:1"},
    {"min= after names",
     OCTETS("a.example min=1\nb.example\nbücher.example\tmin=6  # c\n.c.example min=4 \r\n"
            "||d.example^ min=2\n0.0.0.0 e.example f.example min=3\ng.example"),
     "zone a.example. min=1\nzone b.example.\nzone xn--bcher-kva.example. min=6\n"
     "zone c.example. min=4\nzone d.example. min=2\nzone e.example. min=3\n"
     "zone f.example. min=3\nzone g.example.\n",
     ""},
    {"min= of no length",
     OCTETS("a.example min=0\nb.example min=64\nc.example min=\nd.example min=1x\n"
            "e.example  min=-1\nf.example min=99999999999999999999\ng.example"),
     "zone g.example.\n", "1:15 2:15 3:15 4:15 5:16 6:15"},
    {"min= elsewhere",
     OCTETS("min=1\nmin=1 a.example\nb.example key=strict\nc.example min=1 x\n"
            "d.example min=1 min=2\n*.e.example min=1\ncom min=1\nlocalhost min=1"),
     "", "1:4 2:7 3:11 4:11 5:11 6:1 7:1 8:1w"},
    {"bad lines", OCTETS("a..b\nhttps://a.example/\na b"), "", "1:3 2:1 3:3"},
    {"a web page", OCTETS("<html>\npaypal.com\n"), "", "1:1"},
    {"a program",
     OCTETS("\x7F"
            "ELF\2\1\1\0\0|\n"),
     "", "1:1"},
};

static const struct xnm_rule protect = {
    .action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_LOOKALIKES, .protection = {.min = 1}};

static void reads_a_row(void **state)
{
    const struct row *row = *state;
    struct list_result *result = malloc(sizeof *result);

    list_read(result, &protect, row->text, row->len, 0);
    assert_string_equal(places_of(result->reports), row->places);
    assert_string_equal(result->entries, row->entries);
    assert_int_equal(result->good, !strstr(result->reports, "expected a list of names"));
    assert_int_equal(result->counts.short_names, 0);
    free(result);
}

/* --- names that nothing can look like --- */

static struct short_row {
    const char *name, *list;
    struct xnm_protection protection;
    size_t short_names;
} short_rows[] = {
    {"every name is long enough for 1", "a.b\nxn--a.b\n", {.min = 1}, 0},
    {"one label is enough", "abcd.b\na.abcd\nabc.def\nxn--bcher-kva.b\n", {.min = 4}, 1},
    {"characters count, not octets", "bücher.b\nпример.рф\nübe.b", {.min = 6}, 1},
    {"a top-level domain counts", "abc.museum\nabc.co.uk\nabc.испытание", {.min = 4}, 1},
    {"with tld=any none does",
     "abc.museum\na.abcd.co.uk\nabcd.a.co.uk\nb.abc.co.uk",
     {.min = 4, .any_tld = true},
     2},
    {"with label=any one label does",
     "abc.museum\na.abcd.co.uk\nabcd.a.co.uk\nb.abc.co.uk\nabcd.c",
     {.min = 4, .any_label = true},
     3},
    {"its own min= decides",
     "abc.def min=3\nabc.def min=4\nabcd.def\nabcd.def min=5\nabc.def",
     {.min = 4},
     3},
};

/* In other lists min= is a mistake. */

static void counts_short_names(void **state)
{
    const struct short_row *row = *state;
    struct list_result *result = malloc(sizeof *result);
    struct xnm_rule rule = protect;
    char expected[256] = "";

    rule.protection = row->protection;
    list_read(result, &rule, row->list, strlen(row->list), 0);
    assert_int_equal(result->counts.short_names, row->short_names);
    if (row->short_names > 0)
        snprintf(expected, sizeof expected,
                 "W 0:0 %zu protected name%s without a compared label that is as long as min= "
                 "says (by default 4 characters), so nothing can look like %s\n",
                 row->short_names, row->short_names == 1 ? "" : "s",
                 row->short_names == 1 ? "it" : "them");
    assert_string_equal(result->reports, expected);
    assert_int_equal(result->counts.bad + result->counts.skipped + result->counts.suffixes, 0);
    rule.trigger = XNM_TRIGGER_ZONES;
    list_read(result, &rule, row->list, strlen(row->list), 0);
    assert_int_equal(result->counts.short_names, 0);
    assert_string_equal(places_of(result->reports),
                        strstr(row->list, "min=") ? "1:9 2:9 4:10" : "");
    free(result);
}

/* --- many --- */

static bool count_entries(void *arg, const struct xnm_list_entry *entry)
{
    size_t *count = arg;

    *count += entry->scope == XNM_SCOPE_ZONE;
    return true;
}

/* A name that is refused or bad is told and counted twenty times, and then no more; a kind that is
 * skipped once. */
static void limits_what_it_says(void **state)
{
    struct list_result *result = malloc(sizeof *result);
    static const char lines[] = "*.a.example\ncom\nlocalhost\nabc.example\n";
    struct xnm_rule rule = protect;
    size_t len = sizeof lines - 1;
    char *text = malloc(25 * len);

    (void)state;
    for (size_t n = 0; n < 25; n++)
        memcpy(text + n * len, lines, len);
    rule.protection = (struct xnm_protection){.min = 8};
    list_read(result, &rule, text, 25 * len, 0);
    assert_string_equal(strstr(result->reports, "E 0:0"),
                        "E 0:0 25 bad entries in all, left out: the first 20 are listed above\n"
                        "E 0:0 25 public suffixes in all, left out: the first 20 are listed above\n"
                        "W 0:0 25 protected names without a compared label that is as long as min= "
                        "says (by default 4 characters), so nothing can look like them\n");
    free(text);
    free(result);
}

/* Every entry, of 100,000 names that are read in each way there is. */
static void reads_many(void **state)
{
    enum { MANY = 100000, ROOM = 40 };
    static const char *const forms[] = {"name%u.example.com\n", ".n%u.Example\n", "||n%u.рф^\n",
                                        "ü%u.co.uk\n"};
    struct xnm_rule rule = protect;
    struct xnm_list_counts counts;
    char *text = malloc((size_t)MANY * ROOM);
    size_t len = 0, count = 0;

    (void)state;
    for (unsigned n = 0; n < MANY; n++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        len += (size_t)snprintf(text + len, ROOM, forms[n % COUNT(forms)], n);
#pragma GCC diagnostic pop
    }
    rule.protection = (struct xnm_protection){.key = XN_KEY_STRICT, .any_tld = true, .min = 4};
    const struct xnm_list_options options = {.unicode = list_unicode,
                                             .diagnostics = &xnm_diagnose_silently,
                                             .entry = count_entries,
                                             .arg = &count};
    assert_true(xnm_list_read(&options, &rule, "list", text, len, &counts));
    assert_int_equal(count, MANY);
    assert_int_equal(counts.entries, MANY);
    assert_int_equal(counts.short_names, 75); /* n1 to n99, and so on */
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_what_it_says),
        cmocka_unit_test(reads_many),
    };
    struct test_group group = {0};

    ADD_TESTS(&group, rows, name, reads_a_row);
    ADD_TESTS(&group, short_rows, name, counts_short_names);
    for (size_t i = 0; i < COUNT(tests); i++)
        add_test(&group, tests[i].name, tests[i].test_func, NULL);
    int failed = _cmocka_run_group_tests("list: protected names", group.tests, group.count,
                                         list_open_unicode, list_close_unicode);
    free(group.tests);
    return failed;
}
