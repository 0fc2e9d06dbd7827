/* SPDX-License-Identifier: BSD-3-Clause */
/* Query logs of BIND and dnsmasq. BIND writes no blank in a name, dnsmasq does. */
#include "tools/logs/line.h"

#include <stdio.h>
#include <string.h>

/* --- parts --- */

/* Takes an address with its port after a mark, without the brackets of IPv6 and without a zone. */
static bool take_client(struct logs_line *line, struct logs_span word, char mark)
{
    const char *port = memrchr(word.at, mark, word.len);
    struct logs_span client = {word.at, port ? (size_t)(port - word.at) : word.len};
    const char *zone;

    if (client.len > 2 && client.at[0] == '[' && client.at[client.len - 1] == ']')
        client = (struct logs_span){client.at + 1, client.len - 2};
    zone = memchr(client.at, '%', client.len);
    if (zone)
        client.len = (size_t)(zone - client.at);
    line->client = client;
    return logs_is_address(client);
}

static bool take_question(struct logs_line *line, struct logs_span name, struct logs_span type)
{
    line->name = name;
    line->type = type;
    return name.len > 0 && logs_is_mnemonic(type);
}

static bool skip(const char **at, const char *end, const char *text)
{
    size_t len = strlen(text);

    if ((size_t)(end - *at) < len || memcmp(*at, text, len) != 0)
        return false;
    *at += len;
    return true;
}

/* Returns the octets up to a text, and skips that. Of no octets if there is none. */
static struct logs_span up_to(const char **at, const char *end, const char *text)
{
    const char *found = memmem(*at, (size_t)(end - *at), text, strlen(text));
    struct logs_span part = {*at, found ? (size_t)(found - *at) : 0};

    *at = found ? found + strlen(text) : end;
    return part;
}

/* --- programs --- */

/* BIND: "client @0x7f88 192.0.2.7#33367 (www.example): view v: query: www.example IN A +E(0) (…)".
 */
static bool read_bind(struct logs_line *line, const char *at, const char *end)
{
    struct logs_span word = logs_next_word(&at, end), name, type;

    if (word.len > 0 && word.at[0] == '@')
        word = logs_next_word(&at, end);
    if (memmem(word.at, word.len, "/key", 4))
        logs_next_word(&at, end); /* its name */
    if (!memchr(word.at, '#', word.len) || !take_client(line, word, '#') || !skip(&at, end, "("))
        return false;
    word = logs_next_word(&at, end);
    if (word.len < 3 || memcmp(word.at + word.len - 2, "):", 2) != 0)
        return false;
    if (skip(&at, end, "view "))
        logs_next_word(&at, end);
    if (!skip(&at, end, "query: "))
        return false;
    name = logs_next_word(&at, end);
    line->class = logs_next_word(&at, end);
    type = logs_next_word(&at, end);
    return at < end && (*at == '+' || *at == '-') && logs_is_mnemonic(line->class) &&
           take_question(line, name, type);
}

/* dnsmasq: "query[A] www.example from 192.0.2.7", and "query[type=65280] …". */
static bool read_dnsmasq(struct logs_line *line, const char *at, const char *end)
{
    static const char from[] = " from ";
    struct logs_span type = up_to(&at, end, "] "), name;
    const char *last = end;

    if (type.len > 5 && memcmp(type.at, "type=", 5) == 0) {
        int len = snprintf(line->text, 16, "TYPE%.*s", (int)type.len - 5, type.at + 5);
        type = (struct logs_span){line->text, line->text_len = len < 16 ? (size_t)len : 0};
    }
    while (last > at &&
           ((size_t)(end - last) < sizeof from - 1 || memcmp(last, from, sizeof from - 1) != 0))
        last--;
    name = (struct logs_span){at, (size_t)(last - at)};
    at = last;
    return skip(&at, end, from) &&
           take_client(line, (struct logs_span){at, (size_t)(end - at)}, '#') &&
           take_question(line, name, type);
}

/* Returns whether there is a mark of dnsmasq before this place. */
static bool is_by_dnsmasq(const char *text, const char *at)
{
    return memmem(text, (size_t)(at - text), "dnsmasq[", 8) ||
           memmem(text, (size_t)(at - text), "dnsmasq: ", 9);
}

/* The first program that fits wrote the line: a name further on may look like another's. In other
 * lines of dnsmasq than its queries, a name with blanks may look like any. */
bool logs_query_read(struct logs_clock *clock, const char *text, size_t len, struct logs_line *line)
{
    enum { PREFIX_MAX = 400 };
    const char *end = text + len, *at = text;
    const char *prefix_end = len < PREFIX_MAX ? end : text + PREFIX_MAX;
    int64_t time = LOGS_NO_TIME;

    logs_time_read(clock, text, len, &time);
    for (; at < prefix_end; at++) {
        const char *body = at;
        bool is_dnsmasq = skip(&body, prefix_end, "query[");

        if (!is_dnsmasq && (!skip(&body, prefix_end, "client ") || is_by_dnsmasq(text, body)))
            continue;
        logs_line_clear(line);
        line->time = time;
        if ((is_dnsmasq ? read_dnsmasq : read_bind)(line, body, end))
            return true;
    }
    return false;
}
