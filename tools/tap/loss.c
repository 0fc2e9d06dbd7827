/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/tap/loss.h"

#include "module/base/thread.h"
#include "tools/text/program.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECOND_MS = 1000, TELL_MS = 60000, LAST_LINE_MAX = 300, WHY_SIZE = 400 /* octets */ };

struct tap_loss {
    struct tap_loss_options options;
    pthread_t thread;
    struct xnm_stop stop;
    _Atomic uint64_t answers, missing, looks, failures;
    bool has_base, has_failed;
    int64_t base, last;     /* differences of answers and frames: at the first look, and the last */
    uint64_t counter, told; /* at the last look; missing ones that have been reported */
    struct timespec tell_at;
};

struct tap_loss_counts tap_loss_counts(const struct tap_loss *loss)
{
    return (struct tap_loss_counts){.answers = atomic_load(&loss->answers),
                                    .missing = atomic_load(&loss->missing),
                                    .looks = atomic_load(&loss->looks),
                                    .failures = atomic_load(&loss->failures)};
}

/* --- the resolver's counter --- */

static const char dump[] = "+++ Statistics Dump +++"; /* named appends them to its file */

/* The number of answers in the output of each resolver's tools. */
static const struct form {
    const char *before;
    const char *after; /* what ends the line; NULL: anything */
    int sign;
} forms[] = {
    {"total.num.queries=", NULL, 1}, /* Unbound: answers, and the next two, which have none */
    {"total.num.queries_ip_ratelimited=", NULL, -1},
    {"total.requestlist.exceeded=", NULL, -1},
    {"\"Response\":", NULL, 1},       /* named's statistics channel */
    {"", " responses sent", 1},       /* … and file */
    {"['answer.total'] = ", NULL, 1}, /* kresd: stats.list() */
    {"\"answer.total\":", NULL, 1},   /* … as JSON */
    {"", "", 1},                      /* any other command prints a number alone */
};

/* Reads the number in a line that has this form. */
static bool read_form(const char *line, const struct form *form, uint64_t *number)
{
    const char *at = strstr(line, form->before);
    char *end;

    if (!at)
        return false;
    at += strlen(form->before);
    at += strspn(at, " \t\"");
    if (*at < '0' || *at > '9')
        return false;
    *number = strtoull(at, &end, 10);
    return !form->after || strcmp(end, form->after) == 0;
}

/* Adds up all that is found, since several processes or resolvers may send. */
static bool read_counter(char *text, uint64_t *sum)
{
    bool found = false;
    char *rest = NULL;

    *sum = 0;
    for (char *line = strtok_r(text, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
        if (strncmp(line, dump, sizeof dump - 1) == 0)
            *sum = 0;
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
            uint64_t number;
            if (!read_form(line, &forms[i], &number))
                continue;
            *sum += forms[i].sign > 0 ? number : -number; /* modulo 2^64 */
            found = true;
        }
    }
    return found;
}

