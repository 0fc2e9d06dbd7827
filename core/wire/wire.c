/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/wire/wire.h"

#include "core/text/octets16.h"
#include "core/text/octets8.h"

#include <string.h>

/* tests/prove/walks.h defines the terms in the loop invariants. */
xn_status xn_wire_open(struct xn_wire_cursor *cursor, const uint8_t *wire, size_t wire_len)
{
    size_t at = 0;

    if (wire_len == 0 || wire_len > XN_WIRE_NAME_MAX)
        return XN_BAD_WIRE;
    /*@ loop invariant at < wire_len && name_size(wire) == at + name_size(wire + at);
        loop invariant name_size(wire + at) >= 1 && is_name(wire + at) ==> is_name(wire);
        loop assigns at; */
    while (wire[at] != 0) {
        if (!xn_wire_fits(wire[at], at, wire_len))
            return XN_BAD_WIRE;
        at += (size_t)wire[at] + 1;
    }
    if (at + 1 != wire_len)
        return XN_BAD_WIRE;
    cursor->pos = wire;
    return XN_OK;
}

/* Searches more than sixteen octets. The last vector may overlap the one before. */
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

    if (wire_len > XN_OCTETS16 ? !has_hyphen_pair(wire, wire_len) : wire_len == 0)
        return false;
    /*@ loop invariant is_rest_of(cursor.pos, wire);
        loop assigns cursor, label, len; */
    while (xn_wire_next(&cursor, &label, &len))
        if (xn_wire_has_ace_prefix(label, len))
            return true;
    return false;
}

/* The next functions test eight octets at a time, and set the highest bit of each octet. at_least
 * and equal_to are right only for octets below 0x80. */
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

static void lower_eight(uint8_t *dst, const uint8_t *src)
{
    uint64_t octets = lower(xn_octets8_load(src));

    memcpy(dst, &octets, sizeof octets);
}

static xn_octets16 all_capitals(xn_octets16 octets)
{
    return (xn_octets16)(octets - 'A' < 26);
}

static xn_octets16 lower_all(xn_octets16 octets)
{
    return octets | (all_capitals(octets) & ('a' - 'A'));
}

static void lower_sixteen(uint8_t *dst, const uint8_t *src)
{
    xn_octets16_store(dst, lower_all(xn_octets16_load(src)));
}

static bool is_capital(uint8_t octet)
{
    return (unsigned)octet - 'A' < 26;
}

/* A length octet up to this is a control character or a space, which plain text does not have. */
enum { SHORT_LABEL_MAX = 0x20 };

/* The last sixteen or eight octets may overlap those before them. */
void xn_wire_lower(uint8_t *dst, const uint8_t *src, size_t len)
{
    if (len >= XN_OCTETS16) {
        for (size_t at = 0; at + XN_OCTETS16 < len; at += XN_OCTETS16)
            lower_sixteen(dst + at, src + at);
        lower_sixteen(dst + len - XN_OCTETS16, src + len - XN_OCTETS16);
    } else if (len >= XN_OCTETS8) {
        lower_eight(dst, src);
        lower_eight(dst + len - XN_OCTETS8, src + len - XN_OCTETS8);
    } else {
        for (size_t at = 0; at < len; at++)
            dst[at] = (uint8_t)(src[at] + (is_capital(src[at]) ? 'a' - 'A' : 0));
    }
}

bool xn_wire_has_capitals(const uint8_t *src, size_t len)
{
    uint64_t any = 0;

    if (len >= XN_OCTETS16) {
        xn_octets16 found = all_capitals(xn_octets16_load(src + len - XN_OCTETS16));
        for (size_t at = 0; at + XN_OCTETS16 < len; at += XN_OCTETS16)
            found |= all_capitals(xn_octets16_load(src + at));
        return xn_octets16_any(found);
    }
    if (len >= XN_OCTETS8)
        any = capitals(xn_octets8_load(src)) | capitals(xn_octets8_load(src + len - XN_OCTETS8));
    else
        for (size_t at = 0; at < len; at++)
            any |= is_capital(src[at]);
    return any != 0;
}

/* The text of the octets from 0x21 to 0x7E; NUL means that the octet is escaped. */
static const char shown[] = "!\0#$%&'()*+,-\0/0123456789:;<=>?@abcdefghijklmnopqrstuvwxyz[\0]^_`"
                            "abcdefghijklmnopqrstuvwxyz{|}~";
_Static_assert(sizeof shown - 1 == 0x7E - 0x20, "from the first to the last");

/* Sets the highest bit of each octet that needs an escape, and perhaps of octets above it. */
static uint64_t escapes_of(uint64_t octets)
{
    return (octets | ~at_least(octets, 0x21) | at_least(octets, 0x7F) | equal_to(octets, '"') |
            equal_to(octets, '\\') | equal_to(octets, '.')) &
           highest;
}

