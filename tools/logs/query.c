/* SPDX-License-Identifier: BSD-3-Clause */
/* Query logs of other programs. None of them writes a blank in a name, except dnsmasq. */
#include "tools/logs/line.h"

#include "module/zone/mnemonic.h"

#include <stdio.h>
#include <string.h>

/* --- parts --- */

/* Takes an address with its port after a mark, without the brackets of IPv6 and without a zone. */
static bool take_client(struct report_line *line, struct report_span word, char mark)
{
    const char *port = memrchr(word.at, mark, word.len);
    struct report_span client = {word.at, port ? (size_t)(port - word.at) : word.len};
    const char *zone;

    if (client.len > 2 && client.at[0] == '[' && client.at[client.len - 1] == ']')
        client = (struct report_span){client.at + 1, client.len - 2};
    zone = memchr(client.at, '%', client.len);
    if (zone)
        client.len = (size_t)(zone - client.at);
    line->client = client;
    return report_is_address(client);
}

static bool take_question(struct report_line *line, struct report_span name,
                          struct report_span type)
{
    line->name = name;
    line->type = type;
    return name.len > 0 && report_is_mnemonic(type);
}

/* Takes the final dot from a name that always has one. */
static bool drop_dot(struct report_span *name)
{
    bool has_dot = name->len > 0 && name->at[name->len - 1] == '.';

    name->len -= has_dot && name->len > 1;
    return has_dot;
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
static struct report_span up_to(const char **at, const char *end, const char *text)
{
    const char *found = memmem(*at, (size_t)(end - *at), text, strlen(text));
    struct report_span part = {*at, found ? (size_t)(found - *at) : 0};

    *at = found ? found + strlen(text) : end;
    return part;
}

/* --- programs --- */

/* BIND: "client @0x7f88 192.0.2.7#33367 (www.example): view v: query: www.example IN A +E(0) (…)".
 */
static bool read_bind(struct report_line *line, const char *at, const char *end)
{
    struct report_span word = report_next_word(&at, end), name, type;

    if (word.len > 0 && word.at[0] == '@')
        word = report_next_word(&at, end);
    if (memmem(word.at, word.len, "/key", 4))
        report_next_word(&at, end); /* its name */
    if (!memchr(word.at, '#', word.len) || !take_client(line, word, '#') || !skip(&at, end, "("))
        return false;
    word = report_next_word(&at, end);
    if (word.len < 3 || memcmp(word.at + word.len - 2, "):", 2) != 0)
        return false;
    if (skip(&at, end, "view "))
        report_next_word(&at, end);
    if (!skip(&at, end, "query: "))
        return false;
    name = report_next_word(&at, end);
    line->class = report_next_word(&at, end);
    type = report_next_word(&at, end);
    return at < end && (*at == '+' || *at == '-') && report_is_mnemonic(line->class) &&
           take_question(line, name, type);
}

/* dnsmasq: "query[A] www.example from 192.0.2.7", and "query[type=65280] …". */
static bool read_dnsmasq(struct report_line *line, const char *at, const char *end)
{
    static const char from[] = " from ";
    struct report_span type = up_to(&at, end, "] "), name;
    const char *last = end;

    if (type.len > 5 && memcmp(type.at, "type=", 5) == 0) {
        int len = snprintf(line->text, 16, "TYPE%.*s", (int)type.len - 5, type.at + 5);
        type = (struct report_span){line->text, line->text_len = len < 16 ? (size_t)len : 0};
    }
    while (last > at &&
           ((size_t)(end - last) < sizeof from - 1 || memcmp(last, from, sizeof from - 1) != 0))
        last--;
    name = (struct report_span){at, (size_t)(last - at)};
    at = last;
    return skip(&at, end, from) &&
           take_client(line, (struct report_span){at, (size_t)(end - at)}, '#') &&
           take_question(line, name, type);
}

/* Knot Resolver: "plan 'www.example.' type 'A' uid [00030.00]". It numbers its own from 65536. */
static bool read_kresd(struct report_line *line, const char *at, const char *end)
{
    enum { OWN = 65536 };
    struct report_span name = up_to(&at, end, "' type '"), type = up_to(&at, end, "' uid [");
    unsigned number = 0;

    for (; at < end && report_is_digit(*at) && number < OWN; at++)
        number = number * 10 + (unsigned)(*at - '0');
    return at < end && *at == '.' && number < OWN && drop_dot(&name) &&
           take_question(line, name, type);
}

/* dnsdist: "Packet from 192.0.2.7:44703 for www.example. A with id 22528". */
static bool read_dnsdist(struct report_line *line, const char *at, const char *end)
{
    struct report_span client = report_next_word(&at, end), name, type;

    if (!skip(&at, end, "for "))
        return false;
    name = report_next_word(&at, end);
    type = report_next_word(&at, end);
    return skip(&at, end, "with id ") && take_client(line, client, ':') && drop_dot(&name) &&
           take_question(line, name, type);
}

static void take_rcode(struct report_line *line, struct report_span number)
{
    int rcode = 0;

    for (size_t i = 0; i < number.len; i++) {
        if (!report_is_digit(number.at[i]) || rcode > 4095)
            return;
        rcode = rcode * 10 + (number.at[i] - '0');
    }
    const char *word = number.len > 0 && !line->rcode.at ? xnm_mnemonic_rcode(rcode) : NULL;
    if (!word)
        return;
    line->rcode = (struct report_span){line->text + line->text_len, strlen(word)};
    memcpy(line->text + line->text_len, word, line->rcode.len);
    line->text_len += line->rcode.len;
}

/* PowerDNS Recursor: `msg="Answer" … qname="www.example" qtype="A" rcode="0"
 * remote="192.0.2.7:52632"`, and "Question answered from packet cache" without a code. */
static bool read_recursor(struct report_line *line, const char *at, const char *end)
{
    struct report_span name = {0}, type = {0}, client = {0}, key, value;
    bool cut;

    while (report_next_field(line, &at, end, &key, &value, &cut)) {
        if (report_is_word(key, "qname"))
            name = value;
        else if (report_is_word(key, "qtype"))
            type = value;
        else if (report_is_word(key, "remote"))
            client = value;
        else if (report_is_word(key, "rcode"))
            take_rcode(line, value);
    }
    return !cut && client.at && take_client(line, client, ':') && take_question(line, name, type);
}

static const struct {
    const char *begins;
    bool (*read)(struct report_line *line, const char *at, const char *end);
} programs[] = {
    {"client ", read_bind},
    {"query[", read_dnsmasq},
    {"[00000.00] plan '", read_kresd},
    {"Packet from ", read_dnsdist},
    {"msg=\"Answer\" ", read_recursor},
    {"msg=\"Question answered from packet cache\" ", read_recursor},
};

/* Finds the first program whose line may begin in [at, end), and moves *at after what it begins
 * with. Returns a number beyond the last program if there is none. */
static size_t next_program(const char **at, const char *end)
{
    size_t count = sizeof programs / sizeof *programs, first = count;

    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(programs[i].begins);
        const char *found = memmem(*at, (size_t)(end - *at), programs[i].begins, len);

        if (!found)
            continue;
        first = i;
        end = found + len - 1; /* the next must begin before this one */
    }
    if (first < count)
        *at = end + 1;
    return first;
}

/* Is there a mark of dnsmasq before this place? */
static bool is_by_dnsmasq(const char *text, const char *at)
{
    return memmem(text, (size_t)(at - text), "dnsmasq[", 8) ||
           memmem(text, (size_t)(at - text), "dnsmasq: ", 9);
}

/* The first program that fits wrote the line: a name further on may look like another's. In other
 * lines of dnsmasq than its queries, a name with blanks may look like any. */
bool report_query_read(struct report_clock *clock, const char *text, size_t len,
                       struct report_line *line)
{
    enum { PREFIX_MAX = 400 };
    const char *end = text + len, *at = text;
    const char *prefix_end = len < PREFIX_MAX ? end : text + PREFIX_MAX;
    int64_t time = REPORT_NO_TIME;
    size_t program;

    report_time_read(clock, text, len, &time);
    while ((program = next_program(&at, prefix_end)) < sizeof programs / sizeof *programs) {
        report_line_clear(line);
        line->time = time;
        if ((programs[program].read == read_dnsmasq || !is_by_dnsmasq(text, at)) &&
            programs[program].read(line, at, end))
            return true;
    }
    return false;
}
