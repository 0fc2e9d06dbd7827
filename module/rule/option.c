/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the options that follow a rule's trigger. */
#include "module/base/number.h"
#include "module/rule/ruleline.h"
#include "module/zone/zonefile.h"

#include <stdlib.h>
#include <string.h>

/* --- type= --- */

static void add_type(struct xnm_ruleline *line, const struct xnm_ruleline_part *part)
{
    struct xnm_rule *rule = &line->rule;
    uint16_t type = xnm_zonefile_type(part->text, part->len);

    if (type == 0) {
        xnm_ruleline_refuse(
            line, part, 0,
            "is not a query type: expected types of data, such as A,AAAA or TYPE65280");
        return;
    }
    for (size_t i = 0; i < rule->type_count; i++) {
        if (rule->types[i] == type) {
            xnm_ruleline_refuse(line, part, 0, "was already given: expected each type once");
            return;
        }
    }
    if (rule->type_count == XNM_RULE_TYPES_MAX)
        xnm_textline_error(&line->text, xnm_ruleline_place(part, 0),
                           "too many types: expected %d at most", XNM_RULE_TYPES_MAX);
    else
        rule->types[rule->type_count++] = type;
}

static void read_types(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    xnm_ruleline_split(line, value, add_type);
}

/* --- ttl= --- */

static void read_ttl(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    line->rule.has_ttl = xnm_number_read(value->text, value->len, XNM_TTL_MAX, &line->rule.ttl);
    if (!line->rule.has_ttl)
        xnm_ruleline_refuse(line, value, 0, "is not a TTL: expected seconds, 0 to %d", XNM_TTL_MAX);
}

/* --- ede= --- */

static void read_ede(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    const char *colon = memchr(value->text, ':', value->len);
    size_t code_len = colon ? (size_t)(colon - value->text) : value->len;
    uint32_t code;

    if (xnm_ruleline_is(value, "off"))
        line->rule.ede = XNM_EDE_OFF;
    else if (!xnm_number_read(value->text, code_len, XNM_EDE_MAX, &code))
        xnm_ruleline_refuse(line, value, 0,
                            "is not an extended DNS error: expected off, an info code from 0 "
                            "to %d, or a code and a text as in 15:\"Blocked by policy\"",
                            XNM_EDE_MAX);
    else
        line->rule.ede = (int)code;
    if (colon)
        line->rule.ede_text = xnm_rulewhy_text(line, value, code_len + 1, "ede");
}

/* --- tag=, shrink= --- */

