/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_policy [--decide | --list] [COUNT]: what a policy of so many generated names costs to read
 * and build, to hold, and to ask. The names are about 20 octets long, and stand in one top-level
 * domain or spread over many. With --decide each kind of question is asked once, for a profiler
 * that is told to collect in `ask` alone; --list writes the names. */
#include "module/feed.h"
#include "module/policy.h"
#include "tests/unit/wirenames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUESTIONS = 100000, ROUNDS = 10, LABELS_MAX = 5, NAME_TEXT_MAX = 128 };

static double clock_seconds(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* CPU time: others may be at work on the machine. */
static double now(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_policy: %s\n", what);
    exit(1);
}

/* --- names --- */

/* The same for the same number: a word of 8 to 15 letters and digits. */
static size_t put_word(char *dst, uint64_t number)
{
    uint64_t mixed = (number + 1) * 0x9E3779B97F4A7C15;
    size_t len = 8 + (mixed >> 32) % 8;

    for (size_t i = 0; i < len; i++, mixed = mixed * 6364136223846793005 + 1442695040888963407)
        dst[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[(mixed >> 33) % 36];
    return len;
}

/* Name `number` of the list: two labels, every third with one before them. */
static int put_name(char *dst, uint64_t number, bool spread)
{
    static const char *const tlds[] = {"com", "net",  "org",  "de",   "ru",  "info",
                                       "xyz", "shop", "site", "icu",  "top", "online",
                                       "uk",  "cn",   "fr",   "club", "biz", "example"};
    char word[16];
    size_t len = put_word(word, number);
    const char *tld = spread ? tlds[number % (sizeof tlds / sizeof *tlds)] : "example";

    return sprintf(dst, "%s%.*s.%s", number % 3 == 0 ? "track." : "", (int)len, word, tld);
}

static char *make_list(size_t count, bool spread, size_t *len)
{
    char *text = malloc(count * NAME_TEXT_MAX / 2 + NAME_TEXT_MAX);

    if (!text)
        fail("no memory");
    *len = 0;
    for (size_t i = 0; i < count; i++) {
        *len += (size_t)put_name(text + *len, i, spread);
        text[(*len)++] = '\n';
    }
    return text;
}

/* --- reading and building --- */

static void report(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message)
{
    char text[1024];

    (void)arg, (void)severity;
    fprintf(stderr, "%s\n", xnm_report_text(place, message, text, sizeof text));
}
static const struct xnm_reporter reporter = {report, NULL};

static bool add_entry(void *builder, const struct xnm_feed_entry *entry)
{
    return xnm_policy_builder_entry(builder, entry);
}

static struct xnm_policy *read_policy(const struct xn_unicode *unicode, const char *text,
                                      size_t len)
{
    char path[] = "generated";
    const struct xnm_policy_settings settings = {.ttl = 60};
    const struct xnm_rule rule = {
        .action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_ZONES, .file = "rules", .path = path};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    struct xnm_feed_counts counts;
    struct xnm_policy *policy;

    if (!builder || !xnm_policy_builder_rule(builder, &rule, NULL) ||
        !xnm_feed_read(unicode, &rule, path, text, len, &reporter, add_entry, builder, &counts))
        fail("the list could not be read");
    policy = xnm_policy_finish(builder, &reporter);
    if (!policy)
        fail("no memory");
    return policy;
}

static struct xnm_policy *build(size_t count, bool spread, bool tell)
{
    struct xn_unicode *unicode;
    struct xnm_policy *policy;
    size_t len, memory;
    char *text = make_list(count, spread, &len);
    double begin, wall;

    if (xn_unicode_open(&unicode) != XN_OK)
        fail("ICU cannot be opened");
    begin = now();
    wall = clock_seconds(CLOCK_MONOTONIC);
    policy = read_policy(unicode, text, len);
    memory = xnm_policy_memory(policy);
    if (tell)
        printf("%zu names of %.1f octets %s: read and built in %.2f s (%.2f of CPU "
               "time), %.1f MB, %.1f octets a name\n",
               xnm_policy_entry_count(policy), (double)len / (double)count,
               spread ? "over 18 TLDs" : "in one TLD", clock_seconds(CLOCK_MONOTONIC) - wall,
               now() - begin, (double)memory / 1e6, (double)memory / (double)count);
    free(text);
    xn_unicode_close(unicode);
    return policy;
}

/* --- asking --- */

struct questions {
    struct xnm_question questions[QUESTIONS];
    uint8_t wire[QUESTIONS][NAME_TEXT_MAX];
};

/* Names of so many labels; those that hit are of the list, or below it. */
static void make_questions(struct questions *questions, size_t count, bool spread, bool hit,
                           unsigned labels)
{
    for (size_t i = 0; i < QUESTIONS; i++) {
        char text[NAME_TEXT_MAX], name[NAME_TEXT_MAX];
        uint64_t number = (i * 2654435761U) % count / 3 * 3 + 1;
        size_t before = 0;
        put_name(name, hit ? number % count : number + count + 3, spread);
        for (unsigned more = 2; more < labels; more++)
            before += (size_t)sprintf(text + before, more == 2 ? "www." : "host%u.", more);
        strcpy(text + before, name);
        questions->questions[i] =
            (struct xnm_question){questions->wire[i], wire_of(text, questions->wire[i]), 1, 1};
    }
}

/* Returns how many matched. */
__attribute__((noinline)) static size_t ask(const struct xnm_policy *policy,
                                            const struct questions *questions)
{
    struct xnm_decision decision;
    size_t matched = 0;

    for (size_t i = 0; i < QUESTIONS; i++)
        matched += xnm_policy_decide(policy, &questions->questions[i], &decision);
    return matched;
}

static void time_questions(const struct xnm_policy *policy, size_t count, bool spread)
{
    static struct questions questions;

    for (int hit = 0; hit < 2; hit++) {
        for (unsigned labels = 2; labels <= LABELS_MAX; labels++) {
            double best = 1e9;
            size_t matched = 0;
            make_questions(&questions, count, spread, hit, labels);
            for (unsigned round = 0; round < ROUNDS; round++) {
                double begin = now();
                matched = ask(policy, &questions);
                if (now() - begin < best)
                    best = now() - begin;
            }
            printf("  %s, %u labels: %.0f ns (%zu of %d matched)\n", hit ? "hit " : "miss", labels,
                   best / QUESTIONS * 1e9, matched, QUESTIONS);
        }
    }
}

static void ask_only(size_t count)
{
    static struct questions questions;
    struct xnm_policy *policy = build(count, true, false);

    for (int hit = 0; hit < 2; hit++) {
        for (unsigned labels = 2; labels <= LABELS_MAX; labels++) {
            make_questions(&questions, count, true, hit, labels);
            printf("%s, %u labels: %zu of %d matched\n", hit ? "hit " : "miss", labels,
                   ask(policy, &questions), QUESTIONS);
        }
    }
    xnm_policy_free(policy);
}

/* Not from getrusage: what that says begins with the peak of who called exec. */
static double peak_megabytes(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    unsigned long kilobytes = 0;
    char line[128];

    while (status && fgets(line, sizeof line, status) && kilobytes == 0)
        if (strncmp(line, "VmHWM:", 6) == 0)
            kilobytes = strtoul(line + 6, NULL, 10);
    if (status)
        fclose(status);
    return (double)kilobytes * 1024 / 1e6;
}

static void measure(size_t count)
{
    for (int spread = 0; spread < 2; spread++) {
        struct xnm_policy *policy = build(count, spread, true);
        time_questions(policy, count, spread);
        xnm_policy_free(policy);
    }
    printf("peak RSS, with the list's whole text and the questions: %.0f MB\n", peak_megabytes());
}

static void list(size_t count)
{
    size_t len;
    char *text = make_list(count, false, &len);

    fwrite(text, 1, len, stdout);
    free(text);
}

int main(int argc, char **argv)
{
    bool deciding = argc > 1 && strcmp(argv[1], "--decide") == 0;
    bool listing = argc > 1 && strcmp(argv[1], "--list") == 0;
    int at = deciding || listing ? 2 : 1;
    size_t count = argc > at ? strtoul(argv[at], NULL, 10) : 1000000;

    if (count < 10 || count > 100000000)
        fail("usage: bench_policy [--decide | --list] [COUNT]");
    if (deciding)
        ask_only(count);
    else if (listing)
        list(count);
    else
        measure(count);
    return 0;
}
