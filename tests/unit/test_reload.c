/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/reloadproc.h"

enum { SWAPS = 1000 };

#define LOG_ONLY RULES "policy-mode: log-only\n"

/* --- opening --- */

TEST(opens_without_policy, "no policy")
{
    assert_null(xnm_policyhandle_enter(handle, NULL));
    xnm_policyhandle_leave();
    xnm_reload_close(NULL);
    reopen("");
    expect_reports("");
    assert_int_equal(generation(), 0);
    assert_string_equal(host_lines, "");
}

TEST(refuses_first_error, "an error the first time")
{
    write_in("rules", "nxdomain nom a.example\n");
    for (unsigned i = 1; i < 3; i++) {
        assert_null(open_reload(RULES "required: yes\n"));
        assert_non_null(strstr(read_reports(), "/rules:1:"));
        assert_int_equal(xnm_policyhandle_counts(handle).failures, i);
    }
    assert_null(xnm_policyhandle_enter(handle, NULL));
    xnm_policyhandle_leave();
    write_in("rules", "nxdomain name a.example\n");
    reopen(RULES);
    expect_reports("");
    assert_true(refuses("a.example"));
    assert_int_equal(xnm_policyhandle_counts(handle).swaps, 1);
    assert_true(xnm_policyhandle_counts(handle).loaded_at > 0);
    expect_line("policy: 1 rule, ");
}

/* A process that ran without a policy lives on without one, be it required. */
TEST(goes_on_after_error, "an error after a time without a policy")
{
    reopen("");
    write_in("rules", "nxdomain nom a.example\n");
    reopen(RULES "required: yes\n");
    assert_non_null(strstr(read_reports(), "/rules:1:"));
    assert_int_equal(generation(), 0);
}

TEST(keeps_policy_at_error, "an error later")
{
    write_in("rules", "nxdomain name a.example\n");
    reopen(RULES);
    write_in("rules", "nxdomain nom b.example\n");
    for (unsigned i = 0; i < 2; i++) { /* each reload says so */
        reopen(RULES);
        assert_non_null(strstr(read_reports(), "/rules:1:"));
        assert_string_equal(host_lines, "");
        assert_true(refuses("a.example"));
        assert_int_equal(generation(), 1);
    }
    remove_in("rules");
    reopen(RULES);
    expect_reports("@/rules: No such file or directory\n"
                   "policy: the rules that were in force before stay in force\n");
    assert_true(refuses("a.example"));
    write_in("rules", "nxdomain name a.example\n");
    reopen(RULES);
    expect_reports("");
    assert_int_equal(generation(), 2);
}

/* --- the same or another --- */

static struct reopening {
    const char *name;
    const char *lines;
    bool rewrite;
    const char *refused, *not_refused;
} reopenings[] = {
    {"nothing has changed", RULES, false, "a.example", "b.example"},
    {"another key has", RULES "log: none\n", false, "a.example", "b.example"},
    {"the list was written again", RULES, true, "d.example", "c.example"},
    {"another TTL", RULES "policy-ttl: 61\n", false, "a.example", "b.example"},
    {"another file", "policy: @/more\n", false, "b.example", "a.example"},
    {"one file more", RULES "policy: @/more\n", false, "b.example", "d.example"},
    {"no file", "", false, NULL, NULL},
};

static void try_reopening(const struct reopening *row)
{
    print_message("%s\n", row->name);
    write_in("rules", "nxdomain name a.example\nnxdomain names list\n");
    write_in("more", "nxdomain name b.example\n");
    write_in("list", "c.example\n");
    reopen(RULES);
    uint64_t before = generation();
    if (row->rewrite)
        write_in("list", "d.example\n");
    reopen(row->lines);
    expect_reports("");
    assert_int_not_equal(generation(), before);
    assert_string_not_equal(host_lines, "");
    assert_true(!row->refused || refuses(row->refused));
    assert_false(row->not_refused && refuses(row->not_refused));
}

