/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/bench/rfc3492.h"

#include <string.h>

enum { base = 36, tmin = 1, tmax = 26, skew = 38, damp = 700, initial_bias = 72, initial_n = 0x80 };

static uint32_t adapt(uint32_t delta, uint32_t numpoints, bool firsttime)
{
    uint32_t k = 0;

    if (firsttime)
        delta = delta / damp;
    else
        delta = delta / 2;
    delta = delta + delta / numpoints;
    while (delta > ((base - tmin) * tmax) / 2) {
        delta = delta / (base - tmin);
        k = k + base;
    }
    return k + ((base - tmin + 1) * delta) / (delta + skew);
}

static uint32_t threshold(uint32_t k, uint32_t bias)
{
    if (k <= bias + tmin)
        return tmin;
    if (k >= bias + tmax)
        return tmax;
    return k - bias;
}

static uint32_t digit_value(uint8_t octet)
{
    if (octet >= 'a' && octet <= 'z')
        return (uint32_t)octet - 'a';
    if (octet >= 'A' && octet <= 'Z')
        return (uint32_t)octet - 'A';
    if (octet >= '0' && octet <= '9')
        return (uint32_t)octet - '0' + 26;
    return base;
}

static bool is_scalar_value(uint32_t cp)
{
    return cp <= 0x10FFFF && !(cp >= 0xD800 && cp <= 0xDFFF);
}

bool rfc3492_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t dst_cap,
                    size_t *dst_len)
{
    uint32_t n = initial_n, i = 0, bias = initial_bias;
    size_t b = 0, in, out;

    for (size_t j = 0; j < src_len; j++)
        if (src[j] == '-')
            b = j;
    if (b > dst_cap)
        return false;
    for (out = 0; out < b; out++) {
        if (src[out] >= initial_n)
            return false;
        dst[out] = src[out];
    }
    for (in = b > 0 ? b + 1 : 0; in < src_len; out++) {
        uint32_t oldi = i, w = 1;

        for (uint32_t k = base;; k += base) {
            if (in == src_len)
                return false;
            uint32_t digit = digit_value(src[in++]);
            if (digit == base || digit > (UINT32_MAX - i) / w)
                return false;
            i += digit * w;
            uint32_t t = threshold(k, bias);
            if (digit < t)
                break;
            if (w > UINT32_MAX / (base - t))
                return false;
            w *= base - t;
        }
        bias = adapt(i - oldi, (uint32_t)out + 1, oldi == 0);
        if (i / (out + 1) > UINT32_MAX - n)
            return false;
        n += i / ((uint32_t)out + 1);
        i %= (uint32_t)out + 1;
        if (!is_scalar_value(n) || out == dst_cap)
            return false;
        memmove(dst + i + 1, dst + i, (out - i) * sizeof *dst);
        dst[i++] = n;
    }
    *dst_len = out;
    return true;
}

static uint8_t digit_octet(uint32_t digit)
{
    return (uint8_t)(digit < 26 ? 'a' + digit : '0' + (digit - 26));
}

/* Returns the place behind the last digit, or NULL. */
static uint8_t *write_integer(uint8_t *dst, const uint8_t *end, uint32_t q, uint32_t bias)
{
    for (uint32_t k = base;; k += base) {
        uint32_t t = threshold(k, bias);
        if (dst == end)
            return NULL;
        if (q < t) {
            *dst++ = digit_octet(q);
            return dst;
        }
        *dst++ = digit_octet(t + (q - t) % (base - t));
        q = (q - t) / (base - t);
    }
}

static bool write_basic(const uint32_t *src, size_t src_len, uint8_t **dst, const uint8_t *end)
{
    const uint8_t *begin = *dst;

    for (size_t j = 0; j < src_len; j++) {
        if (!is_scalar_value(src[j]))
            return false;
        if (src[j] >= initial_n)
            continue;
        if (*dst == end)
            return false;
        *(*dst)++ = (uint8_t)src[j];
    }
    if (*dst == begin)
        return true;
    if (*dst == end)
        return false;
    *(*dst)++ = '-';
    return true;
}

bool rfc3492_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                    size_t *dst_len)
{
    uint32_t n = initial_n, delta = 0, bias = initial_bias, h, b;
    uint8_t *at = dst, *end = dst + dst_cap;

    if (!write_basic(src, src_len, &at, end))
        return false;
    b = h = at > dst ? (uint32_t)(at - dst) - 1 : 0;
    while (h < src_len) {
        uint32_t m = UINT32_MAX;
        for (size_t j = 0; j < src_len; j++)
            if (src[j] >= n && src[j] < m)
                m = src[j];
        if (m - n > (UINT32_MAX - delta) / (h + 1))
            return false;
        delta += (m - n) * (h + 1);
        n = m;
        for (size_t j = 0; j < src_len; j++) {
            if (src[j] < n && ++delta == 0)
                return false;
            if (src[j] != n)
                continue;
            at = write_integer(at, end, delta, bias);
            if (!at)
                return false;
            bias = adapt(delta, h + 1, h == b);
            delta = 0;
            h++;
        }
        delta++;
        n++;
    }
    *dst_len = (size_t)(at - dst);
    return true;
}
