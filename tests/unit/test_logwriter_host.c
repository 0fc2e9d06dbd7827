/* SPDX-License-Identifier: BSD-3-Clause */
/* The log writer with the host's log as its target: many threads, a busy one, a slow log. */
#include "tests/unit/vectors.h"

#include <pthread.h>
#include <stdatomic.h>

#include "module/log/logring.h"
#include "module/log/logwriter.h"
#include "tests/unit/waiting.h"

enum { SLOW_LINES = 10000, CLOSE_MAX_MS = SLOW_LINES / 2 };

static atomic_long host_pause_ns;
static atomic_uint_fast64_t host_lines;
static atomic_bool host_has_other; /* a line that begins with "1" */
static atomic_uint_fast64_t reported;
static char why[96]; /* of the last report, to be read when the writer is closed */

#define NO_BUFFER " log lines lost: a thread has no buffer: out of memory, or too many threads"
#define TOO_FAST " log lines lost: they came faster than they could be written"

/* Seconds that the wall clock reads too little, as if it were set forward right after it is read.
 */
static time_t wall_clock_lag;

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = __real_clock_gettime(clock, now);

    if (clock == CLOCK_REALTIME)
        now->tv_sec -= wall_clock_lag;
    return result;
}

static bool lacks_memory;

struct xnm_logring *__real_xnm_logring_new(size_t size);
struct xnm_logring *__wrap_xnm_logring_new(size_t size);

struct xnm_logring *__wrap_xnm_logring_new(size_t size)
{
    return lacks_memory ? NULL : __real_xnm_logring_new(size);
}

static void keep_host_line(void *arg, const char *line, size_t len)
{
    (void)arg;
    if (host_pause_ns)
        pause_ns(host_pause_ns);
    if (len > 0 && line[0] == '1')
        host_has_other = true;
    host_lines++;
}

static void keep_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                        const char *message)
{
    char *rest;

    (void)arg;
    assert_int_equal(severity, XNM_WARNING);
    assert_string_equal(place->file, "unbound");
    reported += strtoull(message, &rest, 10);
    snprintf(why, sizeof why, "%s", rest);
}

static struct xnm_logwriter *open_with(struct xnm_logwriter_options options)
{
    static const struct xnm_diagnostics diagnostics = {keep_report, NULL};

    options.host_log = (struct xnm_log_sink){.write = keep_host_line};
    options.diagnostics = &diagnostics;
    options.threads = true;
    struct xnm_logwriter *writer = xnm_logwriter_open(&options);

    host_lines = reported = 0;
    host_pause_ns = 0;
    host_has_other = false;
    assert_non_null(writer);
    return writer;
}

static struct xnm_logwriter *open_writer(void)
{
    return open_with((struct xnm_logwriter_options){0});
}

static void write_line(struct xnm_logwriter *writer, const char *text)
{
    char line[64];

    snprintf(line, sizeof line, "%s", text);
    xnm_logwriter_write(writer, line, strlen(line));
}

static uint64_t done_lines(struct xnm_logwriter *writer)
{
    struct xnm_logwriter_counts counts = xnm_logwriter_counts(writer);

    return counts.written + counts.lost;
}

/* --- */

enum { MANY_THREADS = 300 }; /* more than there are rings for */

static pthread_barrier_t all_have_written;

static void *run_once(void *arg)
{
    write_line(arg, "one");
    return NULL;
}

static void *run_with_others(void *arg)
{
    write_line(arg, "one");
    pthread_barrier_wait(&all_have_written);
    return NULL;
}

static struct xnm_logwriter_counts close_after_many(struct xnm_logwriter *writer)
{
    WAIT_A_WHILE_FOR(done_lines(writer) >= MANY_THREADS);
    struct xnm_logwriter_counts counts = xnm_logwriter_close(writer);
    assert_int_equal(counts.written + counts.lost, MANY_THREADS);
    assert_int_equal(counts.written, host_lines);
    assert_int_equal(counts.lost, reported);
    return counts;
}

/* At once: what those without a ring give is lost, and counted. */
TEST(counts_lines_of_many_threads, "more threads than there is room for")
{
    struct xnm_logwriter *writer = open_writer();
    pthread_t threads[MANY_THREADS];

    assert_int_equal(pthread_barrier_init(&all_have_written, NULL, MANY_THREADS), 0);
    for (int i = 0; i < MANY_THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_with_others, writer), 0);
    for (int i = 0; i < MANY_THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&all_have_written);
    assert_in_range(close_after_many(writer).written, 200, 299);
    assert_string_equal(why, NO_BUFFER);
}

