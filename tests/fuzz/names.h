/* SPDX-License-Identifier: BSD-3-Clause */
/* Wire names from any octets, so that a mutated octet is a mutated character of a label. */
#ifndef XN_TESTS_FUZZ_NAMES_H
#define XN_TESTS_FUZZ_NAMES_H

#include "tests/fuzz/target.h"

#include "core/punycode/punycode.h"
#include "core/text/utf8.h"
#include "core/wire/wire.h"

/* Writes octets as a label: UTF-8 of more than ASCII as "xn--" and its Punycode, whether that is an
 * A-label or not; all else as it is, cut after 63 octets. dst has room for XN_WIRE_LABEL_MAX
 * octets. Returns how many were written. */
static inline size_t label_from(const uint8_t *text, size_t len, uint8_t *dst)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t count, out;
    bool ascii = true;

    for (size_t i = 0; i < len; i++)
        ascii &= text[i] < 0x80;
    if (!ascii && xn_utf8_decode(text, len, cps, XN_ULABEL_MAX, &count, NULL) == XN_OK &&
        xn_punycode_encode(cps, count, dst + 4, XN_WIRE_LABEL_MAX - 4, &out) == XN_OK) {
        memcpy(dst, "xn--", 4);
        return out + 4;
    }
    out = len < XN_WIRE_LABEL_MAX ? len : XN_WIRE_LABEL_MAX;
    memcpy(dst, text, out);
    return out;
}

/* Writes what is a wire name as it is, and of all else the labels between its dots, as many as find
 * room. dst has room for XN_WIRE_NAME_MAX octets. Returns how many were written. */
static inline size_t name_from(const uint8_t *text, size_t len, uint8_t *dst)
{
    struct xn_wire_cursor cursor;
    size_t out = 0;

    if (xn_wire_open(&cursor, text, len) == XN_OK) {
        memcpy(dst, text, len);
        return len;
    }
    for (size_t at = 0, end; at < len; at = end + 1) {
        uint8_t label[XN_WIRE_LABEL_MAX];
        for (end = at; end < len && text[end] != '.';)
            end++;
        size_t label_len = label_from(text + at, end - at, label);
        if (label_len == 0 || out + 1 + label_len + 1 > XN_WIRE_NAME_MAX)
            continue;
        dst[out] = (uint8_t)label_len;
        memcpy(dst + out + 1, label, label_len);
        out += 1 + label_len;
    }
    dst[out++] = 0;
    return out;
}

#endif
