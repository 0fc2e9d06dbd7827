/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <unistd.h>

#include "module/base/diagnostics.h"
#include "module/config/config.h"
#include "tests/unit/exact.h"
#include "tests/unit/places.h"

enum { REPORTS_MAX = 1 << 14 };

/* All reports of a call, each as "file:line:column: message" on a line of its own, a warning with
 * " [warning]" behind it. */
static void collect(void *arg, xnm_severity severity, const struct xnm_place *place,
                    const char *message)
{
    char *reports = arg;
    size_t len = strlen(reports);

    assert_null(strchr(message, '\n'));
    xnm_diagnostics_text(place, message, reports + len, REPORTS_MAX - len - 16);
    strcat(reports, severity == XNM_ERROR ? "\n" : " [warning]\n");
}

static bool parse(struct xnm_config *config, const char *file, const char *text, size_t len,
                  char *reports)
{
    struct xnm_diagnostics diagnostics = {collect, reports};
    char *exact = exact_copy(text, len);

    reports[0] = '\0';
    xnm_config_init(config);
    bool good = xnm_config_parse(config, file, exact, len, &diagnostics);
    free(exact);
    return good;
}

/* A text without an error, from dir/idn.conf. The caller frees the configuration. */
static void parse_good(struct xnm_config *config, const char *text)
{
    char reports[REPORTS_MAX];
    bool good = parse(config, "dir/idn.conf", text, strlen(text), reports);

    assert_string_equal(reports, "");
    assert_true(good);
}

static bool load(struct xnm_config *config, const char *file, char *reports)
{
    struct xnm_diagnostics diagnostics = {collect, reports};

    reports[0] = '\0';
    xnm_config_init(config);
    return xnm_config_load(config, file, &diagnostics);
}

/* In wire format, ended by the root's octet. */
static void expect_name(const struct xnm_wirename *name, const char *wire)
{
    assert_int_equal(name->len, strlen(wire) + 1);
    assert_memory_equal(name->octets, wire, name->len);
}

static void expect_defaults(const struct xnm_config *config)
{
    assert_int_equal(config->log, XNM_LOG_TEXT);
    assert_int_equal(config->log_names, XNM_LOG_NAMES_ALL);
    assert_int_equal(config->log_name, XNM_LOG_NAME_BOTH);
    assert_int_equal(config->log_client, XNM_LOG_CLIENT_FULL);
    assert_int_equal(config->show_emoji, XNM_NO);
    assert_int_equal(config->client_subnet_from.count, 0);
    assert_null(config->log_to);
    assert_null(config->metrics_file);
    assert_int_equal(config->metrics_interval, 15);
    assert_int_equal(config->policy.mode, XNM_POLICY_ENFORCE);
    assert_int_equal(config->policy.watch, XNM_WATCH_YES);
    assert_int_equal(config->policy.required, XNM_REQUIRED_NO);
    assert_int_equal(config->policy.ttl, 60);
    assert_int_equal(config->policy.memory, 1 << 30);
    assert_int_equal(config->policy.file_count, 0);
    assert_null(config->policy.files);
    assert_int_equal(config->policy.why.code, 0);
    assert_string_equal(config->policy.why.contact, "");
    assert_string_equal(config->policy.why.organization, "");
    assert_string_equal(config->policy.why.language, "en");
    expect_name(&config->policy.soa_mname, "");
    expect_name(&config->policy.soa_rname, "\6nobody\7invalid");
}

static void expect_forwarders(const struct xnm_forwarders *forwarders)
{
    static const char *const texts[] = {"192.0.2.53", "2001:db8::/64", "127.0.0.1"};
    char text[XNM_PREFIX_TEXT_MAX];

    assert_int_equal(forwarders->count, COUNT(texts));
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_string_equal(xnm_prefix_text(&forwarders->prefixes[i], text), texts[i]);
}

