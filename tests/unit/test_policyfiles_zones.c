/* SPDX-License-Identifier: BSD-3-Clause */
/* RPZ zones from one reading to the next: the names that a zone has, with an action or without one,
 * are those of the zone that is in force. */
#include "tests/unit/policyfilesread.h"

#define HEAD "$ORIGIN list.invalid.\n@ 60 SOA ns nobody 1 2 3 4 5\n"
#define WILDCARD "*.a.example CNAME .\n"

static void write_zone(const char *records)
{
    char text[4096];

    snprintf(text, sizeof text, HEAD "%s", records);
    write_in("zone", text);
}

/* --- a zone is lost, and what it held stays in force --- */

static const struct row {
    const char *what, *before, *after, *told;
    const char *decided[2], *not_decided[2];
} rows[] = {
    {"nothing",
     WILDCARD "c.a.example NS ns.\nd.a.example NS ns.\ne.a.example NS ns.\n",
     WILDCARD "c.a.example NS ns.\nd.a.example NS ns.\ne.a.example NS ns.\n",
     NULL,
     {"b.a.example"},
     {"c.a.example", "x.c.a.example"}},
    {"entries, and names without one are left",
     WILDCARD,
     "b.a.example NS ns.\n",
     "zone' has become empty: what it held before stays in force (1 entry; ",
     {"b.a.example", "c.a.example"},
     {NULL}},
    {"all good lines",
     WILDCARD,
     "b.a.example NS ns.\ncom CNAME .\n",
     "zone' has no valid line: what it held before stays in force (1 entry; ",
     {"b.a.example", "c.a.example"},
     {NULL}},
    {"the file, of which public suffixes are no entries",
     "*.hedmark.no CNAME .\nos.hedmark.no NS ns.\n",
     "oops\n",
     "zone' is refused as a whole: what it held before stays in force (1 entry; ",
     {"x.hedmark.no"},
     {"os.hedmark.no", "x.os.hedmark.no"}},
};

static void expect_decided(const struct xnm_policy *policy, const struct row *row)
{
    for (unsigned i = 0; i < 2; i++) {
        if (row->decided[i] && !decides(policy, row->decided[i]))
            fail_msg("%s: nothing is decided of %s", row->what, row->decided[i]);
        if (row->not_decided[i] && decides(policy, row->not_decided[i]))
            fail_msg("%s: %s is decided", row->what, row->not_decided[i]);
    }
}

static void test_lost(void **state)
{
    const struct row *row = *state;
    struct xnm_policyfiles first, second;

    write_in("rules", "rpz zone\n");
    write_zone(row->before);
    assert_true(read_all(ONE, NULL, &first));
    write_zone(row->after);
    for (unsigned i = 0; i < 3; i++) { /* and what is kept is kept again */
        assert_true(read_all(ONE, first.policy, &second));
        free_policyfiles(&first);
        if (!row->told)
            assert_null(strstr(read_reports(), "/zone' "));
        else if (!strstr(read_reports(), row->told))
            fail_msg("%s", read_reports());
        assert_int_equal(second.bad_lists, row->told != NULL);
        expect_decided(second.policy, row);
        first = second;
    }
    free_policyfiles(&first);
    empty_folder();
}

/* --- names that the rule leaves out --- */

/* A zone's action for a public suffix is left out, but the zone still has the name. */
static void test_suffix(void **state)
{
    struct xnm_policyfiles read;

    (void)state;
    write_in("rules", "rpz zone\n");
    write_zone("*.hedmark.no CNAME .\nos.hedmark.no CNAME rpz-passthru.\n");
    assert_true(read_all(ONE, NULL, &read));
    assert_true(decides(read.policy, "x.hedmark.no"));
    assert_false(decides(read.policy, "os.hedmark.no"));
    assert_false(decides(read.policy, "x.os.hedmark.no"));
    assert_int_equal(xnm_policy_entry_count(read.policy), 1);
    free_policyfiles(&read);
    empty_folder();
}

static void add_tests(struct test_group *group)
{
    ADD_TESTS(group, rows, what, test_lost);
    add_test(group, "a public suffix below a wildcard", test_suffix, NULL);
}

int main(void)
{
    return run_policyfiles("policyfiles zones", add_tests);
}
