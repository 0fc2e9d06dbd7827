/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/confread.h"

#include <sys/stat.h>
#include <unistd.h>

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

static void test_defaults(void **state)
{
    struct xnm_config config;

    (void)state;
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

static void test_word(void **state)
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
    const char *value; /* as it stands in the file */
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

static void test_target(void **state)
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

static void test_metrics(void **state)
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

static void test_policy(void **state)
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
    const char *value; /* as it stands in the file */
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

static void test_soa(void **state)
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
static void test_copy(void **state)
{
    char reports[REPORTS_MAX];
    struct xnm_config config, copy;

    (void)state;
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

static void test_every_key_file(void **state)
{
    char reports[REPORTS_MAX];
    struct xnm_config config;

    (void)state;
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

static void test_object(void **state)
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

int main(void)
{
    struct test_group group = {0};

    add_test(&group, "defaults", test_defaults, NULL);
    ADD_TESTS(&group, words, line, test_word);
    ADD_TESTS(&group, targets, name, test_target);
    ADD_TESTS(&group, metrics, name, test_metrics);
    ADD_TESTS(&group, policies, name, test_policy);
    ADD_TESTS(&group, soas, name, test_soa);
    add_test(&group, "a copy", test_copy, NULL);
    add_files(&group, "tests/config/good-*.conf", test_good_file);
    add_files(&group, "tests/config/bad-*.conf", test_bad_file);
    add_test(&group, "what good-every-key.conf and good-quotes.conf say", test_every_key_file,
             NULL);
    ADD_TESTS(&group, objects, name, test_object);
    return run_group("config", &group);
}