__attribute__((format(printf, 2, 3))) static void say(const struct tap_loss *loss,
                                                      const char *format, ...)
{
    char line[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    loss->options.say(loss->options.arg, line);
}

/* Adds the last line of a text, unless there is none. */
static void add_last_line(char *why, const char *text, size_t len)
{
    while (len > 0 && strchr(" \t\r\n", text[len - 1]))
        len--;
    if (len == 0)
        return;
    const char *newline = memrchr(text, '\n', len), *line = newline ? newline + 1 : text;
    len = buffer_fitting(line, len - (size_t)(line - text), LAST_LINE_MAX);
    snprintf(why + strlen(why), WHY_SIZE - strlen(why), ": %.*s", (int)len, line);
}

/* Runs the command. True: *counter is what it printed; else `why` says why there is none. */
static bool ask(const char *command, uint64_t *counter, char why[static WHY_SIZE])
{
    /* execve() takes no const, and writes nothing. NOLINTNEXTLINE(performance-no-int-to-ptr) */
    char *const argv[] = {"/bin/sh", "-c", (char *)(uintptr_t)command, NULL};
    struct buffer found = {0}, said = {0};
    int status = 0;

    while (waitpid(-1, NULL, WNOHANG) > 0) /* of those that took too long */
        continue;
    const char *trouble = program_run(TAP_LOSS_PATIENCE_S, argv, NULL, &found, &said, &status);
    bool is_known = !trouble && status == 0 && read_counter(buffer_string(&found), counter);
    if (!trouble && status != 0)
        snprintf(why, WHY_SIZE, "it failed with exit status %d", status);
    else
        snprintf(why, WHY_SIZE, "%s", trouble ? trouble : "it prints no counter that is known");
    add_last_line(why, said.data, said.len);
    buffer_free(&found);
    buffer_free(&said);
    return is_known;
}

/* Tells of the first failure after a success. */
static void fail(struct tap_loss *loss, const char *why)
{
    atomic_fetch_add(&loss->failures, 1);
    if (!loss->has_failed)
        say(loss, "--stats-from: what is lost is not known until it works: %s", why);
    loss->has_failed = true;
}

/* --- comparing --- */

static void tell(struct tap_loss *loss)
{
    uint64_t missing = atomic_load(&loss->missing);

    if (missing == loss->told || xnm_time_is_before(xnm_stop_time(0), loss->tell_at))
        return;
    say(loss, "lost: %llu answers of the resolver are in no frame, %llu in all",
        (unsigned long long)(missing - loss->told), (unsigned long long)missing);
    loss->told = missing;
    loss->tell_at = xnm_stop_time(TELL_MS);
}

/* Begins, or begins again with a resolver that was restarted, or whose counter was set back. */
static void begin(struct tap_loss *loss, int64_t difference)
{
    loss->last = (int64_t)atomic_load(&loss->missing);
    loss->base = difference - loss->last;
    loss->has_base = true;
}

/* Frames missing at two looks in a row are lost: at one look, a sender may just connect again, and
 * bring those that have waited. */
static void compare(struct tap_loss *loss, int64_t difference)
{
    int64_t now = difference - loss->base, lost = now < loss->last ? now : loss->last;

    loss->last = now;
    if (lost > (int64_t)atomic_load(&loss->missing))
        atomic_store(&loss->missing, (uint64_t)lost);
}

/* Frames of answers are counted that were given before the first look began, or before any later
 * one ended: so what is counted as missing is missing. */
static void look(struct tap_loss *loss)
{
    struct tap_replies *replies = loss->options.replies;
    bool is_first = !loss->has_base;
    uint64_t counter = 0;
    char why[WHY_SIZE];

    if (is_first)
        tap_replies_mark(replies);
    bool is_known = ask(loss->options.command, &counter, why);
    if (xnm_stop_is_set(&loss->stop.is_set))
        return;
    if (!is_first)
        tap_replies_mark(replies);
    atomic_fetch_add(&loss->looks, 1);
    if (!is_known) {
        fail(loss, why);
        return;
    }
    loss->has_failed = false;
    xnm_stop_wait(&loss->stop, TAP_LOSS_SETTLE_MS);
    int64_t difference = (int64_t)(counter - tap_replies_marked(replies));
    if (is_first)
        begin(loss, difference);
    else if (counter < loss->counter)
        loss->has_base = false;
    else {
        atomic_fetch_add(&loss->answers, counter - loss->counter);
        compare(loss, difference);
        tell(loss);
    }
    loss->counter = counter;
}

/* --- the thread --- */

static void free_loss(struct tap_loss *loss)
{
    xnm_stop_free(&loss->stop);
    free(loss);
}

static void *run(void *arg)
{
    struct tap_loss *loss = arg;

    do
        look(loss);
    while (!xnm_stop_wait(&loss->stop, loss->options.seconds * SECOND_MS));
    return NULL;
}

struct tap_loss *tap_loss_open(const struct tap_loss_options *options)
{
    struct tap_loss *loss = calloc(1, sizeof *loss);

    if (!loss || !xnm_stop_init(&loss->stop)) {
        free(loss);
        return NULL;
    }
    loss->options = *options;
    if (xnm_thread_start(&loss->thread, run, loss))
        return loss;
    free_loss(loss);
    return NULL;
}

void tap_loss_stop(struct tap_loss *loss)
{
    if (loss)
        xnm_stop_thread(&loss->stop, loss->thread);
}

void tap_loss_free(struct tap_loss *loss)
{
    if (loss)
        free_loss(loss);
}
