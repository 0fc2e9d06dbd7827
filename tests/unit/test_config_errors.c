/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the errors in the text of a configuration: their texts and their places. */
#include "module/base/diagnostics.h"
#include "tests/unit/confread.h"

#define OCTETS(literal) literal, sizeof literal - 1
#define NO_UTF8(octet) "octet " octet " is not UTF-8: expected UTF-8 (is the file in Latin-1?)\n"

#define AS_IN ", as in ns.invalid. nobody.invalid.\n"

static struct conf {
    const char *name;
    const char *text;
    size_t len;
    const char *reports; /* of a file called "f"; "" if there is nothing to report */
} confs[] = {
    {"nothing", OCTETS(""), ""},
    {"a byte order mark", OCTETS("\xEF\xBB\xBF"), ""},
    {"a line end", OCTETS("\n"), ""},
    {"a carriage return", OCTETS("\r"), ""},
    {"comments and blank lines", OCTETS("# a\n\n \t # b\r\n#"), ""},
    {"the opening line alone", OCTETS("idn:"), ""},

    {"no colon", OCTETS("idn"), "f:1:1: no ':' on this line: expected 'key: value'\n"},
    {"no colon, behind blanks", OCTETS("idn:\n \t log text"),
     "f:2:4: no ':' on this line: expected 'key: value'\n"},
    {"half a byte order mark", OCTETS("\xEF\xBBidn:\n"), "f:1:1: " NO_UTF8("0xEF")},
    {"a byte order mark on the second line", OCTETS("idn:\n\xEF\xBB\xBFlog: none\n"),
     "f:2:1: '\\xEF\\xBB\\xBFlog' is not a key of idn.conf\n"},
    {"the column behind a byte order mark", OCTETS("\xEF\xBB\xBF idn: x"),
     "f:1:7: text follows 'idn:': expected each key on a line of its own\n"},

    {"a key before the opening line", OCTETS(" log: none\nlog-name: both\n"),
     "f:1:2: expected the line 'idn:' before every key\n"},
    {"a key before the opening line, which comes late", OCTETS("log: none\nidn:\n"),
     "f:1:1: expected the line 'idn:' before every key\n"},
    {"a bad key before the opening line", OCTETS("lag: none\n"),
     "f:1:1: expected the line 'idn:' before every key\nf:1:1: 'lag' is not a key of idn.conf\n"},
    {"text behind the opening line", OCTETS("  idn:\t log: none"),
     "f:1:9: text follows 'idn:': expected each key on a line of its own\n"},
    {"a second opening line behind blanks", OCTETS("idn:\n  idn: # two"),
     "f:2:3: a second 'idn:': expected one\n"},

    {"the beginning of a key", OCTETS("idn:\nlo: text"), "f:2:1: 'lo' is not a key of idn.conf\n"},
    {"a key in quotes", OCTETS("idn:\n\"log\": text"),
     "f:2:1: '\"log\"' is not a key of idn.conf\n"},
    {"a key with Unicode and a tab", OCTETS("idn:\nl\xC3\xB6g\t: text"),
     "f:2:1: 'l\\xC3\\xB6g\\x09' is not a key of idn.conf\n"},
    {"a repeated key", OCTETS("idn:\nlog: none\n\n log: none\nlog: text"),
     "f:4:2: log was already set at line 2: expected it once\n"
     "f:5:1: log was already set at line 2: expected it once\n"},
    {"a repeated log-to", OCTETS("idn:\nlog-to: /a\nlog-to: /b"),
     "f:3:1: log-to was already set at line 2: expected it once\n"},
    {"a repeated log-to: unbound", OCTETS("idn:\nlog-to: unbound\nlog-to: /b"),
     "f:3:1: log-to was already set at line 2: expected it once\n"},
    {"a repeated key whose first value was bad", OCTETS("idn:\nlog: x\nlog: none"),
     "f:2:6: 'x' is not a value of log: expected text, json or none\n"
     "f:3:1: log was already set at line 2: expected it once\n"},

    {"no value", OCTETS("idn:\nlog:"), "f:2:5: log has no value: expected one after the ':'\n"},
    {"no value but blanks", OCTETS("idn:\nlog-to: \t \n"),
     "f:2:11: log-to has no value: expected one after the ':'\n"},
    {"no value but a comment", OCTETS("idn:\nlog: # none"),
     "f:2:6: log has no value: expected one after the ':'\n"},
    {"an empty value in quotes", OCTETS("idn:\nlog: \"\""),
     "f:2:6: log has no value: expected one after the ':'\n"},
    {"a word with blanks in quotes", OCTETS("idn:\nlog: \" none\""),
     "f:2:6: ' none' is not a value of log: expected text, json or none\n"},
    {"two words", OCTETS("idn:\nlog: text none"),
     "f:2:6: 'text none' is not a value of log: expected text, json or none\n"},
    {"a word with a quote behind it", OCTETS("idn:\nlog: none\""),
     "f:2:6: 'none\"' is not a value of log: expected text, json or none\n"},
    {"an empty log target", OCTETS("idn:\nlog-to: \"\""),
     "f:2:9: log-to has no value: expected one after the ':'\n"},
    {"an empty path", OCTETS("idn:\nmetrics-file: \"\" # none"),
     "f:2:15: metrics-file has no value: expected one after the ':'\n"},
    {"no path", OCTETS("idn:\nmetrics-file:"),
     "f:2:14: metrics-file has no value: expected one after the ':'\n"},
    {"a repeated metrics-file", OCTETS("idn:\nmetrics-file: /a\nmetrics-file: /b"),
     "f:3:1: metrics-file was already set at line 2: expected it once\n"},
    {"no seconds", OCTETS("idn:\nmetrics-interval: \"\""),
     "f:2:19: metrics-interval has no value: expected one after the ':'\n"},

    {"an empty policy", OCTETS("idn:\npolicy: \"\""),
     "f:2:9: policy has no value: expected one after the ':'\n"},
    {"a policy that is given twice", OCTETS("idn:\npolicy: a\npolicy: b\npolicy: \"a\" # a"),
     "f:4:9: policy 'a' was already given: expected each rule file once\n"},
    {"a policy that is given three times", OCTETS("idn:\npolicy: /a\npolicy: /a\npolicy: /a"),
     "f:3:9: policy '/a' was already given: expected each rule file once\n"
     "f:4:9: policy '/a' was already given: expected each rule file once\n"},
    {"a repeated policy-mode", OCTETS("idn:\npolicy-mode: enforce\npolicy-mode: enforce"),
     "f:3:1: policy-mode was already set at line 2: expected it once\n"},
    {"a repeated policy-soa", OCTETS("idn:\npolicy-soa: a b\npolicy-soa: a b"),
     "f:3:1: policy-soa was already set at line 2: expected it once\n"},
    {"one name in policy-soa", OCTETS("idn:\npolicy-soa: a # b"),
     "f:2:13: 'a' is not a value of policy-soa: expected two names" AS_IN},
    {"three names in policy-soa", OCTETS("idn:\npolicy-soa: a b c"),
     "f:2:13: 'a b c' is not a value of policy-soa: expected two names" AS_IN},
    {"a mail address in policy-soa", OCTETS("idn:\npolicy-soa: ns.example. me@example."),
     "f:2:27: '@' in the mailbox of policy-soa: expected a dot in its place\n"},
    {"white space for policy-soa", OCTETS("idn:\npolicy-soa: \" \t \""),
     "f:2:13: ' \\x09 ' is not a value of policy-soa: expected two names" AS_IN},

    {"a quote alone", OCTETS("idn:\nlog: \""),
     "f:2:6: this quote is not closed: expected a second '\"' on the line\n"},
    {"a quote that an escape does not close", OCTETS("idn:\nlog: \"none\\\""),
     "f:2:6: this quote is not closed: expected a second '\"' on the line\n"},
    {"a backslash at the end", OCTETS("idn:\nlog: \"\\"),
     "f:2:7: '\\' inside quotes stands before '\"' or '\\' only\n"},
    {"text at the closing quote", OCTETS("idn:\nlog: \"none\"x"),
     "f:2:12: text follows the closing quote: expected white space or the end of the line\n"},
    {"a comment at the closing quote", OCTETS("idn:\nlog: \"none\"# x"),
     "f:2:12: text follows the closing quote: expected white space or the end of the line\n"},

    {"columns count characters",
     OCTETS("idn:\nlog-to: \"/\xC3\xA4\xE6\x97\xA5\xF0\x9F\x98\x80\" x"),
     "f:2:16: text follows the value: expected a comment or the end of the line\n"},
    {"columns count characters before bad octets",
     OCTETS("idn:\n# \xC3\xA4\xE6\x97\xA5\xF0\x9F\x98"), "f:2:5: " NO_UTF8("0xF0")},
    {"a value with Unicode",
     OCTETS("idn:\nlog: n\xC3\xB6"
            "ne"),
     "f:2:6: 'n\\xC3\\xB6ne' is not a value of log: expected text, json or none\n"},

    {"NUL", OCTETS("idn:\nlog: no\0ne\n"), "f:2:8: control character U+0000: expected text\n"},
    {"an escape in a comment", OCTETS("# \x1B[2J\nidn:"),
     "f:1:3: control character U+001B: expected text\n"},
    {"a carriage return in a line", OCTETS("idn:\nlog: \rnone\r\n"),
     "f:2:6: control character U+000D: expected text\n"},
    {"U+001F and U+007F: the first of a line counts", OCTETS("#\x1F\x7F"),
     "f:1:2: control character U+001F: expected text\n"},
    {"U+007F", OCTETS("#\x7F"), "f:1:2: control character U+007F: expected text\n"},
    {"U+0080, a control character of two octets", OCTETS("#\xC2\x80"),
     "f:1:2: control character U+0080: expected text\n"},
    {"U+009F, a control character of two octets", OCTETS("#\xC2\x9F"),
     "f:1:2: control character U+009F: expected text\n"},
    {"U+00A0 is none", OCTETS("#\xC2\xA0"), ""},
    {"bad UTF-8: a continuation", OCTETS("idn:\nlog: \x80"), "f:2:6: " NO_UTF8("0x80")},
    {"bad UTF-8: Latin-1",
     OCTETS("# gr\xFC\xDF"
            "e\n"),
     "f:1:5: " NO_UTF8("0xFC")},
    {"bad UTF-8: an overlong slash", OCTETS("idn:\nlog-to: \xC0\xAF"), "f:2:9: " NO_UTF8("0xC0")},
    {"bad UTF-8: a surrogate", OCTETS("#\xED\xA0\x80"), "f:1:2: " NO_UTF8("0xED")},
    {"bad UTF-8: cut by the line end", OCTETS("#\xE6\x97\n#\xA5"),
     "f:1:2: " NO_UTF8("0xE6") "f:2:2: " NO_UTF8("0xA5")},

    {"every error of a file",
     OCTETS("log: x\r\nidn:x\r\nshow-emoji: \"\r\nwhat\r\n\xFF\r\nlog: none"),
     "f:1:1: expected the line 'idn:' before every key\n"
     "f:1:6: 'x' is not a value of log: expected text, json or none\n"
     "f:2:5: text follows 'idn:': expected each key on a line of its own\n"
     "f:3:13: this quote is not closed: expected a second '\"' on the line\n"
     "f:4:1: no ':' on this line: expected 'key: value'\n"
     "f:5:1: " NO_UTF8("0xFF") "f:6:1: log was already set at line 1: expected it once\n"},
};

