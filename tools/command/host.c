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
    return at;
}

/* Returns how many octets at the beginning of a text a host may have: letters, digits, `.`, `-`,
 * `_`, what is not ASCII, and `\u{430}`. */
static size_t span_host(const char *text, size_t len)
{
    size_t at = 0;

    for (; at < len; at++) {
        bool escape = len - at > 3 && memcmp(text + at, "\\u{", 3) == 0;
        if (escape)
            at += span_before(text + at, len - at, "}");
        else if (!is_letter(text[at]) && !is_digit(text[at]) && (uint8_t)text[at] < 0x80 &&
                 !is_one_of(text[at], ".-_"))
            break;
    }
    return at < len ? at : len;
}

/* Returns where the local part that ends at `end` begins, a dot-atom (RFC 5322, section 3.2.3, and
 * RFC 6532), or `end` if there is none. */
static size_t local_part(const char *text, size_t end)
{
    size_t at = end;

    while (at > 0 &&
           (is_letter(text[at - 1]) || is_digit(text[at - 1]) || (uint8_t)text[at - 1] >= 0x80 ||
            is_one_of(text[at - 1], ".!#$%&'*+-/=?^_`{|}~")))
        at--;
    bool is_dot_atom = at < end && text[at] != '.' && text[end - 1] != '.' &&
                       !memmem(text + at, end - at, "..", 2);
    return is_dot_atom && (at == 0 || is_one_of(text[at - 1], " <:")) ? at : end;
}

static bool is_address(int family, const char *text, size_t len)
{
    char address[INET6_ADDRSTRLEN];
    uint8_t parsed[sizeof(struct in6_addr)];

    if (len >= sizeof address || memchr(text, '\0', len))
        return false;
    memcpy(address, text, len);
    address[len] = '\0';
    return inet_pton(family, address, parsed) == 1;
}

/* Returns whether a text begins with an address in brackets (RFC 3986, 3.2.2; RFC 5321, 4.1.3). */
static bool is_bracketed(int family, const char *text, size_t len)
{
    size_t end = span_before(text, len, "%]");

    return len > 0 && *text == '[' && memchr(text, ']', len) &&
           is_address(family, text + 1, end - 1);
}

static bool find_in_mail(const char *text, size_t len, struct part *part)
{
    size_t at = find_unescaped(text, len, '@'), rest = len - at;

    if (rest < 2 || local_part(text, at) == at)
        return false;
    *part = (struct part){text + at + 1, span_before(text + at + 1, rest - 1, ":/?#>, ")};
    if (is_bracketed(AF_INET6, part->at, rest - 1) || is_bracketed(AF_INET, part->at, rest - 1))
        part->len = rest - 1;
    else if (part->len == 0 || *part->at == '.' || span_host(part->at, part->len) < part->len)
        return false;
    return true;
}

static bool is_port(const char *text, size_t len)
{
    size_t digits = 0;

    while (digits < len && is_digit(text[digits]))
        digits++;
    return digits == len && digits <= 5;
}

/* Finds HOST:PORT, and "[2001:db8::1]" with or without a port, before a path. */
static bool find_with_port(const char *text, size_t len, struct part *part)
{
    *part = (struct part){text, span_before(text, len, "/?#")};
    size_t colon = span_host(text, part->len);

    /* An IPv4 address in brackets is a name, if an odd one. */
    if (is_bracketed(AF_INET6, text, len))
        return true;
    return colon > 0 && colon + 1 < part->len && text[colon] == ':' &&
           is_port(text + colon + 1, part->len - colon - 1);
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
        if (is_octet && span_host(&octet, 1) == 0)
            buffer_format(out, "\\%03u", (uint8_t)octet);
        else
            buffer_add(out, &octet, 1);
        at += is_octet ? 2 : 0;
    }
}

/* Returns whether a text has neither `:` nor `@` nor a first `[`, as nearly every name: then it is
 * no URL, no mail address, and has no port. */
static bool is_bare(const char *text, size_t len)
{
    return len == 0 || (*text != '[' && !memchr(text, ':', len) && !memchr(text, '@', len));
}

static bool find_within(const char *text, size_t len, struct part *part)
{
    return find_in_url(text, len, part) || find_in_mail(text, len, part) ||
           find_with_port(text, len, part);
}

void host_find(const char *text, size_t len, struct host *host)
{
    struct part part;

    *host = (struct host){.name = text, .len = len, .decoded = host->decoded};
    host->within = !is_bare(text, len) && find_within(text, len, &part);
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
    else if (in_brackets || is_address(AF_INET, host->name, host->len))
        host->fault = &an_address;
}

void host_escape(struct buffer *name)
{
    struct part part;
    struct buffer escaped = {0};

    if (is_bare(name->data, name->len) || !find_within(name->data, name->len, &part))
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
