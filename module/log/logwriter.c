/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/logwriter.h"

#include "module/base/thread.h"
#include "module/log/logring.h"
#include "module/log/logtarget.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    VISIT_MS = 5,      /* between two visits of the rings; a busy thread fills one in 10 ms */
    UNLOAD_MS = 1000,  /* at closing: for lines that the target has not taken */
    REPORT_MS = 60000, /* between two reports of lost lines, or of waiting ones */
    WAIT_MS = 5000,    /* before waiting lines are reported */
    MINE_MAX = 4,      /* writers for which one thread logs in turn */
    RINGS_MAX = 256,   /* threads that log */
    OUTPUT_SIZE = 1 << 16
};

struct xnm_logwriter {
    struct xnm_logwriter_options options;
    const char *name;             /* of the target, for reports */
    struct xnm_logtarget *target; /* NULL: the host's log */
    uint64_t generation;          /* distinguishes this writer's rings from an earlier one's */

    pthread_mutex_t lock; /* held to add a ring or to write directly */
    struct xnm_logring *rings[RINGS_MAX];
    const void *owners[RINGS_MAX]; /* each ring's: the address of its thread's `mine` */
    atomic_size_t ring_count;
    atomic_uint_fast64_t written;
    atomic_uint_fast64_t lost_elsewhere; /* not counted by a ring */
    atomic_uint_fast64_t lost_ringless;  /* by threads that have no ring */

    pthread_t thread;
    bool has_thread;
    struct xnm_stop stop;
    atomic_int_fast64_t deadline_ms; /* when a stopping writer gives up; 0: not stopping */
    struct xnm_logring *stuck; /* the ring whose line the target has taken in part; NULL: none */
    char *output;              /* for lines that wrap around a ring's end */
    uint64_t reported, reported_ringless; /* lost lines that were reported */
    int64_t next_report_ms;
    uint64_t written_before; /* when lines began to wait */
    int64_t waiting_since_ms, next_waiting_ms;
};

/* This thread's rings, one for each writer: after a reload the writer is another one. */
static _Thread_local struct {
    struct {
        uint64_t generation;
        struct xnm_logring *ring;
    } of_writers[MINE_MAX];
    unsigned next; /* the oldest */
} mine;

static atomic_uint_fast64_t generations;

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void count(atomic_uint_fast64_t *counter, uint64_t lines)
{
    atomic_fetch_add_explicit(counter, lines, memory_order_relaxed);
}

static uint64_t count_lines(const char *text, size_t len)
{
    uint64_t lines = 0;

    for (const char *end = text + len; (text = memchr(text, '\n', (size_t)(end - text))); text++)
        lines++;
    return lines;
}

/* --- lost lines --- */

struct xnm_logwriter_counts xnm_logwriter_counts(struct xnm_logwriter *writer)
{
    struct xnm_logwriter_counts counts = {.written = atomic_load(&writer->written),
                                          .lost = atomic_load(&writer->lost_elsewhere) +
                                                  atomic_load(&writer->lost_ringless)};
    size_t rings = atomic_load(&writer->ring_count);

    for (size_t i = 0; i < rings; i++)
        counts.lost += xnm_logring_lost(writer->rings[i]);
    return counts;
}

/* If the target's last write failed, that explains all losses. */
static const char *why_lost(const struct xnm_logwriter *writer, bool ringless)
{
    const char *trouble = writer->target ? xnm_logtarget_trouble(writer->target) : "";

    if (trouble[0])
        return trouble;
    return ringless ? "a thread has no buffer: out of memory, or too many threads"
                    : "they came faster than they could be written";
}

