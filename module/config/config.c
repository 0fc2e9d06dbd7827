/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/config/config.h"

#include "core/idna/unicode.h"
#include "core/text/near.h"
#include "module/base/number.h"
#include "module/base/same.h"
#include "module/config/whykeys.h"
#include "module/file/textfile.h"
#include "module/file/textline.h"
#include "module/name/rulename.h"
#include "module/rule/rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUOTED_MAX = 80, /* characters of the operator's text in a message */
    INTERVAL_MAX = 86400,
    MEMORY_MIN = 1 << 20
};

typedef enum {
    WORD,       /* one of key.words; its index is stored in a uint8_t */
    TARGET,     /* unbound, stored as NULL, or a path with a '/', stored in a char * */
    PATH,       /* stored in a char * */
    SECONDS,    /* seconds_min to seconds_max, stored in a uint32_t */
    MEMORY,     /* octets, perhaps with k, m or g after them, stored in a uint64_t */
    POLICY,     /* each line adds a path */
    SOA,        /* two names */
    FORWARDERS, /* addresses and prefixes */
    WHY         /* text that xnm_whykeys_take writes to struct xnm_why_settings */
} value_kind;

/* Every key of idn.conf. */
static const struct key {
    const char *name;
    value_kind kind;
    size_t offset;            /* in struct xnm_config */
    const char *const *words; /* ends with NULL; the first is the default */
    uint32_t seconds_min, seconds_max;
} keys[] = {
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define MEMBER(member) offsetof(struct xnm_config, member)
    {"log", WORD, MEMBER(log), WORDS("text", "json", "none"), 0, 0},
    {"log-to", TARGET, MEMBER(log_to), NULL, 0, 0},
    {"log-names", WORD, MEMBER(log_names), WORDS("all", "idn", "policy"), 0, 0},
    {"log-name", WORD, MEMBER(log_name), WORDS("both", "ascii"), 0, 0},
    {"log-client", WORD, MEMBER(log_client), WORDS("full", "prefix", "none"), 0, 0},
    {"log-answers", WORD, MEMBER(log_answers), WORDS("no", "addresses", "all"), 0, 0},
    {"client-subnet-from", FORWARDERS, MEMBER(client_subnet_from), NULL, 0, 0},
    {"show-emoji", WORD, MEMBER(show_emoji), WORDS("no", "yes"), 0, 0},
    {"policy", POLICY, MEMBER(policy.files), NULL, 0, 0},
    {"policy-mode", WORD, MEMBER(policy.mode), WORDS("enforce", "log-only"), 0, 0},
    {"policy-ttl", SECONDS, MEMBER(policy.ttl), NULL, 0, XNM_TTL_MAX},
    {"policy-soa", SOA, MEMBER(policy.soa_mname), NULL, 0, 0},
    {"policy-memory", MEMORY, MEMBER(policy.memory), NULL, 0, 0},
    {"structured-errors", WHY, MEMBER(policy.why), NULL, 0, 0},
    {"error-contact", WHY, MEMBER(policy.why), NULL, 0, 0},
    {"error-organization", WHY, MEMBER(policy.why), NULL, 0, 0},
    {"error-language", WHY, MEMBER(policy.why), NULL, 0, 0},
    {"watch", WORD, MEMBER(policy.watch), WORDS("yes", "no"), 0, 0},
    {"required", WORD, MEMBER(policy.required), WORDS("no", "yes"), 0, 0},
    {"metrics-file", PATH, MEMBER(metrics_file), NULL, 0, 0},
    {"metrics-interval", SECONDS, MEMBER(metrics_interval), NULL, 1, INTERVAL_MAX},
#undef MEMBER
#undef WORDS
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

struct parser {
    struct xnm_config *config;
    struct xnm_textline line;
    bool opened;                 /* the `idn:` line was read */
    bool missed;                 /* the missing `idn:` line was reported */
    unsigned seen_at[KEY_COUNT]; /* the line of each key; 0: none yet */
};

/* --- values --- */

static void append(char *dst, size_t cap, const char *text)
{
    size_t len = strlen(dst);
    snprintf(dst + len, cap - len, "%s", text);
}

static void refuse_value(struct parser *parser, const struct key *key, const struct xnm_word *value,
                         const char *expected)
{
    char quoted[QUOTED_MAX];

    xnm_textline_error(&parser->line, value->at, "'%s' is not a value of %s: expected %s",
                       xnm_diagnostics_quote(value->text, value->len, quoted, sizeof quoted),
                       key->name, expected);
}

static void refuse_word(struct parser *parser, const struct key *key, const struct xnm_word *value)
{
    char expected[QUOTED_MAX] = "";

    for (size_t i = 0; key->words[i]; i++) {
        append(expected, sizeof expected, i == 0 ? "" : key->words[i + 1] ? ", " : " or ");
        append(expected, sizeof expected, key->words[i]);
    }
    refuse_value(parser, key, value, expected);
}

static void set_word(struct parser *parser, const struct key *key, const struct xnm_word *value)
{
    for (uint8_t i = 0; key->words[i]; i++) {
        if (xnm_word_is(value, key->words[i])) {
            *((uint8_t *)parser->config + key->offset) = i;
            return;
        }
    }
    refuse_word(parser, key, value);
}

static void set_path(struct parser *parser, const struct key *key, const struct xnm_word *value)
{
    char **path = (char **)(void *)((char *)parser->config + key->offset);

    *path = xnm_textline_path(parser->line.file, value->text, value->len);
    if (!*path)
        xnm_textline_no_memory(&parser->line, value->at);
}

static void set_log_target(struct parser *parser, const struct key *key,
                           const struct xnm_word *value)
{
    if (xnm_word_is(value, "unbound"))
        return;
    if (memchr(value->text, '/', value->len))
        set_path(parser, key, value);
    else
        refuse_value(parser, key, value, "unbound, or a path with a '/' in it");
}

static void set_seconds(struct parser *parser, const struct key *key, const struct xnm_word *value)
{
    char quoted[QUOTED_MAX];
    uint32_t seconds;

    if (!xnm_number_read(value->text, value->len, key->seconds_max, &seconds) ||
        seconds < key->seconds_min)
        xnm_textline_error(&parser->line, value->at,
                           "'%s' is not a value of %s: expected seconds, %u to %u",
                           xnm_diagnostics_quote(value->text, value->len, quoted, sizeof quoted),
                           key->name, (unsigned)key->seconds_min, (unsigned)key->seconds_max);
    else
        *(uint32_t *)(void *)((char *)parser->config + key->offset) = seconds;
}

/* Reads a size as in Unbound's configuration, where `b` may follow. Returns 0 if it is not one. */
static uint64_t read_memory(const struct xnm_word *value)
{
    static const char units[] = "kmg";
    size_t len = value->len;
    unsigned shift = 0;
    uint32_t number;

    if (len > 1 && (value->text[len - 1] | 0x20) == 'b')
        len--;
    const char *unit = len > 1 ? strchr(units, value->text[len - 1] | 0x20) : NULL;
    if (unit && *unit) {
        shift = 10 * (unsigned)(unit - units + 1);
        len--;
    }
    return xnm_number_read(value->text, len, UINT32_MAX, &number) ? (uint64_t)number << shift : 0;
}

static void set_memory(struct parser *parser, const struct key *key, const struct xnm_word *value)
{
    uint64_t octets = read_memory(value);

    if (octets < MEMORY_MIN || octets > SIZE_MAX / 4)
        refuse_value(parser, key, value, "at least 1m, such as 512m or 1g");
    else
        *(uint64_t *)(void *)((char *)parser->config + key->offset) = octets;
}

/* --- the policy --- */

static bool has_policy(const struct xnm_config *config, const char *path)
{
    for (size_t i = 0; i < config->policy.file_count; i++)
        if (strcmp(config->policy.files[i], path) == 0)
            return true;
    return false;
}

static void set_policy(struct parser *parser, const struct key *key, const struct xnm_word *value)
{
    char quoted[QUOTED_MAX];
    char *path = xnm_textline_path(parser->line.file, value->text, value->len);

    if (path && has_policy(parser->config, path))
        xnm_textline_error(&parser->line, value->at,
                           "%s '%s' was already given: expected each rule file once", key->name,
                           xnm_diagnostics_quote(value->text, value->len, quoted, sizeof quoted));
    else if (xnm_config_add_policy(parser->config, path))
        return;
    else
        xnm_textline_no_memory(&parser->line, value->at);
    free(path);
}

/* A name in a value, while it is read, and its offset there. */
struct name_reading {
    struct xnm_textline *line;
    const struct xnm_word *value;
    size_t start;
};

static void report_name(void *arg, xnm_severity severity, size_t at, const char *message)
{
    const struct name_reading *reading = arg;

    xnm_textline_diagnose(reading->line, severity,
                          xnm_word_place(reading->value, reading->start + at), message);
}

static void read_soa(struct parser *parser, const struct xnm_word *value,
                     const struct xnm_word names[2])
{
    struct xnm_config_policy *policy = &parser->config->policy;
    struct xnm_wirename *const fields[] = {&policy->soa_mname, &policy->soa_rname};
    struct xn_unicode *unicode;
    char fault[XN_UNICODE_FAULT_MAX];
    xn_status opened = xn_unicode_open(&unicode);

    if (opened != XN_OK) {
        xnm_textline_error(&parser->line, value->at, "%s", xn_unicode_fault(opened, fault));
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        struct name_reading reading = {&parser->line, value, (size_t)(names[i].text - value->text)};
        xnm_rulename_read(unicode, names[i].text, names[i].len, fields[i], NULL, report_name,
                          &reading);
    }
    xn_unicode_close(unicode);
}

/* Returns the text before the next white space. */
static struct xnm_word first_word(const char *at, const char *end)
{
    return (struct xnm_word){.text = at, .len = (size_t)(xnm_textline_skip_word(at, end) - at)};
}

static void set_soa(struct parser *parser, const struct key *key, const struct xnm_word *value)
{
    const char *end = value->text + value->len;
    struct xnm_word mname = first_word(xnm_textline_skip_blanks(value->text, end), end);
    const char *rest = xnm_textline_skip_blanks(mname.text + mname.len, end);
    struct xnm_word rname = first_word(rest, end);
    const char *sign = memchr(rname.text, '@', rname.len);

    if (rname.len == 0 || xnm_textline_skip_blanks(rname.text + rname.len, end) != end)
        refuse_value(parser, key, value, "two names, as in ns.invalid. nobody.invalid.");
    else if (sign)
        xnm_textline_error(&parser->line, xnm_word_place(value, (size_t)(sign - value->text)),
                           "'@' in the mailbox of %s: expected a dot in its place", key->name);
    else
        read_soa(parser, value, (const struct xnm_word[]){mname, rname});
}

/* --- addresses --- */

static void set_forwarders(struct parser *parser, const struct key *key,
                           const struct xnm_word *value)
{
    struct xnm_forwarders *forwarders = (void *)((char *)parser->config + key->offset);
    const char *end = value->text + value->len, *fault = NULL;
    struct xnm_word word = {.text = value->text};
    char quoted[QUOTED_MAX];

    forwarders->count = 0;
    do {
        word = first_word(xnm_textline_skip_blanks(word.text + word.len, end), end);
        if (word.len > 0 || forwarders->count == 0)
            fault = xnm_forwarders_add(forwarders, word.text, word.len);
    } while (!fault && word.text + word.len < end);
    if (fault)
        xnm_textline_error(
            &parser->line, xnm_word_place(value, (size_t)(word.text - value->text)), "'%s' %s",
            xnm_diagnostics_quote(word.text, word.len, quoted, sizeof quoted), fault);
}

/* --- reasons --- */

static void set_why(struct parser *parser, const struct key *key, const struct xnm_word *value)
{
    char fault[XNM_WHYKEYS_FAULT_MAX], quoted[QUOTED_MAX];
    size_t at;

    if (xnm_whykeys_take(&parser->config->policy.why, key->name, value->text, value->len, &at,
                         fault))
        return;
    xnm_textline_error(&parser->line, xnm_word_place(value, at), "'%s' %s",
                       xnm_diagnostics_quote(value->text, value->len, quoted, sizeof quoted),
                       fault);
}

/* --- lines --- */

static const struct key *find_key(const struct xnm_word *name)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (xnm_word_is(name, keys[i].name))
            return &keys[i];
    return NULL;
}

