/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/logwriter.h"

#include "module/logring.h"
#include "module/logtarget.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    VISIT_MS = 20,     /* from one visit of the rings to the next */
    UNLOAD_MS = 1000,  /* for what the target has not taken */
    REPORT_MS = 60000, /* from one report of lost lines to the next */
    RINGS_MAX = 256,   /* threads that give lines */
    OUTPUT_SIZE = 1 << 16
};

struct xnm_logwriter {
    struct xnm_logwriter_options options;
    struct xnm_logtarget *target; /* NULL: the host's log */
    uint64_t generation;          /* tells this writer's rings from an earlier one's */

    pthread_mutex_t lock; /* over adding rings, and over direct writes */
    struct xnm_logring *rings[RINGS_MAX];
    atomic_size_t ring_count;
    atomic_uint_fast64_t written;
    atomic_uint_fast64_t lost_elsewhere; /* not counted by a ring */

    pthread_t thread;
    atomic_bool stop;
    char *output; /* lines taken out of the rings and not yet taken by the target */
    size_t output_at, output_len;
    uint64_t reported; /* of the lost ones */
    int64_t next_report_ms;
};

/* The ring that this thread fills, and for which writer: after a reload it is another one. */
static _Thread_local struct {
    uint64_t generation;
    struct xnm_logring *ring;
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

/* --- giving lines --- */

/* Once for each thread and writer. */
static struct xnm_logring *add_ring(struct xnm_logwriter *writer)
{
    struct xnm_logring *ring = xnm_logring_new();

    pthread_mutex_lock(&writer->lock);
    size_t number = atomic_load(&writer->ring_count);
    if (ring && number < RINGS_MAX) {
        writer->rings[number] = ring;
        atomic_store(&writer->ring_count, number + 1);
    } else {
        xnm_logring_free(ring);
        ring = NULL;
    }
    pthread_mutex_unlock(&writer->lock);
    mine.generation = writer->generation;
    mine.ring = ring;
    return ring;
}

/* Without a thread: written at once, or lost. */
static void write_directly(struct xnm_logwriter *writer, char *line, size_t len)
{
    if (!writer->target) {
        writer->options.host_log(line, len);
        count(&writer->written, 1);
        return;
    }
    line[len] = '\n';
    pthread_mutex_lock(&writer->lock);
    xnm_logtarget_follow(writer->target, writer->options.reporter);
    bool taken = xnm_logtarget_write(writer->target, line, len + 1) == len + 1;
    pthread_mutex_unlock(&writer->lock);
    count(taken ? &writer->written : &writer->lost_elsewhere, 1);
}

void xnm_logwriter_write(struct xnm_logwriter *writer, char *line, size_t len)
{
    if (!writer->options.threads) {
        write_directly(writer, line, len);
        return;
    }
    struct xnm_logring *ring = mine.generation == writer->generation ? mine.ring : add_ring(writer);
    line[len] = '\n';
    if (ring)
        xnm_logring_put(ring, line, len + 1);
    else
        count(&writer->lost_elsewhere, 1);
}

bool xnm_logwriter_needs_time(const struct xnm_logwriter *writer)
{
    return writer->target != NULL;
}

struct xnm_logwriter_counts xnm_logwriter_counts(struct xnm_logwriter *writer)
{
    struct xnm_logwriter_counts counts = {atomic_load(&writer->written),
                                          atomic_load(&writer->lost_elsewhere)};
    size_t rings = atomic_load(&writer->ring_count);

    for (size_t i = 0; i < rings; i++)
        counts.lost += xnm_logring_lost(writer->rings[i]);
    return counts;
}

/* --- the writer --- */

static void write_to_host(struct xnm_logwriter *writer, const char *lines, size_t len)
{
    for (const char *end = lines + len; lines < end;) {
        const char *newline = memchr(lines, '\n', (size_t)(end - lines));
        writer->options.host_log(lines, (size_t)(newline - lines));
        lines = newline + 1;
    }
}

/* Gives the target what it has not taken yet. Returns whether nothing is left. */
static bool write_output(struct xnm_logwriter *writer)
{
    const char *lines = writer->output + writer->output_at;
    size_t len = writer->output_len - writer->output_at, taken = len;

    if (len == 0)
        return true;
    if (writer->target)
        taken = xnm_logtarget_write(writer->target, lines, len);
    else
        write_to_host(writer, lines, len);
    count(&writer->written, count_lines(lines, taken));
    writer->output_at += taken;
    return taken == len;
}

/* Takes what the rings hold and writes it. Returns whether all of it was taken. */
static bool visit(struct xnm_logwriter *writer)
{
    size_t rings = atomic_load(&writer->ring_count);

    if (writer->target)
        xnm_logtarget_follow(writer->target, writer->options.reporter);
    if (!write_output(writer))
        return false;
    for (size_t i = 0; i < rings; i++) {
        do {
            writer->output_at = 0;
            writer->output_len = xnm_logring_take(writer->rings[i], writer->output, OUTPUT_SIZE);
            if (!write_output(writer))
                return false;
        } while (writer->output_len > 0);
    }
    return true;
}

/* At once when lines are lost, then once a minute. */
static void report_lost(struct xnm_logwriter *writer)
{
    uint64_t lost = xnm_logwriter_counts(writer).lost;
    const char *name = writer->options.target ? writer->options.target : "unbound";
    struct xnm_place place = {.file = name};
    const char *trouble = writer->target ? xnm_logtarget_trouble(writer->target) : "";

    if (lost == writer->reported)
        return;
    xnm_report(writer->options.reporter, XNM_WARNING, &place, "%llu log lines lost%s%s",
               (unsigned long long)(lost - writer->reported), trouble[0] ? ": " : "", trouble);
    writer->reported = lost;
    writer->next_report_ms = now_ms() + REPORT_MS;
}

static void sleep_until_visit(void)
{
    nanosleep(&(struct timespec){.tv_nsec = VISIT_MS * 1000000L}, NULL);
}

/* What is left when the time is over was never written: it is lost, and said to be. */
static void write_last(struct xnm_logwriter *writer)
{
    int64_t end = now_ms() + UNLOAD_MS;

    while (!visit(writer) && now_ms() < end)
        sleep_until_visit();
    do {
        count(&writer->lost_elsewhere, count_lines(writer->output + writer->output_at,
                                                   writer->output_len - writer->output_at));
        writer->output_at = writer->output_len = 0;
        for (size_t i = 0; i < atomic_load(&writer->ring_count) && writer->output_len == 0; i++)
            writer->output_len = xnm_logring_take(writer->rings[i], writer->output, OUTPUT_SIZE);
    } while (writer->output_len > 0);
    report_lost(writer);
}

static void *run_writer(void *arg)
{
    struct xnm_logwriter *writer = arg;

    while (!atomic_load(&writer->stop)) {
        visit(writer);
        if (now_ms() >= writer->next_report_ms)
            report_lost(writer);
        sleep_until_visit();
    }
    write_last(writer);
    return NULL;
}

/* Signals are the daemon's: its own threads must get them. */
static bool start_thread(struct xnm_logwriter *writer)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&writer->thread, NULL, run_writer, writer) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* --- opening and closing --- */

