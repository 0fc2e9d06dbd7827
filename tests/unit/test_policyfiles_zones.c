/* SPDX-License-Identifier: BSD-3-Clause */
/* RPZ zones from one reading to the next: the names that a zone has, with an action or without one,
 * are those of the zone that is in force. */
#include "tests/unit/agedzone.h"
#include "tests/unit/policyfilesread.h"

#include "module/load/expire.h"
#include "module/policy/data.h"

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

TEST_ROWS(test_lost, rows, what)
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
TEST(test_suffix, "a public suffix below a wildcard")
{
    struct xnm_policyfiles read;

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

/* --- EXPIRE --- */

static const struct expire_row {
    const char *what, *rule;
    unsigned expire;
    int age; /* seconds */
    const char *told;
    bool is_decided;
    size_t bad_lists, expired;
} expire_rows[] = {
    {"fresh", "rpz zone expire=yes\n", 1000, 900, NULL, true, 0, 0},
    {"old", "rpz zone\n", 1000, 1001, "s: its entries stay in force (", true, 0, 1},
    {"old, and known to be", "rpz zone expire=no\n", 1000, 1001, NULL, true, 0, 0},
    {"old, and dropped", "rpz zone expire=yes\n", 1000, 1001,
     " UTC, and the EXPIRE of its SOA record is 1000 s: none of its entries is in force", false, 1,
     1},
    {"as old as that", "rpz zone expire=yes\n", 1000, 1000, "none of its entries", false, 1, 1},
    {"of tomorrow", "rpz zone expire=yes\n", 1000, -86400, NULL, true, 0, 0},
    {"EXPIRE of 0", "rpz zone expire=yes\n", 0, 1001, NULL, true, 0, 0},
    {"the greatest EXPIRE", "rpz zone expire=yes\n", 2147483647, 1001, NULL, true, 0, 0},
};

TEST_ROWS(test_expire, expire_rows, what)
{
    const struct expire_row *row = *state;
    struct xnm_policyfiles read;
    time_t now = time(NULL);
    bool due = false;

    write_in("rules", row->rule);
    write_aged(1, row->expire, row->age, 0);
    assert_true(read_all(ONE, NULL, &read));
    if (row->told)
        assert_non_null(strstr(read_reports(), row->told));
    else
        expect_reports("");
    assert_int_equal(decides(read.policy, "b.a.example"), row->is_decided);
    assert_int_equal(read.bad_lists, row->bad_lists);
    assert_int_equal(xnm_expire_count(read.policy, now, now, &due), row->expired);
    assert_false(due); /* it was read when it had expired */
    free_policyfiles(&read);
    empty_folder();
}

/* From one reading to the next, as the watcher does. Another serial is news, whatever the mtime; a
 * zone that cannot be read expires when it would have. */
static const struct news_row {
    const char *what;
    unsigned serial;
    bool is_missing, is_broken, is_decided;
    int comment;
} news_rows[] = {
    {"another serial in a file as old", 2, false, false, true, 0},
    {"the same serial", 1, false, false, false, 0},
    {"no file", 0, true, false, false, 0},
    {"a broken file", 0, false, true, false, 0},
    {"a file too large for policy-memory", 1, false, false, false, 2 << 20},
};

#define ONE_MIB ONE "policy-memory: 1m\n"

/* Lets time pass for the zone of a line. */
static void pass_time(const struct xnm_policy *policy, size_t line, time_t seconds)
{
    struct xnm_table_file *file = &xnm_policy_line(policy, line)->table->file;

    file->changed -= seconds;
    file->expires -= seconds;
}

TEST_ROWS(test_news, news_rows, what)
{
    const struct news_row *row = *state;
    struct xnm_policyfiles first, second;
    time_t now = time(NULL);
    bool due = false;

    write_in("rules", "rpz zone expire=yes\n");
    write_aged(1, 1000, 990, 0);
    assert_true(read_all(ONE_MIB, NULL, &first));
    assert_true(decides(first.policy, "b.a.example"));
    assert_int_equal(xnm_expire_count(first.policy, now, now + 5, &due), 0);
    assert_false(due);
    assert_int_equal(xnm_expire_count(first.policy, now + 12, now + 13, &due), 1);
    assert_false(due); /* it is known to have expired */
    assert_int_equal(xnm_expire_count(first.policy, now, now + 12, &due), 1);
    assert_true(due);
    pass_time(first.policy, 0, 20);
    if (row->is_missing)
        remove_in("zone");
    else if (row->is_broken)
        write_in("zone", "oops\n");
    else
        write_aged(row->serial, 1000, 1010, row->comment);
    assert_true(read_all(ONE_MIB, first.policy, &second));
    assert_int_equal(decides(second.policy, "b.a.example"), row->is_decided);
    assert_int_equal(strstr(read_reports(), "zone' has expired: ") == NULL, row->is_decided);
    assert_int_equal(second.bad_lists, !row->is_decided);
    free_policyfiles(&first);
    free_policyfiles(&second);
    empty_folder();
}

/* A zone whose entries were dropped stays so until another serial is found, whatever the mtime. */
TEST(test_dropped, "an expired zone has news")
{
    struct xnm_policyfiles first, second;

    write_in("rules", "rpz zone expire=yes\n");
    write_aged(1, 1000, 1010, 0);
    assert_true(read_all(ONE, NULL, &first));
    for (unsigned serial = 1; serial <= 2; serial++) {
        assert_false(decides(first.policy, "b.a.example"));
        write_aged(serial, 1000, 1010, 0);
        assert_true(read_all(ONE, first.policy, &second));
        assert_int_equal(second.bad_lists, serial == 1);
        free_policyfiles(&first);
        first = second;
    }
    assert_true(decides(first.policy, "b.a.example"));
    free_policyfiles(&first);
    empty_folder();
}

/* A zone that has expired is not kept where there is no room for all lists. */
TEST(test_left_out, "an expired zone is left out")
{
    struct xnm_policyfiles first, second;
    unsigned left_out = 0;

    for (unsigned count = 1000; count < 40000; count += 2000) {
        write_in("rules", "nxdomain zones list\nrpz zone expire=yes\n");
        write_in("list", "");
        write_aged(1, 1000, 0, 0);
        assert_true(read_all(ONE_MIB, NULL, &first));
        pass_time(first.policy, 1, 1010);
        write_lines("list", "", "n%u.example", count);
        write_lines("rules", "nxdomain zones list\nrpz zone expire=yes\n", "drop name r%u.example",
                    700);
        write_aged(1, 1000, 1010, 0);
        assert_true(read_all(ONE_MIB, first.policy, &second));
        left_out += strstr(read_reports(), "/list' needs more than") != NULL;
        assert_false(decides(second.policy, "b.a.example"));
        free_policyfiles(&first);
        free_policyfiles(&second);
    }
    assert_true(left_out > 0);
    empty_folder();
}

TEST_MAIN_OF_POLICYFILES
