/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <sys/stat.h>
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
    xnm_diagnostic_text(place, message, reports + len, REPORTS_MAX - len - 16);
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

TEST(test_defaults, "defaults")
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

TEST_ROWS(test_word, words, line)
{
    const struct word *row = *state;
    char key[32], reports[REPORTS_MAX], text[160];
    const char *value = strchr(row->line, ':') + 2;
    struct xnm_config config;

    snprintf(key, sizeof key, "%.*s", (int)(value - 2 - row->line), row->line);
    for (size_t i = 0; i < COUNT(layouts); i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        int len = snprintf(text, sizeof text, layouts[i], key, value);
#pragma GCC diagnostic pop
        bool good = parse(&config, "idn.conf", text, (size_t)len, reports);
        assert_string_equal(reports, "");
        assert_true(good);
        assert_int_equal(*((uint8_t *)&config + row->offset), row->value);
        *((uint8_t *)&config + row->offset) = 0;
        expect_defaults(&config);
        xnm_config_free(&config);
    }
}

/* --- log-to --- */

static struct target {
    const char *name;
    const char *file;
    const char *value; /* as written in the file */
    const char *log_to;
} targets[] = {
    {"log-to: unbound", "dir/idn.conf", "unbound", NULL},
    {"log-to: unbound in quotes", "dir/idn.conf", "\"unbound\"", NULL},
    {"log-to: an absolute path", "dir/idn.conf", "/var/log/idn.log", "/var/log/idn.log"},
    {"log-to: /dev/stdout", "dir/idn.conf", "/dev/stdout", "/dev/stdout"},
    {"log-to: the root", "dir/idn.conf", "/", "/"},
    {"log-to: a relative path", "dir/idn.conf", "logs/idn.log", "dir/logs/idn.log"},
    {"log-to: ./", "dir/idn.conf", "./idn.log", "dir/./idn.log"},
    {"log-to: ../", "dir/idn.conf", "../idn.log", "dir/../idn.log"},
    {"log-to: a relative path, file in folders", "/etc/a/b/idn.conf", "l/i", "/etc/a/b/l/i"},
    {"log-to: a relative path, file in the root", "/idn.conf", "l/i", "/l/i"},
    {"log-to: a relative path, file here", "idn.conf", "l/i", "l/i"},
    {"log-to: a file named unbound", "dir/idn.conf", "./unbound", "dir/./unbound"},
    {"log-to: blanks inside", "dir/idn.conf", "/a b/c\td", "/a b/c\td"},
    {"log-to: blanks at the ends of a quote", "dir/idn.conf", "\" /a \"", "dir/ /a "},
    {"log-to: # without a blank before it", "dir/idn.conf", "/a#b", "/a#b"},
    {"log-to: # with a blank before it", "dir/idn.conf", "/a #b", "/a"},
    {"log-to: # in quotes", "dir/idn.conf", "\"/a #b\"", "/a #b"},
    {"log-to: a colon", "dir/idn.conf", "/a:b", "/a:b"},
    {"log-to: a quote inside a bare value", "dir/idn.conf", "/a\"b", "/a\"b"},
    {"log-to: a backslash in a bare value", "dir/idn.conf", "/a\\b", "/a\\b"},
    {"log-to: an escaped quote", "dir/idn.conf", "\"/a\\\"b\"", "/a\"b"},
    {"log-to: an escaped backslash", "dir/idn.conf", "\"/a\\\\b\"", "/a\\b"},
    {"log-to: escapes at both ends", "dir/idn.conf", "\"\\\\/\\\"\"", "dir/\\/\""},
    {"log-to: Unicode", "dir/idn.conf", "/\xC3\xA4/\xF0\x9F\x98\x80", "/\xC3\xA4/\xF0\x9F\x98\x80"},
};

TEST_ROWS(test_target, targets, name)
{
    const struct target *row = *state;
    char reports[REPORTS_MAX], text[160];
    struct xnm_config config;
    int len = snprintf(text, sizeof text, "idn:\n    log-to: %s", row->value);
    bool good = parse(&config, row->file, text, (size_t)len, reports);

    assert_string_equal(reports, "");
    assert_true(good);
    if (row->log_to)
        assert_string_equal(config.log_to, row->log_to);
    else
        assert_null(config.log_to);
    xnm_config_free(&config);
    assert_null(config.log_to);
}

/* --- metrics --- */

