/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_policy [--decide] [COUNT]: measures what it costs to read and build, to hold, and
 * to ask a policy of COUNT generated names. The names are about 20 octets long, and are in one
 * top-level domain or in many. The same for 100,000 protected names, or 10,000 with near=1. With
 * --decide each kind of question is asked once, for a profiler that collects only in `ask`. */
#include "core/idna/unicode.h"
#include "module/base/budget.h"
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

enum { QUESTIONS = 100000, ROUNDS = 10, LABELS_MAX = 5, NAME_TEXT_MAX = 128, PROTECTED = 100000 };

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
    fprintf(stderr, "%s\n", xnm_diagnostics_text(place, message, text, sizeof text));
}
static const struct xnm_diagnostics diagnostics = {report, NULL};

static bool add_entry(void *builder, const struct xnm_list_entry *entry)
{
    return xnm_policy_builder_entry(builder, entry);
}

static struct xnm_policy *read_policy(const struct xn_unicode *unicode, const struct xnm_rule *line,
                                      const char *text, size_t len)
{
    char path[] = "generated";
    const struct xnm_policy_settings settings = {.ttl = 60};
    struct xnm_rule rule = *line;
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    const struct xnm_list_options options = {
        .unicode = unicode, .diagnostics = &diagnostics, .entry = add_entry, .arg = builder};
    struct xnm_list_counts counts;
    struct xnm_policy *policy;

    rule.file = "rules";
    rule.path = path;
    if (!builder || !xnm_policy_builder_rule(builder, &rule, NULL) ||
        !xnm_list_read(&options, &rule, path, text, len, &counts))
        fail("the list could not be read");
    policy = xnm_policy_finish(builder, &diagnostics, NULL);
    if (!policy)
        fail("no memory");
    return policy;
}

static const struct xn_unicode *unicode_of_all(void)
{
    static struct xn_unicode *unicode;

    if (!unicode && xn_unicode_open(&unicode) != XN_OK)
        fail("ICU cannot be opened");
    return unicode;
}

/* Builds a policy with a list of `count` names. `what` names them in the output; NULL: no output.
 * Frees the text. */
static struct xnm_policy *build(const struct xnm_rule *rule, char *text, size_t len, size_t count,
                                const char *what)
{
    const struct xn_unicode *unicode = unicode_of_all();
    double begin = now(), wall = clock_seconds(CLOCK_MONOTONIC);
    struct xnm_budget budget = {.max = SIZE_MAX};
    xnm_budget_open(&budget);
    struct xnm_policy *policy = read_policy(unicode, rule, text, len);
    size_t memory = xnm_policy_memory(policy);
    xnm_budget_open(NULL);

    if (what)
        printf("%zu names of %.1f octets %s: read and built in %.2f s (%.2f of CPU "
               "time), %.1f MB, %.1f octets a name, %.1f MB at most beside its text\n",
               xnm_policy_entry_count(policy), (double)len / (double)count, what,
               clock_seconds(CLOCK_MONOTONIC) - wall, now() - begin, (double)memory / 1e6,
               (double)memory / (double)count, (double)budget.peak / 1e6);
    free(text);
    return policy;
}

static struct xnm_policy *build_zones(size_t count, bool spread, bool tell)
{
    const struct xnm_rule rule = {.action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_ZONES};
    size_t len;
    char *text = make_list(count, spread, &len);

