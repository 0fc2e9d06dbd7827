/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/command/host.h"

#include "core/text/hexadecimal.h"
#include "core/wire/escape.h"

#include <arpa/inet.h>
#include <string.h>

enum { QUOTED_MAX = 1024 /* octets of a text in messages: more than any name has */ };

const struct name_fault host_not_utf8 = {"utf-8", "is not UTF-8"};
static const struct name_fault no_host = {"no-host", "is missing"},
                               an_address = {"address", "is an IP address, not a name"};

void host_free(struct host *host)
{
    buffer_free(&host->decoded);
}

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

static bool is_letter(char c)
{
    return (unsigned)(c | 0x20) - 'a' < 26;
}

static bool is_alphanumeric(char c)
{
    return is_letter(c) || xn_escape_is_digit((uint8_t)c);
}

/* Returns what follows "SCHEME://" (RFC 3986, section 3.1) and blanks before it, or NULL. */
static const char *find_authority(const char *text, size_t len)
{
    const char *end = memmem(text, len, "://", 3); /* ends the loops, as a colon is in neither */

    if (!end)
        return NULL;
    while (*text == ' ' || *text == '\t')
        text++;
    if (!is_letter(*text))
        return NULL;
    while (is_alphanumeric(*text) || is_one_of(*text, "+-."))
        text++;
    return text == end ? end + 3 : NULL;
}

/* Returns how many octets at the beginning of a text are none of `stops`. */
static size_t span_before(const char *text, size_t len, const char *stops)
{
    size_t at = 0;

    while (at < len && (!is_one_of(text[at], stops) ||
                        xn_escape_is_shown((const uint8_t *)text + at, len - at)))
        at++;
    return at;
}

/* Cuts USER@HOST:PORT to HOST. A colon in brackets begins no port. */
static void cut_to_host(const char **text, size_t *len)
{
    const char *user = memrchr(*text, '@', *len);

    if (user) {
        *len -= (size_t)(user + 1 - *text);
        *text = user + 1;
    }
    const char *bracket = memrchr(*text, ']', *len);
    size_t before = bracket ? (size_t)(bracket - *text) : 0;
    *len = before + span_before(*text + before, *len - before, ":");
}

/* Reads `%XX` at the beginning of a text. Returns whether it is there. */
static bool read_percent(const char *text, size_t len, char *octet)
{
    if (len < 3 || *text != '%')
        return false;
    uint32_t high = xn_hexadecimal_value((uint8_t)text[1]);
    uint32_t low = xn_hexadecimal_value((uint8_t)text[2]);
    *octet = (char)(high << 4 | low);
    return high != XN_HEXADECIMAL_NONE && low != XN_HEXADECIMAL_NONE;
}

/* Adds a host and decodes `%XX`, which becomes `\DDD` if it is no character of hosts. */
static void decode(struct buffer *out, const char *text, size_t len)
{
    char octet;

    for (size_t at = 0; at < len; at++) {
        bool is_percent = read_percent(text + at, len - at, &octet);

        if (!is_percent)
            buffer_add(out, text + at, 1);
        else if (is_alphanumeric(octet) || (uint8_t)octet >= 0x80 || is_one_of(octet, ".-_"))
            buffer_add(out, &octet, 1);
        else
            buffer_format(out, "\\%03u", (uint8_t)octet);
        at += is_percent ? 2 : 0;
    }
}

void host_find(const char *text, size_t len, struct host *host)
{
    const char *at = find_authority(text, len);
    struct in_addr address;

    *host = (struct host){text, len, at != NULL, NULL, host->decoded};
    if (!at)
        return;
    len = span_before(at, len - (size_t)(at - text), "/?#\\ \t");
    cut_to_host(&at, &len);
    host->decoded.len = 0;
    decode(&host->decoded, at, len);
    host->name = buffer_string(&host->decoded);
    host->len = host->decoded.len - 1;
    if (host->len == 0)
        host->fault = &no_host;
    else if (*host->name == '[' || inet_pton(AF_INET, host->name, &address) == 1)
        host->fault = &an_address;
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
