/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/config.h"

#include "core/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    QUOTED_MAX = 80, /* characters of the operator's text that a message repeats */
    METRICS_INTERVAL = 15,
    SECONDS_MAX = 86400
};

typedef enum {
    WORD,    /* one of key.words, stored in a uint8_t as its place among them */
    TARGET,  /* unbound, which is NULL, or a path with a '/', stored in a char * */
    PATH,    /* stored in a char * */
    SECONDS, /* 1 to 86400, stored in a uint32_t */
} value_kind;

/* Every key of idn.conf. */
static const struct key {
    const char *name;
    value_kind kind;
    size_t offset;            /* in struct xnm_config */
    const char *const *words; /* ends with NULL; the first is the default */
} keys[] = {
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define MEMBER(member) offsetof(struct xnm_config, member)
    {"log", WORD, MEMBER(log), WORDS("text", "json", "none")},
    {"log-to", TARGET, MEMBER(log_to), NULL},
    {"log-names", WORD, MEMBER(log_names), WORDS("all", "idn")},
    {"log-name", WORD, MEMBER(log_name), WORDS("both", "unicode", "ascii")},
    {"log-client", WORD, MEMBER(log_client), WORDS("full", "prefix", "none")},
    {"show-emoji", WORD, MEMBER(show_emoji), WORDS("no", "yes")},
    {"bidi-isolates", WORD, MEMBER(bidi_isolates), WORDS("no", "yes")},
    {"metrics-file", PATH, MEMBER(metrics_file), NULL},
    {"metrics-interval", SECONDS, MEMBER(metrics_interval), NULL},
#undef MEMBER
#undef WORDS
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

struct parser {
    struct xnm_config *config;
    const struct xnm_reporter *reporter;
    const char *file;
    unsigned line_number;
    const char *line, *end; /* the line in hand, without its end */
    const char *value_at;   /* where its value stands: that of a quoted one is a copy elsewhere */
    bool opened;            /* the `idn:` line was there */
    bool missed;            /* … or its absence was reported */
    bool failed;
    unsigned seen_at[KEY_COUNT]; /* the line that gave each key; 0: none yet */
};

struct text {
    const char *at;
    size_t len;
};

/* --- errors --- */

static unsigned column_of(const struct parser *parser, const char *at)
{
    unsigned column = 1;

    for (const char *c = parser->line; c < at;) {
        uint32_t cp;
        size_t len = xn_utf8_read((const uint8_t *)c, (size_t)(parser->end - c), &cp);
        c += len > 0 ? len : 1;
        column++;
    }
    return column;
}

static struct xnm_place place_of(const struct parser *parser, const char *at)
{
    return (struct xnm_place){parser->file, parser->line_number, column_of(parser, at)};
}

#define FAIL(parser, at, ...)                                                                      \
    do {                                                                                           \
        struct xnm_place fail_place = place_of((parser), (at));                                    \
        (parser)->failed = true;                                                                   \
        xnm_report((parser)->reporter, XNM_ERROR, &fail_place, __VA_ARGS__);                       \
    } while (0)

/* --- values --- */

static bool text_is(struct text text, const char *word)
{
    return text.len == strlen(word) && memcmp(text.at, word, text.len) == 0;
}

static void append(char *dst, size_t cap, const char *text)
{
    size_t len = strlen(dst);
    snprintf(dst + len, cap - len, "%s", text);
}

static void fail_value(struct parser *parser, const struct key *key, struct text value)
{
    char quoted[QUOTED_MAX], expected[QUOTED_MAX] = "";

    for (size_t i = 0; key->words[i]; i++) {
        append(expected, sizeof expected, i == 0 ? "" : key->words[i + 1] ? ", " : " or ");
        append(expected, sizeof expected, key->words[i]);
    }
    FAIL(parser, parser->value_at, "'%s' is not a value of %s: expected %s",
         xnm_quote(value.at, value.len, quoted, sizeof quoted), key->name, expected);
}

static void set_word(struct parser *parser, const struct key *key, struct text value)
{
    for (uint8_t i = 0; key->words[i]; i++) {
        if (text_is(value, key->words[i])) {
            *((uint8_t *)parser->config + key->offset) = i;
            return;
        }
    }
    fail_value(parser, key, value);
}

/* `path` as it is, or in the folder of the file that names it. The caller owns the result; NULL: no
 * memory. */
static char *resolve_path(const char *file, struct text path)
{
    const char *slash = strrchr(file, '/');
    int folder_len = path.at[0] == '/' || !slash ? 0 : (int)(slash - file) + 1;
    size_t size = (size_t)folder_len + path.len + 1;
    char *resolved = malloc(size);

    if (resolved)
        snprintf(resolved, size, "%.*s%.*s", folder_len, file, (int)path.len, path.at);
    return resolved;
}

static void set_path(struct parser *parser, const struct key *key, struct text value)
{
    char **path = (char **)(void *)((char *)parser->config + key->offset);

    *path = resolve_path(parser->file, value);
    if (!*path)
        FAIL(parser, parser->value_at, "out of memory");
}

static void set_log_target(struct parser *parser, const struct key *key, struct text value)
{
    char quoted[QUOTED_MAX];

    if (text_is(value, "unbound"))
        return;
    if (memchr(value.at, '/', value.len))
        set_path(parser, key, value);
    else
        FAIL(parser, parser->value_at,
             "'%s' is not a value of %s: expected unbound, or a path with a '/' in it",
             xnm_quote(value.at, value.len, quoted, sizeof quoted), key->name);
}

static void set_seconds(struct parser *parser, const struct key *key, struct text value)
{
    char quoted[QUOTED_MAX];
    uint32_t seconds = 0;

    for (size_t i = 0; i < value.len && seconds <= SECONDS_MAX; i++) {
        bool digit = value.at[i] >= '0' && value.at[i] <= '9';
        seconds = digit ? seconds * 10 + (uint32_t)(value.at[i] - '0') : SECONDS_MAX + 1;
    }
    if (seconds == 0 || seconds > SECONDS_MAX)
        FAIL(parser, parser->value_at, "'%s' is not a value of %s: expected seconds, 1 to %d",
             xnm_quote(value.at, value.len, quoted, sizeof quoted), key->name, SECONDS_MAX);
    else
        *(uint32_t *)(void *)((char *)parser->config + key->offset) = seconds;
}

/* --- lines --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

/* A comment begins with `#` at the start of a line or after white space. */
static const char *find_comment(const char *at, const char *end)
{
    for (const char *c = at; c < end; c++)
        if (*c == '#' && (c == at || is_blank(c[-1])))
            return c;
    return end;
}

/* The rest of the line as a bare value: to the comment, without white space at its end. */
static struct text bare_value(const char *at, const char *end)
{
    const char *stop = find_comment(at, end);

    while (stop > at && is_blank(stop[-1]))
        stop--;
    return (struct text){at, (size_t)(stop - at)};
}

/* A value in double quotes, `\"` and `\\` undone into `buffer`, which has room for the whole line.
 */
static bool quoted_value(struct parser *parser, const char *at, char *buffer, struct text *value)
{
    const char *c = at + 1;
    size_t out = 0;

    for (; c < parser->end && *c != '"'; c++) {
        if (*c == '\\') {
            if (++c == parser->end || (*c != '"' && *c != '\\')) {
                FAIL(parser, c - 1, "'\\' inside quotes stands before '\"' or '\\' only");
                return false;
            }
        }
        buffer[out++] = *c;
    }
    if (c == parser->end) {
        FAIL(parser, at, "this quote is not closed: expected a second '\"' on the line");
        return false;
    }
    c++;
    if (c < parser->end && !is_blank(*c)) {
        FAIL(parser, c,
             "text follows the closing quote: expected white space or the end of the line");
        return false;
    }
    c = skip_blanks(c, parser->end);
    if (c < parser->end && *c != '#') {
        FAIL(parser, c, "text follows the value: expected a comment or the end of the line");
        return false;
    }
    *value = (struct text){buffer, out};
    return true;
}

static const struct key *find_key(struct text name)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (text_is(name, keys[i].name))
            return &keys[i];
    return NULL;
}