    return build(&rule, text, len, count, !tell ? NULL : spread ? "over 18 TLDs" : "in one TLD");
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
            (struct xnm_question){.qname = questions->wire[i],
                                  .qname_len = wire_of(text, questions->wire[i]),
                                  .qtype = 1,
                                  .qclass = 1};
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

/* Nanoseconds a question, at best. */
static double time_asking(const struct xnm_policy *policy, const struct questions *questions,
                          size_t *matched)
{
    double best = 1e9;

    for (unsigned round = 0; round < ROUNDS; round++) {
        double begin = now();
        *matched = ask(policy, questions);
        if (now() - begin < best)
            best = now() - begin;
    }
    return best / QUESTIONS * 1e9;
}

static void time_questions(const struct xnm_policy *policy, size_t count, bool spread)
{
    static struct questions questions;
    size_t matched;

    for (int hit = 0; hit < 2; hit++) {
        for (unsigned labels = 2; labels <= LABELS_MAX; labels++) {
            make_questions(&questions, count, spread, hit, labels);
            double time = time_asking(policy, &questions, &matched);
            printf("  %s, %u labels: %.0f ns (%zu of %d matched)\n", hit ? "hit " : "miss", labels,
                   time, matched, QUESTIONS);
        }
    }
}

/* --- protected names --- */

/* All begin with an o, for which a look-alike has the Cyrillic letter. */
static size_t put_protected(char *dst, uint64_t number)
{
    char word[16];
    int len = (int)put_word(word, number);

    return (size_t)sprintf(dst, "o%.*s.%s", len, word, number % 2 ? "com" : "co.uk");
}

static char *make_protected(size_t count, size_t *len)
{
    char *text = malloc(count * NAME_TEXT_MAX / 4 + NAME_TEXT_MAX);

    if (!text)
        fail("no memory");
    *len = 0;
    for (size_t i = 0; i < count; i++) {
        *len += put_protected(text + *len, i);
        text[(*len)++] = '\n';
    }
    return text;
}

static const struct {
    const char *name;
    uint32_t first; /* of the label that is not www: instead of its o */
    bool is_protected;
} asked[] = {{"no A-label", 'u', false},
             {"an A-label, and no look-alike", 0x436, false},
             {"a look-alike", 0x43E, true},
             {"a protected name", 'o', true}};

static void make_protected_questions(struct questions *questions, size_t count, unsigned kind)
{
    for (size_t i = 0; i < QUESTIONS; i++) {
        char name[NAME_TEXT_MAX], text[NAME_TEXT_MAX] = "www.";
        uint32_t cps[XN_WIRE_LABEL_MAX];
        uint64_t number = (i * 2654435761U) % count;
        size_t label_len, len = strlen(text);
        put_protected(name, asked[kind].is_protected ? number : number + count);
        label_len = strcspn(name, ".");
        for (size_t at = 0; at < label_len; at++)
            cps[at] = at == 0 ? asked[kind].first : (uint8_t)name[at];
        if (asked[kind].first < 0x80)
            len +=
                (size_t)sprintf(text + len, "%c%.*s", (char)cps[0], (int)label_len - 1, name + 1);
        else
            len += put_a_label(cps, label_len, (uint8_t *)text + len, XN_WIRE_LABEL_MAX);
        strcpy(text + len, name + label_len);
        questions->questions[i] =
            (struct xnm_question){.qname = questions->wire[i],
                                  .qname_len = wire_of(text, questions->wire[i]),
                                  .qtype = 1,
                                  .qclass = 1};
    }
}

static const struct {
    const char *options;
    size_t count; /* protected names */
    struct xnm_protection protection;
} protections[] = {
    {"key=exact", PROTECTED, {.key = XN_KEY_EXACT}},
    {"key=strict tld=any", PROTECTED, {.key = XN_KEY_STRICT, .any_tld = true}},
    {"key=strict label=any ascii=safe",
     PROTECTED,
     {.key = XN_KEY_STRICT, .ascii = XN_ASCII_SAFE, .any_label = true}},
    {"key=strict tld=any ascii=safe near=1 within=yes",
     PROTECTED / 10,
     {.key = XN_KEY_STRICT, .ascii = XN_ASCII_SAFE, .any_tld = true, .near = true, .within = true}},
};

/* For a profiler, once; else how long it takes. */
static void ask_protected(bool once)
{
    static struct questions questions;

    for (size_t i = 0; i < sizeof protections / sizeof *protections; i++) {
        struct xnm_rule rule = {.action = XNM_NXDOMAIN,
                                .trigger = XNM_TRIGGER_LOOKALIKES,
                                .protection = protections[i].protection};
        char what[NAME_TEXT_MAX];
        size_t len, matched;
        char *text = make_protected(protections[i].count, &len);
        xnm_protection_set_min(&rule.protection, 0);
        snprintf(what, sizeof what, "protected by %s", protections[i].options);
        struct xnm_policy *policy =
            build(&rule, text, len, protections[i].count, once ? NULL : what);
        for (unsigned kind = 0; kind < sizeof asked / sizeof *asked; kind++) {
            make_protected_questions(&questions, protections[i].count, kind);
            printf("%s%s%s: ", once ? what : "  ", once ? ", " : "", asked[kind].name);
            if (once) {
                printf("%zu of %d matched\n", ask(policy, &questions), QUESTIONS);
                continue;
            }
            double time = time_asking(policy, &questions, &matched);
            printf("%.0f ns (%zu of %d matched)\n", time, matched, QUESTIONS);
        }
        xnm_policy_free(policy);
    }
}

/* Of `lists` lists, which have the names of one list in turn. */
static struct xnm_policy *build_lists(size_t count, unsigned lists)
{
    const struct xnm_policy_settings settings = {.ttl = 60};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    char path[16], text[NAME_TEXT_MAX];

