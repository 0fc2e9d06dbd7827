/* SPDX-License-Identifier: BSD-3-Clause */
/* Protected names at the limits: the longest there are, and lists that are made to be slow. */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "tests/unit/decisioncost.h"

enum { A = 1, IN = 1, ALIKE_MAX = 64 };

#define CYRILLIC_O "\u043E"

static void collect(void *arg, xnm_severity severity, const struct xnm_place *place,
                    const char *message)
{
    char *text = arg;

    sprintf(text + strlen(text), "%s %s:%u:%u: %s\n", severity == XNM_ERROR ? "error" : "warning",
            place->file, place->line, place->column, message);
}

/* --- the longest names --- */

static void put_labels(char *dst, const char *label, unsigned count)
{
    size_t len = 0;

    for (unsigned i = 0; i < count; i++)
        len += (size_t)sprintf(dst + len, "%s%s", i > 0 ? "." : "", label);
}

static struct longest_row {
    const char *name;
    const char *protected, *asked; /* a label of each … */
    unsigned count;                /* … so many times */
    const char *option;
    unsigned label; /* 0: no look-alike */
} longest_names[] = {
    {"127 labels", "l", "1", 127, "min=1 ascii=safe", 1},
    {"127 labels, not of the class", "l", "i", 127, "min=1 ascii=safe", 0},
    {"127 labels, any TLD", "l", "1", 127, "min=1 ascii=safe tld=any", 1},
    {"127 labels, any label", "l", "1", 127, "min=1 ascii=safe label=any", 1},
    {"127 labels, the same", "l", "l", 127, "ascii=wide label=any", 0},
    {"all labels are IDN", "a", "\u0430", 31, "min=1", 1},
    {"… and protected", "\u0430", "a", 31, "min=1", 1},
    {"… both", "\u0430", "\u0251", 31, "min=1", 1},
    {"… with any label", "\u0430", "\u0251", 31, "min=1 label=any", 1},
    {"labels that are no A-labels", "a", "xn--80", 36, "key=strict min=1 label=any", 0},
    {"labels of 63 octets", "ooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo",
     "oooooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo0", 3, "min=1 ascii=safe", 1},
};

TEST_ROWS(test_longest, longest_names, name)
{
    const struct longest_row *row = *state;
    char policy_text[2048] = "drop lookalike ", protected[1024], asked[1024];
    struct xnm_decision decision;

    put_labels(protected, row->protected, row->count);
    put_labels(asked, row->asked, row->count);
    sprintf(policy_text + strlen(policy_text), "%s %s", protected, row->option);
    struct xnm_policy *policy = policy_of(policy_text, NULL, NULL);
    decided(policy, asked, A, IN, &decision);
    assert_int_equal(decision.label, row->label);
    assert_int_equal(decision.answer != NULL, row->label > 0);
    if (row->label > 0)
        assert_int_equal(decision.name.len, wire_of(ascii_of(asked), (uint8_t[512]){0}));
    xnm_policy_free(policy);
}

/* An A-label of 63 octets, the longest protected label that one can look like. */
TEST(test_longest_label, "the longest label")
{
    uint32_t cps[XN_ULABEL_MAX];
    uint8_t label[XN_WIRE_LABEL_MAX];
    char policy_text[128] = "drop lookalike ", asked[128];
    struct xnm_decision decision;
    size_t count = 0, len = 0, longer;

    do {
        cps[count] = count == 7 ? 0x43E : 'o';
        count++;
        longer = put_a_label(cps, count, label, sizeof label);
        len = longer > 0 ? longer : len;
    } while (longer > 0 && count < XN_ULABEL_MAX);
    count -= longer == 0;
    assert_int_equal(len, XN_WIRE_LABEL_MAX);
    assert_int_equal(put_a_label(cps, count, label, sizeof label), len);
    memset(policy_text + strlen(policy_text), 'o', count);
    strcat(policy_text, ".example");
    sprintf(asked, "%.*s.example", (int)len, (const char *)label);
    struct xnm_policy *policy = policy_of(policy_text, NULL, NULL);
    decided(policy, asked, A, IN, &decision);
    assert_int_equal(decision.label, 1);
    xnm_policy_free(policy);
}

