/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a log line in JSON, with flat keys of the Elastic Common Schema. Makes one pass over the
 * octets, since logs have ten million lines: members with other keys are skipped, and looked at
 * only to find their end. */
#include "tools/logs/line.h"

#include "core/text/hexadecimal.h"
#include "core/text/utf16.h"
#include "core/text/utf8char.h"

#include <string.h>

struct reader {
    const char *at, *end;
    struct report_line *line;
};

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t'))
        reader->at++;
}

/* Returns whether the next character, after blanks, is this one, and skips it if so. */
static bool take(struct reader *reader, char c)
{
    skip_blanks(reader);
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

/* --- strings --- */

/* Returns whether a quote is part of the string: an odd number of backslashes stands before it. */
static bool is_escaped(const char *start, const char *quote)
{
    size_t backslashes = 0;

    while (quote > start && quote[-1] == '\\') {
        backslashes++;
        quote--;
    }
    return backslashes % 2 == 1;
}

/* Reads a string after its first quote, and leaves escapes in it. Returns false if it has no end.
 */
static bool skip_string(struct reader *reader, struct report_span *inside)
{
    const char *start = reader->at, *quote;

    while ((quote = memchr(reader->at, '"', (size_t)(reader->end - reader->at))) != NULL) {
        reader->at = quote + 1;
        if (!is_escaped(start, quote)) {
            *inside = (struct report_span){start, (size_t)(quote - start)};
            return true;
        }
    }
    return false;
}

/* Returns the value of four hexadecimal digits, or NO_UNIT. */
enum { NO_UNIT = 0x10000 };
static uint32_t read_unit(const char *at, const char *end)
{
    uint32_t unit = 0;

    if (end - at < 4)
        return NO_UNIT;
    for (int i = 0; i < 4; i++) {
        uint32_t digit = xn_hexadecimal_value((uint8_t)at[i]);
        if (digit == XN_HEXADECIMAL_NONE)
            return NO_UNIT;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* Reads a code point such as "\uD83D\uDE00", after the first `\u`, or U+FFFD for half a pair.
 * Returns the number of octets read, or 0 if no digits follow. */
static size_t read_code_point(const char *at, const char *end, uint32_t *cp)
{
    bool more = end - at >= 6 && at[4] == '\\' && at[5] == 'u';
    uint32_t pair;

    *cp = read_unit(at, end);
    if (*cp == NO_UNIT)
        return 0;
    if (!xn_utf16_is_surrogate(*cp))
        return 4;
    pair = more ? xn_utf16_join(*cp, read_unit(at + 6, end)) : 0;
    *cp = pair > 0 ? pair : 0xFFFD;
    return pair > 0 ? 10 : 4;
}

/* Reads one escape after its backslash, from at least one octet, and writes the character. Returns
 * the number of octets read, or 0 if it is not an escape. */
static size_t read_escape(const char *at, const char *end, char **out)
{
    static const char letters[] = "\"\\/bfnrt", stand_for[] = "\"\\/\b\f\n\r\t";
    uint32_t cp;

    if (*at == 'u') {
        size_t octets = read_code_point(at + 1, end, &cp);
        *out += octets > 0 ? xn_utf8_write(cp, (uint8_t *)*out) : 0;
        return octets > 0 ? octets + 1 : 0;
    }
    const char *letter = *at ? strchr(letters, *at) : NULL;
    if (!letter)
        return 0;
    *(*out)++ = stand_for[letter - letters];
    return 1;
}

/* Decoded text is never longer than the string. */
static bool unescape(struct report_line *line, struct report_span *value)
{
    const char *end = value->at + value->len;
    char *dst = line->text + line->text_len, *out = dst;

    for (const char *at = value->at; at < end;) {
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        size_t octets = at + 1 < end ? read_escape(at + 1, end, &out) : 0;
        if (octets == 0)
            return false;
        at += 1 + octets;
    }
    *value = (struct report_span){dst, (size_t)(out - dst)};
    line->text_len += value->len;
    return true;
}

/* --- values --- */

/* Skips an array or an object, after its first bracket. */
static bool skip_nested(struct reader *reader)
{
    struct report_span inside;
    size_t depth = 1;

    while (depth > 0) {
        if (reader->at == reader->end)
            return false;
        switch (*reader->at++) {
        case '"':
            if (!skip_string(reader, &inside))
                return false;
            break;
        case '[':
        case '{':
            depth++;
            break;
        case ']':
        case '}':
            depth--;
            break;
        default:
            break;
        }
    }
    return true;
}

/* Reads a number, true, false or null. */
static bool skip_word(struct reader *reader)
{
    const char *start = reader->at;

    while (reader->at < reader->end && *reader->at != ',' && *reader->at != '}' &&
           *reader->at != ' ' && *reader->at != '"')
        reader->at++;
    return reader->at > start;
}

static bool skip_other(struct reader *reader)
{
    if (*reader->at != '[' && *reader->at != '{')
        return skip_word(reader);
    reader->at++;
    return skip_nested(reader);
}

/* --- members --- */

/* The members that we read. Keys are compared by length first, since most members of a line are
 * others. */
static const struct {
    const char *key;
    size_t len, at;
} members[] = {
    {"@timestamp", 10, 0},
    {"client.ip", 9, offsetof(struct report_line, client)},
    {"dns.question.name", 17, offsetof(struct report_line, name)},
    {"dns.question.type", 17, offsetof(struct report_line, type)},
    {"dns.question.class", 18, offsetof(struct report_line, class)},
    {"dns.response_code", 17, offsetof(struct report_line, rcode)},
    {"policy.action", 13, offsetof(struct report_line, action)},
    {"policy.rule", 11, offsetof(struct report_line, rule)},
    {"policy.match", 12, offsetof(struct report_line, match)},
    {"policy.key", 10, offsetof(struct report_line, key)},
    {"policy.target", 13, offsetof(struct report_line, target)},
    {"policy.mode", 11, offsetof(struct report_line, mode)},
};
enum { MEMBER_COUNT = sizeof members / sizeof *members, TIME = 0 };

/* Returns MEMBER_COUNT for any other key. */
static size_t member_of(struct report_span key)
{
    size_t i = 0;

    while (i < MEMBER_COUNT &&
           (key.len != members[i].len || memcmp(key.at, members[i].key, key.len) != 0))
        i++;
    return i;
}

static void take_time(struct report_clock *clock, struct report_span value,
                      struct report_line *line)
{
    int64_t time;

    if (report_time_read(clock, value.at, value.len, &time) == value.len && value.len > 0)
        line->time = time;
}

static void take_member(struct report_clock *clock, size_t member, struct report_span value,
                        struct report_line *line)
{
    struct report_span *field = (struct report_span *)(void *)((char *)line + members[member].at);

    if (member == TIME)
        take_time(clock, value, line);
    else if (!field->at) /* the first of two counts */
        *field = value;
}

/* Reads whether the answer was cached. */
static void take_word(struct report_span key, struct report_span value, struct report_line *line)
{
    if (!report_is_word(key, "unbound.cached"))
        return;
    if (report_is_word(value, "true"))
        line->cached = '1';
    if (report_is_word(value, "false"))
        line->cached = '0';
}

/* Keeps the tags of a reply as they are written; other arrays and objects are skipped. */
static bool read_other(struct reader *reader, struct report_span key)
{
    const char *start = reader->at;

    if (!skip_other(reader))
        return false;
    take_word(key, (struct report_span){start, (size_t)(reader->at - start)}, reader->line);
    if (*start == '[' && report_is_word(key, "tags") && !reader->line->tags.at)
        reader->line->tags =
            (struct report_span){start + 1, (size_t)(reader->at - start) - 2 /* brackets */};
    return true;
}

static bool read_member(struct reader *reader, struct report_clock *clock)
{
    struct report_span key, value;

    if (!take(reader, '"') || !skip_string(reader, &key) || !take(reader, ':'))
        return false;
    skip_blanks(reader);
    if (reader->at == reader->end)
        return false;
    if (*reader->at != '"')
        return read_other(reader, key);
    reader->at++;
    if (!skip_string(reader, &value))
        return false;
    size_t member = member_of(key);
    if (member == MEMBER_COUNT)
        return true;
    if (memchr(value.at, '\\', value.len) && !unescape(reader->line, &value))
        return false;
    take_member(clock, member, value, reader->line);
    return true;
}

/* Checks values: an object with a name but no type, or with a malformed address, is not from our
 * log. */
static bool is_reply(const struct report_line *line)
{
    return line->name.at && line->name.len > 0 && report_is_mnemonic(line->type) &&
           (!line->class.at || report_is_mnemonic(line->class)) &&
           (!line->rcode.at || report_is_mnemonic(line->rcode)) &&
           (!line->client.at || report_is_address(line->client));
}

bool report_json_read(struct report_clock *clock, const char *text, size_t len,
                      struct report_line *line)
{
    struct reader reader = {text, text + len, line};

    if (!take(&reader, '{'))
        return false;
    do {
        if (!read_member(&reader, clock))
            return false;
    } while (take(&reader, ','));
    if (!take(&reader, '}'))
        return false;
    skip_blanks(&reader);
    return reader.at == reader.end && is_reply(line);
}
