/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/text/shown.h"

#include "core/text/utf8.h"
#include "tools/text/hexdigit.h"

#include <string.h>

/* Would it end a label, as no character does that was escaped? */
static bool is_dot(uint32_t cp)
{
    return cp == 0x3002 || cp == 0xFF0E || cp == 0xFF61;
}

/* Returns how many octets `\u{430}` takes, 0: there is none. */
static size_t read_escape(const char *text, size_t len, uint32_t *cp)
{
    size_t at = 3;

    *cp = 0;
    if (len < 5 || memcmp(text, "\\u{", 3) != 0)
        return 0;
    for (uint32_t digit; at < len && at < 9; at++) {
        if ((digit = hexdigit((uint8_t)text[at])) == HEXDIGIT_NONE)
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
        size_t written = 0;

        octets = read_escape(text + at, len - at, &cp);
        if (octets > 0)
            written = xn_utf8_write(cp, utf8);
        if (written > 0) {
            memcpy(dst + out, utf8, written);
        } else { /* what is escaped begins nothing */
            octets = written = text[at] == '\\' && at + 1 < len ? 2 : 1;
            memmove(dst + out, text + at, octets);
        }
        out += written;
    }
    return out;
}
