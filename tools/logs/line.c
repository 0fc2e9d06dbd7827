/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/logs/line.h"

#include "module/base/format.h"
#include "module/rule/action.h"
#include "tools/text/shown.h"

#include <jansson.h>
#include <string.h>

/* --- words --- */

void logs_line_clear(struct logs_line *line)
{
    memset(line, 0, offsetof(struct logs_line, text));
    line->time = LOGS_NO_TIME;
    line->cached = '-';
}

struct logs_span logs_next_word(const char **at, const char *end)
{
    const char *blank = memchr(*at, ' ', (size_t)(end - *at));
    struct logs_span word = {*at, (size_t)((blank ? blank : end) - *at)};

    *at = blank ? blank + 1 : end;
    return word;
}

bool logs_is_word(struct logs_span span, const char *word)
{
    return span.len == strlen(word) && memcmp(span.at, word, span.len) == 0;
}

bool logs_is_mnemonic(struct logs_span word)
{
    enum { MNEMONIC_MAX = 20 };

    if (word.len == 0 || word.len > MNEMONIC_MAX)
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (!(word.at[i] >= 'A' && word.at[i] <= 'Z') && !logs_is_digit(word.at[i]) &&
            word.at[i] != '-' && word.at[i] != '_')
            return false;
    return word.at[0] >= 'A' && word.at[0] <= 'Z';
}

bool logs_is_address(struct logs_span word)
{
    enum { ADDRESS_MAX = 64 };
    bool separated = false;

    if (word.len < 2 || word.len > ADDRESS_MAX)
        return false;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.at[i];

        separated = separated || c == '.' || c == ':';
        if (!logs_is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'f') && c != '.' &&
            c != ':' && c != '/')
            return false;
    }
    return separated;
}

static bool is_none(struct logs_span word)
{
    return word.len == 1 && word.at[0] == '-';
}

/* Returns whether a word is a time in seconds, such as "0.000214". */
static bool is_seconds(struct logs_span word)
{
    size_t dots = 0;

    for (size_t i = 0; i < word.len; i++) {
        dots += word.at[i] == '.';
        if (!logs_is_digit(word.at[i]) && word.at[i] != '.')
            return false;
    }
    return word.len > 1 && dots == 1;
}

/* --- fields --- */

static const struct {
    const char *key, *member; /* in text, and in JSON; NULL: none, or read by other code */
    size_t at;
} fields[] = {
    {NULL, "client.ip", offsetof(struct logs_line, client)},
    {NULL, "dns.question.name", offsetof(struct logs_line, name)},
    {NULL, "dns.question.type", offsetof(struct logs_line, type)},
    {NULL, "dns.question.class", offsetof(struct logs_line, class)},
    {NULL, "dns.response_code", offsetof(struct logs_line, rcode)},
    {"policy", "policy.action", offsetof(struct logs_line, action)},
    {"rule", "policy.rule", offsetof(struct logs_line, rule)},
    {"match", "policy.match", offsetof(struct logs_line, match)},
    {"key", "policy.key", offsetof(struct logs_line, key)},
    {"target", "policy.target", offsetof(struct logs_line, target)},
    {"mode", "policy.mode", offsetof(struct logs_line, mode)},
    {"sec", "unbound.security", offsetof(struct logs_line, security)},
    {"tags", NULL, offsetof(struct logs_line, tags)},
    {"ede", NULL, offsetof(struct logs_line, ede)},
};
enum { FIELD_COUNT = sizeof fields / sizeof *fields };

static struct logs_span *field_at(struct logs_line *line, size_t number)
{
    return (struct logs_span *)(void *)((char *)line + fields[number].at);
}

/* The first of two equal keys counts: only the module should write fields, and it writes each
 * once. */
static void take_field(struct logs_line *line, struct logs_span key, struct logs_span value)
{
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (fields[i].key && logs_is_word(key, fields[i].key) && !field_at(line, i)->at)
            *field_at(line, i) = value;
}

/* Finds the inside of a value in double quotes, from after the first quote, and moves *at past the
 * last. Returns false if there is no last quote. */
