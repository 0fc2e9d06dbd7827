/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts code points to and from UTF-16 code units (RFC 2781, section 2), which JSON escapes
 * hold. These functions keep no state, so any thread may call them. */
#ifndef XN_CORE_TEXT_UTF16_H
#define XN_CORE_TEXT_UTF16_H

#include "core/text/hexadecimal.h"

#include <stdbool.h>
#include <stdint.h>

/* Writes a code unit as a JSON string escapes it (RFC 8259, section 7): `\uXXXX`, with digits in
 * upper case and without a NUL. Returns the end of it. */
static inline char *xn_utf16_escape_unit(unsigned unit, char *dst)
{
    memcpy(dst, "\\u", 2);
    memcpy(dst + 2, xn_hexadecimal_pairs[unit >> 8], 2);
    memcpy(dst + 4, xn_hexadecimal_pairs[unit & 0xFF], 2);
    return dst + 6;
}

/* Does the same for each code unit of a code point up to U+10FFFF: 6 or 12 octets. */
enum { XN_UTF16_ESCAPE_MAX = 12 };
static inline char *xn_utf16_escape(uint32_t cp, char *dst)
{
    if (cp < 0x10000)
        return xn_utf16_escape_unit(cp, dst);
    dst = xn_utf16_escape_unit(0xD800 + ((cp - 0x10000) >> 10), dst);
    return xn_utf16_escape_unit(0xDC00 + ((cp - 0x10000) & 0x3FF), dst);
}

/* Returns whether a code unit is a surrogate, one half of a pair. */
static inline bool xn_utf16_is_surrogate(uint32_t unit)
{
    return unit - 0xD800 < 0x800;
}

/* Returns the code point of a surrogate pair, or 0 if the two units are not one. */
static inline uint32_t xn_utf16_join(uint32_t high, uint32_t low)
{
    bool pair = high - 0xD800 < 0x400 && low - 0xDC00 < 0x400;

    return pair ? 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00) : 0;
}

#endif
