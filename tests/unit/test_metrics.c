/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/name.h"
#include "tests/unit/vectors.h"

#include <pthread.h>
#include <stdatomic.h>

#include "module/run/metrics.h"
#include "tests/unit/prometheus.h"

#define REPLIES(rcode, transport)                                                                  \
    "unbound_idn_replies_total{rcode=\"" rcode "\",transport=\"" transport "\"}"
#define NAMES(status) "unbound_idn_names_total{status=\"" status "\"}"
#define LINES(result) "unbound_idn_log_lines_total{result=\"" result "\"}"
#define RELOADS(result) "unbound_idn_reloads_total{result=\"" result "\"}"

enum { RCODES = 16, TRANSPORTS = XNM_TRANSPORT_DOQ + 1 };

static struct xnm_metrics *metrics;

/* --- reading --- */

static void read_metrics(const struct xnm_metrics_extra *extra, struct samples *samples)
{
    static const struct xnm_metrics_extra none = {0};
    size_t len;
    char *text = xnm_metrics_text(metrics, extra ? extra : &none, &len);

    assert_non_null(text);
    assert_int_equal(strlen(text), len);
    assert_int_equal(text[len - 1], '\n');
    read_samples(text, samples);
    free(text);
}

/* A test looks at what it has added. */
static struct samples start, end;

static uint64_t added(const char *id)
{
    return value_of(&end, id) - value_of(&start, id);
}

static uint64_t added_in_all(const char *beginning)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < end.count; i++)
        if (strncmp(end.list[i].id, beginning, strlen(beginning)) == 0)
            sum += added(end.list[i].id);
    return sum;
}

static void count_reply(int rcode, xnm_transport transport, uint8_t ace_count, xn_reasons reasons)
{
    struct xnm_reply reply = {.rcode = rcode, .transport = transport};
    struct xn_name name = {.ace_count = ace_count, .reasons = reasons};

    xnm_metrics_count_reply(metrics, &reply, name.ace_count > 0 ? &name.reasons : NULL);
}

/* --- counting --- */

/* First of all tests. */
static void test_nothing_counted(void **state)
{
    (void)state;
    read_metrics(NULL, &end);
    for (size_t i = 0; i < end.count; i++)
        assert_int_equal(end.list[i].value, 0);
    assert_int_equal(end.metric_count, 4);
    assert_string_equal(end.metrics[0], "unbound_idn_replies_total");
    assert_string_equal(end.metrics[1], "unbound_idn_names_total");
    assert_string_equal(end.metrics[2], "unbound_idn_log_lines_total");
    assert_string_equal(end.metrics[3], "unbound_idn_reloads_total");
}

static struct counted {
    const char *id;
    int rcode;
    xnm_transport transport;
} counted[] = {
    {REPLIES("NOERROR", "udp"), 0, XNM_TRANSPORT_UDP},
    {REPLIES("FORMERR", "tcp"), 1, XNM_TRANSPORT_TCP},
    {REPLIES("SERVFAIL", "dot"), 2, XNM_TRANSPORT_DOT},
    {REPLIES("NXDOMAIN", "doh"), 3, XNM_TRANSPORT_DOH},
    {REPLIES("NOTIMPL", "doq"), 4, XNM_TRANSPORT_DOQ},
    {REPLIES("REFUSED", "udp"), 5, XNM_TRANSPORT_UDP},
    {REPLIES("YXDOMAIN", "udp"), 6, XNM_TRANSPORT_UDP},
    {REPLIES("YXRRSET", "udp"), 7, XNM_TRANSPORT_UDP},
    {REPLIES("NXRRSET", "udp"), 8, XNM_TRANSPORT_UDP},
    {REPLIES("NOTAUTH", "udp"), 9, XNM_TRANSPORT_UDP},
    {REPLIES("NOTZONE", "udp"), 10, XNM_TRANSPORT_UDP},
    {REPLIES("RCODE11", "tcp"), 11, XNM_TRANSPORT_TCP},
    {REPLIES("RCODE15", "doq"), 15, XNM_TRANSPORT_DOQ},
};

