/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/logs/line.h"

#include "module/rule/action.h"

#include <string.h>

/* --- words --- */

bool report_is_word(struct report_span span, const char *word)
{
    return span.len == strlen(word) && memcmp(span.at, word, span.len) == 0;
}

bool report_is_mnemonic(struct report_span word)
{
    enum { MNEMONIC_MAX = 20 };

    if (word.len == 0 || word.len > MNEMONIC_MAX)
        return false;
    for (size_t i = 0; i < word.len; i++)
        if (!(word.at[i] >= 'A' && word.at[i] <= 'Z') && !report_is_digit(word.at[i]) &&
            word.at[i] != '-' && word.at[i] != '_')
            return false;
    return word.at[0] >= 'A' && word.at[0] <= 'Z';
}

bool report_is_address(struct report_span word)
{
    enum { ADDRESS_MAX = 64 };
    bool separated = false;

    if (word.len < 2 || word.len > ADDRESS_MAX)
        return false;
    for (size_t i = 0; i < word.len; i++) {
        char c = word.at[i];

        separated = separated || c == '.' || c == ':';
        if (!report_is_digit(c) && !((c | 0x20) >= 'a' && (c | 0x20) <= 'f') && c != '.' &&
            c != ':' && c != '/')
            return false;
    }
    return separated;
}

static bool is_none(struct report_span word)
{
    return word.len == 1 && word.at[0] == '-';
}

/* Returns whether a word is a time in seconds, such as "0.000214". */
static bool is_seconds(struct report_span word)
{
    size_t dots = 0;

    for (size_t i = 0; i < word.len; i++) {
        dots += word.at[i] == '.';
        if (!report_is_digit(word.at[i]) && word.at[i] != '.')
            return false;
    }
    return word.len > 1 && dots == 1;
}

/* --- fields --- */

static struct report_span *field_of(struct report_line *line, struct report_span key)
{
    return report_is_word(key, "policy")   ? &line->action
           : report_is_word(key, "rule")   ? &line->rule
           : report_is_word(key, "match")  ? &line->match
           : report_is_word(key, "key")    ? &line->key
           : report_is_word(key, "target") ? &line->target
           : report_is_word(key, "mode")   ? &line->mode
           : report_is_word(key, "tags")   ? &line->tags
           : report_is_word(key, "sec")    ? &line->security
           : report_is_word(key, "ede")    ? &line->ede
                                           : NULL;
}

/* The first of two equal keys counts: only the module should write fields, and it writes each
 * once. */
static void take_field(struct report_line *line, struct report_span key, struct report_span value)
{
    struct report_span *field = field_of(line, key);

    if (field && !field->at)
        *field = value;
}

/* Returns whether a value is a place such as "idn-policy.conf:12". */
static bool is_rule(struct report_span rule)
{
    size_t len = rule.len;

    while (len > 0 && report_is_digit(rule.at[len - 1]))
        len--;
    return len > 0 && len < rule.len && rule.at[len - 1] == ':';
}

/* Returns whether a word is an action of the module, and a rule follows it. A line that was cut
 * between them would be counted as something else. */
static bool is_action(struct report_span word, struct report_span rule)
{
    for (xnm_action action = XNM_PASSTHRU; action < XNM_ACTION_COUNT; action++)
        if (report_is_word(word, xnm_action_word(action)))
            return is_rule(rule);
    return false;
}

/* Returns false if the line was cut. */
static bool read_fields(struct report_line *line, const char *at, const char *end)
{
    struct report_span key, value;
    bool cut;

    while (report_next_field(line, &at, end, &key, &value, &cut))
        take_field(line, key, value);
    return !cut && (!line->action.at || is_action(line->action, line->rule));
}

/* --- columns --- */

/* Stock Unbound writes "client - - - FORMERR - - -" if it read no question, and "null" for the name
 * if it refused to. */
static bool take_name(struct report_line *line, struct report_span name)
{
    if (is_none(name) || report_is_word(name, "null"))
        return true;
    if (name.len == 0 || name.at[name.len - 1] != '.')
        return false;
    line->name = name;
    line->name.len -= name.len > 1;
    return true;
}

static bool take_mnemonic(struct report_span word, struct report_span *field)
{
    if (is_none(word))
        return true;
    *field = word;
    return report_is_mnemonic(word);
}