/* Expects the values in good-every-key.conf. */
static void expect_every_key(const struct xnm_config *config)
{
    assert_int_equal(config->log, XNM_LOG_JSON);
    assert_int_equal(config->log_names, XNM_LOG_NAMES_IDN);
    assert_int_equal(config->log_name, XNM_LOG_NAME_ASCII);
    assert_int_equal(config->log_client, XNM_LOG_CLIENT_PREFIX);
    assert_int_equal(config->show_emoji, XNM_YES);
    expect_forwarders(&config->client_subnet_from);
    assert_string_equal(config->log_to, "/var/log/unbound/idn.log");
    assert_string_equal(config->metrics_file, "tests/config/idn.prom");
    assert_int_equal(config->metrics_interval, 60);
    assert_int_equal(config->policy.mode, XNM_POLICY_LOG_ONLY);
    assert_int_equal(config->policy.watch, XNM_WATCH_NO);
    assert_int_equal(config->policy.required, XNM_REQUIRED_YES);
    assert_int_equal(config->policy.ttl, 300);
    assert_int_equal(config->policy.memory, 512 << 20);
    assert_int_equal(config->policy.file_count, 2);
    assert_string_equal(config->policy.files[0], "tests/config/first.rules");
    assert_string_equal(config->policy.files[1], "tests/config/second.rules");
    assert_int_equal(config->policy.why.code, 65001);
    assert_string_equal(config->policy.why.contact, "mailto:help@example.net tel:+1-555-0100");
    assert_string_equal(config->policy.why.organization, "Bücher \"& Co\"");
    assert_string_equal(config->policy.why.language, "zh-Hans-CN");
    expect_name(&config->policy.soa_mname, "\3xn1\7example");
    expect_name(&config->policy.soa_rname, "\12hostmaster\15xn--mller-kva\7example");
}

TEST(sets_defaults, "defaults")
{
    struct xnm_config config;

    memset(&config, 0xFF, sizeof config);
    xnm_config_init(&config);
    expect_defaults(&config);
    xnm_config_free(&config);
}

/* --- every key with every word --- */

static struct word {
    const char *line;
    size_t offset; /* in struct xnm_config */
    int value;
} words[] = {
    {"log: text", offsetof(struct xnm_config, log), XNM_LOG_TEXT},
    {"log: json", offsetof(struct xnm_config, log), XNM_LOG_JSON},
    {"log: none", offsetof(struct xnm_config, log), XNM_LOG_NONE},
    {"log-names: all", offsetof(struct xnm_config, log_names), XNM_LOG_NAMES_ALL},
    {"log-names: idn", offsetof(struct xnm_config, log_names), XNM_LOG_NAMES_IDN},
    {"log-names: policy", offsetof(struct xnm_config, log_names), XNM_LOG_NAMES_POLICY},
    {"log-name: both", offsetof(struct xnm_config, log_name), XNM_LOG_NAME_BOTH},
    {"log-name: ascii", offsetof(struct xnm_config, log_name), XNM_LOG_NAME_ASCII},
    {"log-client: full", offsetof(struct xnm_config, log_client), XNM_LOG_CLIENT_FULL},
    {"log-client: prefix", offsetof(struct xnm_config, log_client), XNM_LOG_CLIENT_PREFIX},
    {"log-client: none", offsetof(struct xnm_config, log_client), XNM_LOG_CLIENT_NONE},
    {"log-answers: no", offsetof(struct xnm_config, log_answers), XNM_LOG_ANSWERS_NO},
    {"log-answers: addresses", offsetof(struct xnm_config, log_answers), XNM_LOG_ANSWERS_ADDRESSES},
    {"log-answers: all", offsetof(struct xnm_config, log_answers), XNM_LOG_ANSWERS_ALL},
    {"show-emoji: no", offsetof(struct xnm_config, show_emoji), XNM_NO},
    {"show-emoji: yes", offsetof(struct xnm_config, show_emoji), XNM_YES},
    {"policy-mode: enforce", offsetof(struct xnm_config, policy.mode), XNM_POLICY_ENFORCE},
    {"policy-mode: log-only", offsetof(struct xnm_config, policy.mode), XNM_POLICY_LOG_ONLY},
    {"watch: yes", offsetof(struct xnm_config, policy.watch), XNM_WATCH_YES},
    {"watch: no", offsetof(struct xnm_config, policy.watch), XNM_WATCH_NO},
    {"required: no", offsetof(struct xnm_config, policy.required), XNM_REQUIRED_NO},
    {"required: yes", offsetof(struct xnm_config, policy.required), XNM_REQUIRED_YES},
};

/* Each with the key, then the value. */
static const char *const layouts[] = {
    "idn:\n%s: %s\n",
    "idn:\n%s: %s",
    "idn:\n%s:%s\n",
    "idn:\n\t%s:\t %s \t\n",
    "idn:\n%s: \"%s\"\n",
    "idn:\n%s:\"%s\"",
    "idn:\n%s: %s # comment\n",
    "idn:\n%s: \"%s\" \t# comment\n",
    "idn:\r\n%s: %s\r\n",
    "idn:\r\n%s: \"%s\"\r\n",
    "idn:\n%s: %s\r",
    "\xEF\xBB\xBFidn:\n%s: %s\n",
    "# comment\n\n \t\n  idn: # comment\n    # comment\n    %s: %s\n\n",
};

