/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the errors in the text of a configuration: their places. */
#include "module/base/diagnostics.h"
#include "tests/unit/confread.h"
#include "tests/unit/places.h"

#define OCTETS(literal) literal, sizeof literal - 1

static struct conf {
    const char *name;
    const char *text;
    size_t len;
    const char *places; /* of errors (places.h) */
} confs[] = {
    {"nothing", OCTETS(""), ""},
    {"a byte order mark", OCTETS("\xEF\xBB\xBF"), ""},
    {"a line end", OCTETS("\n"), ""},
    {"a carriage return", OCTETS("\r"), ""},
    {"comments and blank lines", OCTETS("# a\n\n \t # b\r\n#"), ""},
    {"the opening line alone", OCTETS("idn:"), ""},

    {"no colon", OCTETS("idn"), "1:1"},
    {"no colon, behind blanks", OCTETS("idn:\n \t log text"), "2:4"},
    {"half a byte order mark", OCTETS("\xEF\xBBidn:\n"), "1:1"},
    {"a byte order mark on the second line", OCTETS("idn:\n\xEF\xBB\xBFlog: none\n"), "2:1"},
    {"the column behind a byte order mark", OCTETS("\xEF\xBB\xBF idn: x"), "1:7"},

    {"a key before the opening line", OCTETS(" log: none\nlog-name: both\n"), "1:2"},
    {"a key before the opening line, which comes late", OCTETS("log: none\nidn:\n"), "1:1"},
    {"a bad key before the opening line", OCTETS("lag: none\n"), "1:1 1:1"},
    {"text behind the opening line", OCTETS("  idn:\t log: none"), "1:9"},
    {"a second opening line behind blanks", OCTETS("idn:\n  idn: # two"), "2:3"},

    {"the beginning of a key", OCTETS("idn:\nlo: text"), "2:1"},
    {"a key in quotes", OCTETS("idn:\n\"log\": text"), "2:1"},
    {"a key with Unicode and a tab", OCTETS("idn:\nl\xC3\xB6g\t: text"), "2:1"},
    {"a repeated key", OCTETS("idn:\nlog: none\n\n log: none\nlog: text"), "4:2 5:1"},
    {"a repeated log-to", OCTETS("idn:\nlog-to: /a\nlog-to: /b"), "3:1"},
    {"a repeated log-to: unbound", OCTETS("idn:\nlog-to: unbound\nlog-to: /b"), "3:1"},
    {"a repeated key whose first value was bad", OCTETS("idn:\nlog: x\nlog: none"), "2:6 3:1"},

    {"no value", OCTETS("idn:\nlog:"), "2:5"},
    {"no value but blanks", OCTETS("idn:\nlog-to: \t \n"), "2:11"},
    {"no value but a comment", OCTETS("idn:\nlog: # none"), "2:6"},
    {"an empty value in quotes", OCTETS("idn:\nlog: \"\""), "2:6"},
    {"a word with blanks in quotes", OCTETS("idn:\nlog: \" none\""), "2:6"},
    {"two words", OCTETS("idn:\nlog: text none"), "2:6"},
    {"a word with a quote behind it", OCTETS("idn:\nlog: none\""), "2:6"},
    {"an empty log target", OCTETS("idn:\nlog-to: \"\""), "2:9"},
    {"an empty path", OCTETS("idn:\nmetrics-file: \"\" # none"), "2:15"},
    {"no path", OCTETS("idn:\nmetrics-file:"), "2:14"},
    {"a repeated metrics-file", OCTETS("idn:\nmetrics-file: /a\nmetrics-file: /b"), "3:1"},
    {"no seconds", OCTETS("idn:\nmetrics-interval: \"\""), "2:19"},

    {"an empty policy", OCTETS("idn:\npolicy: \"\""), "2:9"},
    {"a policy that is given twice", OCTETS("idn:\npolicy: a\npolicy: b\npolicy: \"a\" # a"),
     "4:9"},
    {"a policy that is given three times", OCTETS("idn:\npolicy: /a\npolicy: /a\npolicy: /a"),
     "3:9 4:9"},
    {"a repeated policy-mode", OCTETS("idn:\npolicy-mode: enforce\npolicy-mode: enforce"), "3:1"},
    {"a bad address in client-subnet-from",
     OCTETS("idn:\nclient-subnet-from: 192.0.2.53 192.0.2 ::1"), "2:32"},
    {"… in quotes, after escapes", OCTETS("idn:\nclient-subnet-from: \"192.0.2.53 \\\"\""), "2:33"},
    {"a prefix with bits after it", OCTETS("idn:\nclient-subnet-from: 192.0.2.53/24"), "2:21"},
    {"an empty client-subnet-from", OCTETS("idn:\nclient-subnet-from: # none"), "2:21"},
    {"white space for client-subnet-from", OCTETS("idn:\nclient-subnet-from: \" \t\""), "2:24"},
    {"a repeated client-subnet-from",
     OCTETS("idn:\nclient-subnet-from: ::1\nclient-subnet-from: ::1"), "3:1"},
    {"a repeated policy-soa", OCTETS("idn:\npolicy-soa: a b\npolicy-soa: a b"), "3:1"},
    {"one name in policy-soa", OCTETS("idn:\npolicy-soa: a # b"), "2:13"},
    {"three names in policy-soa", OCTETS("idn:\npolicy-soa: a b c"), "2:13"},
    {"a mail address in policy-soa", OCTETS("idn:\npolicy-soa: ns.example. me@example."), "2:27"},
    {"white space for policy-soa", OCTETS("idn:\npolicy-soa: \" \t \""), "2:13"},

    {"a quote alone", OCTETS("idn:\nlog: \""), "2:6"},
    {"a quote that an escape does not close", OCTETS("idn:\nlog: \"none\\\""), "2:6"},
    {"a backslash at the end", OCTETS("idn:\nlog: \"\\"), "2:7"},
    {"text at the closing quote", OCTETS("idn:\nlog: \"none\"x"), "2:12"},
    {"a comment at the closing quote", OCTETS("idn:\nlog: \"none\"# x"), "2:12"},

    {"columns count characters",
     OCTETS("idn:\nlog-to: \"/\xC3\xA4\xE6\x97\xA5\xF0\x9F\x98\x80\" x"), "2:16"},
    {"columns count characters before bad octets",
     OCTETS("idn:\n# \xC3\xA4\xE6\x97\xA5\xF0\x9F\x98"), "2:5"},
    {"a value with Unicode",
     OCTETS("idn:\nlog: n\xC3\xB6"
            "ne"),
     "2:6"},

    {"NUL", OCTETS("idn:\nlog: no\0ne\n"), "2:8"},
    {"an escape in a comment", OCTETS("# \x1B[2J\nidn:"), "1:3"},
    {"a carriage return in a line", OCTETS("idn:\nlog: \rnone\r\n"), "2:6"},
    {"U+001F and U+007F: the first of a line counts", OCTETS("#\x1F\x7F"), "1:2"},
    {"U+007F", OCTETS("#\x7F"), "1:2"},
    {"U+0080, a control character of two octets", OCTETS("#\xC2\x80"), "1:2"},
    {"U+009F, a control character of two octets", OCTETS("#\xC2\x9F"), "1:2"},
    {"U+00A0 is none", OCTETS("#\xC2\xA0"), ""},
    {"bad UTF-8: a continuation", OCTETS("idn:\nlog: \x80"), "2:6"},
    {"bad UTF-8: Latin-1",
     OCTETS("# gr\xFC\xDF"
            "e\n"),
     "1:5"},
    {"bad UTF-8: an overlong slash", OCTETS("idn:\nlog-to: \xC0\xAF"), "2:9"},
    {"bad UTF-8: a surrogate", OCTETS("#\xED\xA0\x80"), "1:2"},
    {"bad UTF-8: cut by the line end", OCTETS("#\xE6\x97\n#\xA5"), "1:2 2:2"},

    {"every error of a file",
     OCTETS("log: x\r\nidn:x\r\nshow-emoji: \"\r\nwhat\r\n\xFF\r\nlog: none"),
     "1:1 1:6 2:5 3:13 4:1 5:1 6:1"},
};

