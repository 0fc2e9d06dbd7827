/* SPDX-License-Identifier: BSD-3-Clause */
/* Aliases that lead to a name of their own rule, and those that lead out of it. */
#include "tests/unit/policyfilesread.h"

static const char message[] = "this alias leads to a name that the rule itself matches";

static struct row {
    const char *target, *rest; /* of a rule `cname TARGET REST` */
    bool own;
} rows[] = {
    {"a.example", "name a.example", true},
    {"a.example", "name *.a.example", false},
    {"a.example", "zone a.example", true},
    {"a.example", "zone b.a.example", false},
    {"b.a.example", "name a.example", false},
    {"b.a.example", "name *.a.example", true},
    {"b.a.example", "zone a.example", true},
    {"ba.example", "zone a.example", false},
    {"a.example", "zone . suffixes=yes", true},
    {"a.example", "name .", false},
    {"a.example", "name *. suffixes=yes", true},
    {"пример.example", "script in Cyrl", true},
    {"пример.example", "script in Latn,Grek", false},
    {"пример.example", "script not-in Latn,Grek", true},
    {"latin.example", "script in Latn", false}, /* no A-label */
    {"www.пример.example", "script in Cyrl type=TXT", true},
    {"пример.example", "script-level minimal", false},
    {"раypal.example", "script-level highly", true},
    {"a१1.example", "mixed-digits", true},
    {"ab1.example", "mixed-digits", false},
    {"☃.example", "restricted", true},
    {"☃.example", "emoji", true},
    {"x.example", "emoji", false},
    {"א.example", "bidi", true},
    {"бук.example", "bidi", false},
    {"рау.com", "wholescript", true},
    {"рау.com", "wholescript except=рф", true},
    {"рау.рф", "wholescript except=рф", false},
    {"xn--a-z.example", "invalid", true},
    {"xn--e1afmkfd.example", "invalid", false},
    {"pаypal.example", "lookalike paypal.example", true},
    {"www.pаypal.example", "lookalike paypal.example type=AAAA,A", true},
    {"paypal.example", "lookalike paypal.example", false},
    {"www.paypal.example", "lookalike paypal.example key=strict", false},
    {"páypal.example", "lookalike paypal.example", false},
    {"páypal.example", "lookalike paypal.example key=strict", true},
    {"paypa1.example", "lookalike paypal.example", false},
    {"paypa1.example", "lookalike paypal.example ascii=safe", true},
    {"pаypal.net", "lookalike paypal.example", false},
    {"pаypal.net", "lookalike paypal.example tld=any", true},
    {"pаypal.evil.example", "lookalike paypal.example label=any", true},
};

/* Returns a title, which stays. */
static const char *title_of(const struct row *row)
{
    static char titles[64][256];
    static size_t count;
    char *title = titles[count++];

    assert_true(count <= sizeof titles / sizeof *titles);
    snprintf(title, sizeof *titles, "%s %s", row->target, row->rest);
    return title;
}

static void test_row(void **state)
{
    const struct row *row = *state;
    struct xnm_policyfiles read;
    char text[256];

    snprintf(text, sizeof text, "  cname  %s  %s\n", row->target, row->rest);
    write_in("rules", text);
    read_all(ONE, NULL, &read);
    assert_int_equal(strstr(read_reports(), message) != NULL, row->own);
    free_policyfiles(&read);
    empty_folder();
}

/* By line, the rules that decide where their own aliases lead. The list has a.example. */
static struct listed {
    const char *name, *rules, *own;
} listed[] = {
    {"its own list", "cname a.example names list", "1"},
    {"no name of the list", "cname b.example names list", ""},
    {"exempt", "passthru name a.example\ncname a.example names list", ""},
    {"exempt for a type", "passthru name a.example type=A\ncname a.example names list", "2"},
    {"… for three", "passthru name a.example type=A,AAAA,TYPE65535\ncname a.example names list",
     "2"},
    {"… for its one", "passthru name a.example type=A\ncname a.example names list type=A", ""},
    {"… for the first of two",
     "passthru name a.example type=A\ncname a.example names list type=A,AAAA", "2"},
    {"… for both", "passthru name a.example type=A,AAAA\ncname a.example names list type=AAAA,A",
     ""},
    {"two, each of its types", "cname a.example names list type=A\ncname a.example names list",
     "12"},
    {"two, the first of all", "cname a.example names list\ncname a.example names list type=A", "1"},
    {"an earlier one", "nxdomain names list\ncname a.example names list type=MX", ""},
    {"its own list, for one client", "cname a.example names list client=192.0.2.7", ""},
};

TEST_ROWS(test_listed, listed, name)
{
    const struct listed *row = *state;
    struct xnm_policyfiles read;
    char own[8] = "";

    write_in("rules", row->rules);
    write_in("list", "a.example\n");
    assert_true(read_all(ONE, NULL, &read));
    for (const char *at = read_reports(); (at = strstr(at, "/rules:")); at = strchr(at, '\n')) {
        assert_non_null(strstr(at, message));
        strcat(own, (char[]){at[7], '\0'});
    }
    assert_string_equal(own, row->own);
    free_policyfiles(&read);
    empty_folder();
}

/* Lists change; a rule itself does not. */
TEST(test_written, "an alias of itself that is no list's")
{
    struct xnm_policyfiles read;

    write_in("rules", "cname paypa1.example lookalike paypal.example ascii=safe\n");
    assert_false(read_all(ONE, NULL, &read));
    assert_non_null(strstr(read_reports(), "/rules:1:1: this alias leads to a name"));
    assert_null(read.policy);
    free_policyfiles(&read);
    empty_folder();
}

BEFORE_MAIN(tests)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        add_test(title_of(&rows[i]), test_row, &rows[i]);
}

TEST_MAIN_OF_POLICYFILES