static void test_counted(void **state)
{
    const struct counted *row = *state;

    read_metrics(NULL, &start);
    count_reply(row->rcode, row->transport, 0, 0);
    read_metrics(NULL, &end);
    expect_growth(&start, &end);
    assert_int_equal(added(row->id), 1);
    assert_int_equal(added_in_all("unbound_idn_"), 1);
}

static struct status {
    const char *name;
    const char *id; /* NULL: none */
    uint8_t ace_count;
    xn_reasons reasons;
} statuses[] = {
    {"a name without A-label", NULL, 0, 0},
    {"a good name", NAMES("ok"), 1, 0},
    {"a name with many good A-labels counts once", NAMES("ok"), 50, 0},
    {"a restricted name", NAMES("restricted"), 1, 1 << XN_EMOJI},
    {"an invalid name", NAMES("invalid"), 2, 1 << XN_BIDI},
    {"an invalid and restricted name", NAMES("invalid"), 2, 1 << XN_PUNYCODE | 1 << XN_CHARSET},
};

static void test_status(void **state)
{
    const struct status *row = *state;

    read_metrics(NULL, &start);
    count_reply(3, XNM_TRANSPORT_TCP, row->ace_count, row->reasons);
    read_metrics(NULL, &end);
    expect_growth(&start, &end);
    assert_int_equal(added(REPLIES("NXDOMAIN", "tcp")), 1);
    assert_int_equal(row->id ? added(row->id) : 1, 1);
    assert_int_equal(added_in_all("unbound_idn_"), row->id ? 2 : 1);
}

/* It is no reply, but a name was asked. */
static void test_drop(void **state)
{
    (void)state;
    read_metrics(NULL, &start);
    count_reply(XNM_NO_RCODE, XNM_TRANSPORT_UDP, 1, 0);
    read_metrics(NULL, &end);
    assert_int_equal(added_in_all("unbound_idn_replies_total"), 0);
    assert_int_equal(added(NAMES("ok")), 1);
}

static void test_reloads_and_lines(void **state)
{
    struct xnm_metrics_extra extra = {.written = 7, .lost = 2};

    (void)state;
    read_metrics(NULL, &start);
    xnm_metrics_count_reload(metrics, true);
    xnm_metrics_count_reload(metrics, true);
    xnm_metrics_count_reload(metrics, false);
    xnm_metrics_add_lines(metrics, 100, 3);
    read_metrics(&extra, &end);
    expect_growth(&start, &end);
    assert_int_equal(added(RELOADS("good")), 2);
    assert_int_equal(added(RELOADS("bad")), 1);
    assert_int_equal(added(LINES("written")), 107);
    assert_int_equal(added(LINES("lost")), 5);
    xnm_metrics_add_lines(metrics, 7, 2); /* that writer is closed: nothing is counted twice */
    read_metrics(NULL, &start);
    assert_int_equal(value_of(&start, LINES("written")), value_of(&end, LINES("written")));
    assert_int_equal(value_of(&start, LINES("lost")), value_of(&end, LINES("lost")));
}

/* --- threads --- */

static struct thread {
    pthread_t id;
    unsigned number, replies;
    pthread_barrier_t *all_run;
} * threads;

static void *run_thread(void *arg)
{
    struct thread *thread = arg;
    xnm_transport transport = (xnm_transport)(thread->number % TRANSPORTS);

    if (thread->all_run)
        pthread_barrier_wait(thread->all_run);
    for (unsigned i = 0; i < thread->replies; i++)
        count_reply((int)(i % RCODES), transport, i % 2, i % 4 == 1 ? 1 << XN_EMOJI : 0);
    if (thread->all_run)
        pthread_barrier_wait(thread->all_run);
    return NULL;
}

/* All are there at a time, so that none has the thread-local memory of another. */
static void start_threads(unsigned number, unsigned replies, pthread_barrier_t *all_run)
{
    threads = calloc(number, sizeof *threads);
    assert_non_null(threads);
    for (unsigned i = 0; i < number; i++) {
        threads[i].number = i;
        threads[i].replies = replies;
        threads[i].all_run = all_run;
        assert_int_equal(pthread_create(&threads[i].id, NULL, run_thread, &threads[i]), 0);
    }
}