static void set_value(struct parser *parser, const struct key *key, struct text value)
{
    static void (*const setters[])(struct parser *, const struct key *, struct text) = {
        [WORD] = set_word, [TARGET] = set_log_target, [PATH] = set_path, [SECONDS] = set_seconds};

    if (value.len == 0)
        FAIL(parser, parser->value_at, "%s has no value: expected one after the ':'", key->name);
    else
        setters[key->kind](parser, key, value);
}

static void parse_value(struct parser *parser, const struct key *key, const char *at)
{
    struct text value;
    char *buffer = NULL;

    at = parser->value_at = skip_blanks(at, parser->end);
    if (at < parser->end && *at == '"') {
        buffer = malloc((size_t)(parser->end - at));
        if (!buffer)
            FAIL(parser, at, "out of memory");
        else if (quoted_value(parser, at, buffer, &value))
            set_value(parser, key, value);
        free(buffer);
        return;
    }
    set_value(parser, key, bare_value(at, parser->end));
}

static void parse_setting(struct parser *parser, struct text name)
{
    char quoted[QUOTED_MAX];
    const struct key *key = find_key(name);

    if (!key) {
        FAIL(parser, name.at, "'%s' is not a key of idn.conf",
             xnm_quote(name.at, name.len, quoted, sizeof quoted));
        return;
    }
    if (parser->seen_at[key - keys] > 0) {
        FAIL(parser, name.at, "%s was already set at line %u: expected it once", key->name,
             parser->seen_at[key - keys]);
        return;
    }
    parser->seen_at[key - keys] = parser->line_number;
    parse_value(parser, key, name.at + name.len + 1);
}