/* Returns the key that is nearest to a misspelt name, or NULL if none is near. */
static const char *nearest(const struct xnm_word *name)
{
    struct xn_near near = {.text = name->text, .len = name->len, .edits = XN_NEAR_FAR};

    for (size_t i = 0; i < KEY_COUNT; i++)
        xn_near_try(&near, keys[i].name);
    return near.word;
}

static void set_value(struct parser *parser, const struct key *key, const struct xnm_word *value)
{
    static void (*const setters[])(struct parser *, const struct key *, const struct xnm_word *) = {
        [WORD] = set_word,       [TARGET] = set_log_target,     [PATH] = set_path,
        [SECONDS] = set_seconds, [MEMORY] = set_memory,         [POLICY] = set_policy,
        [SOA] = set_soa,         [FORWARDERS] = set_forwarders, [WHY] = set_why};

    if (value->len == 0)
        xnm_textline_error(&parser->line, value->at, "%s has no value: expected one after the ':'",
                           key->name);
    else
        setters[key->kind](parser, key, value);
}

/* Reads a value without quotes, which ends at a comment. */
static void parse_unquoted(struct parser *parser, const struct key *key, const char *at)
{
    const char *end = xnm_textline_comment(at, at, parser->line.end);
    size_t len = (size_t)(xnm_textline_trim(at, end) - at);
    const struct xnm_word value = {.at = at, .written_len = len, .text = at, .len = len};

    set_value(parser, key, &value);
}

