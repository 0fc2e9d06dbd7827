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

static uint64_t capitals(uint64_t octets)
{
    uint64_t low = octets & ~highest;

    return (at_least(low, 'A') ^ at_least(low, 'Z' + 1)) & ~octets & highest;
}

static uint64_t lower(uint64_t octets)
{
    return octets | capitals(octets) >> 2;
}

static uint64_t read_eight(const uint8_t *src)
{
    uint64_t octets;

    memcpy(&octets, src, sizeof octets);
    return octets;
}

static void lower_eight(uint8_t *dst, const uint8_t *src)
{
    uint64_t octets = lower(read_eight(src));

    memcpy(dst, &octets, sizeof octets);
}

static xn_octets16 lower_all(xn_octets16 octets)
{
    return octets | ((xn_octets16)(octets - 'A' < 26) & ('a' - 'A'));
}

static void lower_sixteen(uint8_t *dst, const uint8_t *src)
{
    xn_octets16_store(dst, lower_all(xn_octets16_load(src)));
}

enum { EIGHT = 8 };

/* The last sixteen, or eight, may be some of those before them once more. */
void xn_wire_lower(uint8_t *dst, const uint8_t *src, size_t len)
{
    if (len >= XN_OCTETS16) {
        for (size_t at = 0; at + XN_OCTETS16 < len; at += XN_OCTETS16)
            lower_sixteen(dst + at, src + at);
        lower_sixteen(dst + len - XN_OCTETS16, src + len - XN_OCTETS16);
    } else if (len >= EIGHT) {
        lower_eight(dst, src);
        lower_eight(dst + len - EIGHT, src + len - EIGHT);
    } else {
        for (size_t at = 0; at < len; at++)
            dst[at] = (uint8_t)lower(src[at]);
    }
}

bool xn_wire_has_capitals(const uint8_t *src, size_t len)
{
    uint64_t any = 0;

    for (size_t at = 0; at + EIGHT < len; at += EIGHT)
        any |= capitals(read_eight(src + at));
    if (len >= EIGHT)
        any |= capitals(read_eight(src + len - EIGHT));
    else
        for (size_t at = 0; at < len; at++)
            any |= capitals(src[at]);
    return any != 0;
}

/* What stands for the octets from 0x21 to 0x7E; NUL: an escape. */
static const char shown[] = "!\0#$%&'()*+,-\0/0123456789:;<=>?@abcdefghijklmnopqrstuvwxyz[\0]^_`"
                            "abcdefghijklmnopqrstuvwxyz{|}~";
_Static_assert(sizeof shown - 1 == 0x7E - 0x20, "from the first to the last");

/* A bit in the highest of each octet that needs an escape, and perhaps in those above it. */
static uint64_t escapes_of(uint64_t octets)
{
    return (octets | ~at_least(octets, 0x21) | at_least(octets, 0x7F) | equal_to(octets, '"') |
            equal_to(octets, '\\') | equal_to(octets, '.')) &
           highest;
}

static uint64_t eight_to_text(const uint8_t *src, char *dst)
{
    lower_eight((uint8_t *)dst, src);
    return escapes_of(read_eight(src));
}

/* Four to seven octets: the first four and the last four. */
static bool short_label_to_text(const uint8_t *label, size_t len, char *dst)
{
    uint32_t halves[2];
    uint64_t octets;

    memcpy(&halves[0], label, 4);
    memcpy(&halves[1], label + len - 4, 4);
    memcpy(&octets, halves, sizeof octets);
    uint64_t escapes = escapes_of(octets);
    octets = lower(octets);
    memcpy(halves, &octets, sizeof octets);
    memcpy(dst, &halves[0], 4);
    memcpy(dst + len - 4, &halves[1], 4);
    return escapes == 0;
}

/* Writes a label of which no octet needs an escape; false: one does, or it is shorter than four.
 * The last eight may be some of the eight before them once more. */
static bool plain_label_to_text(const uint8_t *label, size_t len, char *dst)
{
    if (len < EIGHT)
        return len >= 4 && short_label_to_text(label, len, dst);
    uint64_t escapes = eight_to_text(label + len - EIGHT, dst + len - EIGHT);

    for (size_t at = 0; at + EIGHT < len; at += EIGHT)
        escapes |= eight_to_text(label + at, dst + at);
    return escapes == 0;
}

size_t xn_wire_label_to_text(const uint8_t *label, size_t len, char *dst)
{
    char *out = dst;

    if (plain_label_to_text(label, len, dst))
        return len;
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

/* Of all together, which are at most 255. */
static uint64_t sum(xn_octets16 counts)
{
    uint64_t halves[2];

    memcpy(halves, &counts, sizeof halves);
    return (halves[0] + halves[1]) * ones >> 56;
}

/* Puts text in lower case, a whole number of sixteens. Returns whether nothing in it but `dots`
 * dots needs an escape. */
static bool lower_plain_text(char *text, size_t len, size_t dots)
{
    xn_octets16 escapes = {0}, dot_counts = {0};

    for (size_t at = 0; at < len; at += XN_OCTETS16) {
        uint8_t *place = (uint8_t *)text + at;
        xn_octets16 octets = xn_octets16_load(place);
        escapes |=
            (xn_octets16)((octets <= 0x20) | (octets >= 0x7F) | (octets == '"') | (octets == '\\'));
        dot_counts -= (xn_octets16)(octets == '.');
        xn_octets16_store(place, lower_all(octets));
    }
    return !xn_octets16_any(escapes) && sum(dot_counts) == dots;
}

/* Writes a name of which no octet needs an escape; 0: there is one. Almost every name is such. */
static size_t plain_to_text(const uint8_t *wire, char *dst)
{
    size_t len = 0, labels = 0;

    for (; wire[len] != 0; labels++)
        len += (size_t)wire[len] + 1;
    memcpy(dst, wire + 1, len); /* each length octet where the dot before its label will be */
    memset(dst + len, 'a', XN_OCTETS16);
    for (size_t at = 0; at < len; at += (size_t)wire[at] + 1)
        dst[at + wire[at]] = '.';
    return lower_plain_text(dst, (len + XN_OCTETS16 - 1) / XN_OCTETS16 * XN_OCTETS16, labels) ? len
                                                                                              : 0;
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
