/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/text/shown.h"

#include "core/text/hexadecimal.h"
#include "core/text/utf8char.h"

#include <string.h>

/* Returns whether a character ends a label. The log escapes no such character. */
static bool is_dot(uint32_t cp)
{
    return cp == 0x3002 || cp == 0xFF0E || cp == 0xFF61;
}

/* Reads an escape such as `\u{430}`. Returns its length in octets, or 0 if there is none. */
static size_t read_escape(const char *text, size_t len, uint32_t *cp)
{
    size_t at = 3;

    *cp = 0;
    if (len < 5 || memcmp(text, "\\u{", 3) != 0)
        return 0;
    for (uint32_t digit; at < len && at < 9; at++) {
        if ((digit = xn_hexadecimal_value((uint8_t)text[at])) == XN_HEXADECIMAL_NONE)
            break;
        *cp = *cp * 16 + digit;
    }
    return at > 3 && at < len && text[at] == '}' && *cp >= 0x80 && !is_dot(*cp) ? at + 1 : 0;
}

size_t shown_read(const char *text, size_t len, char *dst)
{
    uint8_t utf8[XN_UTF8_MAX];
    size_t out = 0;
    uint32_t cp;

    for (size_t at = 0, octets; at < len; at += octets) {
        const char *backslash = memchr(text + at, '\\', len - at);
        size_t written = 0;

        octets = backslash ? (size_t)(backslash - text) - at : len - at;
        if (octets > 0) {
            memmove(dst + out, text + at, octets);
            out += octets;
            continue;
        }
        octets = read_escape(text + at, len - at, &cp);
        if (octets > 0)
            written = xn_utf8_write(cp, utf8);
        if (written > 0) {
            memcpy(dst + out, utf8, written);
        } else { /* a backslash and the next octet: an escaped backslash begins no escape */
            octets = written = at + 1 < len ? 2 : 1;
            memmove(dst + out, text + at, octets);
        }
        out += written;
    }
    return out;
}
