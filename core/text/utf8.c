/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/text/utf8.h"

#include "core/text/utf8run.h"

#include <string.h>

/* RFC 3629, section 4. The tests of values exclude longer forms, surrogates and values above
 * U+10FFFF. tail[] holds the continuation octets without their marker bit. Returns the end of the
 * sequence, or NULL if it is malformed. */
static inline const uint8_t *read_code_point(const uint8_t *src, const uint8_t *end, uint32_t *cp)
{
    uint32_t lead = src[0], tail[3];

    if (lead < 0x80) {
        *cp = lead;
        return src + 1;
    }
    if (src >= end - 1 || lead < 0xC2 || (tail[0] = src[1] ^ 0x80u) >= 0x40)
        return NULL;
    if (lead < 0xE0) {
        *cp = (lead & 0x1F) << 6 | tail[0];
        return src + 2;
    }
    if (src >= end - 2 || (tail[1] = src[2] ^ 0x80u) >= 0x40)
        return NULL;
    if (lead < 0xF0) {
        *cp = (lead & 0x0F) << 12 | tail[0] << 6 | tail[1];
        return *cp >= 0x800 && *cp - 0xD800 >= 0x800 ? src + 3 : NULL;
    }
    if (src >= end - 3 || lead > 0xF4 || (tail[2] = src[3] ^ 0x80u) >= 0x40)
        return NULL;
    *cp = (lead & 0x07) << 18 | tail[0] << 12 | tail[1] << 6 | tail[2];
    return *cp - 0x10000 <= 0x10FFFF - 0x10000 ? src + 4 : NULL;
}

size_t xn_utf8_read(const uint8_t *src, size_t src_len, uint32_t *cp)
{
    const uint8_t *next = src_len > 0 ? read_code_point(src, src + src_len, cp) : NULL;

    return next ? (size_t)(next - src) : 0;
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
    uint32_t cp;

    if (src_len == 0) /* src may be NULL */
        return true;
    const uint8_t *at = src, *end = src + src_len;
    /*@ loop invariant at <= end; */
    while (at < end) {
        at = read_code_point(at, end, &cp);
        if (!at)
            return false;
    }
    return true;
}

/* Decodes with no room for any code point: the first sequence decides the result. */
static xn_status decode_nowhere(const uint8_t *src, size_t src_len, size_t *bad_at)
{
    uint32_t cp;

    if (src_len == 0)
        return XN_OK;
    if (read_code_point(src, src + src_len, &cp))
        return XN_NO_SPACE;
    if (bad_at)
        *bad_at = 0;
    return XN_BAD_UTF8;
}

xn_status xn_utf8_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t dst_cap,
                         size_t *dst_len, size_t *bad_at)
{
    *dst_len = 0;
    if (src_len == 0 || dst_cap == 0) /* either may be NULL then */
        return decode_nowhere(src, src_len, bad_at);
    const uint8_t *at = src, *end = src + src_len;
    uint32_t *out = dst, *full = dst + dst_cap;
    xn_status status = XN_OK;

    /*@ loop invariant at <= end && out <= full; */
    while (at < end) {
        uint32_t cp;
        const uint8_t *next = read_code_point(at, end, &cp);
        if (!next || out == full) {
            status = next ? XN_NO_SPACE : XN_BAD_UTF8;
            break;
        }
        *out++ = cp;
        at = next;
    }
    if (status == XN_BAD_UTF8 && bad_at)
        *bad_at = (size_t)(at - src);
    *dst_len = (size_t)(out - dst);
    return status;
}

static xn_status refuse(uint32_t cp)
{
    return cp > 0x10FFFF ? XN_CP_RANGE : XN_CP_SURROGATE;
}

/* Copies octets. Returns their end, or NULL if there is no room. */
static uint8_t *append(uint8_t *at, const uint8_t *end, const uint8_t *octets, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (at >= end)
            return NULL;
        *at++ = octets[i];
    }
    return at;
}

/* Encodes with no room for any octet: the first code point decides the result. */
static xn_status encode_nowhere(const uint32_t *src, size_t src_len)
{
    uint8_t octets[XN_UTF8_MAX];

    if (src_len == 0)
        return XN_OK;
    return xn_utf8_put(src[0], octets) == 0 ? refuse(src[0]) : XN_NO_SPACE;
}

xn_status xn_utf8_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                         size_t *dst_len)
{
    struct xn_utf8run run = {0, 0};

    *dst_len = 0;
    if (dst_cap == 0) /* dst may be NULL */
        return encode_nowhere(src, src_len);
    if (src_len >= XN_UTF8RUN_MIN)
        run = xn_utf8run_write(src, src_len, dst, dst_cap);
    uint8_t *at = dst + run.octets, *end = dst + dst_cap;
    size_t i = run.cps;
    size_t sure = i + (dst_cap - run.octets) / XN_UTF8_MAX; /* up to here every code point fits */

    /*@ loop unroll 64; */
    for (size_t count = src_len < sure ? src_len : sure; i < count; i++) {
        size_t len = xn_utf8_put(src[i], at);
        if (len == 0)
            return refuse(src[i]);
        at += len;
    }
    /*@ loop invariant at <= end; */
    for (; i < src_len; i++) {
        uint8_t octets[XN_UTF8_MAX];
        size_t len = xn_utf8_put(src[i], octets);
        if (len == 0)
            return refuse(src[i]);
        at = append(at, end, octets, len);
        if (!at)
            return XN_NO_SPACE;
    }
    *dst_len = (size_t)(at - dst);
    return XN_OK;
}
