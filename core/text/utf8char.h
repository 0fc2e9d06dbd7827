/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes one code point of UTF-8 as RFC 3629 defines it: shortest form only, no
 * surrogates, nothing above U+10FFFF. These functions allocate nothing and keep no state, so any
 * thread may call them. */
#ifndef XN_CORE_TEXT_UTF8CHAR_H
#define XN_CORE_TEXT_UTF8CHAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XN_UTF8_MAX = 4 }; /* octets of one code point */

/* Reads the code point at src, of which src_len octets are left (NULL if 0). Returns the number of
 * octets read, 1 to 4, or 0 if src is empty or does not begin with a whole well-formed sequence;
 * *cp is then unspecified. */
size_t xn_utf8_read(const uint8_t *src, size_t src_len, uint32_t *cp);

/* Writes cp to dst, which has room for XN_UTF8_MAX octets. Returns the number of octets written, 1
 * to 4, or 0, with nothing written, for a surrogate or a value above U+10FFFF. */
size_t xn_utf8_write(uint32_t cp, uint8_t *dst);

/* Does the same, inlined. dst always has room for XN_UTF8_MAX octets: for a code point of one
 * octet, the next octet is overwritten too. */
static inline size_t xn_utf8_put(uint32_t cp, uint8_t *dst)
{
    if (cp < 0x800) { /* one octet or two; in Latin text a branch would often be mispredicted */
        bool two = cp >= 0x80;
        dst[0] = (uint8_t)(two ? 0xC0 | cp >> 6 : cp);
        dst[1] = (uint8_t)(0x80 | (cp & 0x3F));
        return 1u + (unsigned)two;
    }
    if (cp < 0x10000) {
        if (cp - 0xD800 < 0x800)
            return 0;
        dst[0] = (uint8_t)(0xE0 | cp >> 12);
        dst[1] = (uint8_t)(0x80 | (cp >> 6 & 0x3F));
        dst[2] = (uint8_t)(0x80 | (cp & 0x3F));
        return 3;
    }
    if (cp > 0x10FFFF)
        return 0;
    dst[0] = (uint8_t)(0xF0 | cp >> 18);
    dst[1] = (uint8_t)(0x80 | (cp >> 12 & 0x3F));
    dst[2] = (uint8_t)(0x80 | (cp >> 6 & 0x3F));
    dst[3] = (uint8_t)(0x80 | (cp & 0x3F));
    return 4;
}

#endif