/* Reports at once when lines are lost, then once a minute. */
static void report_lost(struct xnm_logwriter *writer)
{
    uint64_t ringless = atomic_load(&writer->lost_ringless);
    uint64_t lost = xnm_logwriter_counts(writer).lost;
    struct xnm_place place = {.file = writer->name};

    if (lost == writer->reported)
        return;
    xnm_diagnostics_add(writer->options.diagnostics, XNM_WARNING, &place, "%llu log lines lost: %s",
                        (unsigned long long)(lost - writer->reported),
                        why_lost(writer, ringless > writer->reported_ringless));
    writer->reported = lost;
    writer->reported_ringless = ringless;
    writer->next_report_ms = now_ms() + REPORT_MS;
}

static void report_lost_in_time(struct xnm_logwriter *writer)
{
    if (now_ms() >= writer->next_report_ms)
        report_lost(writer);
}

/* Reports that the target has taken nothing for a while. Until a thread's ring is full, no line is
 * lost. */
static void report_waiting(struct xnm_logwriter *writer)
{
    uint64_t written = atomic_load_explicit(&writer->written, memory_order_relaxed);
    struct xnm_place place = {.file = writer->name};
    int64_t now = now_ms();

    if (writer->waiting_since_ms == 0 || written != writer->written_before) {
        writer->waiting_since_ms = now;
        writer->written_before = written;
    } else if (now >= writer->waiting_since_ms + WAIT_MS && now >= writer->next_waiting_ms) {
        xnm_diagnostics_add(writer->options.diagnostics, XNM_WARNING, &place,
                            "log lines wait in memory: %s", why_lost(writer, false));
        writer->next_waiting_ms = now + REPORT_MS;
    }
}

/* --- logging lines --- */

/* A thread that has ended leaves its ring to the next whose `mine` is at the same address. NULL: no
 * memory, or there are too many threads. */
static struct xnm_logring *find_or_add_ring(struct xnm_logwriter *writer)
{
    size_t number = 0, count = atomic_load(&writer->ring_count);

    while (number < count && writer->owners[number] != &mine)
        number++;
    if (number == RINGS_MAX)
        return NULL;
    if (number == count) {
        size_t size = writer->options.ring_size;
        writer->rings[number] = xnm_logring_new(size > 0 ? size : XNM_LOGRING_SIZE);
        if (!writer->rings[number])
            return NULL;
        writer->owners[number] = &mine;
        atomic_store(&writer->ring_count, number + 1);
    }
    return writer->rings[number];
}

/* Called once for each thread and writer, or more often by a thread that logs for more than
 * MINE_MAX. Without memory the next line tries again. */
__attribute__((noinline)) static struct xnm_logring *get_ring(struct xnm_logwriter *writer)
{
    pthread_mutex_lock(&writer->lock);
    struct xnm_logring *ring = find_or_add_ring(writer);
    bool is_full = atomic_load(&writer->ring_count) == RINGS_MAX;
    pthread_mutex_unlock(&writer->lock);
    if (!ring && !is_full)
        return NULL;
    mine.of_writers[mine.next].generation = writer->generation;
    mine.of_writers[mine.next].ring = ring;
    mine.next = (mine.next + 1) % MINE_MAX;
    return ring;
}

static struct xnm_logring *my_ring(struct xnm_logwriter *writer)
{
    for (size_t i = 0; i < MINE_MAX; i++)
        if (mine.of_writers[i].generation == writer->generation)
            return mine.of_writers[i].ring;
    return get_ring(writer);
}

/* Without a thread, a line is written at once or lost. */
__attribute__((noinline)) static void write_directly(struct xnm_logwriter *writer, char *line,
                                                     size_t len)
{
    if (!writer->target) {
        writer->options.host_log.write(writer->options.host_log.arg, line, len);
        count(&writer->written, 1);
        return;
    }
    line[len] = '\n';
    pthread_mutex_lock(&writer->lock);
    xnm_logtarget_follow(writer->target, writer->options.diagnostics);
    bool taken = xnm_logtarget_write(writer->target, line, len + 1) == len + 1;
    count(taken ? &writer->written : &writer->lost_elsewhere, 1);
    if (!taken)
        report_lost_in_time(writer);
    pthread_mutex_unlock(&writer->lock);
}

