/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_keys [--rounds N] [--labels N] [--instructions] PROTECTED FILE...: what it costs to know
 * what a label looks like. Each FILE has one U-label a line; labels that are meant to cost much are
 * made here. Three operations: the loose key of an A-label, a decision about a name with it where
 * the names of PROTECTED are protected in every way, and the same where none is. A row each, which
 * tests/bench/names.py reads: operation, labels, who, how many, how many of the names look like a
 * protected one, and nanoseconds a label in each round. With --instructions each runs once in
 * `counted`, for a profiler that collects only there. */
#include "core/idna/unicode.h"
#include "core/lookalike/shape.h"
#include "core/punycode/punycode.h"
#include "core/text/utf8.h"
#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "module/list/list.h"
#include "module/policy/policy.h"
#include "module/rule/protection.h"
#include "module/rule/rule.h"
#include "tests/unit/wirenames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LABELS_MAX = 100000, ROUNDS_MAX = 99, LINE_MAX_OCTETS = 1024 };

struct label {
    size_t len, name_len;
    uint8_t octets[XN_WIRE_LABEL_MAX];
    uint8_t name[XN_WIRE_NAME_MAX];
};

struct labels {
    char name[32];
    size_t count;
    struct label *all;
};

struct settings {
    size_t rounds, labels_max;
    bool instructions;
    struct xnm_policy *policy, *parts, *without; /* with protected names; with near= and within=,
                                                    too; without */
};

static void fail(const char *what, const char *of)
{
    fprintf(stderr, "bench_keys: %s%s\n", what, of);
    exit(2);
}

/* CPU time: others may be at work on the machine. */
static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* --- labels --- */

/* Puts an A-label where names ask for it: once below "com", or as often as a name has room. */
static void add_label(struct labels *labels, const uint32_t *cps, size_t count, bool often)
{
    struct label *label = &labels->all[labels->count];
    uint8_t *end = label->name;

    label->len = put_a_label(cps, count, label->octets, sizeof label->octets);
    if (label->len == 0)
        return;
    do {
        *end++ = (uint8_t)label->len;
        memcpy(end, label->octets, label->len);
        end += label->len;
    } while (often && (size_t)(end - label->name) + label->len + 6 < XN_WIRE_NAME_MAX);
    memcpy(end, "\3com", 5);
    label->name_len = (size_t)(end - label->name) + 5;
    labels->count++;
}

static struct labels new_labels(const char *name, const struct settings *settings)
{
    struct labels labels = {.all = calloc(settings->labels_max, sizeof *labels.all)};

    if (!labels.all)
        fail("no memory", "");
    snprintf(labels.name, sizeof labels.name, "%s", name);
    return labels;
}

static struct labels read_labels(const char *path, const struct settings *settings)
{
    const char *slash = strrchr(path, '/');
    struct labels labels = new_labels(slash ? slash + 1 : path, settings);
    char line[LINE_MAX_OCTETS];
    FILE *file = fopen(path, "r");

    if (!file)
        fail("cannot be read: ", path);
    labels.name[strcspn(labels.name, ".")] = '\0';
    while (labels.count < settings->labels_max && fgets(line, sizeof line, file)) {
        uint32_t cps[LINE_MAX_OCTETS];
        size_t count;
        if (xn_utf8_decode((const uint8_t *)line, strcspn(line, "\n"), cps, LINE_MAX_OCTETS, &count,
                           NULL) == XN_OK)
            add_label(&labels, cps, count, false);
    }
    fclose(file);
    return labels;
}

/* Makes labels of these code points, chosen at random, as many as fit. */
static struct labels make_labels(const char *name, const uint32_t *of, size_t of_count,
                                 const struct settings *settings)
{
    struct labels labels = new_labels(name, settings);
    uint64_t seed = 1;

    while (labels.count < settings->labels_max) {
        uint32_t cps[XN_ULABEL_MAX];
        uint8_t octets[XN_WIRE_LABEL_MAX];
        size_t count = 0;
        while (count < XN_ULABEL_MAX) {
            cps[count] = of[below(&seed, (uint32_t)of_count)];
            if (put_a_label(cps, count + 1, octets, sizeof octets) == 0)
                break;
            count++;
        }
        add_label(&labels, cps, count, true);
    }
    return labels;
}

