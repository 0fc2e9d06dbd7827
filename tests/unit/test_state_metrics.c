/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests what the metrics file says about a state's replies, lines and reloads. */
#include "tests/unit/stateproc.h"
#include "tests/unit/waiting.h"

#include <stdatomic.h>

#define REPLIES "unbound_idn_replies_total{rcode=\"NOERROR\",transport=\"udp\"}"
#define NAMES(status) "unbound_idn_names_total{status=\"" status "\"}"
#define CANNOT "@/gone/idn.prom: metrics cannot be written: No such file or directory\n"

enum { THREADS = 8, THREAD_REPLIES = 4000 };

/* There at once, renewed while it runs, and complete when it is closed. */
static void test_written(void **state)
{
    struct stat status;

    (void)state;
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
static void test_show_emoji(void **state)
{
    (void)state;
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
static void test_unlogged(void **state)
{
    (void)state;
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
static void test_unwritable(void **state)
{
    static char gone[80], file[96];

    (void)state;
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

static void test_without_threads(void **state)
{
    (void)state;
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
static void test_off_and_on(void **state)
{
    static const char *const confs[] = {"log-to: @/log\nmetrics-file: @/idn.prom\n",
                                        "log-to: @/log\n",
                                        "log-to: @/log\nmetrics-file: @/idn.prom\n"};

    (void)state;
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
static void test_threads(void **state)
{
    pthread_t threads[THREADS];
    unsigned lines = 0;

    (void)state;
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

int main(int argc, char **argv)
{
    static const struct CMUnitTest rows[] = {
        {"written at once, at each interval and at the end", test_written, NULL, NULL, NULL},
        {"without a log; emoji that are shown", test_show_emoji, NULL, NULL, NULL},
        {"replies that the log does not want", test_unlogged, NULL, NULL, NULL},
        {"a folder that comes and goes", test_unwritable, NULL, NULL, NULL},
        {"without threads", test_without_threads, NULL, NULL, NULL},
        {"off and on again", test_off_and_on, NULL, NULL, NULL},
        {"8 threads, and 8 others after each reload", test_threads, NULL, NULL, NULL},
    };

    return run_in_processes("state_metrics", rows, COUNT(rows), argc, argv);
}
