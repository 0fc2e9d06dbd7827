/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads Prometheus' text format, as its documentation has it ("Exposition formats"), and nothing
 * that a scraper could take otherwise. */
#ifndef XN_TESTS_UNIT_PROMETHEUS_H
#define XN_TESTS_UNIT_PROMETHEUS_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLES_MAX = 320, METRICS_MAX = 32 };

struct sample {
    char id[8192];  /* name and labels, as written */
    uint64_t value; /* of a decimal fraction the whole number */
};

struct samples {
    size_t count, metric_count;
    struct sample list[SAMPLES_MAX];
    char metrics[METRICS_MAX][64]; /* in their order; the last is the one whose samples are read */
};

/* The end of a name: a letter, `_` or, for metrics, `:`, and those or digits. */
static inline const char *skip_name(const char *at, bool metric)
{
    static const char first[] = ":_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *start = at;

    for (; *at; at++) {
        bool digit = *at >= '0' && *at <= '9' && at > start;
        if (!digit && !strchr(first + !metric, *at))
            break;
    }
    if (at == start)
        fail_msg("no name at: %s", start);
    return at;
}

/* {label="value",…}: only `\\`, `\"` and `\n` are escapes. Returns what is behind it. */
static inline const char *skip_labels(const char *at)
{
    if (*at != '{')
        return at;
    do {
        at = skip_name(at + 1, false);
        assert_memory_equal(at, "=\"", 2);
        for (at += 2; *at != '"'; at++) {
            assert_true((unsigned char)*at >= ' ');
            if (*at == '\\')
                assert_true(*++at && strchr("\\\"n", *at));
        }
        at++;
    } while (*at == ',');
    assert_int_equal(*at, '}');
    return at + 1;
}

/* A `# HELP` line begins a metric, once; its `# TYPE` line is the next. Returns what is behind
 * both. */
static inline const char *read_head(const char *at, struct samples *samples)
{
    const char *name = at + sizeof "# HELP " - 1, *end = skip_name(name, true);
    char *metric = samples->metrics[samples->metric_count++];

    assert_true(samples->metric_count <= METRICS_MAX);
    snprintf(metric, sizeof *samples->metrics, "%.*s", (int)(end - name), name);
    for (size_t i = 0; i + 1 < samples->metric_count; i++)
        assert_string_not_equal(samples->metrics[i], metric);
    assert_int_equal(*end, ' ');
    for (at = end + 1; *at != '\n'; at++) {
        assert_true((unsigned char)*at >= ' ');
        if (*at == '\\')
            assert_true(*++at && strchr("\\n", *at));
    }
    assert_true(at > end + 1);
    bool counter = strlen(metric) > 6 && strcmp(metric + strlen(metric) - 6, "_total") == 0;
    assert_memory_equal(at + 1, "# TYPE ", 7);
    assert_memory_equal(at + 8, metric, strlen(metric));
    at += 8 + strlen(metric);
    assert_memory_equal(at, counter ? " counter\n" : " gauge\n", counter ? 9 : 7);
    return at + (counter ? 9 : 7);
}

/* Reads a sample of the metric at hand, which must be a new one. Returns the text after it. */
static inline const char *read_sample(const char *at, struct samples *samples)
{
    const char *metric =
        samples->metric_count > 0 ? samples->metrics[samples->metric_count - 1] : "";
    const char *end = skip_labels(skip_name(at, true));
    struct sample *sample = &samples->list[samples->count++];
    char *value_end;

    assert_true(samples->count <= SAMPLES_MAX && (size_t)(end - at) < sizeof sample->id);
    assert_memory_equal(at, metric, strlen(metric));
    assert_true(strlen(metric) == (size_t)(skip_name(at, true) - at));
    snprintf(sample->id, sizeof sample->id, "%.*s", (int)(end - at), at);
    for (size_t i = 0; i + 1 < samples->count; i++)
        assert_string_not_equal(samples->list[i].id, sample->id);
    assert_true(*end == ' ' && end[1] >= '0' && end[1] <= '9');
    sample->value = strtoull(end + 1, &value_end, 10);
    if (*value_end == '.')
        value_end += 1 + strspn(value_end + 1, "0123456789");
    assert_int_equal(*value_end, '\n');
    return value_end + 1;
}

/* Reads the whole text, which ends with a line feed and a NUL. */
static inline void read_samples(const char *text, struct samples *samples)
{
    samples->count = samples->metric_count = 0;
    while (*text) {
        if (strncmp(text, "# HELP ", 7) == 0)
            text = read_head(text, samples);
        else
            text = read_sample(text, samples);
    }
}

/* NULL if it is not there. */
static inline const struct sample *find_sample(const struct samples *samples, const char *id)
{
    for (size_t i = 0; i < samples->count; i++)
        if (strcmp(samples->list[i].id, id) == 0)
            return &samples->list[i];
    return NULL;
}

/* 0 if it is not there. */
static inline uint64_t value_of(const struct samples *samples, const char *id)
{
    const struct sample *found = find_sample(samples, id);

    return found ? found->value : 0;
}

/* No sample of before is gone, and none is less. */
static inline void expect_growth(const struct samples *before, const struct samples *after)
{
    for (size_t i = 0; i < before->count; i++) {
        uint64_t now = value_of(after, before->list[i].id);
        if (now < before->list[i].value)
            fail_msg("%s was %" PRIu64 " and is %" PRIu64, before->list[i].id,
                     before->list[i].value, now);
    }
}

#endif
