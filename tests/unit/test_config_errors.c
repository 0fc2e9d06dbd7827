/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with the text of a configuration, and where. */
#include "tests/unit/confread.h"

#define OCTETS(literal) literal, sizeof literal - 1
#define COUNT(array) (sizeof(array) / sizeof *(array))

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
    {"half a byte order mark", OCTETS("\xEF\xBBidn:\n"), "f:1:1: octet 0xEF is not UTF-8\n"},
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
     OCTETS("idn:\n# \xC3\xA4\xE6\x97\xA5\xF0\x9F\x98"), "f:2:5: octet 0xF0 is not UTF-8\n"},
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
    {"bad UTF-8: a continuation", OCTETS("idn:\nlog: \x80"), "f:2:6: octet 0x80 is not UTF-8\n"},
    {"bad UTF-8: Latin-1",
     OCTETS("# gr\xFC\xDF"
            "e\n"),
     "f:1:5: octet 0xFC is not UTF-8\n"},
    {"bad UTF-8: an overlong slash", OCTETS("idn:\nlog-to: \xC0\xAF"),
     "f:2:9: octet 0xC0 is not UTF-8\n"},
    {"bad UTF-8: a surrogate", OCTETS("#\xED\xA0\x80"), "f:1:2: octet 0xED is not UTF-8\n"},
    {"bad UTF-8: cut by the line end", OCTETS("#\xE6\x97\n#\xA5"),
     "f:1:2: octet 0xE6 is not UTF-8\nf:2:2: octet 0xA5 is not UTF-8\n"},

    {"every error of a file",
     OCTETS("log: x\r\nidn:x\r\nshow-emoji: \"\r\nwhat\r\n\xFF\r\nlog: none"),
     "f:1:1: expected the line 'idn:' before every key\n"
     "f:1:6: 'x' is not a value of log: expected text, json or none\n"
     "f:2:5: text follows 'idn:': expected each key on a line of its own\n"
     "f:3:13: this quote is not closed: expected a second '\"' on the line\n"
     "f:4:1: no ':' on this line: expected 'key: value'\n"
     "f:5:1: octet 0xFF is not UTF-8\n"
     "f:6:1: log was already set at line 1: expected it once\n"},
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

int main(void)
{
    struct test_group group = {0};

    for (size_t i = 0; i < COUNT(confs); i++)
        add_test(&group, confs[i].name, test_conf, &confs[i]);
    add_test(&group, "metrics-interval: what is no number of seconds", test_bad_seconds, NULL);
    return run_group("config_errors", &group);
}