static bool is_tag_octet(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

static size_t tag_octets(const char *text, size_t len)
{
    size_t good = 0;

    while (good < len && is_tag_octet(text[good]))
        good++;
    return good;
}

bool xnm_ruleoption_tag(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    size_t good = tag_octets(value->text, value->len);

    if (value->len > 0 && value->len <= XNM_RULE_TAG_MAX && good == value->len)
        return true;
    xnm_ruleline_refuse(line, value, good < value->len ? good : 0,
                        "is not a tag: expected 1 to %d letters and digits of ASCII, '.', "
                        "'_' or '-'",
                        XNM_RULE_TAG_MAX);
    return false;
}

static void read_tag(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    if (!xnm_ruleoption_tag(line, value))
        return;
    line->rule.tag = strndup(value->text, value->len);
    if (!line->rule.tag)
        xnm_textline_no_memory(&line->text, xnm_ruleline_place(value, 0));
}

static void read_shrink(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    size_t digits = value->len > 0 ? value->len - 1 : 0;
    uint32_t percent;

    if (xnm_ruleline_is(value, "any"))
        line->rule.shrink = XNM_RULE_SHRINK_ANY;
    else if (digits > 0 && value->text[digits] == '%' &&
             xnm_number_read(value->text, digits, XNM_RULE_SHRINK_ANY - 1, &percent))
        line->rule.shrink = (uint8_t)percent;
    else
        xnm_ruleline_refuse(line, value, 0,
                            "is not a value of shrink=: expected a share from 0%% to %d%%, or any",
                            XNM_RULE_SHRINK_ANY - 1);
}

/* --- action= --- */

static const char cname_word[] = "cname:";
enum { CNAME_WORD_LEN = sizeof cname_word - 1 };

/* Reads "cname:NAME". NAME becomes a word of its own, so that errors are reported at its place. */
static void read_action_target(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    struct xnm_word target = *value->word;

    target.at = xnm_ruleline_place(value, CNAME_WORD_LEN);
    target.text = value->text + CNAME_WORD_LEN;
    target.len = value->len - CNAME_WORD_LEN;
    line->rule.override = XNM_CNAME;
    xnm_rulerecord_target(line, &target);
}

static void read_action(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    static const xnm_action actions[] = {XNM_NXDOMAIN, XNM_NODATA, XNM_DROP,
                                         XNM_PASSTHRU, XNM_REFUSE, XNM_TCP_ONLY};

    if (xnm_ruleline_is(value, "given"))
        return;
    if (value->len > CNAME_WORD_LEN && memcmp(value->text, cname_word, CNAME_WORD_LEN) == 0) {
        read_action_target(line, value);
        return;
    }
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (xnm_ruleline_is(value, xnm_action_word(actions[i])))
            line->rule.override = actions[i];
    if (line->rule.override == XNM_ACTION_NONE)
        xnm_ruleline_refuse(line, value, 0,
                            "is not a value of action=: expected given, nxdomain, nodata, refuse, "
                            "drop, passthru, tcp-only or cname:NAME");
}

/* --- origin= --- */

static void read_origin(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    line->rule.origin = malloc(sizeof *line->rule.origin);
    if (!line->rule.origin)
        xnm_textline_no_memory(&line->text, xnm_ruleline_place(value, 0));
    else
        xnm_ruleline_name(line, value, line->rule.origin, NULL);
}

/* --- url= --- */

/* Returns the length of the scheme, or 0. */
static size_t url_scheme(const char *text, size_t len)
{
    static const char *const schemes[] = {"https://", "http://"};

    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (len > strlen(schemes[i]) && memcmp(text, schemes[i], strlen(schemes[i])) == 0)
            return strlen(schemes[i]);
    return 0;
}

/* Returns the number of octets at the start that a URL may have: visible ASCII, and no `"` or
 * `\`. */
static size_t url_octets(const char *text, size_t len)
{
    size_t good = 0;

    while (good < len && text[good] > ' ' && text[good] < 0x7F && text[good] != '"' &&
           text[good] != '\\')
        good++;
    return good;
}

static void read_url(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    size_t scheme = url_scheme(value->text, value->len);
    size_t good = url_octets(value->text, value->len);
    size_t host = scheme;

    while (host < value->len && !memchr("/?#", value->text[host], 3))
        host++;
    if (scheme == 0 || host == scheme || value->len > XNM_RULE_URL_MAX) {
        xnm_ruleline_refuse(line, value, 0,
                            "is not a URL to fetch: expected https://HOST/PATH, %d octets at most",
                            XNM_RULE_URL_MAX);
    } else if (good < value->len) {
        xnm_ruleline_refuse(line, value, good,
                            "has a character that a URL cannot have: expected ASCII, with the "
                            "others as %%XX and the host as an A-label");
    } else if (memchr(value->text, '@', host)) {
        /* The rules and messages about them would show the password. */
        xnm_ruleline_refuse(line, value, 0, "has a user before the host: expected none");
    } else {
        line->rule.url = strndup(value->text, value->len);
        if (!line->rule.url)
            xnm_textline_no_memory(&line->text, xnm_ruleline_place(value, 0));
    }
}

/* --- except= --- */

/* Makes the rule by which list readers read the file of except=, like one of `passthru zones`. Its
 * path is in the same allocation. Returns NULL when out of memory. */
static struct xnm_rule *make_except(const struct xnm_ruleline *line, const char *path,
                                    unsigned column)
{
    size_t size = strlen(path) + 1;
    struct xnm_rule *except = malloc(sizeof *except + size);

    if (except)
        *except = (struct xnm_rule){.action = XNM_PASSTHRU,
                                    .trigger = XNM_TRIGGER_ZONES,
                                    .file = line->rule.file,
                                    .line = line->rule.line,
                                    .path = memcpy(except + 1, path, size),
                                    .path_column = column,
                                    .shrink = XNM_RULE_SHRINK_ANY};
    return except;
}

static void read_except_file(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    const char *at = xnm_ruleline_place(value, 0);
    unsigned column;
    char *path = xnm_ruleline_path(line, at, value->text, value->len, "", &column);

    if (!path)
        return;
    line->rule.except = make_except(line, path, column);
    free(path);
    if (!line->rule.except)
        xnm_textline_no_memory(&line->text, at);
}

static void read_except(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    if (xnm_trigger_is_lookalike(line->rule.trigger))
        read_except_file(line, value);
    else
        xnm_rulecondition_except(line, value);
}

/* --- skip= --- */

const char *xnm_unmet_word(xnm_unmet kind)
{
    static const char *const words[XNM_UNMET_COUNT] = {"client-ip", "ip", "nsdname", "nsip"};

    return words[kind];
}

static void add_skipped(struct xnm_ruleline *line, const struct xnm_ruleline_part *part)
{
    xnm_unmet kind = 0;

    while (kind < XNM_UNMET_COUNT && !xnm_ruleline_is(part, xnm_unmet_word(kind)))
        kind++;
    if (kind == XNM_UNMET_COUNT)
        xnm_ruleline_refuse(line, part, 0,
                            "is not a value of skip=: expected client-ip, ip, "
                            "nsdname or nsip");
    else if (line->rule.skip & 1U << kind)
        xnm_ruleline_refuse(line, part, 0, "was already given: expected each kind once");
    else
        line->rule.skip |= (uint8_t)(1U << kind);
}

static void read_skip(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    xnm_ruleline_split(line, value, add_skipped);
}

/* --- options with a few words as values --- */

static const char *const choices[XNM_OPTION_COUNT][4] = {
    [XNM_OPTION_SUFFIXES] = {"yes", "no"},        [XNM_OPTION_MODE] = {"enforce", "log-only"},
    [XNM_OPTION_EXPIRE] = {"yes", "no"},          [XNM_OPTION_KEY] = {"exact", "strict"},
    [XNM_OPTION_TLD] = {"same", "any"},           [XNM_OPTION_LABEL] = {"right", "any"},
    [XNM_OPTION_ASCII] = {"off", "safe", "wide"}, [XNM_OPTION_NEAR] = {"0", "1"},
    [XNM_OPTION_WITHIN] = {"yes", "no"},          [XNM_OPTION_ELSEWHERE] = {"yes", "no"},
};

/* Sets the rule's member for the n-th word of an option in `choices`, counted from 0. */
static void set_choice(struct xnm_rule *rule, xnm_option option, unsigned n)
{
    struct xnm_protection *protection = &rule->protection;

    switch (option) {
    case XNM_OPTION_SUFFIXES:
        rule->suffixes = n == 0;
        break;
    case XNM_OPTION_MODE:
        rule->log_only = n == 1;
        break;
    case XNM_OPTION_EXPIRE:
        rule->expire = n == 0 ? XNM_EXPIRE_YES : XNM_EXPIRE_NO;
        break;
    case XNM_OPTION_KEY:
        protection->key = n == 0 ? XN_KEY_EXACT : XN_KEY_STRICT;
        break;
    case XNM_OPTION_TLD:
        protection->any_tld = n == 1;
        break;
    case XNM_OPTION_LABEL:
        protection->any_label = n == 1;
        break;
    case XNM_OPTION_ASCII:
        protection->ascii = n == 0 ? XN_ASCII_OFF : n == 1 ? XN_ASCII_SAFE : XN_ASCII_WIDE;
        break;
    case XNM_OPTION_NEAR:
        protection->near = n == 1;
        break;
    case XNM_OPTION_WITHIN:
        protection->within = n == 0;
        break;
    default: /* XNM_OPTION_ELSEWHERE */
        protection->elsewhere = n == 0;
    }
}

static void read_choice(struct xnm_ruleline *line, const struct xnm_ruleline_part *value,
                        xnm_option option)
{
    const char *const *words = choices[option];
    unsigned n = 0;

    while (words[n] && !xnm_ruleline_is(value, words[n]))
        n++;
    if (words[n])
        set_choice(&line->rule, option, n);
    else
        xnm_ruleline_refuse(line, value, 0, "is not a value of %s=: expected %s%s%s or %s",
                            xnm_option_word(option), words[0], n > 2 ? ", " : "",
                            n > 2 ? words[1] : "", words[n - 1]);
}

/* --- any option --- */

size_t xnm_ruleoption_key(const struct xnm_word *word)
{
    const char *equals = memchr(word->text, '=', word->unquoted_len);

    return equals ? (size_t)(equals - word->text) : 0;
}

/* Returns whether the option is valid on the rule and comes for the first time. If not, reports the
 * error. */
static bool belongs(struct xnm_ruleline *line, const struct xnm_word *word, xnm_option option)
{
    xnm_action action = line->rule.action;
    xnm_trigger trigger = line->rule.trigger;
    const char *hint = xnm_ruletable_hint(option, action);
    char users[XNM_RULETABLE_LIST_MAX];

    if (!xnm_ruletable_option_goes(option, action, trigger)) {
        bool by_trigger = xnm_ruletable_option_has(option, action);
        xnm_textline_error(&line->text, word->at, "'%s=' does not go with %s: %s%s",
                           xnm_option_word(option),
                           by_trigger ? xnm_trigger_word(trigger) : xnm_action_word(action),
                           hint ? "" : "it goes with ",
                           hint ? hint : xnm_ruletable_list_users(option, action, users));
        return false;
    }
    if (line->option_at[option]) {
        xnm_textline_error(&line->text, word->at,
                           "'%s=' was already given on this line: expected it once",
                           xnm_option_word(option));
        return false;
    }
    line->option_at[option] = word->at;
    return true;
}

static void report_unknown(struct xnm_ruleline *line, const struct xnm_word *word, size_t key_len)
{
    xnm_action action = line->rule.action;
    xnm_trigger trigger = line->rule.trigger;
    char list[XNM_RULETABLE_LIST_MAX];

    xnm_ruletable_list_options(action, trigger, list);
    xnm_ruleline_unknown(line, word, key_len, "=", "an option",
                         xnm_ruletable_near_option(action, trigger, word->text, key_len), list);
}

void xnm_ruleoption_read(struct xnm_ruleline *line, const struct xnm_word *word)
{
    static xnm_ruleoption_reader *const readers[XNM_OPTION_COUNT] = {
        [XNM_OPTION_TYPE] = read_types,
        [XNM_OPTION_TTL] = read_ttl,
        [XNM_OPTION_EDE] = read_ede,
        [XNM_OPTION_WHY] = xnm_rulewhy_why,
        [XNM_OPTION_SUB_ERROR] = xnm_rulewhy_sub_error,
        [XNM_OPTION_TAG] = read_tag,
        [XNM_OPTION_SHRINK] = read_shrink,
        [XNM_OPTION_ORIGIN] = read_origin,
        [XNM_OPTION_SKIP] = read_skip,
        [XNM_OPTION_ACTION] = read_action,
        [XNM_OPTION_URL] = read_url,
        [XNM_OPTION_MIN] = xnm_rulelookalike_min,
        [XNM_OPTION_WORDS] = xnm_rulelookalike_words,
        [XNM_OPTION_EXCEPT] = read_except,
        [XNM_OPTION_CLIENT] = xnm_rulegroup_client,
        [XNM_OPTION_WHEN] = xnm_rulegroup_when,
    };
    size_t key_len = xnm_ruleoption_key(word);
    struct xnm_ruleline_part value = {word, word->text + key_len + 1, word->len - key_len - 1};
    xnm_option option;

    if (!xnm_ruletable_find_option(word->text, key_len, &option))
        report_unknown(line, word, key_len);
    else if (!belongs(line, word, option))
        return; /* the error was reported */
    else if (choices[option][0])
        read_choice(line, &value, option);
    else
        readers[option](line, &value);
}

void xnm_ruleoption_finish(struct xnm_ruleline *line)
{
    static const xnm_option with_reply[] = {XNM_OPTION_EDE, XNM_OPTION_WHY, XNM_OPTION_SUB_ERROR};
    xnm_action action = line->rule.override;

    for (size_t i = 0; i < sizeof with_reply / sizeof *with_reply; i++) {
        const char *at = line->option_at[with_reply[i]];
        if (action != XNM_ACTION_NONE && at && !xnm_ruletable_option_has(with_reply[i], action))
            xnm_textline_error(&line->text, at,
                               "'%s=' does not go with action=%s, which sends no extended error: "
                               "expected one of them",
                               xnm_option_word(with_reply[i]), xnm_action_word(action));
    }
    xnm_rulewhy_finish(line);
}
