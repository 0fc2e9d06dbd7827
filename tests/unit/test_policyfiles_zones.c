/* SPDX-License-Identifier: BSD-3-Clause */
/* RPZ zones that expire. */
#include "tests/unit/agedzone.h"
#include "tests/unit/policyfilesread.h"

#include "module/load/expire.h"
#include "module/policy/data.h"

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

TEST_ROWS(expires, expire_rows, what)
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

TEST_ROWS(notes_change, news_rows, what)
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
TEST(takes_another_serial, "an expired zone changes")
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
TEST(drops_expired_without_room, "an expired zone is left out")
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