/* The last octet of the longest name beside a protected label that is longer: nothing is read
 * behind the name (a sanitizer tells). */
TEST(test_longer_than_the_rest, "longer than the rest")
{
    char policy_text[256] = "drop lookalike l", asked[512];
    struct xnm_decision decision;

    for (unsigned i = 0; i < 20; i++)
        strcat(policy_text, "\u0301");
    strcat(policy_text, ".com label=any key=strict min=1");
    put_labels(asked, "l", 127);
    struct xnm_policy *policy = policy_of(policy_text, NULL, NULL);
    decided(policy, asked, A, IN, &decision);
    assert_int_equal(decision.label, 1);
    xnm_policy_free(policy);
}

/* --- many names that look alike --- */

/* Variant `number` of a label of so many letters: l and 1. */
static void put_variant(char *dst, unsigned number, unsigned letters)
{
    for (unsigned i = 0; i < letters; i++)
        dst[i] = number >> i & 1 ? '1' : 'l';
    dst[letters] = '\0';
}

static char *poisoned_list(unsigned names, const char *options)
{
    char *text = malloc(64 * (names + 2)), *at = text, variant[32];

    at += sprintf(at, "nxdomain lookalikes bad ascii=safe %s\n", options);
    for (unsigned i = 0; i < names; i++) {
        put_variant(variant, i, 18);
        at += sprintf(at, "+ %s.example\n", variant);
    }
    sprintf(at, "+ paypal.com");
    return text;
}

/* Expects that a decision costs at most 40 times what one costs that compares 64 names. Without a
 * bound on comparisons, "work is bounded" costs 240 times as much. */
static void expect_cheap(const struct xnm_policy *policy, const char *name)
{
    static double cost;

    if (cost == 0) {
        char *text = poisoned_list(ALIKE_MAX, "key=strict");
        struct xnm_policy *full = policy_of(text, NULL, NULL);
        cost = decision_cost(full, "l1l1\u04CF1111111111111.example");
        xnm_policy_free(full);
        free(text);
    }
    assert_true(decision_cost(policy, name) <= 40 * cost);
}

/* The first 64 are found, the rest are exempt alone, and no other name is lost. */
static void expect_poisoned(const char *options)
{
    enum { NAMES = 100000 };
    char *text = poisoned_list(NAMES, options), said[1024] = "", variant[64];
    const struct xnm_diagnostics diagnostics = {collect, said};
    struct xnm_policy *policy = policy_of(text, NULL, &diagnostics);
    struct xnm_decision decision;

    assert_string_equal(said, "error rules:1:1: 99936 names of 'bad' are not protected: each looks "
                              "like 64 other names of that list or more\n");
    assert_int_equal(xnm_policy_entry_count(policy), NAMES + 1);
    assert_int_equal(xnm_policy_rule(policy, 0)->entry_count, NAMES + 1);
    decided(policy, "l1\u04CF111111111111111.example", A, IN, &decision);
    assert_non_null(decision.lookalike);
    put_variant(variant, 0, 18);
    assert_memory_equal(decision.lookalike->octets + 1, variant, 18);
    expect_cheap(policy, "l1\u04CF111111111111111.example");
    for (unsigned i = 0; i < 1U << 18; i += 997) {
        put_variant(variant, i, 18);
        strcat(variant, ".example");
        decided(policy, variant, A, IN, &decision);
        assert_int_equal(decision.answer != NULL, i >= NAMES);
    }
    decided(policy, "paypa1.com", A, IN, &decision);
    assert_non_null(decision.answer);
    decided(policy, "lll1i1ll1ll1lll1l1.example", A, IN, &decision);
    assert_null(decision.answer);
    xnm_policy_free(policy);
    free(text);
}

static void test_poisoned(void **state)
{
    expect_poisoned(*state);
}

/* So many are fine, and each of them is compared. */
TEST(test_as_many_as_fit, "64 of them")
{
    char said[256] = "", *text = poisoned_list(ALIKE_MAX, "key=strict");
    const struct xnm_diagnostics diagnostics = {collect, said};
    struct xnm_policy *policy = policy_of(text, NULL, &diagnostics);
    struct xnm_decision decision;

    assert_string_equal(said, "");
    decided(policy, "l1l1\u04CF1111111111111.example", A, IN, &decision);
    assert_non_null(decision.answer);
    xnm_policy_free(policy);
    free(text);
}