/* Code points from `first` on that are neighbours, so that a label has room for many. */
static struct labels make_neighbours(const char *name, uint32_t first, size_t count,
                                     const struct settings *settings)
{
    uint32_t cps[256];

    for (size_t i = 0; i < count; i++)
        cps[i] = first + (uint32_t)i;
    return make_labels(name, cps, count, settings);
}

/* The 64 neighbours of whose sequences the strict key is longest. */
static uint32_t find_longest(void)
{
    enum { NEIGHBOURS = 64 };
    uint32_t best = 0x80;
    size_t longest = 0;

    for (uint32_t block = 0xA0; block < 0x20000; block += NEIGHBOURS) {
        uint8_t key[XN_KEY_MAX];
        size_t len = 0;
        for (uint32_t cp = block; cp < block + NEIGHBOURS && block >> 11 != 0xD800 >> 11; cp++)
            len += xn_lookalike_sequence(cp, XN_KEY_STRICT, key);
        if (len > longest) {
            longest = len;
            best = block;
        }
    }
    return best;
}

/* --- policies --- */

static void report(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    char text[1024];

    (void)arg;
    if (severity == XNM_ERROR)
        fail(xnm_diagnostic_text(place, message, text, sizeof text), "");
}
static const struct xnm_diagnostics diagnostics = {report, NULL};

static bool add_entry(void *builder, const struct xnm_list_entry *entry)
{
    return xnm_policy_builder_entry(builder, entry);
}

/* Builds a policy from a list of names, as a rule `nxdomain lookalikes protected key=strict
 * label=any ascii=safe` or `nxdomain zones` does; `parts`: with near=1 and within=yes. */
static struct xnm_policy *read_policy(const struct xn_unicode *unicode, char *path,
                                      xnm_trigger trigger, bool parts)
{
    const struct xnm_policy_settings settings = {.ttl = 60};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    struct xnm_rule rule = {.file = "rules",
                            .path = path,
                            .action = XNM_NXDOMAIN,
                            .trigger = trigger,
                            .protection = {.key = XN_KEY_STRICT,
                                           .ascii = XN_ASCII_SAFE,
                                           .any_label = true,
                                           .near = parts,
                                           .within = parts}};
    const struct xnm_list_options options = {
        .unicode = unicode, .diagnostics = &diagnostics, .entry = add_entry, .arg = builder};
    struct xnm_list_counts counts;
    static char text[1 << 20];
    FILE *file = fopen(path, "r");

    if (!file)
        fail("cannot be read: ", path);
    size_t len = fread(text, 1, sizeof text, file);
    fclose(file);
    xnm_protection_set_min(&rule.protection, 0);
    if (!builder || !xnm_policy_builder_rule(builder, &rule, NULL) ||
        !xnm_list_read(&options, &rule, path, text, len, &counts))
        fail("no names in ", path);
    struct xnm_policy *policy = xnm_policy_finish(builder, &diagnostics, NULL);
    if (!policy)
        fail("no memory", "");
    return policy;
}

/* --- operations --- */

/* Each returns what depends on all that it did. */
static size_t make_keys(const struct labels *labels, const struct xnm_policy *policy)
{
    uint8_t key[XN_KEY_MAX];
    size_t sum = 0;

    (void)policy;
    for (size_t i = 0; i < labels->count; i++)
        sum += xn_lookalike_key(labels->all[i].octets, labels->all[i].len, XN_KEY_LOOSE, key);
    return sum;
}

static size_t decide(const struct labels *labels, const struct xnm_policy *policy)
{
    size_t matched = 0;

    for (size_t i = 0; i < labels->count; i++) {
        const struct label *label = &labels->all[i];
        const struct xnm_question question = {
            .qname = label->name, .qname_len = label->name_len, .qtype = 1, .qclass = 1};
        struct xnm_decision decision;
        matched += xnm_policy_decide(policy, &question, &decision);
    }
    return matched;
}