static void parse_quoted(struct parser *parser, const struct key *key, const char *at, char *buffer)
{
    struct xnm_word value;

    if (xnm_textline_word(&parser->line, &at, buffer, &value) != XNM_WORD_FOUND)
        return;
    at = xnm_textline_skip_blanks(at, parser->line.end);
    if (at < parser->line.end && *at != '#')
        xnm_textline_error(&parser->line, at,
                           "text follows the value: expected a comment or the end of the line");
    else
        set_value(parser, key, &value);
}

static void parse_value(struct parser *parser, const struct key *key, const char *at)
{
    at = xnm_textline_skip_blanks(at, parser->line.end);
    if (at == parser->line.end || *at != '"') {
        parse_unquoted(parser, key, at);
        return;
    }
    char *buffer = malloc((size_t)(parser->line.end - at));
    if (buffer)
        parse_quoted(parser, key, at, buffer);
    else
        xnm_textline_no_memory(&parser->line, at);
    free(buffer);
}

static void parse_setting(struct parser *parser, const struct xnm_word *name)
{
    char quoted[QUOTED_MAX];
    const struct key *key = find_key(name);

    if (!key) {
        const char *near = nearest(name);
        xnm_textline_error(&parser->line, name->at, "'%s' is not a key of idn.conf%s%s%s",
                           xnm_diagnostics_quote(name->text, name->len, quoted, sizeof quoted),
                           near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
        return;
    }
    unsigned *seen_at = &parser->seen_at[key - keys];
    if (*seen_at > 0 && key->kind != POLICY) {
        xnm_textline_error(&parser->line, name->at,
                           "%s was already set at line %u: expected it once", key->name, *seen_at);
        return;
    }
    *seen_at = parser->line.number;
    parse_value(parser, key, name->at + name->len + 1);
}

static void parse_opening(struct parser *parser, const char *at, const char *colon)
{
    const char *rest = xnm_textline_skip_blanks(colon + 1, parser->line.end);

    if (rest < parser->line.end && *rest != '#')
        xnm_textline_error(&parser->line, rest,
                           "text follows 'idn:': expected each key on a line of its own");
    else if (parser->opened)
        xnm_textline_error(&parser->line, at, "a second 'idn:': expected one");
    parser->opened = true;
}

static void parse_line(struct parser *parser)
{
    const char *end = parser->line.end, *at = xnm_textline_skip_blanks(parser->line.at, end);

    if (!xnm_textline_is_text(&parser->line) || at == end || *at == '#')
        return;
    const char *colon = memchr(at, ':', (size_t)(end - at));
    if (!colon) {
        xnm_textline_error(&parser->line, at, "no ':' on this line: expected 'key: value'");
        return;
    }
    const struct xnm_word name = {.at = at, .text = at, .len = (size_t)(colon - at)};
    if (xnm_word_is(&name, "idn")) {
        parse_opening(parser, at, colon);
        return;
    }
    if (!parser->opened && !parser->missed) {
        xnm_textline_error(&parser->line, at, "expected the line 'idn:' before every key");
        parser->missed = true;
    }
    parse_setting(parser, &name);
}

/* --- changes --- */

/* Returns whether a key is applied only at a reload. */
static bool is_fixed(const struct key *key)
{
    return key->offset < offsetof(struct xnm_config, policy);
}

/* Returns whether two configurations have the same value of a key that is_fixed. */
static bool is_same(const struct key *key, const struct xnm_config *a, const struct xnm_config *b)
{
    const void *left = (const char *)a + key->offset, *right = (const char *)b + key->offset;

    switch (key->kind) {
    case TARGET:
    case PATH:
        return xnm_same(*(char *const *)left, *(char *const *)right);
    case SECONDS:
        return *(const uint32_t *)left == *(const uint32_t *)right;
    case FORWARDERS:
        return xnm_forwarders_same(left, right);
    default: /* WORD */
        return *(const uint8_t *)left == *(const uint8_t *)right;
    }
}

const char *xnm_config_list_fixed(const struct xnm_config *a, const struct xnm_config *b,
                                  char dst[XNM_CONFIG_LIST_MAX])
{
    dst[0] = '\0';
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (!is_fixed(&keys[i]) || is_same(&keys[i], a, b))
            continue;
        append(dst, XNM_CONFIG_LIST_MAX, dst[0] ? ", " : "");
        append(dst, XNM_CONFIG_LIST_MAX, keys[i].name);
    }
    return dst;
}

/* --- parsing --- */

bool xnm_config_parse(struct xnm_config *config, const char *file, const char *text, size_t len,
                      const struct xnm_diagnostics *diagnostics)
{
    struct parser parser = {.config = config};

    xnm_textline_open(&parser.line, file, text, len, diagnostics);
    while (
        xnm_textline_goes_on(&parser.line, XNM_CONFIG_ERRORS_MAX,
                             "a configuration: 'idn:', then one key with its value on each line"))
        parse_line(&parser);
    return parser.line.errors == 0;
}

bool xnm_config_load(struct xnm_config *config, const char *file,
                     const struct xnm_diagnostics *diagnostics)
{
    const struct xnm_place place = {.file = file};
    struct xnm_textfile text;
    const char *trouble = xnm_textfile_read(file, XNM_CONFIG_SIZE_MAX, &text);

    if (trouble) {
        xnm_diagnostics_add(diagnostics, XNM_ERROR, &place, "%s", trouble);
        return false;
    }
    bool good = xnm_config_parse(config, file, text.text, text.len, diagnostics);
    xnm_textfile_free(&text);
    return good;
}