static struct metrics {
    const char *name;
    const char *lines;
    const char *file; /* NULL: none */
    uint32_t interval;
} metrics[] = {
    {"metrics-file: an absolute path", "metrics-file: /var/lib/idn.prom", "/var/lib/idn.prom", 15},
    {"metrics-file: a relative path", "metrics-file: m/idn.prom", "dir/m/idn.prom", 15},
    {"metrics-file: a name alone", "metrics-file: idn.prom", "dir/idn.prom", 15},
    {"metrics-file: a file named unbound", "metrics-file: unbound", "dir/unbound", 15},
    {"metrics-file: quotes", "metrics-file: \"a \\\\ \\\" #b\"", "dir/a \\ \" #b", 15},
    {"metrics-interval: the least", "metrics-interval: 1", NULL, 1},
    {"metrics-interval: the most", "metrics-interval: 86400", NULL, 86400},
    {"metrics-interval: quotes", "metrics-interval: \"60\" # a minute", NULL, 60},
    {"metrics-interval and metrics-file", "metrics-interval: 5\nmetrics-file: /a", "/a", 5},
};

TEST_ROWS(test_metrics, metrics, name)
{
    const struct metrics *row = *state;
    char reports[REPORTS_MAX], text[160];
    struct xnm_config config;
    int len = snprintf(text, sizeof text, "idn:\n%s", row->lines);
    bool good = parse(&config, "dir/idn.conf", text, (size_t)len, reports);

    assert_string_equal(reports, "");
    assert_true(good);
    assert_int_equal(config.metrics_interval, row->interval);
    if (row->file)
        assert_string_equal(config.metrics_file, row->file);
    else
        assert_null(config.metrics_file);
    xnm_config_free(&config);
    assert_null(config.metrics_file);
}

/* --- the policy --- */

static struct policy {
    const char *name;
    const char *lines;
    const char *paths[3]; /* ends with NULL */
    uint32_t ttl;
} policies[] = {
    {"policy: an absolute path", "policy: /etc/a.rules", {"/etc/a.rules"}, 60},
    {"policy: a relative path", "policy: r/a.rules", {"dir/r/a.rules"}, 60},
    {"policy: quotes", "policy: \"a \\\\ \\\" #b\" # c", {"dir/a \\ \" #b"}, 60},
    {"policy: Unicode", "policy: \xC3\xA4.rules", {"dir/\xC3\xA4.rules"}, 60},
    {"policy: two, in their order", "policy: b\npolicy: /a", {"dir/b", "/a"}, 60},
    {"policy: two, apart", "policy: b\nwatch: yes\npolicy: a", {"dir/b", "dir/a"}, 60},
    {"policy-ttl: the least", "policy-ttl: 0", {NULL}, 0},
    {"policy-ttl: the most", "policy-ttl: 2147483647", {NULL}, 2147483647},
    {"policy-ttl: quotes", "policy-ttl: \"300\"", {NULL}, 300},
};

TEST_ROWS(test_policy, policies, name)
{
    const struct policy *row = *state;
    char reports[REPORTS_MAX], text[160];
    struct xnm_config config;
    int len = snprintf(text, sizeof text, "idn:\n%s", row->lines);
    bool good = parse(&config, "dir/idn.conf", text, (size_t)len, reports);

    assert_string_equal(reports, "");
    assert_true(good);
    assert_int_equal(config.policy.ttl, row->ttl);
    for (size_t i = 0; row->paths[i]; i++) {
        assert_true(i < config.policy.file_count);
        assert_string_equal(config.policy.files[i], row->paths[i]);
    }
    assert_null(row->paths[config.policy.file_count]);
    xnm_config_free(&config);
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
    {"policy-soa: its default", ". nobody.invalid.", "", "\6nobody\7invalid"},
    {"policy-soa: no final dots", "a b.c", "\1a", "\1b\1c"},
    {"policy-soa: the root", ". .", "", ""},
    {"policy-soa: capital letters", "NS.Example Host.Example", "\2ns\7example", "\4host\7example"},
    {"policy-soa: white space", "\t a \t b \t # c", "\1a", "\1b"},
    {"policy-soa: quotes", "\"a b\"", "\1a", "\1b"},
    {"policy-soa: white space in quotes", "\"\t a \t b \" # c", "\1a", "\1b"},
    {"policy-soa: Unicode",
     "b\xC3\xBC"
     "cher. B\xC3\x9C"
     "CHER",
     "\15xn--bcher-kva", "\15xn--bcher-kva"},
    {"policy-soa: a dot in a mailbox", ". a\\.b.c", "", "\3a.b\1c"},
    {"policy-soa: a dot in a mailbox, in quotes", "\". a\\\\.b.c\"", "", "\3a.b\1c"},
    {"policy-soa: an A-label", "xn--bcher-kva a", "\15xn--bcher-kva", "\1a"},
};