static void test_conf(void **state)
{
    const struct conf *row = *state;
    char reports[REPORTS_MAX];
    struct xnm_config config;
    bool good = parse(&config, "f", row->text, row->len, reports);

    assert_string_equal(reports, row->reports);
    assert_int_equal(good, row->reports[0] == '\0');
    xnm_config_free(&config);
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
    assert_int_equal(config.soa_rname.len, 7);
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
    char reports[REPORTS_MAX], text[160], expected[160];
    struct xnm_config config;

    (void)state;
    for (size_t i = 0; i < COUNT(bad_seconds); i++) {
        int len = snprintf(text, sizeof text, "idn:\nmetrics-interval: %s\n", bad_seconds[i]);
        snprintf(expected, sizeof expected,
                 "f:2:19: '%s' is not a value of metrics-interval: expected seconds, 1 to 86400\n",
                 bad_seconds[i]);
        assert_false(parse(&config, "f", text, (size_t)len, reports));
        assert_string_equal(reports, expected);
        xnm_config_free(&config);
    }
}

static struct memory {
    const char *value;
    uint64_t octets; /* 0: it is none */
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
    char reports[REPORTS_MAX], text[160], expected[160] = "";
    struct xnm_config config;
    int len = snprintf(text, sizeof text, "idn:\npolicy-memory: %s", row->value);

