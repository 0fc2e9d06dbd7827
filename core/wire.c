/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/wire.h"

xn_status xn_wire_open(struct xn_wire_cursor *cursor, const uint8_t *wire, size_t wire_len)
{
    size_t at = 0;

    if (wire_len == 0 || wire_len > XN_WIRE_NAME_MAX)
        return XN_BAD_WIRE;
    while (wire[at] != 0) {
        if (wire[at] > XN_WIRE_LABEL_MAX)
            return XN_BAD_WIRE;
        at += (size_t)wire[at] + 1;
        if (at >= wire_len)
            return XN_BAD_WIRE;
    }
    if (at + 1 != wire_len)
        return XN_BAD_WIRE;
    cursor->pos = wire;
    return XN_OK;
}

bool xn_wire_next(struct xn_wire_cursor *cursor, const uint8_t **label, size_t *len)
{
    *len = *cursor->pos;
    if (*len == 0)
        return false;
    *label = cursor->pos + 1;
    cursor->pos += *len + 1;
    return true;
}

bool xn_wire_has_ace_prefix(const uint8_t *label, size_t len)
{
    return len >= 4 && (label[0] | 0x20) == 'x' && (label[1] | 0x20) == 'n' && label[2] == '-' &&
           label[3] == '-';
}

static uint8_t lower(uint8_t octet)
{
    return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet;
}

void xn_wire_lower(uint8_t *dst, const uint8_t *src, size_t len)
{
    for (size_t i = 0; i < len; i++)
        dst[i] = lower(src[i]);
}

size_t xn_wire_label_to_text(const uint8_t *label, size_t len, char *dst)
{
    char *out = dst;

    for (size_t i = 0; i < len; i++) {
        uint8_t c = label[i];
        if (c > 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '.') {
            *out++ = (char)lower(c);
        } else {
            *out++ = '\\';
            *out++ = (char)('0' + c / 100);
            *out++ = (char)('0' + c / 10 % 10);
            *out++ = (char)('0' + c % 10);
        }
    }
    return (size_t)(out - dst);
}

size_t xn_wire_to_text(const uint8_t *wire, char *dst)
{
    struct xn_wire_cursor cursor = {wire};
    const uint8_t *label;
    size_t len, out = 0;

    while (xn_wire_next(&cursor, &label, &len)) {
        out += xn_wire_label_to_text(label, len, dst + out);
        dst[out++] = '.';
    }
    if (out == 0)
        dst[out++] = '.';
    return out;
}
