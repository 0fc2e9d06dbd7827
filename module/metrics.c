/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CACHE_LINE = 64,
    THREADS_MAX =
        256, /* beyond, threads share the last place: nothing is lost, it is only slower */
    RCODES = 16,
    TRANSPORTS = XNM_TRANSPORT_DOQ + 1,
    STATUSES = XN_LABEL_INVALID + 1
};

typedef atomic_uint_fast64_t counter;

struct counters {
    _Alignas(CACHE_LINE) counter replies[TRANSPORTS][RCODES];
    counter names[STATUSES]; /* with A-labels, by the worst of them */
};

static struct {
    struct counters threads[THREADS_MAX];
    atomic_size_t thread_count;
    atomic_uint_fast64_t generation; /* of threads: grows when they retire */
    counter lines_written, lines_lost, reloads_good, reloads_bad;
} all = {.generation = 1};

/* Which place this thread has, and of which generation. */
static _Thread_local struct {
    uint64_t generation;
    struct counters *counters;
} mine;

static void add(counter *to, uint64_t number)
{
    atomic_fetch_add_explicit(to, number, memory_order_relaxed);
}

static uint64_t get(const counter *from)
{
    return atomic_load_explicit(from, memory_order_relaxed);
}

static struct counters *my_counters(void)
{
    uint64_t generation = get(&all.generation);

    if (mine.generation != generation) {
        size_t number = atomic_fetch_add(&all.thread_count, 1);
        mine.counters = &all.threads[number < THREADS_MAX ? number : THREADS_MAX - 1];
        mine.generation = generation;
    }
    return mine.counters;
}

void xnm_metrics_count_reply(const struct xnm_reply *reply, const struct xn_name *name)
{
    struct counters *counters = my_counters();

    if (reply->rcode != XNM_NO_RCODE)
        add(&counters->replies[reply->transport][reply->rcode & (RCODES - 1)], 1);
    if (name->ace_count > 0)
        add(&counters->names[xn_reasons_status(name->reasons)], 1);
}

void xnm_metrics_count_reload(bool good)
{
    add(good ? &all.reloads_good : &all.reloads_bad, 1);
}

void xnm_metrics_add_lines(uint64_t written, uint64_t lost)
{
    add(&all.lines_written, written);
    add(&all.lines_lost, lost);
}

void xnm_metrics_retire_threads(void)
{
    atomic_store(&all.thread_count, 0);
    add(&all.generation, 1);
}

/* --- the text --- */

static const char *const rcode_names[RCODES] = {
    "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMPL", "REFUSED", "YXDOMAIN", "YXRRSET",
    "NXRRSET", "NOTAUTH", "NOTZONE",  "RCODE11",  "RCODE12", "RCODE13", "RCODE14",  "RCODE15"};
static const char *const transport_names[TRANSPORTS] = {[XNM_TRANSPORT_UDP] = "udp",
                                                        [XNM_TRANSPORT_TCP] = "tcp",
                                                        [XNM_TRANSPORT_DOT] = "dot",
                                                        [XNM_TRANSPORT_DOH] = "doh",
                                                        [XNM_TRANSPORT_DOQ] = "doq"};

struct text {
    char *dst;
    size_t len;
};

static void add_sample(struct text *text, const char *name, const char *labels, uint64_t value)
{
    text->len +=
        (size_t)snprintf(text->dst + text->len, XNM_METRICS_MAX - text->len,
                         "unbound_idn_%s{%s} %llu\n", name, labels, (unsigned long long)value);
}

static void add_head(struct text *text, const char *name, const char *help)
{
    text->len += (size_t)snprintf(text->dst + text->len, XNM_METRICS_MAX - text->len,
                                  "# HELP unbound_idn_%s %s\n# TYPE unbound_idn_%s counter\n", name,
                                  help, name);
}

static uint64_t sum_replies(size_t transport, size_t rcode)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < THREADS_MAX; i++)
        sum += get(&all.threads[i].replies[transport][rcode]);
    return sum;
}

/* Those that happened, and NOERROR, so that the metric is never without a sample. */
static void add_replies(struct text *text)
{
    char labels[64];

    add_head(text, "replies_total", "Replies given to clients.");
    for (size_t transport = 0; transport < TRANSPORTS; transport++) {
        for (size_t rcode = 0; rcode < RCODES; rcode++) {
            uint64_t sum = sum_replies(transport, rcode);

            if (sum == 0 && rcode != 0)
                continue;
            snprintf(labels, sizeof labels, "rcode=\"%s\",transport=\"%s\"", rcode_names[rcode],
                     transport_names[transport]);
            add_sample(text, "replies_total", labels, sum);
        }
    }
}

static void add_names(struct text *text)
{
    char labels[64];

    add_head(text, "names_total", "Names with an xn-- label that were asked, by its status.");
    for (size_t status = 0; status < STATUSES; status++) {
        uint64_t sum = 0;

        for (size_t i = 0; i < THREADS_MAX; i++)
            sum += get(&all.threads[i].names[status]);
        snprintf(labels, sizeof labels, "status=\"%s\"",
                 xn_label_status_word((xn_label_status)status));
        add_sample(text, "names_total", labels, sum);
    }
}

size_t xnm_metrics_text(const struct xnm_metrics_extra *extra, char *dst)
{
    struct text text = {dst, 0};

    add_replies(&text);
    add_names(&text);
    add_head(&text, "log_lines_total", "Log lines, one for each reply that the log wants.");
    add_sample(&text, "log_lines_total", "result=\"written\"",
               get(&all.lines_written) + extra->written);
    add_sample(&text, "log_lines_total", "result=\"lost\"", get(&all.lines_lost) + extra->lost);
    add_head(&text, "reloads_total", "Reloads; a bad one kept the last good configuration.");
    add_sample(&text, "reloads_total", "result=\"good\"", get(&all.reloads_good));
    add_sample(&text, "reloads_total", "result=\"bad\"", get(&all.reloads_bad));
    return text.len;
}

/* --- the file --- */

static bool write_all(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t taken = write(fd, text, len);

        if (taken < 0 && errno != EINTR)
            return false;
        if (taken > 0) {
            text += taken;
            len -= (size_t)taken;
        }
    }
    return true;
}

static bool write_new(const char *path, const char *text, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

    if (fd < 0)
        return false;
    bool good = fchmod(fd, 0644) == 0 && write_all(fd, text, len);
    int error = errno;
    if (close(fd) != 0 && good) {
        error = errno;
        good = false;
    }
    errno = error;
    return good;
}

bool xnm_metrics_write(const char *path, const char *text, size_t len, const char **error)
{
    char beside[4096];

    if ((size_t)snprintf(beside, sizeof beside, "%s.new", path) >= sizeof beside) {
        *error = "the path is too long";
        return false;
    }
    if (unlink(beside) != 0 && errno != ENOENT) {
        *error = strerror(errno);
        return false;
    }
    if (write_new(beside, text, len) && rename(beside, path) == 0)
        return true;
    *error = strerror(errno);
    unlink(beside);
    return false;
}
