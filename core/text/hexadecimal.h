/* SPDX-License-Identifier: BSD-3-Clause */
/* Hexadecimal digits: read in either case, written in upper case, and escapes with them. */
#ifndef XN_CORE_TEXT_HEXADECIMAL_H
#define XN_CORE_TEXT_HEXADECIMAL_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { XN_HEXADECIMAL_LEN = 8 };

/* The digits of each octet. Hidden, so that it is read directly, not through the GOT. */
__attribute__((visibility("hidden"))) extern const char xn_hexadecimal_pairs[256][2];

/* Returns the value of a digit, 0 to 15, or XN_HEXADECIMAL_NONE. */
enum { XN_HEXADECIMAL_NONE = 16 };
static inline uint32_t xn_hexadecimal_value(uint8_t octet)
{
    uint8_t letter = (uint8_t)((octet | 0x20) - 'a');

    if ((uint8_t)(octet - '0') < 10)
        return (uint32_t)(octet - '0');
    return letter < 6 ? letter + 10u : XN_HEXADECIMAL_NONE;
}

/* Writes all eight digits of a number, without a NUL. They are computed together, one octet a
 * digit; 'A' is seven code points after '9' + 1. */
static inline void xn_hexadecimal_write(uint32_t number, char dst[XN_HEXADECIMAL_LEN])
{
    static const uint64_t ones = 0x0101010101010101;
    uint64_t digits = number;

    digits = (digits | digits << 16) & 0x0000FFFF0000FFFF;
    digits = (digits | digits << 8) & 0x00FF00FF00FF00FF;
    digits = (digits | digits << 4) & 0x0F0F0F0F0F0F0F0F;
    uint64_t letters = (digits + ones * 6) >> 4 & ones;
    digits = htobe64(digits + ones * '0' + letters * 7);
    memcpy(dst, &digits, sizeof digits);
}

/* Writes `\u{430}`, with as many digits as a code point up to U+10FFFF needs. dst has room for 3 +
 * XN_HEXADECIMAL_LEN octets, and all may be overwritten. Returns the length of the escape. */
static inline size_t xn_hexadecimal_escape(uint32_t cp, char *dst)
{
    unsigned digits = (35 - (unsigned)__builtin_clz(cp | 1)) / 4; /* 0 has one */

    memcpy(dst, "\\u{", 3);
    xn_hexadecimal_write(cp << 4 * (XN_HEXADECIMAL_LEN - digits), dst + 3);
    dst[3 + digits] = '}';
    return 3 + digits + 1;
}

#endif
