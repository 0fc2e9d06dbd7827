/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/wire.h"

#include "core/octets16.h"

#include <string.h>

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

/* In more than sixteen octets; the last may be some of those before them once more. */
static inline bool has_hyphen_pair(const uint8_t *octets, size_t len)
{
    xn_octets16 found =
        xn_octets16_hyphen_pairs(octets) | xn_octets16_hyphen_pairs(octets + len - XN_OCTETS16 - 1);

    for (size_t at = XN_OCTETS16; at + XN_OCTETS16 + 1 < len; at += XN_OCTETS16)
        found |= xn_octets16_hyphen_pairs(octets + at);
    return xn_octets16_any(found);
}

bool xn_wire_has_ace(const uint8_t *wire, size_t wire_len)
{
    struct xn_wire_cursor cursor = {wire};
    const uint8_t *label;
    size_t len;

    if (wire_len > XN_OCTETS16 && !has_hyphen_pair(wire, wire_len))
        return false;
    while (xn_wire_next(&cursor, &label, &len))
        if (xn_wire_has_ace_prefix(label, len))
            return true;
    return false;
}

/* Eight octets at a time: a bit in the highest of each octet says something of it. Only those below
 * 0x80 are told apart well. */
static const uint64_t ones = 0x0101010101010101, highest = 0x8080808080808080;

static uint64_t at_least(uint64_t octets, unsigned least)
{
    return octets + ones * (0x80 - least);
}

static uint64_t equal_to(uint64_t octets, unsigned octet)
{
    return ~at_least(octets ^ ones * octet, 1);
}

static uint64_t lower(uint64_t octets)
{
    uint64_t low = octets & ~highest;
    uint64_t letters = (at_least(low, 'A') ^ at_least(low, 'Z' + 1)) & ~octets & highest;

    return octets | letters >> 2;
}

static void lower_eight(uint8_t *dst, const uint8_t *src)
{
    uint64_t octets;

    memcpy(&octets, src, sizeof octets);
    octets = lower(octets);
    memcpy(dst, &octets, sizeof octets);
}

/* The last eight may be some of the eight before them once more. */
void xn_wire_lower(uint8_t *dst, const uint8_t *src, size_t len)
{
    enum { EIGHT = 8 };

    for (size_t at = 0; at + EIGHT < len; at += EIGHT)
        lower_eight(dst + at, src + at);
    if (len >= EIGHT)
        lower_eight(dst + len - EIGHT, src + len - EIGHT);
    else
        for (size_t at = 0; at < len; at++)
            dst[at] = (uint8_t)lower(src[at]);
}

/* What stands for the octets from 0x21 to 0x7E; NUL: an escape. */
static const char shown[] = "!\0#$%&'()*+,-\0/0123456789:;<=>?@abcdefghijklmnopqrstuvwxyz[\0]^_`"
                            "abcdefghijklmnopqrstuvwxyz{|}~";
_Static_assert(sizeof shown - 1 == 0x7E - 0x20, "from the first to the last");

size_t xn_wire_label_to_text(const uint8_t *label, size_t len, char *dst)
{
    char *out = dst;

    for (size_t i = 0; i < len; i++) {
        unsigned c = label[i];
        char as = '\0';
        if (c - 0x21 < sizeof shown)
            as = shown[c - 0x21];
        if (as != '\0') {
            *out++ = as;
        } else {
            *out++ = '\\';
            *out++ = (char)('0' + c / 100);
            *out++ = (char)('0' + c / 10 % 10);
            *out++ = (char)('0' + c % 10);
        }
    }
    return (size_t)(out - dst);
}

/* Puts text in lower case, a whole number of eights. Returns whether nothing in it but `dots` dots
 * needs an escape; any octet from 0x80 on does. */
static bool lower_plain_text(char *text, size_t len, size_t dots)
{
    uint64_t escapes = 0, dot_counts = 0;

    for (size_t at = 0; at < len; at += 8) {
        uint64_t octets;
        memcpy(&octets, text + at, 8);
        escapes |= octets | ~at_least(octets, 0x21) | at_least(octets, 0x7F) |
                   equal_to(octets, '"') | equal_to(octets, '\\');
        dot_counts += (equal_to(octets, '.') & highest) >> 7;
        octets = lower(octets);
        memcpy(text + at, &octets, 8);
    }
    return (escapes & highest) == 0 && dot_counts * ones >> 56 == dots;
}

/* Writes a name of which no octet needs an escape; 0: there is one. Almost every name is such. */
static size_t plain_to_text(const uint8_t *wire, char *dst)
{
    size_t len = 0, labels = 0;

    for (; wire[len] != 0; labels++)
        len += (size_t)wire[len] + 1;
    memcpy(dst, wire + 1, len); /* each length octet where the dot before its label will be */
    memset(dst + len, 'a', 8);
    for (size_t at = 0; at < len; at += (size_t)wire[at] + 1)
        dst[at + wire[at]] = '.';
    return lower_plain_text(dst, (len + 7) / 8 * 8, labels) ? len : 0;
}

size_t xn_wire_to_text(const uint8_t *wire, char *dst)
{
    struct xn_wire_cursor cursor = {wire};
    const uint8_t *label;
    size_t len, out = plain_to_text(wire, dst);

    if (out > 0)
        return out;
    while (xn_wire_next(&cursor, &label, &len)) {
        out += xn_wire_label_to_text(label, len, dst + out);
        dst[out++] = '.';
    }
    if (out == 0)
        dst[out++] = '.';
    return out;
}