TEST_ROWS(reads_words, words, line)
{
    const struct word *row = *state;
    char key[32], text[160];
    const char *value = strchr(row->line, ':') + 2;
    struct xnm_config config;

    snprintf(key, sizeof key, "%.*s", (int)(value - 2 - row->line), row->line);
    for (size_t i = 0; i < COUNT(layouts); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        int len = snprintf(text, sizeof text, layouts[i], key, value);
#pragma GCC diagnostic pop
        assert_in_range(len, 1, sizeof text - 1);
        parse_good(&config, text);
        assert_int_equal(*((uint8_t *)&config + row->offset), row->value);
        *((uint8_t *)&config + row->offset) = 0;
        expect_defaults(&config);
        xnm_config_free(&config);
    }
}

/* --- paths and numbers --- */

/* Words, quotes and what a path is relative to: test_textline.c. */
static struct value {
    const char *lines;
    const char *log_to, *metrics_file; /* NULL: none */
    uint32_t interval, ttl;
    const char *policies[3]; /* ends with NULL */
} values[] = {
    {"log-to: unbound", NULL, NULL, 15, 60, {NULL}},
    {"log-to: \"unbound\"", NULL, NULL, 15, 60, {NULL}},
    {"log-to: ./unbound", "dir/./unbound", NULL, 15, 60, {NULL}},
    {"log-to: /dev/stdout", "/dev/stdout", NULL, 15, 60, {NULL}},
    {"log-to: logs/idn.log # a", "dir/logs/idn.log", NULL, 15, 60, {NULL}},
    {"log-to: /a b/c\td", "/a b/c\td", NULL, 15, 60, {NULL}},
    {"log-to: \" /a \\\" #\"", "dir/ /a \" #", NULL, 15, 60, {NULL}},
    {"log-to: /a\"b\\c", "/a\"b\\c", NULL, 15, 60, {NULL}},
    {"metrics-file: /var/lib/idn.prom", NULL, "/var/lib/idn.prom", 15, 60, {NULL}},
    {"metrics-file: unbound", NULL, "dir/unbound", 15, 60, {NULL}},
    {"metrics-file: /a\nmetrics-interval: 1", NULL, "/a", 1, 60, {NULL}},
    {"metrics-interval: \"86400\" # a day", NULL, NULL, 86400, 60, {NULL}},
    {"policy: /etc/a.rules", NULL, NULL, 15, 60, {"/etc/a.rules"}},
    {"policy: b\nwatch: yes\npolicy: \"\xC3\xA4\"", NULL, NULL, 15, 60, {"dir/b", "dir/\xC3\xA4"}},
    {"policy-ttl: 0", NULL, NULL, 15, 0, {NULL}},
    {"policy-ttl: \"2147483647\"", NULL, NULL, 15, 2147483647, {NULL}},
};

static void expect_text(const char *found, const char *expected)
{
    if (expected)
        assert_string_equal(found, expected);
    else
        assert_null(found);
}

TEST_NUMBERED_ROWS(reads_values, values)
{
    const struct value *row = *state;
    char text[160];
    struct xnm_config config;

    snprintf(text, sizeof text, "idn:\n%s", row->lines);
    parse_good(&config, text);
    expect_text(config.log_to, row->log_to);
    expect_text(config.metrics_file, row->metrics_file);
    assert_int_equal(config.metrics_interval, row->interval);
    assert_int_equal(config.policy.ttl, row->ttl);
    for (size_t i = 0; row->policies[i]; i++) {
        assert_true(i < config.policy.file_count);
        assert_string_equal(config.policy.files[i], row->policies[i]);
    }
    assert_null(row->policies[config.policy.file_count]);
    xnm_config_free(&config);
    assert_null(config.log_to);
    assert_null(config.metrics_file);
    assert_null(config.policy.files);
    assert_int_equal(config.policy.file_count, 0);
}

