/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests what the metrics say about a policy. */
#include "core/idna/name.h"
#include "module/build/build.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "module/policy/match.h"
#include "module/run/metrics.h"
#include "tests/unit/policytext.h"
#include "tests/unit/prometheus.h"

#define REPLIES(action, mode)                                                                      \
    "unbound_idn_policy_replies_total{action=\"" action "\",mode=\"" mode "\"}"
#define RULE(line, action, trigger, subject)                                                       \
    "unbound_idn_rule_replies_total{file=\"rules\",line=\"" line "\",action=\"" action             \
    "\",trigger=\"" trigger "\",subject=\"" subject "\"}"
#define LOOKALIKE(key) "unbound_idn_lookalike_replies_total{key=\"" key "\"}"

static struct samples samples;
static struct xnm_metrics *metrics;
static bool enforced;

static char *text_with(const struct xnm_policy *policy,
                       const struct xnm_policyhandle_counts *reload)
{
    const struct xnm_metrics_extra extra = {
        .policy = policy, .enforced = enforced, .reload = *reload};
    size_t len;
    char *text = xnm_metrics_text(metrics, &extra, &len);

    assert_non_null(text);
    assert_int_equal(strlen(text), len);
    return text;
}

static void read_metrics(const struct xnm_policy *policy,
                         const struct xnm_policyhandle_counts *reload)
{
    char *text = text_with(policy, reload);

    read_samples(text, &samples);
    free(text);
}

static uint64_t value(const char *id)
{
    for (size_t i = 0; i < samples.count; i++)
        if (strcmp(samples.list[i].id, id) == 0)
            return samples.list[i].value;
    fail_msg("no %s", id);
    return 0;
}

static void count(const struct xnm_policy *policy, const char *name, bool log_only, bool observed)
{
    struct xnm_decision decision;
    struct xnm_match match;
    struct xnm_wirename wire;
    struct xn_name read = {0};
    struct xnm_reply reply = {.match = &match, .observed = observed};

    wirename_of(name, &wire);
    assert_true(
        xnm_policy_decide(policy,
                          &(struct xnm_question){
                              .qname = wire.octets, .qname_len = wire.len, .qtype = 1, .qclass = 1},
                          &decision));
    xnm_match_from(policy, &decision, log_only, &match);
    xnm_match_count(&match);
    xnm_metrics_count_reply(metrics, &reply, read.ace_count > 0 ? &read.reasons : NULL);
}

static void test_numbers(void **state)
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

    (void)state;
    count(policy, "x.a.example", false, false); /* and the log rule */
    count(policy, "b.example", false, false);
    count(policy, "b.example", true, false);
    count(policy, "b.example", true, true);
    count(policy, "d.example", false, false);
    xnm_metrics_count_withheld(metrics);
    xnm_metrics_count_withheld(metrics);
    enforced = true;
    read_metrics(policy, &reload);
    assert_int_equal(value("unbound_idn_policy_enforced"), 1);
    enforced = false;
    read_metrics(policy, &reload);
    assert_int_equal(value("unbound_idn_policy_enforced"), 0);
    assert_int_equal(value(REPLIES("nxdomain", "enforce")), 1);
    assert_int_equal(value(REPLIES("refuse", "enforce")), 1);
    assert_int_equal(value(REPLIES("refuse", "log-only")), 1);
    assert_int_equal(value(REPLIES("refuse", "observed")), 1);
    assert_int_equal(value(REPLIES("log", "enforce")), 1);
    assert_int_equal(value(REPLIES("drop", "enforce")), 0);
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
    struct xn_name read = {0};

    xnm_metrics_count_reply(metrics, &(struct xnm_reply){.match = &match},
                            read.ace_count > 0 ? &read.reasons : NULL);
}

static void test_lookalikes(void **state)
{
    struct xnm_policy *policy = policy_of("nxdomain zone a.example", NULL, NULL);

    (void)state;
    read_metrics(policy, &(struct xnm_policyhandle_counts){0});
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
    read_metrics(policy, &(struct xnm_policyhandle_counts){0});
    assert_int_equal(value(LOOKALIKE("exact")), 1);
    assert_int_equal(value(LOOKALIKE("strict")), 2);
    assert_int_equal(value(LOOKALIKE("within")), 0);
    assert_int_equal(value(LOOKALIKE("near")), 1);
    xnm_policy_free(policy);
}

static void test_no_policy(void **state)
{
    (void)state;
    read_metrics(NULL, &(struct xnm_policyhandle_counts){.swaps = 3});
    for (size_t i = 0; i < samples.metric_count; i++) {
        assert_null(strstr(samples.metrics[i], "policy"));
        assert_null(strstr(samples.metrics[i], "lookalike"));
    }
}

/* More rules than are shown: those that matched. */
static void test_many_rules(void **state)
{
    const size_t rules = XNM_METRICS_RULES_MAX + 1;
    char *text = malloc(rules * 40), *at = text;

    (void)state;
    for (size_t i = 0; i < rules; i++)
        at += sprintf(at, "nxdomain zone n%zu.example\n", i);
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    count(policy, "n77.example", false, false);
    read_metrics(policy, &(struct xnm_policyhandle_counts){0});
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
static void test_odd(void **state)
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
    struct test_group group = {0};

    metrics = xnm_metrics_new();
    add_test(&group, "no policy", test_no_policy, NULL);
    add_test(&group, "every number at its place", test_numbers, NULL);
    add_test(&group, "look-alikes by key", test_lookalikes, NULL);
    add_test(&group, "more rules than are shown", test_many_rules, NULL);
    ADD_TESTS(&group, odds, name, test_odd);
    return run_group("metrics_policy", &group);
}
