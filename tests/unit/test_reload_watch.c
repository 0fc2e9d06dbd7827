/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/reloadproc.h"

#include "module/file/sources.h"

/* --- files --- */

/* idn.conf(5) promises: a file rests after a second without a write, the watcher waits ten seconds
 * for that, and reads a change a quarter of a second later at most. */
TEST(looks_often, "how often it looks")
{
    assert_int_equal(XNM_RELOAD_LOOK_MS * XNM_SOURCES_SAME_LOOKS, 1000);
    assert_int_equal(XNM_RELOAD_LOOK_MS * XNM_SOURCES_BUSY_LOOKS, 10000);
    assert_in_range(XNM_RELOAD_LOOK_MS, 1, 250);
}

TEST(reads_changed_file, "a file is written while it is watched")
{
    write_in("rules", "nxdomain name a.example\n");
    struct xnm_reload *reload = open_watcher(RULES);
    wait_for_looks();
    assert_int_equal(generation(), 1);
    write_in("rules", "nxdomain name b.example\n");
    WAIT_FOR(refuses("b.example"));
    assert_false(refuses("a.example"));
    wait_for_looks();
    assert_int_equal(generation(), 2);
    xnm_reload_close(reload);
    assert_true(refuses("b.example")); /* and goes on */
    reopen(RULES);
    assert_true(refuses("b.example"));
}

TEST(reports_broken_file_once, "a broken file is reported once")
{
    write_in("rules", "nxdomain name a.example\n");
    struct xnm_reload *reload = open_watcher(RULES);
    for (unsigned i = 1; i < 4; i++) {
        forget_reports();
        write_in("rules", "nxdomain nom b.example\n");
        WAIT_FOR(xnm_policyhandle_counts(handle).failures == i);
        wait_for_looks(); /* once for each change, not for each look */
        assert_int_equal(xnm_policyhandle_counts(handle).failures, i);
        assert_non_null(strstr(read_reports(), "/rules:1:"));
        assert_null(strstr(strchr(read_reports(), '\n') + 1, "/rules:1:"));
        assert_true(refuses("a.example"));
    }
    forget_reports();
    remove_in("rules");
    WAIT_FOR(xnm_policyhandle_counts(handle).failures == 4);
    wait_for_looks();
    expect_reports("@/rules: No such file or directory\n"
                   "policy: the rules that were in force before stay in force\n");
    write_in("rules", "nxdomain name b.example\n");
    WAIT_FOR(refuses("b.example"));
    xnm_reload_close(reload);
}

TEST(reads_changed_list, "a list appears, vanishes, is emptied, its link is switched")
{
    write_in("rules", "nxdomain name a.example\nnxdomain names link\n");
    struct xnm_reload *reload = open_watcher(RULES);
    assert_int_equal(xnm_policyhandle_counts(handle).bad_lists, 1);
    write_in("list", "b.example\n");
    assert_int_equal(symlink("list", path_in("link")), 0);
    WAIT_FOR(refuses("b.example"));
    WAIT_FOR(xnm_policyhandle_counts(handle).bad_lists == 0); /* which is counted after the swap */
    remove_in("list");
    WAIT_FOR(xnm_policyhandle_counts(handle).bad_lists == 1);
    assert_true(refuses("b.example"));
    write_in("list", "");
    uint64_t before = generation();
    WAIT_FOR(generation() != before);
    assert_true(refuses("b.example"));
    write_in("other", "c.example\n");
    assert_int_equal(symlink("other", path_in(".new")), 0);
    assert_int_equal(rename(path_in(".new"), path_in("link")), 0);
    WAIT_FOR(refuses("c.example"));
    assert_false(refuses("b.example"));
    xnm_reload_close(reload);
}

/* --- files that do not come to rest --- */

/* Writes to a file at each look, so that it never rests: a thread of the test's. */
static struct {
    pthread_t thread;
    atomic_bool stop;
    char path[512];
    atomic_uint writes;
} writer;

static void *write_on(void *arg)
{
    (void)arg;
    while (!writer.stop) {
        FILE *stream = fopen(writer.path, "a");
        fprintf(stream, "# n%u\n", writer.writes++);
        fclose(stream);
        pause_ns(LOOK_MS * 1000000L); /* about once between two looks */
    }
    return NULL;
}

static void start_writing(const char *file)
{
    snprintf(writer.path, sizeof writer.path, "%s", path_in(file));
    writer.stop = false;
    assert_int_equal(pthread_create(&writer.thread, NULL, write_on, NULL), 0);
}

static void stop_writing(void)
{
    writer.stop = true;
    pthread_join(writer.thread, NULL);
}

/* A list that is written to on and on puts off no rule; what it has comes in time. */
TEST(reads_busy_list, "a list is written to on and on")
{
    write_in("rules", "nxdomain names list\n");
    write_in("list", "a.example\n");
    struct xnm_reload *reload = open_watcher(RULES);
    write_in("list", "a.example\nb.example\n");
    start_writing("list");
    WAIT_FOR(writer.writes > 2);
    write_in("rules", "nxdomain names list\nnxdomain name c.example\n");
    WAIT_FOR(refuses("c.example"));
    assert_true(refuses("a.example"));
    WAIT_FOR(refuses("b.example"));
    assert_true(writer.writes >= XNM_SOURCES_BUSY_LOOKS / 2);
    uint64_t before = generation();
    WAIT_FOR(generation() > before + 1); /* again and again */
    expect_reports("");
    assert_int_equal(xnm_policyhandle_counts(handle).bad_lists, 0);
    stop_writing();
    xnm_reload_close(reload);
}