static struct soa {
    const char *name;
    const char *value; /* as written in the file */
    const char *mname, *rname;
} soas[] = {
    {"policy-soa: the example of its message", "ns.invalid. nobody.invalid.", "\2ns\7invalid",
     "\6nobody\7invalid"},
    {"policy-soa: the root", ". .", "", ""},
    {"policy-soa: capital letters", "NS.Example Host.Example", "\2ns\7example", "\4host\7example"},
    {"policy-soa: white space", "\t a \t b \t # c", "\1a", "\1b"},
    {"policy-soa: white space in quotes", "\"\t a \t b \" # c", "\1a", "\1b"},
    {"policy-soa: Unicode",
     "b\xC3\xBC"
     "cher. B\xC3\x9C"
     "CHER",
     "\15xn--bcher-kva", "\15xn--bcher-kva"},
    {"policy-soa: a dot in a mailbox", ". a\\.b.c", "", "\3a.b\1c"},
    {"policy-soa: a dot in a mailbox, in quotes", "\". a\\\\.b.c\"", "", "\3a.b\1c"},
};

TEST_ROWS(reads_names, soas, name)
{
    const struct soa *row = *state;
    char text[160];
    struct xnm_config config, copy;

    snprintf(text, sizeof text, "idn:\npolicy-soa: %s", row->value);
    parse_good(&config, text);
    assert_true(xnm_config_copy(&config, &copy));
    xnm_config_free(&config);
    expect_name(&copy.policy.soa_mname, row->mname);
    expect_name(&copy.policy.soa_rname, row->rname);
    xnm_config_free(&copy);
}

/* A copy is the same, and is its own. */
TEST(copies, "a copy")
{
    char reports[REPORTS_MAX];
    struct xnm_config config, copy;

    xnm_config_init(&config);
    assert_true(xnm_config_copy(&config, &copy));
    expect_defaults(&copy);
    xnm_config_free(&copy);
    assert_true(load(&config, "tests/config/good-every-key.conf", reports));
    assert_true(xnm_config_copy(&config, &copy));
    xnm_config_free(&config);
    expect_every_key(&copy);
    xnm_config_free(&copy);
}

/* --- files --- */

static void test_good_file(void **state)
{
    char reports[REPORTS_MAX];
    struct xnm_config config;
    bool good = load(&config, *state, reports);

    assert_string_equal(reports, "");
    assert_true(good);
    xnm_config_free(&config);
}

TEST(reads_every_key, "what good-every-key.conf and good-quotes.conf say")
{
    char reports[REPORTS_MAX];
    struct xnm_config config;

    assert_true(load(&config, "tests/config/good-every-key.conf", reports));
    expect_every_key(&config);
    xnm_config_free(&config);
    assert_true(load(&config, "tests/config/good-quotes.conf", reports));
    assert_string_equal(config.log_to,
                        "tests/config/logs/a \"quoted\" \\ folder/idn # no comment.log");
    xnm_config_free(&config);
}

/* Folders, FIFOs and links at the path: test_textfile.c. */
TEST(refuses_large_files, "a missing file, the largest, and a larger one")
{
    char path[] = "/tmp/test_config.XXXXXX", expected[256], reports[REPORTS_MAX];
    struct xnm_config config;
    int fd = mkstemp(path);
    char *comments = malloc(XNM_CONFIG_SIZE_MAX);

    memset(comments, '#', XNM_CONFIG_SIZE_MAX);
    assert_true(fd >= 0 && write(fd, comments, XNM_CONFIG_SIZE_MAX) == XNM_CONFIG_SIZE_MAX);
    assert_true(load(&config, path, reports));
    expect_defaults(&config);
    assert_int_equal(write(fd, "#", 1), 1);
    assert_false(load(&config, path, reports));
    snprintf(expected, sizeof expected, "%s: larger than 1 MiB: expected a smaller file\n", path);
    assert_string_equal(reports, expected);
    remove(path);
    assert_false(load(&config, path, reports));
    snprintf(expected, sizeof expected, "%s: No such file or directory\n", path);
    assert_string_equal(reports, expected);
    expect_defaults(&config);
    close(fd);
    free(comments);
}

/* --- errors in the text (more: tests/samples/configuration.samples) --- */

#define OCTETS(literal) literal, sizeof literal - 1