    if (row->octets == 0)
        snprintf(expected, sizeof expected,
                 "f:2:16: '%s' is not a value of policy-memory: expected at least 1m, such as 512m "
                 "or 1g\n",
                 row->value);
    assert_int_equal(parse(&config, "f", text, (size_t)len, reports), row->octets > 0);
    assert_string_equal(reports, expected);
    assert_int_equal(config.policy_memory, row->octets);
    xnm_config_free(&config);
}

static const char *const bad_ttls[] = {
    "-1",          "2147483648",           "4294967295", "4294967296",
    "42949672960", "18446744073709551616", "1m",         " ",
};

static void test_bad_ttl(void **state)
{
    char reports[REPORTS_MAX], text[160], expected[160];
    struct xnm_config config;

    (void)state;
    for (size_t i = 0; i < COUNT(bad_ttls); i++) {
        int len = snprintf(text, sizeof text, "idn:\npolicy-ttl: \"%s\"\n", bad_ttls[i]);
        snprintf(expected, sizeof expected,
                 "f:2:13: '%s' is not a value of policy-ttl: expected seconds, 0 to 2147483647\n",
                 bad_ttls[i]);
        assert_false(parse(&config, "f", text, (size_t)len, reports));
        assert_string_equal(reports, expected);
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
    ADD_TESTS(&group, soas, name, test_soa);
    add_test(&group, "policy-soa: no A-label", test_soa_warning, NULL);
    ADD_TESTS(&group, memories, value, test_memory);
    add_test(&group, "policy-ttl: what is no number of seconds", test_bad_ttl, NULL);
    add_test(&group, "metrics-interval: what is no number of seconds", test_bad_seconds, NULL);
    add_test(&group, "a list taken for a configuration", test_a_list, NULL);
    return run_group("config_errors", &group);
}
