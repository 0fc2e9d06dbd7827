/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/utf8.h"

#include <string.h>

/* RFC 3629, section 4, as a table: what the first octet says of the second. */
struct lead {
    uint8_t first, last;         /* range of the first octet */
    uint8_t len;                 /* octets of the sequence */
    uint8_t second, second_last; /* range of the second octet */
};

static const struct lead leads[] = {
    {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF}, /* no longer forms of below U+0800 */
    {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, /* no surrogates */
    {0xEE, 0xEF, 3, 0x80, 0xBF}, {0xF0, 0xF0, 4, 0x90, 0xBF}, /* no longer forms of below U+10000 */
    {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F}, /* nothing above U+10FFFF */
};

static const struct lead *find_lead(uint8_t octet)
{
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (octet >= leads[i].first && octet <= leads[i].last)
            return &leads[i];
    return NULL;
}

size_t xn_utf8_read(const uint8_t *src, size_t src_len, uint32_t *cp)
{
    if (src_len == 0)
        return 0;
    if (src[0] < 0x80) {
        *cp = src[0];
        return 1;
    }
    const struct lead *lead = find_lead(src[0]);
    if (!lead || src_len < lead->len || src[1] < lead->second || src[1] > lead->second_last)
        return 0;
    uint32_t value = src[0] & (0xFFu >> (lead->len + 1));
    for (size_t i = 1; i < lead->len; i++) {
        if ((src[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (src[i] & 0x3Fu);
    }
    *cp = value;
    return lead->len;
}

size_t xn_utf8_write(uint32_t cp, uint8_t *dst)
{
    if (cp < 0x80) {
        dst[0] = (uint8_t)cp;
        return 1;
    }
    if (cp < 0x800) {
        dst[0] = (uint8_t)(0xC0 | cp >> 6);
        dst[1] = (uint8_t)(0x80 | (cp & 0x3F));
        return 2;
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

xn_status xn_utf8_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                         size_t *dst_len)
{
    size_t out = 0;

    *dst_len = 0;
    for (size_t i = 0; i < src_len; i++) {
        uint8_t octets[XN_UTF8_MAX];
        size_t len = xn_utf8_write(src[i], octets);
        if (len == 0)
            return src[i] > 0x10FFFF ? XN_CP_RANGE : XN_CP_SURROGATE;
        if (len > dst_cap - out)
            return XN_NO_SPACE;
        memcpy(dst + out, octets, len);
        out += len;
    }
    *dst_len = out;
    return XN_OK;
}