static void test_conf(void **state)
{
    const struct conf *row = *state;
    char reports[REPORTS_MAX];
    struct xnm_config config;
    bool good = parse(&config, "f", row->text, row->len, reports);

    assert_string_equal(places_of(reports), row->places);
    assert_int_equal(good, row->places[0] == '\0');
    xnm_config_free(&config);
}

/* --- client-subnet-from --- */

/* 64 addresses are read, and no more. */
static void test_many_forwarders(void **state)
{
    char reports[REPORTS_MAX], text[2000] = "idn:\nclient-subnet-from:";
    struct xnm_config config;

    (void)state;
    for (unsigned i = 0; i < XNM_FORWARDERS_MAX; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " 10.0.0.%u", i);
    assert_true(parse(&config, "f", text, strlen(text), reports));
    assert_int_equal(config.client_subnet_from.count, XNM_FORWARDERS_MAX);
    xnm_config_free(&config);
    size_t len = strlen(text);
    snprintf(text + len, sizeof text - len, " 10.0.0.64 x");
    assert_false(parse(&config, "f", text, strlen(text), reports));
    assert_non_null(
        strstr(reports, "f:2:651: '10.0.0.64' is one too many: expected 64 addresses at most"));
    assert_null(strstr(reports, "'x'"));
    xnm_config_free(&config);
}