static void parse_opening(struct parser *parser, const char *at, const char *colon)
{
    const char *rest = skip_blanks(colon + 1, parser->end);

    if (rest < parser->end && *rest != '#')
        FAIL(parser, rest, "text follows 'idn:': expected each key on a line of its own");
    else if (parser->opened)
        FAIL(parser, at, "a second 'idn:': expected one");
    parser->opened = true;
}

static bool check_characters(struct parser *parser)
{
    for (const char *c = parser->line; c < parser->end;) {
        uint32_t cp;
        size_t len = xn_utf8_read((const uint8_t *)c, (size_t)(parser->end - c), &cp);

        if (len == 0) {
            FAIL(parser, c, "octet 0x%02X is not UTF-8", (unsigned char)*c);
            return false;
        }
        if ((cp < 0x20 && cp != '\t') || (cp >= 0x7F && cp < 0xA0)) {
            FAIL(parser, c, "control character U+%04X: expected text", (unsigned)cp);
            return false;
        }
        c += len;
    }
    return true;
}

static void parse_line(struct parser *parser)
{
    const char *at = skip_blanks(parser->line, parser->end);

    if (!check_characters(parser) || at == parser->end || *at == '#')
        return;
    const char *colon = memchr(at, ':', (size_t)(parser->end - at));
    if (!colon) {
        FAIL(parser, at, "no ':' on this line: expected 'key: value'");
        return;
    }
    struct text name = {at, (size_t)(colon - at)};
    if (text_is(name, "idn")) {
        parse_opening(parser, at, colon);
        return;
    }
    if (!parser->opened && !parser->missed) {
        FAIL(parser, at, "expected the line 'idn:' before every key");
        parser->missed = true;
    }
    parse_setting(parser, name);
}

/* --- files --- */

void xnm_config_init(struct xnm_config *config)
{
    *config = (struct xnm_config){.metrics_interval = METRICS_INTERVAL};
}

void xnm_config_free(struct xnm_config *config)
{
    free(config->log_to);
    free(config->metrics_file);
    config->log_to = config->metrics_file = NULL;
}

bool xnm_config_copy(const struct xnm_config *config, struct xnm_config *copy)
{
    *copy = *config;
    copy->log_to = config->log_to ? strdup(config->log_to) : NULL;
    copy->metrics_file = config->metrics_file ? strdup(config->metrics_file) : NULL;
    if (!copy->log_to == !config->log_to && !copy->metrics_file == !config->metrics_file)
        return true;
    xnm_config_free(copy);
    return false;
}

bool xnm_config_parse(struct xnm_config *config, const char *file, const char *text, size_t len,
                      const struct xnm_reporter *reporter)
{
    struct parser parser = {.config = config, .reporter = reporter, .file = file};
    const char *end = text + len;

    if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    for (const char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));

        parser.line = line;
        parser.end = newline ? newline : end;
        line = newline ? newline + 1 : end;
        if (parser.end > parser.line && parser.end[-1] == '\r')
            parser.end--;
        parser.line_number++;
        parse_line(&parser);
    }
    return !parser.failed;
}

static bool fail_file(const struct xnm_reporter *reporter, const char *file, const char *what)
{
    struct xnm_place place = {.file = file};

    xnm_report(reporter, XNM_ERROR, &place, "%s", what);
    return false;
}

/* Reads at most cap octets. Returns their number, or -1 with errno set. */
static ssize_t read_all(int fd, char *dst, size_t cap)
{
    size_t len = 0;

    while (len < cap) {
        ssize_t got = read(fd, dst + len, cap - len);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return -1;
        if (got > 0)
            len += (size_t)got;
    }
    return (ssize_t)len;
}

bool xnm_config_load(struct xnm_config *config, const char *file,
                     const struct xnm_reporter *reporter)
{
    struct stat status;
    char *text = NULL;
    bool good = false;
    int fd =
        open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hold the resolver up */

    if (fd < 0)
        return fail_file(reporter, file, strerror(errno));
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        fail_file(reporter, file, "not a regular file");
    } else if (!(text = malloc(XNM_CONFIG_SIZE_MAX + 1))) {
        fail_file(reporter, file, "out of memory");
    } else {
        ssize_t len = read_all(fd, text, XNM_CONFIG_SIZE_MAX + 1);
        if (len < 0)
            fail_file(reporter, file, strerror(errno));
        else if (len > XNM_CONFIG_SIZE_MAX)
            fail_file(reporter, file, "larger than 1 MiB: expected a configuration file");
        else
            good = xnm_config_parse(config, file, text, (size_t)len, reporter);
    }
    free(text);
    close(fd);
    return good;
}