static uint64_t eight_to_text(const uint8_t *src, char *dst)
{
    lower_eight((uint8_t *)dst, src);
    return escapes_of(xn_octets8_load(src));
}

/* Writes a label of four to seven octets as its first four and its last four. */
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

/* Marks octets from 0x7F up, and those with a special meaning in presentation format. */
static xn_octets16 odd_octets(xn_octets16 octets)
{
    return (xn_octets16)((octets >= 0x7F) | (octets == '"') | (octets == '\\') | (octets == '.'));
}

static xn_octets16 sixteen_to_text(const uint8_t *src, char *dst)
{
    xn_octets16 octets = xn_octets16_load(src);

    xn_octets16_store((uint8_t *)dst, lower_all(octets));
    return odd_octets(octets) | (xn_octets16)(octets <= 0x20);
}

static bool long_label_to_text(const uint8_t *label, size_t len, char *dst)
{
    xn_octets16 escapes = sixteen_to_text(label + len - XN_OCTETS16, dst + len - XN_OCTETS16);

    for (size_t at = 0; at + XN_OCTETS16 < len; at += XN_OCTETS16)
        escapes |= sixteen_to_text(label + at, dst + at);
    return !xn_octets16_any(escapes);
}

/* Writes a label that needs no escape. Returns false if an octet needs one, or the label is shorter
 * than four octets. The last sixteen or eight octets may overlap those before them. */
static bool plain_label_to_text(const uint8_t *label, size_t len, char *dst)
{
    if (len >= XN_OCTETS16)
        return long_label_to_text(label, len, dst);
    if (len < XN_OCTETS8)
        return len >= 4 && short_label_to_text(label, len, dst);
    uint64_t escapes = eight_to_text(label + len - XN_OCTETS8, dst + len - XN_OCTETS8);

    for (size_t at = 0; at + XN_OCTETS8 < len; at += XN_OCTETS8)
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

/* Collects, while a name of short labels is written sixteen octets at a time, the octets that need
 * an escape, and how many dots each lane has had. A dot takes the place of a length octet. */
struct plain_text {
    xn_octets16 odd, dots;
};

/* Writes sixteen octets of such a name. The dots of the first `before` were counted earlier. */
static inline void sixteen_of_name(struct plain_text *plain, const uint8_t *src, unsigned before,
                                   char *dst)
{
    xn_octets16 octets = xn_octets16_load(src);
    xn_octets16 dots = (xn_octets16)(octets <= SHORT_LABEL_MAX);

    plain->odd |= odd_octets(octets);
    plain->dots -= dots & (xn_octets16)(xn_octets16_places >= (uint8_t)before);
    xn_octets16_store((uint8_t *)dst, (lower_all(octets) & ~dots) | (dots & '.'));
}

/* Writes a name without long labels and without octets that need an escape, as nearly all names
 * are. In such a name, every octet up to SHORT_LABEL_MAX is the length of a label. Returns 0 for
 * any other name. */
static size_t plain_to_text(const uint8_t *wire, char *dst)
{
    struct plain_text plain = {0};
    uint8_t few[XN_OCTETS16], lengths = 0;
    size_t len = 0, labels = 0, at = 0;

    /*@ loop invariant is_rest_of(wire + len, wire) && labels <= len;
        loop assigns len, labels, lengths; */
    for (; wire[len] != 0; labels++) {
        lengths |= wire[len];
        len += (size_t)wire[len] + 1;
    }
    if (lengths > SHORT_LABEL_MAX)
        return 0;
    if (len < XN_OCTETS16) {
        memset(few, 'a', sizeof few);
        memcpy(few, wire + 1, len);
        sixteen_of_name(&plain, few, 0, dst);
    } else {
        /*@ loop invariant at < len;
            loop assigns at, plain, dst[0 .. len - 1]; */
        for (; at + XN_OCTETS16 < len; at += XN_OCTETS16)
            sixteen_of_name(&plain, wire + 1 + at, 0, dst + at);
        sixteen_of_name(&plain, wire + 1 + len - XN_OCTETS16, (unsigned)(at + XN_OCTETS16 - len),
                        dst + len - XN_OCTETS16);
    }
    return !xn_octets16_any(plain.odd) && xn_octets16_sum(plain.dots) == labels ? len : 0;
}

size_t xn_wire_to_text(const uint8_t *wire, char *dst)
{
    struct xn_wire_cursor cursor = {wire};
    const uint8_t *label;
    size_t len, out = plain_to_text(wire, dst);

    if (out > 0)
        return out;
    /*@ loop invariant is_rest_of(cursor.pos, wire);
        loop invariant out <= text_max(cursor.pos - wire);
        loop assigns cursor, label, len, out, dst[0 .. XN_WIRE_TEXT_MAX - 1]; */
    while (xn_wire_next(&cursor, &label, &len)) {
        out += xn_wire_label_to_text(label, len, dst + out);
        dst[out++] = '.';
    }
    if (out == 0)
        dst[out++] = '.';
    return out;
}