/* A reload is needed for another list, even of the same length. */
static void test_other_forwarders(void **state)
{
    static const char *const lines[] = {"", "client-subnet-from: 192.0.2.1",
                                        "client-subnet-from: 192.0.2.2",
                                        "client-subnet-from: 192.0.2.1 192.0.2.2"};
    char reports[REPORTS_MAX], text[100], list[XNM_CONFIG_LIST_MAX];
    struct xnm_config configs[COUNT(lines)];

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        int len = snprintf(text, sizeof text, "idn:\n%s\n", lines[i]);
        assert_true(parse(&configs[i], "f", text, (size_t)len, reports));
    }
    for (size_t i = 0; i < COUNT(lines) * COUNT(lines); i++)
        assert_string_equal(
            xnm_config_list_fixed(&configs[i / COUNT(lines)], &configs[i % COUNT(lines)], list),
            i / COUNT(lines) == i % COUNT(lines) ? "" : "client-subnet-from");
    for (size_t i = 0; i < COUNT(lines); i++)
        xnm_config_free(&configs[i]);
}

/* --- names --- */

/* module/name/rulename says what is wrong with a name; this says where the name stands. */
static struct soa {
    const char *name;
    const char *value;
    const char *places[3]; /* of the errors; ends with NULL */
} soas[] = {
    {"policy-soa: bad names", "a$b c..d", {"f:2:14: ", "f:2:19: "}},
    {"policy-soa: bad names in quotes", "\"a$b c..d\"", {"f:2:15: ", "f:2:20: "}},
    {"policy-soa: behind Unicode", "\xC3\xA4\xE6\x97\xA5 b$", {"f:2:17: "}},
    {"policy-soa: behind escapes", "\"\\\"\\\\ b$\"", {"f:2:14: ", "f:2:20: "}},
    {"policy-soa: an asterisk", "*.example a", {"f:2:13: "}},
};

static void test_soa(void **state)
{
    const struct soa *row = *state;
    char reports[REPORTS_MAX], text[160];
    struct xnm_config config;
    int len = snprintf(text, sizeof text, "idn:\npolicy-soa: %s\n", row->value);
    const char *at = reports;

    assert_false(parse(&config, "f", text, (size_t)len, reports));
    for (size_t i = 0; row->places[i]; i++) {
        assert_memory_equal(at, row->places[i], strlen(row->places[i]));
        at = strchr(at, '\n') + 1;
    }
    assert_string_equal(at, "");
    xnm_config_free(&config);
}

/* One that matches as the octets it is: a warning, no error. */
static void test_soa_warning(void **state)
{
    static const char text[] = "idn:\npolicy-soa: a xn--a";
    char reports[REPORTS_MAX];
    struct xnm_config config;

    (void)state;
    assert_true(parse(&config, "f", text, sizeof text - 1, reports));
    assert_memory_equal(reports, "f:2:15: ", 8);
    assert_non_null(strstr(reports, " [warning]\n"));
    assert_int_equal(config.policy.soa_rname.len, 7);
    xnm_config_free(&config);
}

/* --- numbers --- */

static const char *const bad_seconds[] = {
    "0",       "00000", "86401", "999999999",  "4294967297", "18446744073709551617",
    "-1",      "+1",    "1.5",   "15s",        "1 5",        "0x10",
    "fifteen", "1e3",   "1,000", "15 seconds",
};