typedef size_t operation(const struct labels *labels, const struct xnm_policy *policy);

/* callgrind counts this function alone. */
__attribute__((noinline)) static size_t counted(operation *run, const struct labels *labels,
                                                const struct xnm_policy *policy)
{
    return run(labels, policy);
}

static void measure(const struct labels *labels, const struct settings *settings)
{
    const struct {
        const char *name;
        operation *run;
        const struct xnm_policy *policy;
    } all[] = {{"loose key of a label", make_keys, NULL},
               {"decision, 600 protected names", decide, settings->policy},
               {"decision, near= and within=", decide, settings->parts},
               {"decision, none", decide, settings->without}};
    enum { ALL = sizeof all / sizeof *all };
    double times[ALL][ROUNDS_MAX];
    size_t sums[ALL];

    for (size_t i = 0; i < ALL; i++)
        sums[i] = all[i].run(labels, all[i].policy);
    for (size_t round = 0; round < settings->rounds; round++) {
        for (size_t turn = 0; turn < ALL; turn++) {
            size_t i = settings->instructions ? turn : (turn + round) % ALL;
            double begin = now();
            if (counted(all[i].run, labels, all[i].policy) != sums[i])
                fail("the same labels gave something else", "");
            times[i][round] = (now() - begin) / (double)labels->count;
        }
    }
    for (size_t i = 0; i < ALL; i++) {
        printf("%s\t%s\tlibxn\t%zu\t%zu", all[i].name, labels->name, labels->count,
               all[i].policy ? sums[i] : 0);
        for (size_t round = 0; round < settings->rounds && !settings->instructions; round++)
            printf("\t%.1f", times[i][round]);
        putchar('\n');
    }
    fflush(stdout);
    free(labels->all);
}

static size_t number(const char *text, size_t max)
{
    unsigned long value = text ? strtoul(text, NULL, 10) : 0;

    if (value == 0 || value > max)
        fail("a number is missing or too large", "");
    return value;
}

int main(int argc, char **argv)
{
    struct settings settings = {.rounds = 11, .labels_max = 10000};
    struct xn_unicode *unicode;
    int at = 1;

    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        if (strcmp(argv[at], "--rounds") == 0)
            settings.rounds = number(argv[++at], ROUNDS_MAX);
        else if (strcmp(argv[at], "--labels") == 0)
            settings.labels_max = number(argv[++at], LABELS_MAX);
        else if (strcmp(argv[at], "--instructions") == 0)
            settings.instructions = true;
        else
            fail("what is ", argv[at]);
    }
    if (at == argc || xn_unicode_open(&unicode) != XN_OK)
        fail("usage: bench_keys [--rounds N] [--labels N] [--instructions] PROTECTED FILE...", "");
    if (settings.instructions)
        settings.rounds = 1;
    settings.policy = read_policy(unicode, argv[at], XNM_TRIGGER_LOOKALIKES, false);
    settings.parts = read_policy(unicode, argv[at], XNM_TRIGGER_LOOKALIKES, true);
    settings.without = read_policy(unicode, argv[at], XNM_TRIGGER_ZONES, false);
    while (++at < argc) {
        struct labels labels = read_labels(argv[at], &settings);
        measure(&labels, &settings);
    }
    const struct labels hard[] = {
        make_neighbours("hostile: marks", 0x300, 64, &settings),
        make_neighbours("hostile: one mark", 0xF75, 1, &settings), /* it is two, out of order */
        make_neighbours("hostile: long", find_longest(), 64, &settings),
        make_neighbours("hostile: Hangul", 0xAC00, 256, &settings),
    };
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        measure(&hard[i], &settings);
    xnm_policy_free(settings.policy);
    xnm_policy_free(settings.parts);
    xnm_policy_free(settings.without);
    xn_unicode_close(unicode);
    return 0;
}