/* A rule file that does not rest holds the others up, for so long and no longer. */
TEST(reads_busy_rules, "a rule file is written to on and on")
{
    write_in("rules", "nxdomain names list\n");
    write_in("more", "nxdomain name b.example\n");
    write_in("list", "a.example\n");
    struct xnm_reload *reload = open_watcher(RULES "policy: @/more\n");
    start_writing("more");
    WAIT_FOR(writer.writes > 2);
    write_in("list", "c.example\n");
    WAIT_FOR(refuses("c.example"));
    assert_true(refuses("b.example"));
    expect_reports("");
    stop_writing();
    xnm_reload_close(reload);
}

/* The watcher notices changes before it started and changes during a reading. */
TEST(reads_file_changed_before, "a file was written before the watcher started")
{
    write_in("rules", "nxdomain name a.example\n");
    xnm_reload_close(open_watcher(RULES));
    write_in("rules", "nxdomain name b.example\n");
    struct xnm_reload *reload = open_watcher(RULES);
    assert_true(refuses("b.example"));
    assert_int_equal(generation(), 2);
    xnm_reload_close(reload);
}

static struct idle {
    const char *rules, *lines;
    bool threads, watched;
} idles[] = {
    {"nxdomain name a.example\n", RULES, true, true},
    {"nxdomain name a.example\n", RULES "watch: no\n", true, false},
    {"nxdomain name a.example\n", RULES, false, false},
    {"nxdomain name a.example\n", RULES "watch: no\npolicy-mode: log-only\n", true, false},
    {"log name a.example tag=x\n", RULES "watch: no\n", true, false},
    {"log name a.example tag=x\n", RULES, true, true},
    {"nxdomain name a.example\n", "", true, false},
};

TEST(starts_thread_for_work, "a thread only if it has work")
{
    write_in("rules", idles[0].rules);
    struct xnm_reload *first = open_watcher(RULES); /* a sanitizer has a thread of its own by now */
    unsigned before = count_entries("/proc/self/task") - 1;
    xnm_reload_close(first);
    for (size_t i = 0; i < sizeof idles / sizeof *idles; i++) {
        print_message("row %zu\n", i);
        write_in("rules", idles[i].rules);
        WAIT_FOR(count_entries("/proc/self/task") == before); /* the kernel takes its time */
        struct xnm_reload *reload = open_with_threads(idles[i].lines, idles[i].threads);
        assert_non_null(reload);
        assert_int_equal(count_entries("/proc/self/task"), before + idles[i].watched);
        xnm_reload_close(reload);
    }
}

/* --- opening behind --- */

static struct xnm_reload *open_behind(const char *lines)
{
    configure(lines);
    struct xnm_reload *reload =
        xnm_reload_open(&(struct xnm_reload_options){.handle = handle,
                                                     .config = &config,
                                                     .unicode = unicode,
                                                     .diagnostics = &error_reporter,
                                                     .log = {keep_host_line, NULL},
                                                     .threads = true,
                                                     .behind = true,
                                                     .look_ms = LOOK_MS});
    assert_non_null(reload);
    return reload;
}

/* The watcher reads, even if there is nothing to watch; the first time the caller reads. */
TEST(opens_behind, "the watcher reads at opening")
{
    write_in("rules", "nxdomain name a.example\n");
    struct xnm_reload *reload = open_behind(RULES "watch: no\n");
    assert_true(refuses("a.example"));
    xnm_reload_close(reload);
    write_in("rules", "nxdomain name bb.example\n");
    reload = open_behind(RULES "watch: no\n");
    WAIT_FOR(refuses("bb.example"));
    xnm_reload_close(reload);
    expect_line("idn: policy: 1 rule, ");
    forget_reports();
    write_in("rules", "nxdomain nom c.example\n");
    reload = open_behind(RULES);
    WAIT_FOR(xnm_policyhandle_counts(handle).failures == 1);
    assert_true(refuses("bb.example"));
    write_in("rules", "nxdomain name ddd.example\n");
    WAIT_FOR(refuses("ddd.example"));
    xnm_reload_close(reload);
    reload = open_behind("policy-ttl: 60\n");
    assert_false(refuses("ddd.example")); /* nothing to read: at once */
    xnm_reload_close(reload);
}

/* The handle is closed before the watcher has read: the next call that opens one reads. */
TEST(stops_before_reading, "… and is stopped before")
{
    write_in("rules", "nxdomain name a.example\n");
    xnm_reload_close(open_behind(RULES));
    for (size_t i = 0; i < 200; i++) {
        bool odd = i % 2;
        write_in("rules", odd ? "nxdomain name a.example\n" : "nxdomain name bb.example\n");
        xnm_reload_close(open_behind(RULES));
        reopen(RULES);
        assert_true(refuses(odd ? "a.example" : "bb.example"));
    }
}

TEST_MAIN_IN_PROCESSES(set_up, tear_down)
