/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_codec [--rounds N] [--labels N] [--peers DIR] [--instructions] FILE...: what the codec
 * costs beside other libraries. Each file has one U-label a line; a set of labels that are hard to
 * decode and to encode is made here. Every peer of an operation runs over the same labels in each
 * round, in an order that rotates. Writes a line for each operation, set and peer: these, the
 * number of labels, how many the peer takes for something else, and the nanoseconds a label of each
 * round, separated by tabs. With --instructions each runs once in `counted`, after a pass that is
 * not counted, for a profiler that collects only there. Exit 1: a peer that must agree with ours
 * does not. */
#include "core/text/utf8.h"
#include "tests/bench/codecpeers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS_MAX = 99, LINE_MAX_OCTETS = 1024 };

struct settings {
    size_t rounds, labels_max;
    bool instructions;
};

/* A form of all labels, one behind the other. */
struct pool {
    char *begin, *at;
};

enum { POOLS = 6 };

struct labels {
    char name[32];
    struct bench_label *all;
    size_t count;
    struct pool pools[POOLS];
};

static void fail(const char *what)
{
    fprintf(stderr, "bench_codec: %s\n", what);
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

/* The pools have room: see new_labels. */
static const void *pack(struct pool *pool, const void *form, size_t len)
{
    char *at = pool->at;

    memcpy(at, form, len);
    pool->at += len;
    return at;
}

static void add_label(struct labels *labels, size_t max, const uint32_t *cps, size_t len)
{
    struct bench_forms forms;
    struct pool *pools = labels->pools;

    if (labels->count == max || !bench_label_make(cps, len, &forms))
        return;
    labels->all[labels->count++] = (struct bench_label){
        .cps = pack(&pools[0], forms.cps, forms.cps_len * sizeof *forms.cps),
        .utf16 = pack(&pools[1], forms.utf16, forms.utf16_len * sizeof *forms.utf16),
        .punycode16 =
            pack(&pools[2], forms.punycode16, forms.alabel_len * sizeof *forms.punycode16),
        .alabel = pack(&pools[3], forms.alabel, forms.alabel_len + 1),
        .text = pack(&pools[4], forms.text, forms.text_len + 1),
        .written = pack(&pools[5], forms.written, forms.written_len + 1),
        .cps_len = (uint16_t)forms.cps_len,
        .utf16_len = (uint16_t)forms.utf16_len,
        .alabel_len = (uint16_t)forms.alabel_len,
        .text_len = (uint16_t)forms.text_len,
        .written_len = (uint16_t)forms.written_len,
    };
}

static void name_labels(struct labels *labels, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    snprintf(labels->name, sizeof labels->name, "%.*s", (int)strcspn(name, "."), name);
}

static struct labels new_labels(size_t max)
{
    struct labels labels = {.all = calloc(max, sizeof *labels.all)};

    if (!labels.all)
        fail("no memory");
    for (size_t i = 0; i < POOLS; i++) {
        labels.pools[i].at = labels.pools[i].begin = malloc(max * BENCH_TEXT);
        if (!labels.pools[i].begin)
            fail("no memory");
    }
    return labels;
}

static void free_labels(struct labels *labels)
{
    for (size_t i = 0; i < POOLS; i++)
        free(labels->pools[i].begin);
    free(labels->all);
}

static struct labels read_labels(const char *path, size_t max)
{
    struct labels labels = new_labels(max);
    char line[LINE_MAX_OCTETS];
    FILE *file = fopen(path, "r");

    if (!file)
        fail(path);
    name_labels(&labels, path);
    while (fgets(line, sizeof line, file)) {
        uint32_t cps[64];
        size_t len;

        if (xn_utf8_decode((const uint8_t *)line, strcspn(line, "\t\n"), cps, 64, &len, NULL) ==
            XN_OK)
            add_label(&labels, max, cps, len);
    }
    fclose(file);
    return labels;
}

static uint32_t random_next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Every insertion at the front; one letter again and again; insertions in front of ASCII; to and
 * fro; ideographs from anywhere. */
static size_t make_hard_label(uint32_t kind, uint32_t *seed, uint32_t *cps)
{
    size_t len = 12 + random_next(seed) % 32;
    uint32_t step = 1 + random_next(seed) % 3, first = 0x4E00 + random_next(seed) % 0x4000;

    for (size_t i = 0; i < len; i++) {
        uint32_t at = (uint32_t)i, back = (uint32_t)(len - i);
        cps[i] = kind == 0   ? first + back * step
                 : kind == 1 ? first
                 : kind == 2 ? (i < len / 2 ? first + back * step : 'a' + at % 26)
                 : kind == 3 ? (i % 2 ? first + at : first + 0x400 - at)
                             : 0x4E00 + random_next(seed) % 0x5000;
    }
    return kind == 4 ? len / 2 : len;
}

static struct labels make_hard_labels(size_t max)
{
    struct labels labels = new_labels(max);
    uint32_t seed = 3492;

    snprintf(labels.name, sizeof labels.name, "adversarial");
    for (uint32_t tries = 0; labels.count < max && tries < 20 * max; tries++) {
        uint32_t cps[64];
        size_t len = make_hard_label(tries % 5, &seed, cps);

        add_label(&labels, max, cps, len);
    }
    return labels;
}

/* --- running --- */

/* Returns the result that is due, in the peer's form. */
static const void *expected(const struct bench_operation *operation, const struct bench_peer *peer,
                            const struct bench_label *label, size_t *len, size_t *size)
{
    if (strcmp(operation->name, "encode") == 0) {
        *len = label->alabel_len - 4u;
        *size = peer->kind == BENCH_UTF16 ? sizeof(uint16_t) : 1;
        return peer->kind == BENCH_UTF16 ? (const void *)label->punycode16 : label->alabel + 4;
    }
    if (strstr(operation->name, "to A-label")) {
        *len = label->alabel_len;
        *size = 1;
        return label->alabel;
    }
    *len = peer->kind == BENCH_CPS     ? label->cps_len
           : peer->kind == BENCH_UTF16 ? label->utf16_len
                                       : label->text_len;
    *size = peer->kind == BENCH_CPS     ? sizeof(uint32_t)
            : peer->kind == BENCH_UTF16 ? sizeof(uint16_t)
                                        : 1;
    return peer->kind == BENCH_CPS     ? (const void *)label->cps
           : peer->kind == BENCH_UTF16 ? (const void *)label->utf16
                                       : label->text;
}

/* Returns for how many labels a peer gives something else. */
static size_t count_differences(const struct bench_operation *operation,
                                const struct bench_peer *peer, const struct labels *labels)
{
    size_t different = 0;

    for (size_t i = 0; i < labels->count; i++) {
        struct bench_result result = {.good = false};
        size_t len, size;
        const void *right = expected(operation, peer, &labels->all[i], &len, &size);

        peer->run(&labels->all[i], &result);
        bool same =
            result.good && result.len == len && memcmp(result.as.text, right, len * size) == 0;
        if (!same && peer->same)
            fprintf(stderr, "%s, %s, %s: %s\n", operation->name, labels->name, peer->name,
                    labels->all[i].alabel);
        different += !same;
    }
    return different;
}

/* A sum that everybody who agrees comes to: how many were good, and how long these are. */
static size_t run_all(const struct bench_peer *peer, const struct labels *labels)
{
    struct bench_result result;
    size_t sum = 0;

    for (size_t i = 0; i < labels->count; i++) {
        peer->run(&labels->all[i], &result);
        sum += result.good ? result.len + 1 : 0;
    }
    return sum;
}

/* Where callgrind collects. */
__attribute__((noinline)) static size_t counted(const struct bench_peer *peer,
                                                const struct labels *labels)
{
    return run_all(peer, labels);
}

static size_t timed(const struct bench_peer *peer, const struct labels *labels, double *time)
{
    double begin = now();
    size_t sum = run_all(peer, labels);

    *time = (now() - begin) / (double)labels->count;
    return sum;
}

static size_t count_peers(const struct bench_operation *operation)
{
    size_t count = 0;

    while (count < BENCH_PEERS && operation->peers[count].name)
        count++;
    return count;
}

static void print_row(const struct bench_operation *operation, const struct labels *labels,
                      const struct bench_peer *peer, size_t different, const double *times,
                      size_t rounds)
{
    printf("%s\t%s\t%s\t%zu\t%zu", operation->name, labels->name, peer->name, labels->count,
           different);
    for (size_t i = 0; i < rounds; i++)
        printf("\t%.1f", times[i]);
    putchar('\n');
}

/* Returns whether all who must agree do. */
static bool measure(const struct bench_operation *operation, const struct labels *labels,
                    const struct settings *settings)
{
    double times[BENCH_PEERS][ROUNDS_MAX];
    size_t peers = count_peers(operation), different[BENCH_PEERS] = {0}, sums[BENCH_PEERS] = {0};
    bool agreed = true;

    for (size_t i = 0; i < peers; i++)
        if (operation->peers[i].run) {
            different[i] = count_differences(operation, &operation->peers[i], labels);
            sums[i] = run_all(&operation->peers[i], labels);
        }
    for (size_t round = 0; round < settings->rounds; round++)
        for (size_t i = 0; i < peers; i++) {
            size_t who = (i + round) % peers;
            const struct bench_peer *peer = &operation->peers[who];
            if (!peer->run)
                continue;
            size_t sum = settings->instructions ? counted(peer, labels)
                                                : timed(peer, labels, &times[who][round]);
            if (sum != sums[who])
                fail("the same labels gave something else");
        }
    for (size_t i = 0; i < peers; i++) {
        const struct bench_peer *peer = &operation->peers[i];
        if (peer->run)
            print_row(operation, labels, peer, different[i], times[i],
                      settings->instructions ? 0 : settings->rounds);
        agreed &= !peer->same || different[i] == 0;
    }
    return agreed;
}

static bool measure_all(struct labels *labels, const struct settings *settings)
{
    bool agreed = true;

    if (labels->count == 0)
        fail("a file has no labels");
    for (const struct bench_operation *operation = bench_operations(); operation->name; operation++)
        agreed &= measure(operation, labels, settings);
    fflush(stdout);
    free_labels(labels);
    return agreed;
}

static size_t number(const char *text, size_t max)
{
    unsigned long value = text ? strtoul(text, NULL, 10) : 0;

    if (value == 0 || value > max)
        fail("a number is missing or too large");
    return value;
}

int main(int argc, char **argv)
{
    struct settings settings = {.rounds = 11, .labels_max = 10000};
    const char *peers = NULL;
    bool agreed = true;
    int at = 1;

    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        if (strcmp(argv[at], "--rounds") == 0)
            settings.rounds = number(argv[++at], ROUNDS_MAX);
        else if (strcmp(argv[at], "--labels") == 0)
            settings.labels_max = number(argv[++at], 1000000);
        else if (strcmp(argv[at], "--peers") == 0)
            peers = argv[++at];
        else if (strcmp(argv[at], "--instructions") == 0)
            settings.instructions = true;
        else
            fail("usage: bench_codec [--rounds N] [--labels N] [--peers DIR] [--instructions] "
                 "FILE...");
    }
    if (settings.instructions)
        settings.rounds = 1;
    if (!bench_peers_open(peers))
        fail("ICU cannot be opened");
    for (; at < argc; at++) {
        struct labels labels = read_labels(argv[at], settings.labels_max);
        agreed &= measure_all(&labels, &settings);
    }
    struct labels hard = make_hard_labels(settings.labels_max);
    agreed &= measure_all(&hard, &settings);
    return agreed ? 0 : 1;
}