TEST_ROWS(test_soa, soas, name)
{
    const struct soa *row = *state;
    char reports[REPORTS_MAX], text[160];
    struct xnm_config config, copy;
    int len = snprintf(text, sizeof text, "idn:\npolicy-soa: %s", row->value);
    bool good = parse(&config, "dir/idn.conf", text, (size_t)len, reports);

    assert_string_equal(reports, "");
    assert_true(good);
    assert_true(xnm_config_copy(&config, &copy));
    xnm_config_free(&config);
    expect_name(&copy.policy.soa_mname, row->mname);
    expect_name(&copy.policy.soa_rname, row->rname);
    xnm_config_free(&copy);
}

/* A copy is the same, and is its own. */
TEST(test_copy, "a copy")
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

/* bad-NAME.conf has its reports in bad-NAME.expected. */
static void test_bad_file(void **state)
{
    const char *file = *state;
    char expected[REPORTS_MAX] = "", path[256], reports[REPORTS_MAX];
    struct xnm_config config;

    snprintf(path, sizeof path, "%.*s.expected", (int)(strrchr(file, '.') - file), file);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_true(fread(expected, 1, sizeof expected - 1, stream) > 0);
    fclose(stream);
    assert_false(load(&config, file, reports));
    assert_string_equal(reports, expected);
    xnm_config_free(&config);
}

TEST(test_every_key_file, "what good-every-key.conf and good-quotes.conf say")
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

static int write_comments(const char *path, size_t size)
{
    FILE *stream = fopen(path, "w");

    for (size_t i = 0; stream && i < size; i++)
        fputc(i % 100 == 99 ? '\n' : '#', stream);
    return stream ? fclose(stream) : -1;
}

static int make_nothing(const char *path)
{
    return access(path, F_OK) == 0 ? -1 : 0;
}

static int make_folder(const char *path)
{
    return mkdir(path, 0700);
}

static int make_fifo(const char *path)
{
    return mkfifo(path, 0600);
}

static int make_device_link(const char *path)
{
    return symlink("/dev/zero", path);
}

static int make_link_to_itself(const char *path)
{
    return symlink(path, path);
}

static int make_empty(const char *path)
{
    return write_comments(path, 0);
}

static int make_largest(const char *path)
{
    return write_comments(path, XNM_CONFIG_SIZE_MAX);
}

static int make_too_large(const char *path)
{
    return write_comments(path, XNM_CONFIG_SIZE_MAX + 1);
}

/* An object at the path that is loaded, and the report about it. */
static struct object {
    const char *name;
    int (*make)(const char *path);
    const char *message; /* NULL: none */
} objects[] = {
    {"load a missing file", make_nothing, "No such file or directory"},
    {"load a folder", make_folder, "Is a directory"},
    {"load a FIFO that nobody writes to", make_fifo, "not a regular file"},
    {"load a device", make_device_link, "not a regular file"},
    {"load a symbolic link to itself", make_link_to_itself, "Too many levels of symbolic links"},
    {"load an empty file", make_empty, NULL},
    {"load a file of 1 MiB", make_largest, NULL},
    {"load a file of 1 MiB and an octet", make_too_large,
     "larger than 1 MiB: expected a smaller file"},
};

TEST_ROWS(test_object, objects, name)
{
    const struct object *row = *state;
    char folder[] = "/tmp/test_config.XXXXXX", path[64], expected[256] = "", reports[REPORTS_MAX];
    struct xnm_config config;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/idn.conf", folder);
    assert_int_equal(row->make(path), 0);
    bool good = load(&config, path, reports);
    remove(path);
    remove(folder);

    if (row->message)
        snprintf(expected, sizeof expected, "%s: %s\n", path, row->message);
    assert_string_equal(reports, expected);
    assert_int_equal(good, !row->message);
    expect_defaults(&config);
}

/* --- errors in the text (those in a file: tests/config/bad-*.conf) --- */

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

TEST_ROWS(test_conf, confs, name)
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
TEST(test_many_forwarders, "client-subnet-from: 64 addresses")
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
TEST(test_other_forwarders, "client-subnet-from: what needs a reload")
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

TEST_ROWS(test_bad_soa, bad_soas, name)
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
TEST(test_soa_warning, "policy-soa: no A-label")
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

TEST(test_bad_seconds, "metrics-interval: what is no number of seconds")
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

TEST_ROWS(test_memory, memories, value)
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

TEST(test_bad_ttl, "policy-ttl: what is no number of seconds")
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
TEST(test_a_list, "a list taken for a configuration")
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
    add_files("tests/config/bad-*.conf", test_bad_file);
    return run_unit();
}
