/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/utf8.h"

#include <string.h>

static bool is_tail(uint8_t octet)
{
    return (octet & 0xC0) == 0x80;
}

/* RFC 3629, section 4: the tests of values exclude longer forms, surrogates and what is too large.
 */
size_t xn_utf8_read(const uint8_t *src, size_t src_len, uint32_t *cp)
{
    if (src_len == 0)
        return 0;
    if (src[0] < 0x80) {
        *cp = src[0];
        return 1;
    }
    if (src[0] < 0xC2 || src_len < 2 || !is_tail(src[1]))
        return 0;
    if (src[0] < 0xE0) {
        *cp = (src[0] & 0x1Fu) << 6 | (src[1] & 0x3Fu);
        return 2;
    }
    if (src_len < 3 || !is_tail(src[2]))
        return 0;
    *cp = (src[0] & 0x0Fu) << 12 | (src[1] & 0x3Fu) << 6 | (src[2] & 0x3Fu);
    if (src[0] < 0xF0)
        return *cp >= 0x800 && *cp - 0xD800 >= 0x800 ? 3 : 0;
    if (src[0] > 0xF4 || src_len < 4 || !is_tail(src[3]))
        return 0;
    *cp =
        (src[0] & 0x07u) << 18 | (src[1] & 0x3Fu) << 12 | (src[2] & 0x3Fu) << 6 | (src[3] & 0x3Fu);
    return *cp - 0x10000 <= 0x10FFFF - 0x10000 ? 4 : 0;
}

size_t xn_utf8_write(uint32_t cp, uint8_t *dst)
{
    if (cp >= 0x80)
        return xn_utf8_put(cp, dst);
    dst[0] = (uint8_t)cp;
    return 1;
}

bool xn_utf8_is_valid(const uint8_t *src, size_t src_len)
{
    for (size_t at = 0; at < src_len;) {
        uint32_t cp;
        size_t len = xn_utf8_read(src + at, src_len - at, &cp);
        if (len == 0)
            return false;
        at += len;
    }
    return true;
}

xn_status xn_utf8_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t dst_cap,
                         size_t *dst_len, size_t *bad_at)
{
    size_t at = 0;

    *dst_len = 0;
    while (at < src_len) {
        uint32_t cp;
        size_t len = xn_utf8_read(src + at, src_len - at, &cp);
        if (len == 0) {
            if (bad_at)
                *bad_at = at;
            return XN_BAD_UTF8;
        }
        if (*dst_len == dst_cap)
            return XN_NO_SPACE;
        dst[(*dst_len)++] = cp;
        at += len;
    }
    return XN_OK;
}

static xn_status refuse(uint32_t cp)
{
    return cp > 0x10FFFF ? XN_CP_RANGE : XN_CP_SURROGATE;
}

xn_status xn_utf8_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                         size_t *dst_len)
{
    size_t out = 0, i = 0, len;

    *dst_len = 0;
    for (; i < src_len && dst_cap - out >= XN_UTF8_MAX; i++, out += len) {
        len = xn_utf8_put(src[i], dst + out);
        if (len == 0)
            return refuse(src[i]);
    }
    for (; i < src_len; i++, out += len) { /* the last few, if dst has just the room */
        uint8_t octets[XN_UTF8_MAX];
        len = xn_utf8_put(src[i], octets);
        if (len == 0)
            return refuse(src[i]);
        if (len > dst_cap - out)
            return XN_NO_SPACE;
        memcpy(dst + out, octets, len);
    }
    *dst_len = out;
    return XN_OK;
}