void xnm_logwriter_write(struct xnm_logwriter *writer, char *line, size_t len)
{
    if (!writer->options.threads) {
        write_directly(writer, line, len);
        return;
    }
    struct xnm_logring *ring = my_ring(writer);
    line[len] = '\n';
    if (ring)
        xnm_logring_put(ring, line, len + 1);
    else
        count(&writer->lost_ringless, 1);
}

bool xnm_logwriter_needs_time(const struct xnm_logwriter *writer)
{
    return writer->target || writer->options.host_log.adds_no_time;
}

size_t xnm_logwriter_line_max(const struct xnm_logwriter *writer)
{
    return writer->target ? xnm_logtarget_line_max(writer->target) : XNM_LOGWRITER_HOST_LINE_MAX;
}

/* --- the writer --- */

/* Called between lines, too: the host's log may take long for each. */
static bool is_late(const struct xnm_logwriter *writer)
{
    int64_t deadline_ms = atomic_load_explicit(&writer->deadline_ms, memory_order_relaxed);

    return deadline_ms > 0 && now_ms() >= deadline_ms;
}

/* Writes lines until the deadline. Returns the octets of those written. */
static size_t write_to_host(struct xnm_logwriter *writer, const char *lines, size_t len)
{
    const struct xnm_log_sink *log = &writer->options.host_log;
    const char *at = lines;

    while (at < lines + len && !is_late(writer)) {
        const char *newline = memchr(at, '\n', (size_t)(lines + len - at));
        log->write(log->arg, at, (size_t)(newline - at));
        at = newline + 1;
    }
    return (size_t)(at - lines);
}

typedef enum { NOTHING_TO_DO, SOMETHING_DONE, STUCK } visit_result;

/* Gives the target lines of a ring; the ring keeps what it does not take. */
static visit_result write_lines(struct xnm_logwriter *writer, struct xnm_logring *ring)
{
    const char *lines;
    size_t len = xnm_logring_look(ring, writer->output, OUTPUT_SIZE, &lines), taken;

    if (len == 0)
        return NOTHING_TO_DO;
    taken = writer->target ? xnm_logtarget_write(writer->target, lines, len)
                           : write_to_host(writer, lines, len);
    count(&writer->written, count_lines(lines, taken));
    xnm_logring_drop(ring, taken);
    return taken == len ? SOMETHING_DONE : STUCK;
}

/* Gives the target the lines of each ring, up to the size of the output buffer; first the rest of a
 * line that it has taken in part. */
static visit_result visit(struct xnm_logwriter *writer)
{
    visit_result result = NOTHING_TO_DO;
    size_t rings = atomic_load(&writer->ring_count);

    if (writer->target)
        xnm_logtarget_follow(writer->target, writer->options.diagnostics);
    if (writer->stuck && write_lines(writer, writer->stuck) == STUCK)
        return STUCK;
    writer->stuck = NULL;
    for (size_t i = 0; i < rings; i++) {
        visit_result one = write_lines(writer, writer->rings[i]);
        if (one == STUCK) {
            writer->stuck = writer->rings[i];
            return STUCK;
        }
        if (one == SOMETHING_DONE)
            result = SOMETHING_DONE;
    }
    return result;
}

static void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Gives up at the deadline: the remaining lines were never written, so they are counted and
 * reported as lost. */
static void give_up(struct xnm_logwriter *writer)
{
    size_t rings = atomic_load(&writer->ring_count);

    for (size_t i = 0; i < rings; i++) {
        const char *lines;
        size_t len;
        while ((len = xnm_logring_look(writer->rings[i], writer->output, OUTPUT_SIZE, &lines)) >
               0) {
            count(&writer->lost_elsewhere, count_lines(lines, len));
            xnm_logring_drop(writer->rings[i], len);
        }
    }
}