static void join_threads(unsigned number)
{
    for (unsigned i = 0; i < number; i++)
        pthread_join(threads[i].id, NULL);
    free(threads);
}

/* Expects the sums of threads with `replies` replies each, a multiple of 80. */
static void expect_replies(uint64_t replies)
{
    assert_int_equal(added_in_all("unbound_idn_replies_total"), replies);
    assert_int_equal(added_in_all("unbound_idn_replies_total{rcode=\"RCODE13\""), replies / 16);
    assert_int_equal(added(NAMES("restricted")), replies / 4);
    assert_int_equal(added(NAMES("ok")), replies / 4);
    assert_int_equal(added(NAMES("invalid")), 0);
}

static void run_threads(unsigned number, unsigned replies)
{
    pthread_barrier_t all_run;

    pthread_barrier_init(&all_run, NULL, number);
    start_threads(number, replies, &all_run);
    join_threads(number);
    pthread_barrier_destroy(&all_run);
}

/* Read while they count. */
static void test_threads(void **state)
{
    static struct samples before, after;
    uint64_t all = 0;

    (void)state;
    read_metrics(NULL, &start);
    before = start;
    start_threads(8, 80000, NULL);
    for (int i = 0; i < 200; i++) {
        read_metrics(NULL, &after);
        expect_growth(&before, &after);
        before = after;
    }
    join_threads(8);
    read_metrics(NULL, &end);
    expect_replies(8 * 80000);
    for (int i = 0; i < 5; i++) {
        static const char *const ids[] = {REPLIES("NXDOMAIN", "udp"), REPLIES("NXDOMAIN", "tcp"),
                                          REPLIES("NXDOMAIN", "dot"), REPLIES("NXDOMAIN", "doh"),
                                          REPLIES("NXDOMAIN", "doq")};
        assert_int_equal(added(ids[i]), (i < 3 ? 2 : 1) * 80000 / 16);
        all += added(ids[i]);
    }
    assert_int_equal(all, 8 * 80000 / 16);
}

static void test_more_threads_than_places(void **state)
{
    (void)state;
    read_metrics(NULL, &start);
    run_threads(300, 800);
    read_metrics(NULL, &end);
    expect_replies(300 * 800);
    read_metrics(NULL, &start);
    run_threads(8, 80000); /* of which none has a place of its own any more */
    read_metrics(NULL, &end);
    expect_replies(8 * 80000);
}

/* --- every sample at its largest --- */

static void test_large_numbers(void **state)
{
    struct xnm_metrics_extra extra = {0};

    (void)state;
    for (int rcode = 0; rcode < RCODES; rcode++)
        for (int transport = 0; transport < TRANSPORTS; transport++)
            count_reply(rcode, (xnm_transport)transport, 1, 0);
    read_metrics(NULL, &start);
    extra.written = UINT64_MAX - value_of(&start, LINES("written"));
    extra.lost = UINT64_MAX - value_of(&start, LINES("lost"));
    read_metrics(&extra, &end);
    assert_true(value_of(&end, LINES("written")) == UINT64_MAX);
    assert_int_equal(end.count, RCODES * TRANSPORTS + 3 + 2 + 2);
}

int main(void)
{
    struct test_group group = {0};

    metrics = xnm_metrics_new();
    add_test(&group, "nothing counted", test_nothing_counted, NULL);
    ADD_TESTS(&group, counted, id, test_counted);
    ADD_TESTS(&group, statuses, name, test_status);
    add_test(&group, "a drop", test_drop, NULL);
    add_test(&group, "reloads and lines", test_reloads_and_lines, NULL);
    add_test(&group, "8 threads, read while they count", test_threads, NULL);
    add_test(&group, "300 threads at a time", test_more_threads_than_places, NULL);
    add_test(&group, "every sample, large numbers", test_large_numbers, NULL);
    return run_group("metrics", &group);
}