static bool read_columns(struct report_line *line, const char *at, const char *end)
{
    struct report_span client = report_next_word(&at, end);

    if (!is_none(client)) {
        if (!report_is_address(client))
            return false;
        line->client = client;
    }
    if (!take_name(line, report_next_word(&at, end)) ||
        !take_mnemonic(report_next_word(&at, end), &line->type) ||
        !take_mnemonic(report_next_word(&at, end), &line->class) ||
        !take_mnemonic(report_next_word(&at, end), &line->rcode))
        return false;
    struct report_span seconds = report_next_word(&at, end), cached = report_next_word(&at, end);
    if ((!is_seconds(seconds) && !is_none(seconds)) || cached.len != 1)
        return false;
    if (*cached.at == '0' || *cached.at == '1')
        line->cached = *cached.at;
    struct report_span size = report_next_word(&at, end);
    line->by_unbound = size.len > 0 && report_is_digit(size.at[0]);
    return read_fields(line, at, end);
}

/* --- prefixes --- */

/* Returns the rest of a line after the first "… unbound[1234:0] info: ", or, for a log to
 * /dev/stdout, after the "… unbound[1234]: " of journalctl or the "unbound-1  | " of a container.
 * Returns NULL if there is none of these. *len: the octets before what ends the prefix. */
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
static const char *behind_second(struct report_clock *clock, const char *at, const char *end)
{
    int64_t time;
    size_t len, time_len = report_time_read(clock, at, (size_t)(end - at), &time);

    at += time_len;
    at += time_len > 0 && at < end && *at == ' ';
    const char *behind = behind_prefix(at, end, &len);
    return behind && !memchr(at, ' ', len) ? behind : NULL;
}

/* Finds a time that is not at the start, as in "unbound-1  | [1700000000] unbound[7:0] info: ". */
static int64_t time_within(struct report_clock *clock, const char *at, const char *end)
{
    int64_t time = REPORT_NO_TIME;

    for (; at < end; at++)
        if (*at == '[' && report_time_read(clock, at, (size_t)(end - at), &time) > 0 &&
            time != REPORT_NO_TIME)
            return time;
    return REPORT_NO_TIME;
}

/* Reads a line with nothing before it, except its time if it has one. Sets line->time in any case.
 */
static bool read_timed(struct report_clock *clock, const char *at, const char *end,
                       struct report_line *line)
{
    int64_t time = REPORT_NO_TIME;
    size_t time_len = report_time_read(clock, at, (size_t)(end - at), &time);

    at += time_len;
    at += time_len > 0 && at < end && *at == ' ';
    report_line_clear(line);
    line->time = time;
    if (at < end && *at == '{')
        return report_json_read(clock, at, (size_t)(end - at), line);
    return read_columns(line, at, end);
}

/* Reads a line after a time. It may follow two words, "ns1 unbound-idn " from syslog or "stdout F "
 * from Kubernetes, or nothing, if a log reader put its own time before the line's. The words are
 * unknown, so they are counted. */
static bool read_behind_time(struct report_clock *clock, const char *at, const char *end,
                             struct report_line *line)
{
    at += at < end && *at == ' ';
    if (read_timed(clock, at, end, line))
        return true;
    for (int words = 0; words < 2; words++) {
        struct report_span word = report_next_word(&at, end);
        if (word.len > 0 && word.at[word.len - 1] == ':') /* the program's, the last before it */
            break;
    }
    return read_timed(clock, at, end, line);
}

/* Reads a line about a reply, after any prefix. Tries few prefixes, since each may cost a
 * look at the whole line. */
static bool read_reply(struct report_clock *clock, const char *text, size_t len,
                       struct report_line *line)
{
    enum { PREFIXES_MAX = 4 };
    const char *end = text + len, *body;

    if (read_timed(clock, text, end, line))
        return true;
    int64_t time = REPORT_NO_TIME;
    size_t time_len = report_time_read(clock, text, len, &time);
    body = text + time_len;
    if (time_len == 0 || !read_behind_time(clock, body, end, line)) {
        size_t prefix_len;
        body = behind_prefix(text, end, &prefix_len);
        for (int tried = 1; body && !read_timed(clock, body, end, line); tried++)
            body = tried < PREFIXES_MAX ? behind_second(clock, body, end) : NULL;
        if (!body)
            return false;
    }
    if (line->time == REPORT_NO_TIME)
        line->time = time == REPORT_NO_TIME ? time_within(clock, text, body) : time;
    return true;
}

bool report_line_read(struct report_clock *clock, const char *text, size_t len,
                      struct report_line *line)
{
    return read_reply(clock, text, len, line) || report_query_read(clock, text, len, line);
}