static struct conf {
    const char *name;
    const char *text;
    size_t len;
    const char *places; /* of errors (places.h) */
} confs[] = {
    {"nothing", OCTETS(""), ""},
    {"comments and blank lines", OCTETS("# a\n\n \t # b\r\n#"), ""},
    {"the opening line alone", OCTETS("idn:"), ""},

    {"no colon", OCTETS("idn"), "1:1"},
    {"no colon, behind blanks", OCTETS("idn:\n \t log text"), "2:4"},
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
    {"a repeated key whose first value was bad", OCTETS("idn:\nlog: x\nlog: none"), "2:6 3:1"},

    {"no value", OCTETS("idn:\nlog:"), "2:5"},
    {"no value but a comment", OCTETS("idn:\nlog: # none"), "2:6"},
    {"an empty value in quotes", OCTETS("idn:\nlog: \"\""), "2:6"},
    {"a word with blanks in quotes", OCTETS("idn:\nlog: \" none\""), "2:6"},
    {"two words", OCTETS("idn:\nlog: text none"), "2:6"},
    {"an empty log target", OCTETS("idn:\nlog-to: \"\""), "2:9"},
    {"no path", OCTETS("idn:\nmetrics-file:"), "2:14"},

    {"an empty policy", OCTETS("idn:\npolicy: \"\""), "2:9"},
    {"a policy that is given twice", OCTETS("idn:\npolicy: a\npolicy: b\npolicy: \"a\" # a"),
     "4:9"},
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

    {"a quote alone", OCTETS("idn:\nlog: \""), "2:6"},

    {"columns count characters",
     OCTETS("idn:\nlog-to: \"/\xC3\xA4\xE6\x97\xA5\xF0\x9F\x98\x80\" x"), "2:16"},
    {"columns count characters before bad octets",
     OCTETS("idn:\n# \xC3\xA4\xE6\x97\xA5\xF0\x9F\x98"), "2:5"},

    {"NUL", OCTETS("idn:\nlog: no\0ne\n"), "2:8"},
    {"bad UTF-8: cut by the line end", OCTETS("#\xE6\x97\n#\xA5"), "1:2 2:2"},

    {"every error of a file",
     OCTETS("log: x\r\nidn:x\r\nshow-emoji: \"\r\nwhat\r\n\xFF\r\nlog: none"),
     "1:1 1:6 2:5 3:13 4:1 5:1 6:1"},
};

TEST_ROWS(places_errors, confs, name)
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
TEST(reads_64_forwarders, "client-subnet-from: 64 addresses")
{
    char reports[REPORTS_MAX], text[2000] = "idn:\nclient-subnet-from:";
    struct xnm_config config;

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
TEST(compares_forwarders, "client-subnet-from: what needs a reload")
{
    static const char *const lines[] = {"", "client-subnet-from: 192.0.2.1",
                                        "client-subnet-from: 192.0.2.2",
                                        "client-subnet-from: 192.0.2.1 192.0.2.2"};
    char reports[REPORTS_MAX], text[100], list[XNM_CONFIG_LIST_MAX];
    struct xnm_config configs[COUNT(lines)];

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
static struct bad_soa {
    const char *name;
    const char *value;
    const char *places[3]; /* of the errors; ends with NULL */
} bad_soas[] = {
    {"policy-soa: bad names", "a$b c..d", {"f:2:14: ", "f:2:19: "}},
    {"policy-soa: bad names in quotes", "\"a$b c..d\"", {"f:2:15: ", "f:2:20: "}},
    {"policy-soa: behind Unicode", "\xC3\xA4\xE6\x97\xA5 b$", {"f:2:17: "}},
    {"policy-soa: behind escapes", "\"\\\"\\\\ b$\"", {"f:2:14: ", "f:2:20: "}},
    {"policy-soa: an asterisk", "*.example a", {"f:2:13: "}},
};

TEST_ROWS(places_bad_names, bad_soas, name)
{
    const struct bad_soa *row = *state;
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
TEST(warns_of_no_alabel, "policy-soa: no A-label")
{
    static const char text[] = "idn:\npolicy-soa: a xn--a";
    char reports[REPORTS_MAX];
    struct xnm_config config;

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

TEST(refuses_seconds, "metrics-interval: what is no number of seconds")
{
    char reports[REPORTS_MAX], text[160];
    struct xnm_config config;

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

TEST_ROWS(reads_memory, memories, value)
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

TEST(refuses_ttls, "policy-ttl: what is no number of seconds")
{
    char reports[REPORTS_MAX], text[160];
    struct xnm_config config;

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
TEST(stops_at_100_errors, "a list taken for a configuration")
{
    enum { LINES = 60000 };
    unsigned seen = 0;
    const struct xnm_diagnostics diagnostics = {count_reports, &seen};
    char *text = malloc(LINES * 12);
    struct xnm_config config;

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
    add_files("tests/config/good-*.conf", test_good_file);
    return run_unit();
}
