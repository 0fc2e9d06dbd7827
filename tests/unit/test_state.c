/* SPDX-License-Identifier: BSD-3-Clause */

#include <time.h>

#include "tests/unit/stateproc.h"
#include "tests/unit/waiting.h"

#define KEPT ": the configuration that was in force before stays in force\n"

/* --- the first time --- */

#define MISSING                                                                                    \
    "policy: NO RULES ARE IN FORCE: they could not be read, and the resolver runs without them\n"

TEST(reports_first_errors,
     "every error of the first configuration is reported, and is no reason to fail")
{
    static const char errors[] =
        "@/idn.conf:2:6: 'xml' is not a value of log: expected text, json or none\n"
        "@/idn.conf:3:1: 'log-too' is not a key of idn.conf: did you mean 'log-to'?\n"
        "@/idn.conf:4:9: log-to has no value: expected one after the ':'\n"
        "@/idn.conf:5:19: '0' is not a value of metrics-interval: expected seconds, 1 to "
        "86400\n";
    char expected[1024];

    write_conf("log: xml\nlog-too: a\nlog-to: \"\"\nmetrics-interval: 0\nrequired: yes\n");
    for (int i = 0; i < 2; i++) {
        assert_null(open_state());
        expect_reports(errors);
    }
    write_conf("log: xml\nlog-too: a\nlog-to: \"\"\nmetrics-interval: 0\npolicy: @/none\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    snprintf(expected, sizeof expected, "%s" MISSING, errors);
    expect_reports(expected);
    assert_false(xnm_state_wants_replies(opened)); /* nor does it log: the clients are unknown */
    xnm_state_close(opened);
    opened = open_state(); /* at a reload, too */
    snprintf(expected, sizeof expected, "%s@/idn.conf" KEPT MISSING, errors);
    expect_reports(expected);
    xnm_state_close(opened);
}

/* The log is tried again, and the metrics file of a broken idn.conf is still written. */
TEST(tries_the_log_again, "the first log target is a folder")
{
    write_conf("log-to: @/\nrequired: yes\n");
    assert_null(open_state());
    assert_non_null(strstr(reports, folder));
    assert_null(strstr(reports, "stays in force"));
    write_conf("log-to: @/log\n");
    assert_int_equal(mkdir(log_path, 0700), 0);
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    assert_non_null(strstr(reports, log_path));
    assert_int_equal(rmdir(log_path), 0);
    WAIT_FOR(access(log_path, F_OK) == 0);
    xnm_state_close(opened);
}

TEST(counts_a_bad_start, "an idn.conf that cannot be read shows in the metrics")
{
    write_conf("log: xml\nmetrics-file: @/idn.prom\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    assert_non_null(strstr(read_text(metrics_path), "\nunbound_idn_policy_in_force 0\n"));
    xnm_state_close(opened);
}

/* A configuration that failed does not count: the next one is the first. */
TEST(takes_the_next_as_first, "a good configuration after a refused one is the first")
{
    write_conf("log: xml\nrequired: yes\n");
    assert_null(open_state());
    write_conf("metrics-file: @/idn.prom\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    expect_reports("");
    xnm_state_close(opened);
    assert_int_equal(metric(RELOADS("good")), 0);
    assert_int_equal(metric(RELOADS("bad")), 0);
}

/* --- lines --- */

static struct logged {
    const char *name;
    const char *lines;    /* of the configuration */
    const char *expected; /* … of the log, for the names below */
    const char *host;
} loggeds[] = {
#define IDN_FIELDS " u=\"\\u{1F600}.a\" idn=restricted(1:emoji)\n"
    {"text to a file", "log-to: @/log\n",
     TIME COLUMNS("xn--e28h.a.") IDN_FIELDS TIME COLUMNS("a.") "\n", ""},
    {"text to the host's log, without a time", "", "",
     COLUMNS("xn--e28h.a.") IDN_FIELDS COLUMNS("a.") "\n"},
    {"no log", "log: none\nlog-to: @/log\n", "", ""},
};

TEST(writes_lines, "text lines as configured")
{
    for (int threads = 0; threads < 2; threads++) {
        for (size_t i = 0; i < COUNT(loggeds); i++) {
            const struct logged *row = &loggeds[i];
            print_message("%s\n", row->name);
            write_conf(row->lines);
            remove(log_path);
            host_lines[0] = '\0';
            struct xnm_state *opened = open_with(false, threads);
            assert_non_null(opened);
            expect_reports("");
            give_reply(opened, "xn--e28h.a");
            give_reply(opened, "a");
            xnm_state_close(opened);
            assert_string_equal(read_text(log_path), row->expected);
            assert_string_equal(host_lines, row->host);
        }
    }
    assert_int_equal(access(log_path, F_OK), -1); /* the last row makes none */
}

/* --- reloads --- */

/* The configuration that all of these begin with. `before` logs one line. */
#define FIRST "log-to: @/log\nlog-name: ascii\nmetrics-file: @/idn.prom\n"

static void open_first_and_close(void)
{
    write_conf(FIRST);
    struct xnm_state *before = open_state();
    assert_non_null(before);
    expect_reports("");
    give_reply(before, "before");
    xnm_state_close(before);
    assert_string_equal(read_text(log_path), TIME COLUMNS("before.") "\n");
}

TEST(remembers_the_last_good, "reload with a good file, then with a broken one")
{
    open_first_and_close();
    write_conf("log-to: @/other\nlog-names: idn\nmetrics-file: @/idn.prom\n");
    struct xnm_state *opened = open_state();
    expect_reports("");
    give_reply(opened, "a");
    give_reply(opened, "xn--0");
    xnm_state_close(opened);
    assert_string_equal(read_text(other_path), TIME COLUMNS("xn--0.") " idn=invalid(1:punycode)\n");
    assert_string_equal(read_text(log_path), TIME COLUMNS("before.") "\n");
    assert_int_equal(metric(RELOADS("good")), 1);
    assert_int_equal(metric(RELOADS("bad")), 0);
    assert_int_equal(metric("unbound_idn_names_total{status=\"invalid\"}"), 1);
    write_conf("log: xml");
    opened = open_state(); /* the second is the last good one now */
    assert_non_null(opened);
    give_reply(opened, "xn--");
    xnm_state_close(opened);
    assert_string_equal(read_text(log_path), TIME COLUMNS("before.") "\n");
    assert_non_null(strstr(read_text(other_path), COLUMNS("xn--.") " idn=invalid(1:ascii-only)\n"));
}

/* To nothing but defaults, where that is allowed: no error. */
TEST(reloads_to_defaults, "reload without the default file")
{
    open_first_and_close();
    remove(conf);
    struct xnm_state *opened = open_with(true, true);
    expect_reports("");
    give_reply(opened, "a");
    xnm_state_close(opened);
    assert_string_equal(host_lines, COLUMNS("a.") "\n");
}

/* A folder takes the place of the log, which is needed again: its lines are lost and counted. When
 * it is gone they are written, without a reload. */
TEST(counts_lines_without_a_log, "reload with a broken file while the old log target is gone")
{
    open_first_and_close();
    remove(log_path);
    assert_int_equal(mkdir(log_path, 0700), 0);
    write_conf("log: xml\n");
    for (unsigned i = 1; i <= 3; i++) {
        struct xnm_state *opened = open_state();
        assert_non_null(opened);
        assert_non_null(strstr(reports, KEPT));
        assert_non_null(strstr(reports, "/log: cannot log to it: Is a directory\n"));
        assert_true(xnm_state_wants_replies(opened));
        give_reply(opened, "xn--bcher-kva");
        xnm_state_close(opened);
        assert_int_equal(metric("unbound_idn_log_lines_total{result=\"lost\"}"), i);
    }
    assert_string_equal(host_lines, "");
    struct xnm_state *opened = open_state();
    remove(log_path);
    give_reply(opened, "xn--bcher-kva");
    xnm_state_close(opened);
    assert_string_equal(read_text(log_path), TIME COLUMNS("xn--bcher-kva.") "\n");
    assert_int_equal(metric(RELOADS("bad")), 4);
}

TEST(reloads_often, "50 reloads, every third with a broken file")
{
    unsigned good = 0, bad = 0;
    unsigned files = count_entries("/proc/self/fd"), tasks = 0;

    write_conf("log-to: @/log\nmetrics-file: @/idn.prom\n");
    for (unsigned i = 0; i <= 50; i++) {
        struct xnm_state *opened = open_state();
        assert_non_null(opened);
        if (i == 0) /* a sanitizer may have a thread of its own by now */
            tasks = count_entries("/proc/self/task");
        good += i > 0 && i % 3 != 1;
        bad += i % 3 == 1;
        for (unsigned j = 0; j < i; j++)
            give_reply(opened, "a");
        xnm_state_close(opened);
        assert_int_equal(metric(RELOADS("good")), good);
        assert_int_equal(metric(RELOADS("bad")), bad);
        assert_int_equal(metric(LINES("written")), i * (i + 1) / 2);
        assert_int_equal(metric("unbound_idn_replies_total{rcode=\"NOERROR\",transport=\"udp\"}"),
                         i * (i + 1) / 2);
        write_conf(i % 3 == 0 ? "log: xml" : "log-to: @/log\nmetrics-file: @/idn.prom\n");
    }
    assert_int_equal(count_entries("/proc/self/fd"), files);
    for (int i = 0; i < 60000 && count_entries("/proc/self/task") >= tasks; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* the kernel takes its time */
    assert_true(count_entries("/proc/self/task") < tasks); /* those of the open one are gone */
}

/* A caller must not pass a reply to a state that wants none, but such a reply does no harm. */
TEST(wants_no_replies, "neither log nor metrics")
{
    write_conf("log: none\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    expect_reports("");
    assert_false(xnm_state_wants_replies(opened));
    give_unwanted_reply(opened, "www");
    give_unwanted_reply(opened, "xn--bcher-kva");
    xnm_state_close(opened);
    xnm_state_close(NULL);
}

/* --- the metrics file --- */

#define REPLIES "unbound_idn_replies_total{rcode=\"NOERROR\",transport=\"udp\"}"
#define NAMES(status) "unbound_idn_names_total{status=\"" status "\"}"

/* Emoji that are shown are no finding. */
TEST(counts_emoji, "without a log; emoji that are shown")
{
    write_conf("log: none\nshow-emoji: yes\nmetrics-file: @/idn.prom\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    assert_true(xnm_state_wants_replies(opened));
    give_reply(opened, "xn--e28h");
    xnm_state_close(opened);
    assert_int_equal(metric(NAMES("ok")), 1);
    assert_int_equal(metric(LINES("written")), 0);
    assert_string_equal(host_lines, "");
}

/* A name with A-labels that a thread knows is logged and counted as the first time, with a log or
 * without. */
TEST(counts_known_names, "a name that is known")
{
    static const char *const confs[] = {"metrics-file: @/idn.prom\n",
                                        "log: none\nmetrics-file: @/idn.prom\n"};
    static const char line[] = COLUMNS("www.xn--bcher-kva.example.") " u=\"www.b\xC3\xBC"
                                                                     "cher.example\"\n";

    for (size_t i = 0; i < COUNT(confs); i++) {
        write_conf(confs[i]);
        struct xnm_state *opened = open_state();
        assert_non_null(opened);
        host_lines[0] = '\0';
        for (int time = 0; time < 3; time++)
            give_reply(opened, "www.xn--bcher-kva.example");
        give_reply(opened, "www.xn--bcher-kwa.example");
        xnm_state_close(opened);
        for (size_t time = 0; time < (i == 0 ? 3 : 0); time++)
            assert_memory_equal(host_lines + time * strlen(line), line, strlen(line));
        assert_int_equal(metric(NAMES("ok")), 3 * (i + 1));
        assert_int_equal(metric(NAMES("invalid")) + metric(NAMES("restricted")), i + 1);
    }
}

#define CANNOT "@/gone/idn.prom: metrics cannot be written: No such file or directory\n"

/* Reported once, and again if they were written in between. The log goes on. */
TEST(reports_metrics_trouble, "a folder that comes and goes")
{
    char gone[80], file[96];

    snprintf(gone, sizeof gone, "%s/gone", folder);
    snprintf(file, sizeof file, "%s/idn.prom", gone);
    write_conf("log-to: @/log\nmetrics-file: gone/idn.prom\nmetrics-interval: 1\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    give_reply(opened, "a");
    nanosleep(&(struct timespec){.tv_sec = 2}, NULL); /* some ticks, which report nothing */
    expect_reports(CANNOT);
    assert_int_equal(mkdir(gone, 0700), 0);
    WAIT_FOR(access(file, F_OK) == 0);
    for (int end = 0; !end; pause_ns(1000000)) {
        remove(file); /* a tick may have come in between */
        end = rmdir(gone) == 0;
    }
    WAIT_FOR(strlen(read_reports()) > strlen(folder) + sizeof CANNOT);
    xnm_state_close(opened);
    expect_reports(CANNOT CANNOT);
    assert_string_equal(read_text(log_path), TIME COLUMNS("a.") "\n");
}

TEST(works_without_threads, "without threads")
{
    write_conf("log-to: @/log\nmetrics-file: @/idn.prom\n");
    struct xnm_state *opened = open_with(false, false);
    assert_non_null(opened);
    expect_reports("@/idn.prom: metrics cannot be written: this Unbound was built without "
                   "threads\n");
    give_reply(opened, "a");
    xnm_state_close(opened);
    assert_int_equal(access(metrics_path, F_OK), -1);
    assert_int_equal(strlen(read_text(log_path)) > 0, 1);
}

/* A reload drops the metrics file: its counters go on all the same. */
TEST(keeps_counters, "off and on again")
{
    static const char *const confs[] = {"log-to: @/log\nmetrics-file: @/idn.prom\n",
                                        "log-to: @/log\n",
                                        "log-to: @/log\nmetrics-file: @/idn.prom\n"};

    for (size_t i = 0; i < COUNT(confs); i++) {
        write_conf(confs[i]);
        struct xnm_state *opened = open_state();
        assert_non_null(opened);
        give_reply(opened, "a");
        xnm_state_close(opened);
    }
    assert_int_equal(metric(LINES("written")), 3);
    assert_int_equal(metric(RELOADS("good")), 2);
    assert_int_equal(metric(REPLIES), 2); /* those of a state with metrics */
}

TEST_MAIN_IN_PROCESSES(NULL, NULL)
