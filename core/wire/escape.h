/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of the escapes of presentation format (RFC 1035, section 5.1), inlined. */
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

/* Returns whether text begins with `\u{`, with which core/names/display.h shows a character. As an
 * escape of presentation format it would be "u{", which makes another name. */
static inline bool xn_escape_is_shown(const uint8_t *text, size_t len)
{
    return len >= 3 && memcmp(text, "\\u{", 3) == 0;
}

#endif