static void write_last(struct xnm_logwriter *writer)
{
    for (;;) {
        visit_result result = visit(writer);

        if (result == NOTHING_TO_DO || is_late(writer))
            break;
        if (result == STUCK)
            sleep_ms(VISIT_MS);
    }
    give_up(writer);
    report_lost(writer);
}

static void *run_writer(void *arg)
{
    struct xnm_logwriter *writer = arg;

    while (!xnm_stop_is_set(&writer->stop.is_set)) {
        visit_result result = visit(writer);
        if (result == STUCK)
            report_waiting(writer);
        else
            writer->waiting_since_ms = 0;
        if (result != SOMETHING_DONE)
            sleep_ms(VISIT_MS);
        report_lost_in_time(writer);
    }
    write_last(writer);
    return NULL;
}

/* --- opening and closing --- */

static void free_writer(struct xnm_logwriter *writer)
{
    for (size_t i = 0; i < atomic_load(&writer->ring_count); i++)
        xnm_logring_free(writer->rings[i]);
    xnm_logtarget_close(writer->target);
    xnm_stop_free(&writer->stop);
    pthread_mutex_destroy(&writer->lock);
    free(writer->output);
    free(writer);
}

static struct xnm_logwriter *new_writer(const struct xnm_logwriter_options *options)
{
    struct xnm_logwriter *writer = calloc(1, sizeof *writer);

    if (!writer || !xnm_stop_init(&writer->stop)) {
        free(writer);
        return NULL;
    }
    if (pthread_mutex_init(&writer->lock, NULL) != 0) {
        xnm_stop_free(&writer->stop);
        free(writer);
        return NULL;
    }
    writer->options = *options;
    writer->generation = atomic_fetch_add(&generations, 1) + 1;
    writer->name = options->target ? options->target : "unbound";
    writer->output = malloc(OUTPUT_SIZE);
    if (!writer->output) {
        free_writer(writer);
        return NULL;
    }
    return writer;
}

static bool start_thread(struct xnm_logwriter *writer)
{
    struct xnm_place place = {.file = writer->name};

    writer->has_thread = xnm_thread_start(&writer->thread, run_writer, writer);
    if (!writer->has_thread)
        xnm_diagnostics_add(writer->options.diagnostics, XNM_ERROR, &place,
                            "cannot log to it: its thread cannot be started");
    return writer->has_thread;
}

struct xnm_logwriter *xnm_logwriter_open(const struct xnm_logwriter_options *options)
{
    struct xnm_place place = {.file = options->target ? options->target : "unbound"};
    struct xnm_logwriter *writer = new_writer(options);

    if (!writer) {
        xnm_diagnostics_add(options->diagnostics, XNM_ERROR, &place,
                            "cannot log to it: out of memory");
        return NULL;
    }
    if (options->target) {
        writer->target =
            xnm_logtarget_open(options->target, options->target_needed, options->diagnostics);
        if (!writer->target) {
            free_writer(writer);
            return NULL;
        }
    }
    if (options->threads && !options->later && !start_thread(writer)) {
        free_writer(writer);
        return NULL;
    }
    return writer;
}

void xnm_logwriter_start(struct xnm_logwriter *writer)
{
    if (writer->options.threads && !writer->has_thread)
        writer->options.threads = start_thread(writer);
}

struct xnm_logwriter_counts xnm_logwriter_close(struct xnm_logwriter *writer)
{
    if (!writer)
        return (struct xnm_logwriter_counts){0};
    if (writer->has_thread) {
        atomic_store(&writer->deadline_ms, now_ms() + UNLOAD_MS);
        xnm_stop_thread(&writer->stop, writer->thread);
    } else {
        report_lost(writer);
    }
    struct xnm_logwriter_counts counts = xnm_logwriter_counts(writer);
    free_writer(writer);
    return counts;
}
