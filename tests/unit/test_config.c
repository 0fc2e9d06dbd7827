/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module/config.h"
#include "tests/unit/exact.h"

#define OCTETS(literal) literal, sizeof literal - 1
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- reports --- */

enum { REPORTS_MAX = 1 << 14 };

/* All reports of a call, each as "file:line:column: message" on a line of its own. */
static void collect(void *arg, xnm_severity severity, const struct xnm_place *place,
                    const char *message)
{
    char *reports = arg;
    size_t len = strlen(reports);

    assert_int_equal(severity, XNM_ERROR);
    assert_null(strchr(message, '\n'));
    xnm_report_text(place, message, reports + len, REPORTS_MAX - len - 1);
    strcat(reports, "\n");
}

static bool parse(struct xnm_config *config, const char *file, const char *text, size_t len,
                  char *reports)
{
    struct xnm_reporter reporter = {collect, reports};
    char *exact = exact_copy(text, len);

    reports[0] = '\0';
    xnm_config_init(config);
    bool good = xnm_config_parse(config, file, exact, len, &reporter);
    free(exact);
    return good;
}

static bool load(struct xnm_config *config, const char *file, char *reports)
{
    struct xnm_reporter reporter = {collect, reports};

    reports[0] = '\0';
    xnm_config_init(config);
    return xnm_config_load(config, file, &reporter);
}

static void expect_defaults(const struct xnm_config *config)
{
    assert_int_equal(config->log, XNM_LOG_TEXT);
    assert_int_equal(config->log_names, XNM_LOG_NAMES_ALL);
    assert_int_equal(config->log_name, XNM_LOG_NAME_BOTH);
    assert_int_equal(config->log_client, XNM_LOG_CLIENT_FULL);
    assert_int_equal(config->show_emoji, XNM_NO);
    assert_int_equal(config->bidi_isolates, XNM_NO);
    assert_null(config->log_to);
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
    {"log: none", offsetof(struct xnm_config, log), XNM_LOG_NONE},
    {"log-names: all", offsetof(struct xnm_config, log_names), XNM_LOG_NAMES_ALL},
    {"log-names: idn", offsetof(struct xnm_config, log_names), XNM_LOG_NAMES_IDN},
    {"log-name: both", offsetof(struct xnm_config, log_name), XNM_LOG_NAME_BOTH},
    {"log-name: unicode", offsetof(struct xnm_config, log_name), XNM_LOG_NAME_UNICODE},
    {"log-name: ascii", offsetof(struct xnm_config, log_name), XNM_LOG_NAME_ASCII},
    {"log-client: full", offsetof(struct xnm_config, log_client), XNM_LOG_CLIENT_FULL},
    {"log-client: prefix", offsetof(struct xnm_config, log_client), XNM_LOG_CLIENT_PREFIX},
    {"log-client: none", offsetof(struct xnm_config, log_client), XNM_LOG_CLIENT_NONE},
    {"show-emoji: no", offsetof(struct xnm_config, show_emoji), XNM_NO},
    {"show-emoji: yes", offsetof(struct xnm_config, show_emoji), XNM_YES},
    {"bidi-isolates: no", offsetof(struct xnm_config, bidi_isolates), XNM_NO},
    {"bidi-isolates: yes", offsetof(struct xnm_config, bidi_isolates), XNM_YES},
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

/* --- texts and what is wrong with them --- */

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
     "f:2:6: 'x' is not a value of log: expected text or none\n"
     "f:3:1: log was already set at line 2: expected it once\n"},

    {"no value", OCTETS("idn:\nlog:"), "f:2:5: log has no value: expected one after the ':'\n"},
    {"no value but blanks", OCTETS("idn:\nlog-to: \t \n"),
     "f:2:11: log-to has no value: expected one after the ':'\n"},
    {"no value but a comment", OCTETS("idn:\nlog: # none"),
     "f:2:6: log has no value: expected one after the ':'\n"},
    {"an empty value in quotes", OCTETS("idn:\nlog: \"\""),
     "f:2:6: '' is not a value of log: expected text or none\n"},
    {"a word with blanks in quotes", OCTETS("idn:\nlog: \" none\""),
     "f:2:6: ' none' is not a value of log: expected text or none\n"},
    {"two words", OCTETS("idn:\nlog: text none"),
     "f:2:6: 'text none' is not a value of log: expected text or none\n"},
    {"a word with a quote behind it", OCTETS("idn:\nlog: none\""),
     "f:2:6: 'none\"' is not a value of log: expected text or none\n"},
    {"an empty log target", OCTETS("idn:\nlog-to: \"\""),
     "f:2:9: '' is not a value of log-to: expected unbound, or a path with a '/' in it\n"},

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
     "f:2:6: 'n\\xC3\\xB6ne' is not a value of log: expected text or none\n"},

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
     "f:1:6: 'x' is not a value of log: expected text or none\n"
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
    assert_int_equal(config.log, XNM_LOG_NONE);
    assert_int_equal(config.log_names, XNM_LOG_NAMES_IDN);
    assert_int_equal(config.log_name, XNM_LOG_NAME_UNICODE);
    assert_int_equal(config.log_client, XNM_LOG_CLIENT_PREFIX);
    assert_int_equal(config.show_emoji, XNM_YES);
    assert_int_equal(config.bidi_isolates, XNM_YES);
    assert_string_equal(config.log_to, "/var/log/unbound/idn.log");
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

/* What is at the path that is loaded, and what is reported of it. */
static struct object {
    const char *name;
    int (*make)(const char *path);
    const char *message; /* NULL: none */
} objects[] = {
    {"load a missing file", make_nothing, "No such file or directory"},
    {"load a folder", make_folder, "not a regular file"},
    {"load a FIFO that nobody writes to", make_fifo, "not a regular file"},
    {"load a device", make_device_link, "not a regular file"},
    {"load a symbolic link to itself", make_link_to_itself, "Too many levels of symbolic links"},
    {"load an empty file", make_empty, NULL},
    {"load a file of 1 MiB", make_largest, NULL},
    {"load a file of 1 MiB and an octet", make_too_large,
     "larger than 1 MiB: expected a configuration file"},
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

static void add_files(struct test_group *group, const char *pattern, CMUnitTestFunction test)
{
    glob_t found;

    if (glob(pattern, GLOB_ERR, NULL, &found) != 0) {
        fprintf(stderr, "no %s: run it from the root of the sources\n", pattern);
        exit(1);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *path = strdup(found.gl_pathv[i]);
        add_test(group, path, test, path);
    }
    globfree(&found);
}

int main(void)
{
    struct test_group group = {0};

    add_test(&group, "defaults", test_defaults, NULL);
    for (size_t i = 0; i < COUNT(words); i++)
        add_test(&group, words[i].line, test_word, &words[i]);
    for (size_t i = 0; i < COUNT(targets); i++)
        add_test(&group, targets[i].name, test_target, &targets[i]);
    for (size_t i = 0; i < COUNT(confs); i++)
        add_test(&group, confs[i].name, test_conf, &confs[i]);
    add_files(&group, "tests/config/good-*.conf", test_good_file);
    add_files(&group, "tests/config/bad-*.conf", test_bad_file);
    add_test(&group, "what good-every-key.conf and good-quotes.conf say", test_every_key_file,
             NULL);
    for (size_t i = 0; i < COUNT(objects); i++)
        add_test(&group, objects[i].name, test_object, &objects[i]);
    return run_group("config", &group);
}