static bool find_inside(const char **at, const char *end, struct logs_span *inside)
{
    for (const char *to = *at; to < end; to++) {
        if (*to == '"') {
            *inside = (struct logs_span){*at, (size_t)(to - *at)};
            *at = to + 1;
            return true;
        }
        to += *to == '\\' && to + 1 < end;
    }
    return false;
}

/* Removes the backslash before `"` and `\`. If `decoded`, also replaces escapes such as `\u{E4}` by
 * their characters. */
static struct logs_span unescape(struct logs_line *line, struct logs_span inside, bool decoded)
{
    char *text = line->text + line->text_len;
    size_t len = inside.len, out = 0;

    if (decoded)
        len = shown_read(inside.at, len, text);
    else
        memcpy(text, inside.at, len);
    for (size_t at = 0; at < len; at++) {
        at += text[at] == '\\' && at + 1 < len && (text[at + 1] == '"' || text[at + 1] == '\\');
        text[out++] = text[at];
    }
    line->text_len += out;
    return (struct logs_span){text, out};
}

/* Reads the next word with a `=` and skips the blank after it. A value in quotes is copied to
 * line->text without the quotes and without the backslashes before `"` and `\`. The value of `rule`
 * also has its escapes, such as `\u{E4}`, replaced. Returns false at the end of the line, and if a
 * value has no last quote, which sets *cut. */
static bool next_field(struct logs_line *line, const char **at, const char *end,
                       struct logs_span *key, struct logs_span *value, bool *cut)
{
    *cut = false;
    while (*at < end) {
        const char *sign = *at;

        while (sign < end && *sign != '=' && *sign != ' ')
            sign++;
        *key = (struct logs_span){*at, (size_t)(sign - *at)};
        *at = sign < end ? sign + 1 : end;
        if (sign == end || *sign == ' ')
            continue;
        if (*at == end || **at != '"') {
            *value = logs_next_word(at, end);
            return true;
        }
        ++*at;
        *cut = !find_inside(at, end, value);
        if (!*cut)
            *value = unescape(line, *value, logs_is_word(*key, "rule")); /* decoded, as in JSON */
        return !*cut;
    }
    return false;
}

/* Returns whether a value is a place such as "idn-policy.conf:12". */
static bool is_rule(struct logs_span rule)
{
    size_t len = rule.len;

    while (len > 0 && logs_is_digit(rule.at[len - 1]))
        len--;
    return len > 0 && len < rule.len && rule.at[len - 1] == ':';
}

/* Returns whether a word is an action of the module, and a rule follows it. A line that was cut
 * between them would be counted as something else. */
static bool is_action(struct logs_span word, struct logs_span rule)
{
    for (xnm_action action = XNM_PASSTHRU; action < XNM_ACTION_COUNT; action++)
        if (logs_is_word(word, xnm_action_word(action)))
            return is_rule(rule);
    return false;
}

/* Returns false if the line was cut. */
static bool read_fields(struct logs_line *line, const char *at, const char *end)
{
    struct logs_span key, value;
    bool cut;

    while (next_field(line, &at, end, &key, &value, &cut))
        take_field(line, key, value);
    return !cut && (!line->action.at || is_action(line->action, line->rule));
}

/* --- columns --- */

/* Stock Unbound writes "client - - - FORMERR - - -" if it read no question, and "null" for the name
 * if it refused to. */
static bool take_name(struct logs_line *line, struct logs_span name)
{
    if (is_none(name) || logs_is_word(name, "null"))
        return true;
    if (name.len == 0 || name.at[name.len - 1] != '.')
        return false;
    line->name = name;
    line->name.len -= name.len > 1;
    return true;
}

static bool take_mnemonic(struct logs_span word, struct logs_span *field)
{
    if (is_none(word))
        return true;
    *field = word;
    return logs_is_mnemonic(word);
}