/* 1,000 TLDs of one name are one, where TLDs are not compared, and all of them exempt. */
static void expect_one_of_many(const char *options)
{
    char *text = malloc(65536), *at = text, said[256] = "", name[64];
    const struct xnm_diagnostics diagnostics = {collect, said};
    struct xnm_decision decision;

    at += sprintf(at, "drop lookalikes l %s\n", options);
    for (unsigned i = 0; i < 1000; i++)
        at += sprintf(at, "+ paypal.tld%u%s", i, i < 999 ? "\n" : "");
    struct xnm_policy *policy = policy_of(text, NULL, &diagnostics);
    assert_string_equal(said, "");
    assert_int_equal(xnm_policy_entry_count(policy), 1000);
    assert_string_equal(decided(policy, "p\u0430ypal.test", A, IN, &decision),
                        "drop:1 xn--pypal-4ve.test ~paypal.tld0 exact #1");
    for (unsigned i = 0; i < 1000; i++) {
        sprintf(name, "p\u0430ypal.paypal.tld%u", i);
        assert_string_equal(decided(policy, name, A, IN, &decision), "-");
    }
    xnm_policy_free(policy);
    free(text);
}

static void test_one_of_many(void **state)
{
    expect_one_of_many(*state);
}

/* Two lists of the same names are two lists. */
TEST(test_two_lists, "two lists")
{
    char *first = poisoned_list(ALIKE_MAX, ""), text[8192];
    struct xnm_decision decision;

    snprintf(text, sizeof text, "%s\nlog %s", first, first + strlen("nxdomain "));
    struct xnm_policy *policy = policy_of(text, NULL, NULL); /* nothing is said */
    decided(policy, "l1l1\u04CF1111111111111.example", A, IN, &decision);
    assert_non_null(decision.answer);
    assert_int_equal(decision.log_count, 1);
    xnm_policy_free(policy);
    free(first);
}

/* At each depth of a name of 127 labels as many names as fit, each different in every label: what
 * is compared is bounded, and a name beside them is found as ever. */
TEST(test_work_is_bounded, "work is bounded")
{
    char *text = malloc(4 << 20), *at = text, asked[512];
    struct xnm_decision decision;

    at += sprintf(at, "log lookalike paypal.com\nlog lookalikes bad ascii=safe min=2\n");
    for (unsigned depth = 8; depth <= 127; depth++) {
        for (unsigned i = 0; i < ALIKE_MAX; i++) {
            at += sprintf(at, "+ ");
            for (unsigned label = 0; label < depth; label++)
                at += sprintf(at, "%s%c", label > 0 ? "." : "", "l1"[i >> label % 6 & 1]);
            at += sprintf(at, "\n");
        }
    }
    at[-1] = '\0';
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    for (unsigned label = 0; label < 127; label++) {
        asked[2 * label] = "1l"[label % 5 == 0];
        asked[2 * label + 1] = '.';
    }
    asked[253] = '\0';
    decided(policy, asked, A, IN, &decision);
    expect_cheap(policy, asked);
    decided(policy, "p\u0430ypal.com", A, IN, &decision);
    assert_int_equal(decision.log_count, 1);
    xnm_policy_free(policy);
    free(text);
}

/* Labels that are the same cost something, too: 64 names that differ in their last one. */
TEST(test_equal_labels_are_bounded, "labels that are the same")
{
    char *text = malloc(1 << 20), *at = text, asked[512], last[16];
    struct xnm_decision decision;

    at += sprintf(at, "log lookalikes bad");
    put_labels(asked, "a", 120);
    for (unsigned i = 0; i < ALIKE_MAX; i++) {
        put_variant(last, i, 6);
        at += sprintf(at, "\n+ %s.%s", asked, last);
    }
    strcat(asked, ".\u04CF\u04CFllll");
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    decided(policy, asked, A, IN, &decision);
    assert_int_equal(decision.label, 121);
    expect_cheap(policy, asked);
    xnm_policy_free(policy);
    free(text);
}

