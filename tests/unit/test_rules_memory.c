/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that ends while rules are read, at each allocation in turn; files and URLs that need it.
 */
#include "module/zone/zonewrite.h"
#include "tests/unit/vectors.h"

#include "module/base/budget.h"
#include "module/rule/counters.h"
#include "module/zone/zonefile.h"
#include "tests/unit/nomemory.h"
#include "tests/unit/rulesread.h"

#define OUT_OF_MEMORY "out of memory\n"

static char reports[REPORTS_MAX];

/* Everything that a rule file may have, and lines enough for arrays to grow. */
static const char text[] = "group kids 192.0.2.0/24 2001:db8::/32 file=kids file=more\n"
                           "group staff file=staff\n"
                           "nxdomain zone x.example tag=abc ede=15:\"not here\" client=kids,!staff "
                           "when=Mon,Tue/08:00-10:00\n"
                           "redirect 192.0.2.80 2001:db8::80 name r.example ttl=7\n"
                           "cname c.example name d.example\n"
                           "answer name a.example TXT \"text\"\n"
                           "refuse zones list url=https://example.com/list shrink=10%\n"
                           "rpz zone origin=o.example action=cname:w.example expire=yes\n"
                           "drop lookalike facebook.example near=1 words=words except=neighbours\n"
                           "log wholescript except=ru,ua\n";

static bool parse(struct xnm_rules *rules)
{
    const struct xnm_rules_options options = {
        unicode(), &(struct xnm_diagnostics){collect, reports}, DEFAULT_TTL};

    reports[0] = '\0';
    return xnm_rules_parse(rules, &options, "f", text, sizeof text - 1);
}

/* Each line that gets no memory is reported and left out: the rest is known to be partial. */
TEST(test_rules, "rules")
{
    struct xnm_rules rules = {0};
    unsigned long calls = 0;

    unicode(); /* it needs memory, too */
    for (bool good = false; !good; calls++) {
        calls_left = calls;
        good = parse(&rules);
        calls_left = ULONG_MAX;
        assert_int_equal(good, reports[0] == '\0');
        assert_int_equal(good, !rules.no_memory);
        for (char *line = reports, *end; *line != '\0'; line = end + 1) {
            end = strchr(line, '\n');
            assert_memory_equal(end + 1 - strlen(OUT_OF_MEMORY), OUT_OF_MEMORY,
                                strlen(OUT_OF_MEMORY));
        }
        if (good)
            assert_int_equal(rules.count, 8);
        xnm_rules_free(&rules);
    }
    assert_in_range(calls, 20, 200);
}

/* The memory that rules own counts against the limit, too, at each octet. */
TEST(test_budget, "no more than policy-memory")
{
    enum { STEP = 64 };
    bool good = false;

    unicode();
    for (size_t max = STEP; !good; max += STEP) {
        struct xnm_budget budget = {.max = max};
        struct xnm_rules rules = {0};
        xnm_budget_open(&budget);
        good = parse(&rules);
        assert_int_equal(good, !budget.exceeded);
        if (!good)
            assert_non_null(strstr(reports, " needs more than policy-memory, which is "));
        assert_false(rules.no_memory);
        assert_true(budget.used <= max);
        xnm_rules_free(&rules);
        assert_int_equal(budget.used, 0);
        xnm_budget_open(NULL);
        assert_true(max < 1 << 16);
    }
}

/* Without memory a record is shown as octets, which need none. */
TEST(test_record_text, "a record as text")
{
    uint8_t rdata[] = {192, 0, 2, 1};
    const struct xnm_record record = {.type = 1, .rdata_len = sizeof rdata, .rdata = rdata};
    char shown[64] = "TYPE";

    unicode();
    for (unsigned long calls = 0; strncmp(shown, "TYPE", 4) == 0; calls++) {
        calls_left = calls;
        size_t len = xnm_zonewrite_record(unicode(), &record, shown);
        calls_left = ULONG_MAX;
        assert_int_equal(len, strlen(shown));
        if (calls < 3)
            assert_string_equal(shown, "TYPE1 \\# 4 c0000201");
    }
    assert_string_equal(shown, "A 192.0.2.1");
}

/* Rules without counters are in force all the same. */
TEST(test_hits, "no counters of rules")
{
    calls_left = 0;
    struct xnm_counters *hits = xnm_counters_new();
    calls_left = ULONG_MAX;
    assert_null(hits);
    xnm_counters_free(hits);
}

/* Every file's name is kept for its rules. */
TEST(test_files, "many files")
{
    static const char *const files[] = {"a", "b", "c", "d", "e"};
    const struct xnm_rules_options options = {
        unicode(), &(struct xnm_diagnostics){collect, reports}, DEFAULT_TTL};
    struct xnm_rules rules = {0};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_true(xnm_rules_parse(&rules, &options, files[i], "drop name a", 11));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_string_equal(rules.rules[i].file, files[i]);
    xnm_rules_free(&rules);
}

/* A URL of the greatest length, and one with an octet more. */
TEST(test_long_url, "a long URL")
{
    static const char begin[] = "drop names l url=", url[] = "https://h/";

    for (size_t extra = 0; extra < 2; extra++) {
        size_t len = sizeof begin - 1 + XNM_RULE_URL_MAX + extra;
        char line[sizeof begin + XNM_RULE_URL_MAX + 1];
        const struct xnm_rules_options options = {
            unicode(), &(struct xnm_diagnostics){collect, reports}, DEFAULT_TTL};
        struct xnm_rules rules = {0};
        memset(line, 'a', len);
        memcpy(line, begin, sizeof begin - 1);
        memcpy(line + sizeof begin - 1, url, sizeof url - 1);
        reports[0] = '\0';
        assert_int_equal(xnm_rules_parse(&rules, &options, "f", line, len), !extra);
        assert_int_equal(strstr(reports, " is not a URL to fetch: expected ") != NULL, extra);
        xnm_rules_free(&rules);
    }
}

TEST_MAIN