TEST(takes_other_files, "the same and other files and keys")
{
    for (size_t i = 0; i < sizeof reopenings / sizeof *reopenings; i++)
        try_reopening(&reopenings[i]);
    assert_null(xnm_policyhandle_enter(handle, NULL));
    xnm_policyhandle_leave();
    expect_line("policy: none in force any more\n");
    assert_int_equal(xnm_policyhandle_counts(handle).loaded_at, 0);
}

/* --- the mode --- */

/* The new mode holds for the policy that stays where the new rules are broken. */
TEST(reports_mode_beside_error, "policy-mode beside broken rules")
{
    write_in("rules", "nxdomain name a.example\n");
    reopen(RULES);
    write_in("rules", "nxdomain nom a.example\n");
    reopen(LOG_ONLY);
    assert_string_equal(host_lines, "idn: policy: unchanged; log-only\n");
    assert_non_null(strstr(read_reports(), "/rules:1:"));
}

/* --- readers --- */

static atomic_bool readers_stop;
static atomic_uint readings, wrong;

/* Each policy refuses exactly one of the two names, and one of the two that are in a list; a list
 * that stays the same is in all of them. */
static void *read_policies(void *arg)
{
    uint64_t last = 0;

    (void)arg;
    while (!readers_stop) {
        uint64_t now;
        const struct xnm_policy *policy = xnm_policyhandle_enter(handle, &now);
        xnm_policyhandle_enter(handle, NULL);
        if (decides(policy, "a.example") == decides(policy, "b.example") ||
            decides(policy, "a.turns.example") == decides(policy, "b.turns.example") ||
            !decides(policy, "stays.example") || now < last)
            wrong++;
        xnm_policyhandle_leave();
        xnm_policyhandle_leave();
        last = now;
        if (++readings % 16 == 0)
            pause_ns(10000); /* the swaps need a processor, too */
    }
    return NULL;
}

/* Each third swap replaces a list, too. */
static void write_swap(int number)
{
    static const char lists[] = "nxdomain zones turns\nnxdomain zones stays\n";
    char rules[128];

    snprintf(rules, sizeof rules, "nxdomain name %c.example\n%s", number % 2 ? 'a' : 'b', lists);
    write_in("rules", rules);
    if (number % 3 == 0)
        write_in("turns", number % 2 ? "a.turns.example\n" : "b.turns.example\n");
}

TEST(test_readers, "readers during 1,000 swaps")
{
    enum { READERS = 3 };
    pthread_t readers[READERS];

    write_in("stays", "stays.example\n");
    write_swap(0);
    reopen(RULES);
    for (int i = 0; i < READERS; i++)
        assert_int_equal(pthread_create(&readers[i], NULL, read_policies, NULL), 0);
    for (int i = 0; i < SWAPS; i++) {
        unsigned before = readings;
        write_swap(i);
        reopen(RULES);
        WAIT_FOR(readings > before);
    }
    readers_stop = true;
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    assert_int_equal(wrong, 0);
    assert_int_equal(generation(), SWAPS + 1);
    assert_int_equal(xnm_policyhandle_counts(handle).swaps, SWAPS + 1);
}

/* A thread that ends while it is known to liburcu. */
TEST(survives_end_of_readers, "readers that end")
{
    write_in("rules", "nxdomain name a.example\n");
    reopen(RULES);
    readers_stop = true;
    for (int i = 0; i < 20; i++) {
        pthread_t reader;
        readers_stop = false;
        unsigned before = readings;
        assert_int_equal(pthread_create(&reader, NULL, read_policies, NULL), 0);
        WAIT_FOR(readings > before);
        readers_stop = true;
        pthread_join(reader, NULL);
        write_in("rules", "nxdomain name a.example\n");
        reopen(RULES);
    }
    assert_int_equal(generation(), 21);
}

/* After a reload of Unbound threads live on, and so do their caches. */
TEST(never_repeats_generation, "no two policies of a process have the same generation")
{
    write_in("rules", "nxdomain name a.example\n");
    reopen(RULES);
    uint64_t before = generation();
    xnm_policyhandle_free(handle);
    handle = xnm_policyhandle_new();
    assert_non_null(handle);
    reopen(RULES);
    assert_true(generation() > before);
}

TEST_MAIN_IN_PROCESSES(set_up, tear_down)