/* Comparing long labels is bounded, too: three labels of 49, each with 64 names. */
TEST(test_long_work_is_bounded, "work on long labels is bounded")
{
    enum { LETTERS = 43, VARIED = 6, ASKED = 3 };
    char *text = malloc(ALIKE_MAX * 128), *at = text, same[LETTERS + 1], asked[512] = "";
    struct xnm_decision decision;

    memset(same, 'm', LETTERS);
    same[LETTERS] = '\0';
    at += sprintf(at, "log lookalikes bad key=strict label=any");
    for (unsigned i = 0; i < ALIKE_MAX; i++) {
        at += sprintf(at, "\n+ %s", same);
        put_variant(at, i, VARIED);
        at += VARIED;
        at += sprintf(at, ".com");
    }
    for (unsigned i = 0; i < ASKED; i++)
        sprintf(asked + strlen(asked), "%slllll\u00ED.", same);
    strcat(asked, "com");
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    decided(policy, asked, A, IN, &decision);
    assert_int_equal(decision.log_count, 1);
    expect_cheap(policy, asked);
    xnm_policy_free(policy);
    free(text);
}

/* Names that a list has four times are held once. */
TEST(test_memory_of_duplicates, "memory of names that are there four times")
{
    enum { NAMES = 25000 };
    char *text = malloc(160 * NAMES), *at = text;

    at += sprintf(at, "log lookalikes l");
    for (unsigned i = 0; i < 4 * NAMES; i++)
        at += sprintf(at, "\n+ n%u-%u.example", i % NAMES * 7, i % NAMES);
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    assert_int_equal(xnm_policy_entry_count(policy), NAMES);
    assert_true(xnm_policy_memory(policy) <= 90 * NAMES);
    xnm_policy_free(policy);
    free(text);
}

/* A name as full as can be of labels that nearly look alike hides no A-label behind them. */
static void test_nothing_hides(void **state)
{
    enum { NAMES = 16, LETTERS = 4, FILLING = 45 };
    const char *ascii = *state;
    char text[512], asked[512] = "", variant[LETTERS + 1];
    struct xnm_decision decision;
    size_t len = (size_t)sprintf(text, "drop lookalikes l label=any %s\n+ paypal.com", ascii);

    for (unsigned i = 0; i < NAMES; i++) {
        put_variant(variant, i, LETTERS);
        len += (size_t)sprintf(text + len, "\n+ %s.com", variant);
    }
    for (unsigned i = 0; i < FILLING; i++)
        strcat(asked, "iiii.");
    strcat(asked, "p\u0430ypal.example");
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    decided(policy, asked, A, IN, &decision);
    assert_int_equal(decision.label, FILLING + 1);
    xnm_policy_free(policy);
}

/* 100,000 names need only so much memory. */
static void test_memory(void **state)
{
    enum { NAMES = 100000 };
    const char *options = *state;
    char *text = malloc(40 * NAMES), *at = text;
    uint64_t seed = 7;

    at += sprintf(at, "log lookalikes l %s\n", options);
    for (unsigned i = 0; i < NAMES; i++) {
        at += sprintf(at, "%s+ ", i > 0 ? "\n" : "");
        for (unsigned letters = 8 + below(&seed, 6); letters > 0; letters--)
            *at++ = (char)('a' + below(&seed, 26));
        at += sprintf(at, ".%s", i % 3 ? "com" : "co.uk");
    }
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    assert_int_equal(xnm_policy_entry_count(policy), NAMES);
    assert_true(xnm_policy_memory(policy) <= 7500000);
    xnm_policy_free(policy);
    free(text);
}

int main(void)
{
    static char same[] = "tld=same", tld[] = "tld=any", label[] = "label=any",
                safe[] = "min=1 ascii=safe", off[] = "ascii=off";
    char *const all[] = {same, tld, label};

    for (size_t i = 0; i < 3; i++)
        add_test("100000 names that look alike", test_poisoned, all[i]);
    add_test("1000 TLDs, any TLD", test_one_of_many, tld);
    add_test("1000 TLDs, any label", test_one_of_many, label);
    add_test("nothing hides", test_nothing_hides, off);
    add_test("nothing hides, with ASCII differences", test_nothing_hides, safe);
    for (size_t i = 0; i < 3; i++)
        add_test("memory of 100000 names", test_memory, all[i]);
    add_test("memory of 100000 names, with ASCII differences", test_memory, safe);
    return run_unit();
}
