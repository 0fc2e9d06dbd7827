/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the escapes of presentation format (RFC 1035, section 5.1), inlined. */
#ifndef XN_CORE_WIRE_ESCAPE_H
#define XN_CORE_WIRE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool xn_escape_is_digit(uint8_t octet)
{
    return (unsigned)octet - '0' < 10;
}

static inline bool xn_escape_is_control(uint8_t octet)
{
    return octet < 0x20 || octet == 0x7F;
}

/* Returns the value of `\DDD`, whose three digits were checked. */
static inline unsigned xn_escape_number(const uint8_t *text)
{
    return (text[1] - '0') * 100u + (text[2] - '0') * 10u + (text[3] - (unsigned)'0');
}

/* See xn_presentation_escape (core/names/presentation.h). */
static inline size_t xn_escape_len(const uint8_t *text, size_t len)
{
    if (len < 2 || text[0] != '\\' || text[1] < 0x20 || text[1] >= 0x7F)
        return 0;
    if (!xn_escape_is_digit(text[1]))
        return 2;
    if (len < 4 || !xn_escape_is_digit(text[2]) || !xn_escape_is_digit(text[3]))
        return 0;
    return xn_escape_number(text) <= 255 ? 4 : 0;
}

/* Returns whether text begins with `\u{`, as a character does that core/names/display.h shows. Read
 * as an escape, it would be "u{", which makes another name. */
static inline bool xn_escape_is_shown(const uint8_t *text, size_t len)
{
    return len >= 3 && memcmp(text, "\\u{", 3) == 0;
}

#endif