    for (unsigned list = 0; list < lists; list++) {
        struct xnm_rule rule = {
            .action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_ZONES, .file = "rules", .path = path};
        snprintf(path, sizeof path, "list%u", list);
        if (!builder || !xnm_policy_builder_rule(builder, &rule, NULL))
            fail("no memory");
        for (uint64_t i = list; i < count; i += lists) {
            uint8_t wire[NAME_TEXT_MAX];
            put_name(text, i, true);
            const struct xnm_list_entry entry = {
                .name = wire, .name_len = wire_of(text, wire), .scope = XNM_SCOPE_ZONE};
            if (!xnm_policy_builder_entry(builder, &entry))
                fail("no memory");
        }
    }
    struct xnm_policy *policy = xnm_policy_finish(builder, &diagnostics, NULL);
    if (!policy)
        fail("no memory");
    return policy;
}

/* Names in none of so many lists, and names in the last one. */
static void ask_lists(size_t count, unsigned lists)
{
    static struct questions questions;
    struct xnm_policy *policy = build_lists(count, lists);

    make_questions(&questions, count, true, false, 3);
    printf("miss of %u lists, 3 labels: %zu of %d matched\n", lists, ask(policy, &questions),
           QUESTIONS);
    for (size_t i = 0; i < QUESTIONS; i++) {
        char text[NAME_TEXT_MAX] = "www.";
        uint64_t number = (i * 2654435761U) % (count / lists) * lists + lists - 1;
        put_name(text + strlen(text), number, true);
        questions.questions[i].qname_len = wire_of(text, questions.wire[i]);
    }
    printf("hit in the last of %u lists: %zu of %d matched\n", lists, ask(policy, &questions),
           QUESTIONS);
    xnm_policy_free(policy);
}

static void ask_only(size_t count)
{
    static struct questions questions;
    struct xnm_policy *policy = build_zones(count, true, false);

    for (int hit = 0; hit < 2; hit++) {
        for (unsigned labels = 2; labels <= LABELS_MAX; labels++) {
            make_questions(&questions, count, true, hit, labels);
            printf("%s, %u labels: %zu of %d matched\n", hit ? "hit " : "miss", labels,
                   ask(policy, &questions), QUESTIONS);
        }
    }
    xnm_policy_free(policy);
    for (unsigned lists = 1; lists <= 64; lists *= 8)
        ask_lists(count, lists);
    ask_protected(true);
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
        struct xnm_policy *policy = build_zones(count, spread, true);
        time_questions(policy, count, spread);
        xnm_policy_free(policy);
    }
    ask_protected(false);
    printf("peak RSS, with the list's whole text and the questions: %.0f MB\n", peak_megabytes());
}

int main(int argc, char **argv)
{
    bool deciding = argc > 1 && strcmp(argv[1], "--decide") == 0;
    int at = deciding ? 2 : 1;
    size_t count = argc > at ? strtoul(argv[at], NULL, 10) : 1000000;

    if (count < 10 || count > 100000000)
        fail("usage: bench_policy [--decide] [COUNT]");
    if (deciding)
        ask_only(count);
    else
        measure(count);
    return 0;
}