static void test_bad_seconds(void **state)
{
    char reports[REPORTS_MAX], text[160];
    struct xnm_config config;

    (void)state;
    for (size_t i = 0; i < COUNT(bad_seconds); i++) {
        int len = snprintf(text, sizeof text, "idn:\nmetrics-interval: %s\n", bad_seconds[i]);
        assert_false(parse(&config, "f", text, (size_t)len, reports));
        assert_string_equal(places_of(reports), "2:19");
        xnm_config_free(&config);
    }
}

static struct memory {
    const char *value;
    uint64_t octets; /* 0: it is none, and the default stays */
} memories[] = {
    {"1048576", 1 << 20},
    {"1048575", 0},
    {"4294967295", UINT32_MAX},
    {"1m", 1 << 20},
    {"1M", 1 << 20},
    {"1mb", 1 << 20},
    {"1MB", 1 << 20},
    {"2048k", 2 << 20},
    {"1023k", 0},
    {"3g", 3ULL << 30},
    {"\"16m\"", 16 << 20},
    {"m", 0},
    {"b", 0},
    {"1b", 0},
    {"1t", 0},
    {"-1m", 0},
    {"1.5g", 0},
    {"1 g", 0},
    {"1gg", 0},
    {"1 GiB", 0},
    {"0x100000", 0},
};

static void test_memory(void **state)
{
    const struct memory *row = *state;
    char reports[REPORTS_MAX], text[160];
    struct xnm_config config;
    int len = snprintf(text, sizeof text, "idn:\npolicy-memory: %s", row->value);

    assert_int_equal(parse(&config, "f", text, (size_t)len, reports), row->octets > 0);
    assert_string_equal(places_of(reports), row->octets > 0 ? "" : "2:16");
    assert_int_equal(config.policy.memory, row->octets > 0 ? row->octets : 1 << 30);
    xnm_config_free(&config);
}

static const char *const bad_ttls[] = {
    "-1",          "2147483648",           "4294967295", "4294967296",
    "42949672960", "18446744073709551616", "1m",         " ",
};

static void test_bad_ttl(void **state)
{
    char reports[REPORTS_MAX], text[160];
    struct xnm_config config;

    (void)state;
    for (size_t i = 0; i < COUNT(bad_ttls); i++) {
        int len = snprintf(text, sizeof text, "idn:\npolicy-ttl: \"%s\"\n", bad_ttls[i]);
        assert_false(parse(&config, "f", text, (size_t)len, reports));
        assert_string_equal(places_of(reports), "2:13");
        xnm_config_free(&config);
    }
}

/* --- what is no configuration --- */

static void count_reports(void *arg, xnm_severity severity, const struct xnm_place *place,
                          const char *message)
{
    unsigned *seen = arg;

    (void)severity;
    if (++*seen > XNM_CONFIG_ERRORS_MAX) {
        assert_int_equal(place->line, XNM_CONFIG_ERRORS_MAX + 1);
        assert_string_equal(message,
                            "100 errors so far, and the rest of the file was not read: expected a "
                            "configuration: 'idn:', then one key with its value on each line");
    }
}

/* If a list is taken for a configuration, not every line of it fills the log. */
static void test_a_list(void **state)
{
    enum { LINES = 60000 };
    unsigned seen = 0;
    const struct xnm_diagnostics diagnostics = {count_reports, &seen};
    char *text = malloc(LINES * 12);
    struct xnm_config config;

    (void)state;
    for (size_t i = 0; i < LINES; i++)
        memcpy(text + i * 12, "bad.example\n", 12);
    xnm_config_init(&config);
    assert_false(xnm_config_parse(&config, "f", text, LINES * 12, &diagnostics));
    assert_int_equal(seen, XNM_CONFIG_ERRORS_MAX + 1);
    xnm_config_free(&config);
    free(text);
}

int main(void)
{
    struct test_group group = {0};

    ADD_TESTS(&group, confs, name, test_conf);
    add_test(&group, "client-subnet-from: 64 addresses", test_many_forwarders, NULL);
    add_test(&group, "client-subnet-from: what needs a reload", test_other_forwarders, NULL);
    ADD_TESTS(&group, soas, name, test_soa);
    add_test(&group, "policy-soa: no A-label", test_soa_warning, NULL);
    ADD_TESTS(&group, memories, value, test_memory);
    add_test(&group, "policy-ttl: what is no number of seconds", test_bad_ttl, NULL);
    add_test(&group, "metrics-interval: what is no number of seconds", test_bad_seconds, NULL);
    add_test(&group, "a list taken for a configuration", test_a_list, NULL);
    return run_group("config_errors", &group);
}
