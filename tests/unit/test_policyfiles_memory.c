/* SPDX-License-Identifier: BSD-3-Clause */
/* policy-memory: what a policy may take while it is made, and what is left out for it. */
#include "tests/unit/vectors.h"

#include "tests/unit/policyfilesread.h"

#define ONE_MIB "policy: @/rules\npolicy-memory: 1m\n"
#define TROUBLE "needs more than policy-memory, which is 1 MiB"

/* --- one list is too much --- */

#define ZONE "$ORIGIN z.\n$TTL 60\n@ SOA ns. admin. 1 2 3 400000 5\n"

static struct list_row {
    const char *name, *rule, *head, *line;
    unsigned fits, too_many; /* lines in a mebibyte */
} lists[] = {
    {"a list", "nxdomain zones list\n", "", "n%u.example", 10000, 40000},
    {"a text", "nxdomain zones list\n", "", "n%u.example # %1$060u", 5000, 20000},
    {"protected names", "nxdomain lookalikes list\n", "", "paypal%u.example", 8000, 40000},
    {"a zone", "rpz list\n", ZONE, "n%u.example CNAME .", 4000, 40000},
    {"a zone with records", "rpz list\n", ZONE, "n%u.example TXT \"%1$u\"", 2000, 40000},
    {"a zone of one name", "rpz list\n", ZONE, "n.example TXT \"%u\"", 1000, 40000},
    {"a zone of few names", "rpz list\n", ZONE, "n.example TXT \"%u\"\nm.example TXT \"%1$u\"", 500,
     20000},
    {"its records together", "rpz list\n", ZONE, "n.example TXT \"%u\"\nm.example TXT \"%1$u\"",
     500, 3500},
};

/* A list without memory is left out the first time, and keeps its old entries later; everything
 * else is in force. */
TEST_ROWS(leaves_large_list_out, lists, name)
{
    const struct list_row *row = *state;
    struct xnm_policyfiles read, again;
    char rules[256];

    snprintf(rules, sizeof rules, "drop name a.example\n%sdrop names other\n", row->rule);
    write_in("rules", rules);
    write_in("other", "b.example\n");
    write_lines("list", row->head, row->line, row->too_many);
    assert_true(read_all(ONE_MIB, NULL, &read));
    assert_non_null(
        strstr(read_reports(), "/list' " TROUBLE ": none of its entries is in force\n"));
    assert_null(strstr(read_reports(), "out of memory"));
    assert_int_equal(read.bad_lists, 1);
    assert_int_equal(read.sources.count, 3);
    assert_int_equal(xnm_policy_entry_count(read.policy), 2);
    assert_true(decides(read.policy, "a.example"));
    assert_true(decides(read.policy, "b.example"));
    free_policyfiles(&read);
    write_lines("list", row->head, row->line, row->fits);
    assert_true(read_all(ONE_MIB, NULL, &read));
    expect_reports("");
    assert_int_equal(read.bad_lists, 0);
    size_t entries = xnm_policy_entry_count(read.policy);
    write_lines("list", row->head, row->line, row->too_many);
    assert_true(read_all(ONE_MIB, read.policy, &again));
    assert_non_null(strstr(read_reports(), "/list' " TROUBLE ": what it held before stays"));
    assert_int_equal(again.bad_lists, 1);
    assert_int_equal(xnm_policy_entry_count(again.policy), entries);
    free_policyfiles(&again);
    free_policyfiles(&read);
    empty_folder();
}

/* --- all else --- */

TEST(refuses_many_rules, "rules")
{
    struct xnm_policyfiles read;

    write_lines("rules", "", "drop name n%u.example", 5000);
    assert_false(read_all(ONE_MIB, NULL, &read));
    assert_non_null(strstr(read_reports(), ":1: " TROUBLE "\n"));
    assert_null(read.policy);
    assert_false(read.no_memory);
    free_policyfiles(&read);
    assert_true(read_all("policy: @/rules\npolicy-memory: 8m\n", NULL, &read));
    expect_reports("");
    free_policyfiles(&read);
    empty_folder();
}

