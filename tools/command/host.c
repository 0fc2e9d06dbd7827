/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/command/host.h"

#include "core/text/hexadecimal.h"

#include <arpa/inet.h>
#include <string.h>

enum { QUOTED_MAX = 1024 /* octets of a text in messages: more than any name has */ };

const struct name_fault name_not_utf8 = {"utf-8", "is not UTF-8"};
static const struct name_fault no_host = {"no-host", "is missing"},
                               an_address = {"address", "is an IP address, not a name"},
                               bad_port = {"port", "has no port of digits after its colon"};

void host_free(struct host *host)
{
    buffer_free(&host->decoded);
}

/* A part of a text. */
struct part {
    const char *at;
    size_t len;
};

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* Returns how many octets at the beginning of a text are not in `stops`, which has a final NUL that
 * stops nothing. */
static size_t span_before(const char *text, size_t len, const char *stops)
{
    size_t at = 0;

    while (at < len && !is_one_of(text[at], stops))
        at++;
    return at;
}

static bool is_letter(char c)
{
    return (unsigned)(c | 0x20) - 'a' < 26;
}

static bool is_digit(char c)
{
    return (unsigned)c - '0' < 10;
}

/* Finds USER@HOST:PORT after "SCHEME://" (RFC 3986, section 3.1). */
static bool find_in_url(const char *text, size_t len, struct part *part)
{
    size_t at = 0;

    while (at < len && (text[at] == ' ' || text[at] == '\t'))
        at++;
    if (at == len || !is_letter(text[at]))
        return false;
    while (at < len && (is_letter(text[at]) || is_digit(text[at]) || is_one_of(text[at], "+-.")))
        at++;
    if (len - at < 3 || memcmp(text + at, "://", 3) != 0)
        return false;
    *part = (struct part){text + at + 3, 0};
    for (size_t rest = len - at - 3; part->len < rest; part->len++) {
        part->len += span_before(part->at + part->len, rest - part->len, "/?#\\ \t");
        if (rest - part->len < 3 || memcmp(part->at + part->len, "\\u{", 3) != 0)
            break;
    }
    return true;
}

/* Returns where a character first stands without a backslash before it; len: nowhere. */
static size_t find_unescaped(const char *text, size_t len, char c)
{
    size_t at = 0;

    while (at < len && text[at] != c)
        at += text[at] == '\\' && at + 1 < len ? 2 : 1;
    return at < len ? at : len;
}

static bool is_port(const char *text, size_t len)
{
    size_t digits = 0;

    while (digits < len && is_digit(text[digits]))
        digits++;
    return digits == len && digits <= 5;
}

/* Finds what follows the first @ of a mail address, whatever stands around that, or else HOST:PORT
 * or "[2001:db8::1]:PORT". */
static bool find_in_text(const char *text, size_t len, struct part *part)
{
    size_t at = find_unescaped(text, len, '@'), colon = find_unescaped(text, len, ':');
    bool mail = at + 1 < len;

    *part = mail ? (struct part){text + at + 1, len - at - 1} : (struct part){text, len};
    const char *stops = !mail ? "/?#" : *part->at == '[' ? "/?#>, " : ":/?#>, ";
    part->len = span_before(part->at, part->len, stops);
    if (mail)
        return part->len > 0;
    return colon < len && (*text == '[' || (colon > 0 && colon + 1 < part->len &&
                                            is_port(text + colon + 1, part->len - colon - 1)));
}

static bool is_address(const char *text, size_t len)
{
    char address[INET_ADDRSTRLEN];
    struct in_addr parsed;

    if (len >= sizeof address || memchr(text, '\0', len))
        return false;
    memcpy(address, text, len);
    address[len] = '\0';
    return inet_pton(AF_INET, address, &parsed) == 1;
}

/* Returns whether an octet may stand for itself in a host. */
static bool is_of_host(char c)
{
    return is_letter(c) || is_digit(c) || (uint8_t)c >= 0x80 || is_one_of(c, ".-_");
}

/* Adds a host and decodes `%XX`, which becomes `\DDD` if it stands for no character of hosts. */
static void decode_percent(struct buffer *out, const char *text, size_t len)
{
    for (size_t at = 0; at < len; at++) {
        uint32_t high = XN_HEXADECIMAL_NONE, low = XN_HEXADECIMAL_NONE;

        if (text[at] == '%' && len - at > 2) {
            high = xn_hexadecimal_value((uint8_t)text[at + 1]);
            low = xn_hexadecimal_value((uint8_t)text[at + 2]);
        }
        bool is_octet = high != XN_HEXADECIMAL_NONE && low != XN_HEXADECIMAL_NONE;
        char octet = text[at];
        if (is_octet)
            octet = (char)(high << 4 | low);
        if (is_octet && !is_of_host(octet))
            buffer_format(out, "\\%03u", (uint8_t)octet);
        else
            buffer_add(out, &octet, 1);
        at += is_octet ? 2 : 0;
    }
}

void host_find(const char *text, size_t len, struct host *host)
{
    struct part part;

    *host = (struct host){.name = text, .len = len, .decoded = host->decoded};
    if (len == 0 || (!memchr(text, ':', len) && !memchr(text, '@', len)))
        return;
    host->within = find_in_url(text, len, &part) || find_in_text(text, len, &part);
    if (!host->within)
        return;
    const char *user = memrchr(part.at, '@', part.len);
    if (user)
        part = (struct part){user + 1, part.len - (size_t)(user + 1 - part.at)};
    bool in_brackets = part.len > 0 && *part.at == '[';
    size_t bracket = in_brackets ? span_before(part.at, part.len, "]") : 0;
    size_t colon = bracket + find_unescaped(part.at + bracket, part.len - bracket, ':');
    if (colon < part.len && !is_port(part.at + colon + 1, part.len - colon - 1))
        host->fault = &bad_port;
    host->decoded.len = 0;
    buffer_reserve(&host->decoded, 1);
    decode_percent(&host->decoded, part.at, colon);
    host->name = host->decoded.data;
    host->len = host->decoded.len;
    if (host->len == 0)
        host->fault = &no_host;
    else if (in_brackets || is_address(host->name, host->len))
        host->fault = &an_address;
}

void host_escape(struct buffer *name)
{
    struct buffer escaped = {0};

    if (name->len == 0 ||
        (!memchr(name->data, ':', name->len) && !memchr(name->data, '@', name->len)))
        return;
    for (size_t at = 0, step; at < name->len; at += step) {
        step = name->data[at] == '\\' && at + 1 < name->len ? 2 : 1;
        if (is_one_of(name->data[at], "@:"))
            buffer_text(&escaped, "\\");
        buffer_add(&escaped, name->data + at, step);
    }
    buffer_free(name);
    *name = escaped;
}

void host_json(struct buffer *out, const struct host *host)
{
    buffer_text(out, host->within ? "\"host\":" : "\"host\":null");
    if (host->within)
        buffer_json(out, host->name, host->len);
}

void host_quote(struct buffer *out, const char *text, size_t len)
{
    buffer_shown(out, text, buffer_fitting(text, len, QUOTED_MAX));
    buffer_text(out, len > QUOTED_MAX ? "…" : "");
}

void host_describe(struct buffer *out, const char *text, size_t len)
{
    buffer_text(out, "the host of ");
    host_quote(out, text, len);
}
