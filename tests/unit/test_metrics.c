/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <pthread.h>
#include <stdatomic.h>

#include "core/idna/name.h"
#include "module/build/build.h"
#include "module/policy/match.h"
#include "module/rule/rule.h"
#include "module/run/metrics.h"
#include "tests/unit/policytext.h"
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

    xnm_metrics_count_reply(metrics, &reply, ace_count > 0 ? &reasons : NULL);
}

/* --- counting --- */

/* First of all tests. */
TEST(begins_with_nothing, "nothing counted")
{
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

TEST_ROWS(counts_replies, counted, id)
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

TEST_ROWS(counts_names, statuses, name)
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
TEST(counts_drops, "a drop")
{
    read_metrics(NULL, &start);
    count_reply(XNM_NO_RCODE, XNM_TRANSPORT_UDP, 1, 0);
    read_metrics(NULL, &end);
    assert_int_equal(added_in_all("unbound_idn_replies_total"), 0);
    assert_int_equal(added(NAMES("ok")), 1);
}

TEST(counts_reloads_and_lines, "reloads and lines")
{
    struct xnm_metrics_extra extra = {.written = 7, .lost = 2};

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
TEST(counts_in_threads, "8 threads, read while they count")
{
    static struct samples before, after;
    uint64_t all = 0;

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

TEST(counts_in_300_threads, "300 threads at a time")
{
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

TEST(writes_large_numbers, "every sample, large numbers")
{
    struct xnm_metrics_extra extra = {0};

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

/* --- what the metrics say about a policy --- */

#define POLICY_REPLIES(action, mode)                                                               \
    "unbound_idn_policy_replies_total{action=\"" action "\",mode=\"" mode "\"}"
#define RULE(line, action, trigger, subject)                                                       \
    "unbound_idn_rule_replies_total{file=\"rules\",line=\"" line "\",action=\"" action             \
    "\",trigger=\"" trigger "\",subject=\"" subject "\"}"
#define LOOKALIKE(key) "unbound_idn_lookalike_replies_total{key=\"" key "\"}"

static struct samples samples;
static struct xnm_metrics *policy_metrics;
static bool enforced;

static char *text_with(const struct xnm_policy *policy,
                       const struct xnm_policyhandle_counts *reload)
{
    const struct xnm_metrics_extra extra = {
        .policy = policy, .enforced = enforced, .reload = *reload};
    size_t len;
    char *text = xnm_metrics_text(policy_metrics, &extra, &len);

    assert_non_null(text);
    assert_int_equal(strlen(text), len);
    return text;
}

static void read_policy_metrics(const struct xnm_policy *policy,
                                const struct xnm_policyhandle_counts *reload)
{
    char *text = text_with(policy, reload);

    read_samples(text, &samples);
    free(text);
}

static uint64_t value(const char *id)
{
    assert_non_null(find_sample(&samples, id));
    return value_of(&samples, id);
}

static void count(const struct xnm_policy *policy, const char *name, bool log_only, bool observed)
{
    struct xnm_decision decision;
    struct xnm_match match;
    struct xnm_wirename wire;
    struct xnm_reply reply = {.match = &match, .observed = observed};

    wirename_of(name, &wire);
    assert_true(
        xnm_policy_decide(policy,
                          &(struct xnm_question){
                              .qname = wire.octets, .qname_len = wire.len, .qtype = 1, .qclass = 1},
                          &decision));
    xnm_match_from(policy, &decision, log_only, &match);
    xnm_match_count(&match);
    xnm_metrics_count_reply(policy_metrics, &reply, NULL);
}

TEST(writes_policy_numbers, "every number at its place")
{
    const struct xnm_policyhandle_counts reload = {.swaps = 3,
                                                   .failures = 2,
                                                   .bad_lists = 4,
                                                   .list_bad_lines = 5,
                                                   .list_skipped_lines = 6,
                                                   .expired_zones = 3,
                                                   .loaded_at = 1795226021.5};
    struct xnm_policy *policy = policy_of("nxdomain zone a.example\n"
                                          "refuse names list\n"
                                          "+ b.example\n"
                                          "+ c.example\n"
                                          "log name *.example tag=watch\n",
                                          NULL, NULL);

    count(policy, "x.a.example", false, false); /* and the log rule */
    count(policy, "b.example", false, false);
    count(policy, "b.example", true, false);
    count(policy, "b.example", true, true);
    count(policy, "d.example", false, false);
    xnm_metrics_count_withheld(policy_metrics);
    xnm_metrics_count_withheld(policy_metrics);
    enforced = true;
    read_policy_metrics(policy, &reload);
    assert_int_equal(value("unbound_idn_policy_enforced"), 1);
    enforced = false;
    read_policy_metrics(policy, &reload);
    assert_int_equal(value("unbound_idn_policy_enforced"), 0);
    assert_int_equal(value(POLICY_REPLIES("nxdomain", "enforce")), 1);
    assert_int_equal(value(POLICY_REPLIES("refuse", "enforce")), 1);
    assert_int_equal(value(POLICY_REPLIES("refuse", "log-only")), 1);
    assert_int_equal(value(POLICY_REPLIES("refuse", "observed")), 1);
    assert_int_equal(value(POLICY_REPLIES("log", "enforce")), 1);
    assert_int_equal(value(POLICY_REPLIES("drop", "enforce")), 0);
    assert_int_equal(value(RULE("1", "nxdomain", "zone", "a.example")), 1);
    assert_int_equal(value(RULE("2", "refuse", "names", "list")), 3);
    assert_int_equal(value(RULE("5", "log", "name", "*.example\",tag=\"watch")), 5);
    assert_int_equal(value("unbound_idn_policy_rules"), 3);
    assert_int_equal(value("unbound_idn_policy_names"), 4);
    assert_int_equal(value("unbound_idn_policy_bytes"), xnm_policy_memory(policy));
    assert_int_equal(value("unbound_idn_policy_loaded_timestamp_seconds"), 1795226021);
    assert_int_equal(value("unbound_idn_policy_loads_total{result=\"good\"}"), 3);
    assert_int_equal(value("unbound_idn_policy_loads_total{result=\"bad\"}"), 2);
    assert_int_equal(value("unbound_idn_policy_bad_lists"), 4);
    assert_int_equal(value("unbound_idn_policy_bad_lines"), 5);
    assert_int_equal(value("unbound_idn_policy_skipped_lines"), 6);
    assert_int_equal(value("unbound_idn_policy_expired_zones"), 3);
    assert_int_equal(value("unbound_idn_policy_withheld_total"), 2);
    xnm_policy_free(policy);
}

static void count_lookalike(xnm_trigger trigger, xnm_match_kind match_kind, size_t name_len)
{
    struct xnm_match match = {.action = XNM_LOG,
                              .trigger = trigger,
                              .match_kind = match_kind,
                              .name = {.len = (uint8_t)name_len}};

    xnm_metrics_count_reply(policy_metrics, &(struct xnm_reply){.match = &match}, NULL);
}

TEST(counts_lookalikes, "look-alikes by key")
{
    struct xnm_policy *policy = policy_of("nxdomain zone a.example", NULL, NULL);

    read_policy_metrics(policy, &(struct xnm_policyhandle_counts){0});
    assert_int_equal(value(LOOKALIKE("exact")), 0);
    assert_int_equal(value(LOOKALIKE("strict")), 0);
    count_lookalike(XNM_TRIGGER_LOOKALIKE, XNM_MATCH_KIND_EXACT, 12);
    count_lookalike(XNM_TRIGGER_LOOKALIKES, XNM_MATCH_KIND_STRICT, 12);
    count_lookalike(XNM_TRIGGER_LOOKALIKE, XNM_MATCH_KIND_STRICT, 12);
    count_lookalike(XNM_TRIGGER_LOOKALIKE, XNM_MATCH_KIND_STRICT,
                    0); /* what it looks like is gone */
    count_lookalike(XNM_TRIGGER_LOOKALIKES, XNM_MATCH_KIND_NEAR, 12);
    count_lookalike(XNM_TRIGGER_INVALID, XNM_MATCH_KIND_EXACT, 0);
    count_lookalike(XNM_TRIGGER_ZONE, XNM_MATCH_KIND_EXACT, 12);
    read_policy_metrics(policy, &(struct xnm_policyhandle_counts){0});
    assert_int_equal(value(LOOKALIKE("exact")), 1);
    assert_int_equal(value(LOOKALIKE("strict")), 2);
    assert_int_equal(value(LOOKALIKE("within")), 0);
    assert_int_equal(value(LOOKALIKE("near")), 1);
    xnm_policy_free(policy);
}

TEST(omits_the_policy, "no policy")
{
    read_policy_metrics(NULL, &(struct xnm_policyhandle_counts){.swaps = 3});
    for (size_t i = 0; i < samples.metric_count; i++) {
        assert_null(strstr(samples.metrics[i], "policy"));
        assert_null(strstr(samples.metrics[i], "lookalike"));
    }
}

/* More rules than are shown: those that matched. */
TEST(shows_rules_that_matched, "more rules than are shown")
{
    const size_t rules = XNM_METRICS_RULES_MAX + 1;
    char *text = malloc(rules * 40), *at = text;

    for (size_t i = 0; i < rules; i++)
        at += sprintf(at, "nxdomain zone n%zu.example\n", i);
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    count(policy, "n77.example", false, false);
    read_policy_metrics(policy, &(struct xnm_policyhandle_counts){0});
    assert_int_equal(value(RULE("78", "nxdomain", "zone", "n77.example")), 1);
    for (size_t i = 0, shown = 0; i < samples.count; i++) {
        shown += strncmp(samples.list[i].id, "unbound_idn_rule_replies_total", 30) == 0;
        assert_in_range(shown, 0, 1);
    }
    xnm_policy_free(policy);
    free(text);
}

/* The samples of a policy with one rule, of such a file and list. */
static char *text_of_rule(const char *file, const char *list)
{
    const struct xnm_policy_settings settings = {.ttl = 60, .counters = text_counters()};
    struct xnm_rule rule = {.action = XNM_NXDOMAIN,
                            .trigger = XNM_TRIGGER_NAMES,
                            .path = (char *)list,
                            .file = file,
                            .line = 7};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);

    assert_true(xnm_policy_builder_rule(builder, &rule, NULL));
    struct xnm_policy *policy = xnm_policy_finish(builder, NULL, NULL);
    char *text = text_with(policy, &(struct xnm_policyhandle_counts){0});
    read_samples(text, &samples);
    xnm_policy_free(policy);
    return text;
}

static struct odd {
    const char *name, *path, *label;
} odds[] = {
    {"letters", "b\xC3\xBC/\xD1\x8F", "b\xC3\xBC/\xD1\x8F"},
    {"Prometheus' escapes", "a\"b\\c", "a\\\"b\\\\c"},
    {"a line feed and other controls", "a\nb\x1B[2J\x7F", "a\\\\u{A}b\\\\u{1B}[2J\\\\u{7F}"},
    {"C1 controls", "\xC2\x9B\x32J\xC2\x85", "\\\\u{9B}2J\\\\u{85}"},
    {"bidi and invisible", "\xE2\x80\xAE\xE2\x80\x8D\xEF\xBB\xBF",
     "\\\\u{202E}\\\\u{200D}\\\\u{FEFF}"},
    {"separators and private use", "\xE2\x80\xA8\xF4\x8F\xBF\xBD", "\\\\u{2028}\\\\u{10FFFD}"},
    {"no UTF-8", "a\xFF\xC3", "a\\\\u{FFFD}\\\\u{FFFD}"},
};

/* Wherever an operator's words stand, characters that could affect a terminal or that a scraper
 * could not read are escaped. */
TEST_ROWS(escapes_words, odds, name)
{
    const struct odd *row = *state;
    char file[128], subject[128];

    snprintf(file, sizeof file, "{file=\"%s\",line=\"7\",", row->label);
    snprintf(subject, sizeof subject, ",subject=\"%s\"} 0\n", row->label);
    char *text = text_of_rule(row->path, row->path);
    assert_non_null(strstr(text, file));
    assert_non_null(strstr(text, subject));
    free(text);
}

int main(void)
{
    metrics = xnm_metrics_new();
    policy_metrics = xnm_metrics_new();
    return run_unit();
}