TEST(refuses_large_group, "a file of addresses")
{
    struct xnm_policyfiles read;

    write_in("rules", "group kids file=list\nrefuse name a.example client=kids\n");
    write_lines("list", "", "::%x", 40000);
    assert_false(read_all(ONE_MIB, NULL, &read));
    assert_non_null(strstr(read_reports(), "/rules:1:17: " TROUBLE "\n"));
    assert_null(read.policy);
    assert_false(read.no_memory);
    free_policyfiles(&read);
    empty_folder();
}

/* A list that just fits gives way to the rules behind it, which need room of their own. */
TEST(makes_room_for_rules, "rules after a list")
{
    struct xnm_policyfiles read;
    unsigned left_out = 0, taken = 0;

    write_lines("rules", "nxdomain zones list\n", "drop name r%u.example", 700);
    for (unsigned count = 200; count < 12000; count += 100) {
        write_lines("list", "", "n%u.example", count);
        if (!read_all(ONE_MIB, NULL, &read))
            fail_msg("%u lines: %s", count, read_reports());
        left_out += read.bad_lists == 1;
        taken += read.bad_lists == 0;
        assert_true(decides(read.policy, "r699.example"));
        assert_int_equal(decides(read.policy, "n1.example"), read.bad_lists == 0);
        assert_int_equal(read.sources.count, 2);
        if (read.bad_lists > 0)
            assert_non_null(
                strstr(read_reports(), "/list' " TROUBLE ": none of its entries is in force\n"));
        free_policyfiles(&read);
    }
    assert_true(left_out > 0 && taken > 0);
    empty_folder();
}

/* A list that grows leaves the lists after it what they held, whatever its size, and is the one
 * that gives way to rules. */
TEST(makes_room_for_lists, "lists after a list")
{
    static const char config[] = "policy: @/rules\npolicy-memory: 12m\n";
    struct xnm_policyfiles first, read;
    unsigned left_out = 0, taken = 0;

    write_lines("rules", "nxdomain zones list\ndrop names other\nlog lookalikes third\n",
                "refuse name r%u.example", 3000);
    write_lines("list", "", "n%u.example", 100);
    write_lines("other", "", "o%u.example", 40000);
    write_lines("third", "", "paypal%u.example", 20000);
    assert_true(read_all(config, NULL, &first));
    expect_reports("");
    for (unsigned count = 100000; count < 300000; count += 12000) {
        write_lines("list", "", "n%u.example", count);
        assert_true(read_all(config, first.policy, &read));
        left_out += read.bad_lists == 1;
        taken += read.bad_lists == 0;
        assert_in_range(read.bad_lists, 0, 1);
        assert_true(decides(read.policy, "n1.example"));
        assert_true(decides(read.policy, "o39999.example"));
        assert_true(decides(read.policy, "xn--pypal999-16g.example"));
        if (read.bad_lists > 0)
            assert_non_null(strstr(read_reports(), "/list' needs more than policy-memory, which is "
                                                   "12 MiB: what it held before stays"));
        free_policyfiles(&read);
    }
    assert_true(left_out > 0 && taken > 0);
    free_policyfiles(&first);
    empty_folder();
}

/* Beside a zone's names only the table of its owners takes memory; while it grows, there are not
 * two. */
TEST(bounds_peak, "the most that a zone takes")
{
    struct xnm_policyfiles read;

    write_in("rules", "rpz list\n");
    write_lines("list", ZONE, "n%u.example CNAME .", 263000);
    assert_true(read_all("policy: @/rules\npolicy-memory: 34m\n", NULL, &read));
    expect_reports("");
    assert_int_equal(xnm_policy_entry_count(read.policy), 263000);
    free_policyfiles(&read);
    empty_folder();
}

TEST_MAIN_OF_POLICYFILES
