/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts code points to and from UTF-16 code units (RFC 2781, section 2), which JSON escapes
 * hold. These functions keep no state, so any thread may call them. */
#ifndef XN_CORE_TEXT_UTF16_H
#define XN_CORE_TEXT_UTF16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the code units of a code point up to U+10FFFF. Returns their number, 1 or 2. */
static inline size_t xn_utf16_split(uint32_t cp, uint16_t units[2])
{
    if (cp < 0x10000) {
        units[0] = (uint16_t)cp;
        return 1;
    }
    units[0] = (uint16_t)(0xD800 + ((cp - 0x10000) >> 10));
    units[1] = (uint16_t)(0xDC00 + ((cp - 0x10000) & 0x3FF));
    return 2;
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