static bool read_columns(struct logs_line *line, const char *at, const char *end)
{
    struct logs_span client = logs_next_word(&at, end);

    if (!is_none(client)) {
        if (!logs_is_address(client))
            return false;
        line->client = client;
    }
    if (!take_name(line, logs_next_word(&at, end)) ||
        !take_mnemonic(logs_next_word(&at, end), &line->type) ||
        !take_mnemonic(logs_next_word(&at, end), &line->class) ||
        !take_mnemonic(logs_next_word(&at, end), &line->rcode))
        return false;
    struct logs_span seconds = logs_next_word(&at, end), cached = logs_next_word(&at, end);
    if ((!is_seconds(seconds) && !is_none(seconds)) || cached.len != 1)
        return false;
    if (*cached.at == '0' || *cached.at == '1')
        line->cached = *cached.at;
    struct logs_span size = logs_next_word(&at, end);
    line->by_unbound = size.len > 0 && logs_is_digit(size.at[0]);
    return read_fields(line, at, end);
}

/* --- JSON --- */

/* Copies a string to line->text, which has room: decoded text is never longer than in the line.
 * Returns a span whose `at` is NULL if it is no string. */
static struct logs_span copy(struct logs_line *line, const json_t *string)
{
    struct logs_span span = {NULL, 0};

    if (!json_is_string(string))
        return span;
    span = (struct logs_span){line->text + line->text_len, json_string_length(string)};
    memcpy(line->text + line->text_len, json_string_value(string), span.len);
    line->text_len += span.len;
    return span;
}

/* Copies the tags of a reply, with commas between them. */
static void take_tags(struct logs_line *line, const json_t *tags)
{
    char *start = line->text + line->text_len;
    const json_t *tag;
    size_t i;

    json_array_foreach(tags, i, tag)
    {
        if (i > 0)
            line->text[line->text_len++] = ',';
        copy(line, tag);
    }
    if (json_is_array(tags))
        line->tags = (struct logs_span){start, (size_t)(line->text + line->text_len - start)};
}

/* Writes the info code of an extended error as text does. Its digits are no more than in the line.
 */
static void take_ede(struct logs_line *line, const json_t *code)
{
    char *start = line->text + line->text_len;

    if (!json_is_integer(code) || json_integer_value(code) < 0 ||
        json_integer_value(code) > UINT16_MAX)
        return;
    char *end = xnm_format_number(start, (uint64_t)json_integer_value(code));
    line->ede = (struct logs_span){start, (size_t)(end - start)};
    line->text_len += line->ede.len;
}

static void take_timestamp(struct logs_clock *clock, struct logs_line *line, const json_t *value)
{
    size_t len = json_string_length(value);
    int64_t time;

    if (len > 0 && logs_time_read(clock, json_string_value(value), len, &time) == len)
        line->time = time;
}

static void take_members(struct logs_clock *clock, struct logs_line *line, const json_t *object)
{
    const json_t *cached = json_object_get(object, "unbound.cached");

    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (fields[i].member)
            *field_at(line, i) = copy(line, json_object_get(object, fields[i].member));
    if (!line->client.at) /* a network that a forwarder has named */
        line->client = copy(line, json_object_get(object, "client.address"));
    take_tags(line, json_object_get(object, "tags"));
    take_ede(line, json_object_get(object, "dns.ede.info_code"));
    take_timestamp(clock, line, json_object_get(object, "@timestamp"));
    if (json_is_boolean(cached))
        line->cached = json_is_true(cached) ? '1' : '0';
}

/* Checks values: an object with a name but no type, or with a malformed address, is not from our
 * log. */
static bool is_reply(const struct logs_line *line)
{
    return line->name.at && line->name.len > 0 && logs_is_mnemonic(line->type) &&
           (!line->class.at || logs_is_mnemonic(line->class)) &&
           (!line->rcode.at || logs_is_mnemonic(line->rcode)) &&
           (!line->client.at || logs_is_address(line->client));
}

/* Reads a JSON object of valid UTF-8, with flat keys of the Elastic Common Schema. The last of two
 * equal keys counts. An object without a time leaves line->time unchanged. */
static bool read_json(struct logs_clock *clock, const char *text, size_t len,
                      struct logs_line *line)
{
    json_t *object = json_loadb(text, len, JSON_ALLOW_NUL, NULL);

    if (!object)
        return false;
    take_members(clock, line, object);
    json_decref(object);
    return is_reply(line);
}

/* --- prefixes --- */

/* Skips a time and the blank after it. Returns LOGS_NO_TIME if there is none. */
static int64_t take_time(struct logs_clock *clock, const char **at, const char *end)
{
    int64_t time = LOGS_NO_TIME;
    size_t len = logs_time_read(clock, *at, (size_t)(end - *at), &time);

    *at += len;
    *at += len > 0 && *at < end && **at == ' ';
    return time;
}