static void free_writer(struct xnm_logwriter *writer)
{
    for (size_t i = 0; i < atomic_load(&writer->ring_count); i++)
        xnm_logring_free(writer->rings[i]);
    xnm_logtarget_close(writer->target);
    pthread_mutex_destroy(&writer->lock);
    free(writer->output);
    free(writer);
}

static struct xnm_logwriter *new_writer(const struct xnm_logwriter_options *options)
{
    struct xnm_logwriter *writer = calloc(1, sizeof *writer);

    if (!writer)
        return NULL;
    writer->options = *options;
    writer->generation = atomic_fetch_add(&generations, 1) + 1;
    pthread_mutex_init(&writer->lock, NULL);
    writer->output = malloc(OUTPUT_SIZE);
    if (!writer->output) {
        free_writer(writer);
        return NULL;
    }
    return writer;
}

struct xnm_logwriter *xnm_logwriter_open(const struct xnm_logwriter_options *options)
{
    struct xnm_place place = {.file = options->target ? options->target : "unbound"};
    struct xnm_logwriter *writer = new_writer(options);

    if (!writer) {
        xnm_report(options->reporter, XNM_ERROR, &place, "cannot log to it: out of memory");
        return NULL;
    }
    if (options->target) {
        writer->target = xnm_logtarget_open(options->target, options->reporter);
        if (!writer->target) {
            free_writer(writer);
            return NULL;
        }
    }
    if (options->threads && !start_thread(writer)) {
        xnm_report(options->reporter, XNM_ERROR, &place, "cannot log to it: no thread for it");
        free_writer(writer);
        return NULL;
    }
    return writer;
}

struct xnm_logwriter_counts xnm_logwriter_close(struct xnm_logwriter *writer)
{
    if (!writer)
        return (struct xnm_logwriter_counts){0, 0};
    if (writer->options.threads) {
        atomic_store(&writer->stop, true);
        pthread_join(writer->thread, NULL);
    }
    struct xnm_logwriter_counts counts = xnm_logwriter_counts(writer);
    free_writer(writer);
    return counts;
}
