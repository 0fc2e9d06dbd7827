/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdatomic.h>
#include <time.h>

#include "tests/unit/stateproc.h"
#include "tests/unit/waiting.h"

#define KEPT ": the configuration that was in force before stays in force\n"

/* --- the first time --- */

#define MISSING                                                                                    \
    "policy: NO RULES ARE IN FORCE: they could not be read, and the resolver runs without them\n"

TEST(test_first_with_errors,
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

TEST(test_first_without_file, "the first configuration is missing")
{
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    expect_reports("@/idn.conf: No such file or directory\n" MISSING);
    xnm_state_close(opened);
}

/* The log is tried again, and the metrics file of a broken idn.conf is still written. */
TEST(test_first_target_is_folder, "the first log target is a folder")
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

TEST(test_metric_of_missing, "an idn.conf that cannot be read shows in the metrics")
{
    write_conf("log: xml\nmetrics-file: @/idn.prom\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    assert_non_null(strstr(read_text(metrics_path), "\nunbound_idn_policy_in_force 0\n"));
    xnm_state_close(opened);
}

/* A configuration that failed does not count: the next one is the first. */
TEST(test_good_after_bad, "a good configuration after a refused one is the first")
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

TEST(test_missing_default, "the default file is missing")
{
    struct xnm_state *opened = open_with(true, true);

    assert_non_null(opened);
    expect_reports("");
    assert_true(xnm_state_wants_replies(opened));
    assert_true(xnm_state_memory(opened) > 0);
    give_reply(opened, "www.xn--bcher-kva.example");
    give_reply(opened, "");
    xnm_state_close(opened);
    assert_string_equal(host_lines,
                        COLUMNS("www.xn--bcher-kva.example.") " u=\"www.b\xC3\xBC"
                                                              "cher.example\"\n" COLUMNS(".") "\n");
}

TEST(test_bad_default, "the default file is bad")
{
    write_conf("log: xml\nrequired: yes\n");
    assert_null(open_with(true, true));
    expect_reports("@/idn.conf:2:6: 'xml' is not a value of log: expected text, json or none\n");
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
    {"names with A-labels alone", "log-to: @/log\nlog-names: idn\n",
     TIME COLUMNS("xn--e28h.a.") IDN_FIELDS, ""},
    {"emoji as they are", "log-to: @/log\nlog-names: idn\nshow-emoji: yes\n",
     TIME COLUMNS("xn--e28h.a.") " u=\"\xF0\x9F\x98\x80.a\"\n", ""},
    {"a relative path", "log-to: ./log\nlog-names: idn\nlog-name: ascii\n",
     TIME COLUMNS("xn--e28h.a.") " idn=restricted(1:emoji)\n", ""},
    {"no log", "log: none\nlog-to: @/log\n", "", ""},
};

TEST(test_logged, "text lines as configured")
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

static void expect_json_line(const char *text)
{
    static const char begin[] = "{\"@timestamp\":\"2026-11-20T21:56:03.000214Z\",\"ecs.version\":";

    assert_memory_equal(text, begin, sizeof begin - 1);
    assert_non_null(strstr(text, "\"dns.question.name_unicode\":\"b\\u00FCcher\""));
    assert_non_null(strstr(text, "\"idn.labels\":[{\"index\":1,"));
    assert_string_equal(text + strlen(text) - 2, "}\n");
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

TEST(test_json, "JSON lines")
{
    for (int threads = 0; threads < 2; threads++) {
        for (int host = 0; host < 2; host++) {
            write_conf(host ? "log: json\n" : "log: json\nlog-to: @/log\n");
            remove(log_path);
            host_lines[0] = '\0';
            struct xnm_state *opened = open_with(false, threads);
            assert_non_null(opened);
            give_reply(opened, "xn--bcher-kva");
            xnm_state_close(opened);
            expect_json_line(host ? host_lines : read_text(log_path));
        }
    }
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

/* Expects the state to act as if idn.conf were still the first one. */
static void expect_first_in_force(struct xnm_state *opened)
{
    assert_non_null(opened);
    assert_true(xnm_state_wants_replies(opened));
    give_reply(opened, "xn--bcher-kva");
    xnm_state_close(opened);
    assert_string_equal(read_text(log_path),
                        TIME COLUMNS("before.") "\n" TIME COLUMNS("xn--bcher-kva.") "\n");
    assert_string_equal(read_text(other_path), "");
    assert_int_equal(metric(RELOADS("bad")), 1);
    assert_int_equal(metric(RELOADS("good")), 0);
    assert_int_equal(metric(LINES("written")), 2);
}

TEST(test_reload_broken, "reload with a broken file")
{
    open_first_and_close();
    write_conf("log-to: @/other\nlog-name: both\nlog-client: nobody\nlog: json\n");
    struct xnm_state *opened = open_state();
    expect_reports("@/idn.conf:4:13: 'nobody' is not a value of log-client: expected full, prefix "
                   "or none\n@/idn.conf" KEPT);
    expect_first_in_force(opened);
}

TEST(test_reload_missing, "reload without the file")
{
    open_first_and_close();
    remove(conf);
    struct xnm_state *opened = open_state();
    expect_reports("@/idn.conf: No such file or directory\n@/idn.conf" KEPT);
    expect_first_in_force(opened);
}

TEST(test_reload_bad_target, "reload with a log target that cannot be opened")
{
    open_first_and_close();
    write_conf("log: json\nlog-to: @/\n");
    struct xnm_state *opened = open_state();
    assert_non_null(strstr(reports, KEPT));
    assert_ptr_equal(strstr(reports, KEPT) + strlen(KEPT), reports + strlen(reports));
    assert_memory_equal(reports, folder, strlen(folder));
    assert_int_equal(reports[strlen(folder)], '/');
    expect_first_in_force(opened);
}

TEST(test_reload_good, "reload with a good file, then with a broken one")
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
TEST(test_reload_missing_default, "reload without the default file")
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
TEST(test_both_gone, "reload with a broken file while the old log target is gone")
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

/* A caller must not pass a reply to a state that wants none, but such a reply does no harm. */
TEST(test_unwanted_reply, "a reply that nobody wants")
{
    write_conf("log: none\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    assert_false(xnm_state_wants_replies(opened));
    give_unwanted_reply(opened, "www");
    give_unwanted_reply(opened, "xn--bcher-kva");
    xnm_state_close(opened);
}

TEST(test_many_reloads, "50 reloads, every third with a broken file")
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

TEST(test_nothing_to_do, "neither log nor metrics")
{
    write_conf("log: none\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    expect_reports("");
    assert_false(xnm_state_wants_replies(opened));
    xnm_state_close(opened);
    xnm_state_close(NULL);
}

/* --- the metrics file --- */

#define REPLIES "unbound_idn_replies_total{rcode=\"NOERROR\",transport=\"udp\"}"
#define NAMES(status) "unbound_idn_names_total{status=\"" status "\"}"
#define CANNOT "@/gone/idn.prom: metrics cannot be written: No such file or directory\n"

enum { THREADS = 8, THREAD_REPLIES = 4000 };

/* There at once, renewed while it runs, and complete when it is closed. */
TEST(test_written, "written at once, at each interval and at the end")
{
    struct stat status;

    write_conf("log-to: @/log\nmetrics-file: @/idn.prom\nmetrics-interval: 1\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    assert_int_equal(stat(metrics_path, &status), 0);
    assert_int_equal(status.st_mode, S_IFREG | 0644);
    assert_int_equal(metric(REPLIES), 0);
    give_reply(opened, "a.xn--bcher-kva");
    give_reply(opened, "xn--e28h");
    WAIT_FOR(metric(REPLIES) == 2 && metric(LINES("written")) == 2);
    give_reply(opened, "xn--0.xn--e28h");
    give_reply(opened, "www");
    xnm_state_close(opened);
    expect_reports("");
    assert_int_equal(metric(REPLIES), 4);
    assert_int_equal(metric(NAMES("ok")), 1);
    assert_int_equal(metric(NAMES("restricted")), 1);
    assert_int_equal(metric(NAMES("invalid")), 1);
    assert_int_equal(metric(LINES("written")), 4);
    assert_int_equal(metric(LINES("lost")), 0);
}

/* Emoji that are shown are no finding. */
TEST(test_show_emoji, "without a log; emoji that are shown")
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

/* Replies are counted that the log does not want. */
TEST(test_unlogged, "replies that the log does not want")
{
    write_conf("log-to: @/log\nlog-names: idn\nmetrics-file: @/idn.prom\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    give_reply(opened, "www");
    give_reply(opened, "xn--bcher-kva");
    xnm_state_close(opened);
    assert_int_equal(metric(REPLIES), 2);
    assert_int_equal(metric(LINES("written")), 1);
}

/* Reported once, and again when it was good in between. The log goes on. */
TEST(test_unwritable, "a folder that comes and goes")
{
    static char gone[80], file[96];

    snprintf(gone, sizeof gone, "%s/gone", folder);
    snprintf(file, sizeof file, "%s/idn.prom", gone);
    write_conf("log-to: @/log\nmetrics-file: gone/idn.prom\nmetrics-interval: 1\n");
    struct xnm_state *opened = open_state();
    assert_non_null(opened);
    expect_reports(CANNOT);
    give_reply(opened, "a");
    nanosleep(&(struct timespec){.tv_sec = 2}, NULL); /* some ticks, which say nothing */
    expect_reports(CANNOT);
    assert_int_equal(mkdir(gone, 0700), 0);
    WAIT_FOR(access(file, F_OK) == 0);
    for (int end = 0; !end; pause_ns(1000000)) {
        remove(file); /* a tick may have come in between */
        end = rmdir(gone) == 0;
    }
    WAIT_FOR(strlen(read_reports()) > strlen(folder) + sizeof CANNOT);
    expect_reports(CANNOT CANNOT);
    xnm_state_close(opened);
    expect_reports(CANNOT CANNOT);
    assert_string_equal(read_text(log_path),
                        "2026-11-20T21:56:03.000214Z 192.0.2.7 a. A IN NOERROR 0.000000 0 -\n");
}

TEST(test_without_threads, "without threads")
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
TEST(test_off_and_on, "off and on again")
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

/* --- threads --- */

static struct xnm_state *common; /* all threads' */

static void *give_replies(void *arg)
{
    (void)arg;
    for (int i = 0; i < THREAD_REPLIES; i++)
        give_reply(common, i % 2 ? "xn--bcher-kva" : "www");
    return NULL;
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;

    for (; (text = strchr(text, '\n')); text++)
        lines++;
    return lines;
}

/* New threads after each reload, as in Unbound. Each reply is a line, or a lost one. */
TEST(test_threads, "8 threads, and 8 others after each reload")
{
    pthread_t threads[THREADS];
    unsigned lines = 0;

    write_conf("log-to: @/log\nmetrics-file: @/idn.prom\nmetrics-interval: 1\n");
    for (unsigned reload = 1; reload <= 4; reload++) {
        remove(log_path);
        common = open_state();
        assert_non_null(common);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, give_replies, NULL), 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        xnm_state_close(common);
        lines += count_lines(read_text(log_path));
        assert_int_equal(metric(REPLIES), reload * THREADS * THREAD_REPLIES);
        assert_int_equal(metric(NAMES("ok")), reload * THREADS * THREAD_REPLIES / 2);
        assert_int_equal(metric(LINES("written")), lines);
        assert_int_equal(metric(LINES("written")) + metric(LINES("lost")),
                         reload * THREADS * THREAD_REPLIES);
        write_conf(reload % 2 ? "log: xml\n"
                              : "log-to: @/log\nmetrics-file: @/idn.prom\nmetrics-interval: 1\n");
    }
}

TEST_MAIN_IN_PROCESSES(NULL, NULL)