/* One after another: each takes over the ring of the one before. */
TEST(takes_over_rings, "threads one after another")
{
    struct xnm_logwriter *writer = open_writer();
    pthread_t thread;

    for (int i = 0; i < MANY_THREADS; i++) {
        assert_int_equal(pthread_create(&thread, NULL, run_once, writer), 0);
        pthread_join(thread, NULL);
    }
    assert_int_equal(close_after_many(writer).lost, 0);
}

/* A ring for which there was no memory is asked for again. */
TEST(asks_for_a_ring_again, "no memory for a thread's lines")
{
    struct xnm_logwriter *writer = open_writer();

    lacks_memory = true;
    write_line(writer, "lost");
    write_line(writer, "lost");
    lacks_memory = false;
    write_line(writer, "one");
    write_line(writer, "two");
    struct xnm_logwriter_counts counts = xnm_logwriter_close(writer);
    assert_int_equal(counts.lost, 2);
    assert_int_equal(reported, 2);
    assert_string_equal(why, NO_BUFFER);
    assert_int_equal(counts.written, 2);
    assert_int_equal(host_lines, 2);
}

/* A ring holds as many octets of untaken lines as it was asked to. */
TEST(keeps_the_size_asked_for, "as much room as it was asked for")
{
    static const size_t sizes[] = {0, 64, 2 * XNM_LOGRING_SIZE};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i] > 0 ? sizes[i] : XNM_LOGRING_SIZE, fit = size / 16;
        struct xnm_logwriter *writer =
            open_with((struct xnm_logwriter_options){.later = true, .ring_size = sizes[i]});
        for (size_t line = 0; line < fit + 3; line++)
            write_line(writer, "sixteen octets.");
        assert_int_equal(xnm_logwriter_counts(writer).lost, 3);
        xnm_logwriter_start(writer);
        assert_int_equal(xnm_logwriter_close(writer).written, fit);
        assert_int_equal(host_lines, fit);
    }
}

static atomic_bool is_busy;

static void *run_busy(void *arg)
{
    while (is_busy)
        write_line(arg, "0 a line of a thread that does nothing else");
    return NULL;
}

/* One thread fills its ring all the time: another's line is written nevertheless, and what is lost
 * is reported. */
TEST(serves_all_threads, "a thread that is busy all the time")
{
    struct xnm_logwriter *writer = open_writer();
    pthread_t thread;

    host_pause_ns = 1000;
    is_busy = true;
    assert_int_equal(pthread_create(&thread, NULL, run_busy, writer), 0);
    WAIT_A_WHILE_FOR(xnm_logwriter_counts(writer).lost > 0);
    write_line(writer, "1");
    WAIT_A_WHILE_FOR(host_has_other && reported > 0);
    bool is_written = host_has_other, is_reported = reported > 0;
    host_pause_ns = 0;
    is_busy = false;
    pthread_join(thread, NULL);
    xnm_logwriter_close(writer);
    assert_true(is_written);
    assert_true(is_reported);
    assert_string_equal(why, TOO_FAST);
}

/* Closing waits a second, not for ten thousand lines of a millisecond each; what was not written is
 * said to be lost. */
TEST(closes_in_time, "a host's log that is slow")
{
    struct xnm_logwriter *writer = open_writer();

    host_pause_ns = 1000000;
    for (int i = 0; i < SLOW_LINES; i++)
        write_line(writer, "0");
    WAIT_A_WHILE_FOR(host_lines >= 100); /* the writer is in the middle of many */
    int64_t start = now_ms();
    struct xnm_logwriter_counts counts = xnm_logwriter_close(writer);
    assert_in_range(now_ms() - start, 0, CLOSE_MAX_MS);
    assert_int_equal(counts.written + counts.lost, SLOW_LINES);
    assert_int_equal(counts.written, host_lines);
    assert_int_equal(counts.lost, reported);
    assert_true(counts.lost > 0);
    assert_string_equal(why, TOO_FAST);
}

/* A wall clock that is set while it closes: the writer is waited for all the same. */
TEST(ignores_the_wall_clock, "a clock that is set while it closes")
{
    struct xnm_logwriter *writer = open_writer();

    host_pause_ns = 5000000;
    for (int i = 0; i < 10; i++)
        write_line(writer, "0");
    wall_clock_lag = 3600;
    struct xnm_logwriter_counts counts = xnm_logwriter_close(writer);
    wall_clock_lag = 0;
    assert_int_equal(counts.written, 10);
    assert_int_equal(counts.written, host_lines);
}

TEST_MAIN