/* Returns the rest of a line after the first "… unbound[1234:0] info: ", or, for a log to
 * /dev/stdout, after the "… unbound[1234]: " of journalctl or the "unbound-1  | " of a container.
 * Returns NULL if there is none of these. Sets *len to the octets before "] info: ", ": " or "| ".
 */
static const char *behind_prefix(const char *at, const char *end, size_t *len)
{
    enum { PREFIX_MAX = 400 };
    static const char *const tags[] = {"] info: ", "] reply: ", ": ", "| "};
    const char *behind = NULL;

    if (end - at > PREFIX_MAX)
        end = at + PREFIX_MAX;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        const char *tag = memmem(at, (size_t)(end - at), tags[i], strlen(tags[i]));
        if (!tag)
            continue;
        *len = (size_t)(tag - at);
        behind = tag + strlen(tags[i]);
        end = behind - 1; /* the next must begin before this one */
    }
    return behind;
}

/* Returns the rest after a second prefix, as in "unbound-1  | [1700000000] unbound[7:0] info: ", or
 * NULL. Apart from a time it is one word: dnsmasq writes names with blanks, after its own words. */
static const char *behind_second(struct logs_clock *clock, const char *at, const char *end)
{
    size_t len;

    take_time(clock, &at, end);
    const char *behind = behind_prefix(at, end, &len);
    return behind && !memchr(at, ' ', len) ? behind : NULL;
}

/* Finds a time that is not at the start, as in "unbound-1  | [1700000000] unbound[7:0] info: ". */
static int64_t time_within(struct logs_clock *clock, const char *at, const char *end)
{
    int64_t time = LOGS_NO_TIME;

    for (; at < end && time == LOGS_NO_TIME; at++)
        if (*at == '[')
            logs_time_read(clock, at, (size_t)(end - at), &time);
    return time;
}

/* Reads a line with nothing before it, except its time if it has one. Always sets line->time. */
static bool read_timed(struct logs_clock *clock, const char *at, const char *end,
                       struct logs_line *line)
{
    logs_line_clear(line);
    line->time = take_time(clock, &at, end);
    if (at < end && *at == '{')
        return read_json(clock, at, (size_t)(end - at), line);
    return read_columns(line, at, end);
}

/* Reads a line after a time. It may follow two words, "ns1 unbound-idn " from syslog or "stdout F "
 * from Kubernetes, or nothing, if a log reader put its own time before the line's. The words are
 * unknown, so they are counted. */
static bool read_behind_time(struct logs_clock *clock, const char *at, const char *end,
                             struct logs_line *line)
{
    if (read_timed(clock, at, end, line))
        return true;
    for (int words = 0; words < 2; words++) {
        struct logs_span word = logs_next_word(&at, end);
        if (word.len > 0 && word.at[word.len - 1] == ':') /* the program's name: the line follows */
            break;
    }
    return read_timed(clock, at, end, line);
}

/* Reads a line about a reply, after any prefix. Tries few prefixes, since each may cost a
 * look at the whole line. */
static bool read_reply(struct logs_clock *clock, const char *text, size_t len,
                       struct logs_line *line)
{
    enum { PREFIXES_MAX = 4 };
    const char *end = text + len, *body = text;

    if (read_timed(clock, text, end, line))
        return true;
    int64_t time = take_time(clock, &body, end);
    if (body == text || !read_behind_time(clock, body, end, line)) {
        size_t prefix_len;
        body = behind_prefix(text, end, &prefix_len);
        for (int tried = 1; body && !read_timed(clock, body, end, line); tried++)
            body = tried < PREFIXES_MAX ? behind_second(clock, body, end) : NULL;
        if (!body)
            return false;
    }
    if (line->time == LOGS_NO_TIME)
        line->time = time == LOGS_NO_TIME ? time_within(clock, text, body) : time;
    return true;
}

bool logs_line_read(struct logs_clock *clock, const char *text, size_t len, struct logs_line *line)
{
    return read_reply(clock, text, len, line) || logs_query_read(clock, text, len, line);
}
