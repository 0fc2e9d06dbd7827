/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/names/presentation.h"

#include "core/idna/label.h"
#include "core/idna/mapping.h"
#include "core/text/tabulate.h"
#include "core/text/utf8.h"
#include "core/wire/escape.h"
#include "core/wire/walk.h"

#include <string.h>

/* The dots of UTS 46, section 2.3, that are not ASCII. */
static bool is_dot(uint32_t cp)
{
    return cp == 0x3002 || cp == 0xFF0E || cp == 0xFF61;
}

void xn_presentation_open(struct xn_presentation_cursor *cursor, const uint8_t *text, size_t len)
{
    *cursor = (struct xn_presentation_cursor){text, text, len > 0 ? text + len : text};
}

/* Returns the length of the dot at pos, or 0 if there is none. Malformed UTF-8 is not a dot. */
static size_t dot_at(const uint8_t *pos, const uint8_t *end)
{
    if (*pos < 0x80)
        return *pos == '.';

    uint32_t cp;
    size_t len = xn_utf8_read(pos, (size_t)(end - pos), &cp);

    return len > 0 && is_dot(cp) ? len : 0;
}

/* The octets that begin a dot, in UTF-8, or an escape. */
static const bool stops[256] = {['.'] = true, ['\\'] = true, [0xE3] = true, [0xEF] = true};

bool xn_presentation_next(struct xn_presentation_cursor *cursor, const uint8_t **label, size_t *len)
{
    const uint8_t *pos = cursor->pos, *end = cursor->end;
    size_t dot = 0;

    if (pos == end)
        return false;
    for (; pos < end; pos++) {
        if (!stops[*pos])
            continue;
        if ((dot = dot_at(pos, end)) > 0)
            break;
        pos += *pos == '\\' && end - pos > 1;
    }
    *label = cursor->pos;
    *len = (size_t)(pos - cursor->pos);
    bool is_root = cursor->pos == cursor->start && *len == 0 && pos + dot == end;
    cursor->pos = pos + dot;
    return !is_root;
}

bool xn_presentation_is_ascii(const uint8_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (label[i] >= 0x80)
            return false;
    return true;
}

#define IS_PLAIN(c)                                                                                \
    (((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z') || ((c) >= '0' && (c) <= '9') ||     \
     (c) == '-' || (c) == '_')

bool xn_presentation_is_plain_label(const uint8_t *label, size_t len)
{
    static const bool is_plain[256] = {OF_256(IS_PLAIN, 0)};
    bool all = true;

    for (size_t i = 0; i < len; i++)
        all &= is_plain[label[i]];
    return all;
}

size_t xn_presentation_escape(const uint8_t *label, size_t len)
{
    if (len < 2 || label[0] != '\\' || label[1] < 0x20 || label[1] >= 0x7F)
        return 0;
    if (!xn_escape_is_digit(label[1]))
        return 2;
    if (len < 4 || !xn_escape_is_digit(label[2]) || !xn_escape_is_digit(label[3]))
        return 0;
    return xn_escape_number(label) <= 255 ? 4 : 0;
}

/* Returns the length of the text of one octet: the octet itself, `\X` or `\DDD`. Does not check
 * that the escape is well-formed. */
static size_t step_at(const uint8_t *label, size_t len)
{
    if (label[0] != '\\' || len < 2)
        return 1;
    return len >= 4 && xn_escape_is_digit(label[1]) ? 4 : 2;
}

size_t xn_presentation_octets(const uint8_t *label, size_t len)
{
    size_t octets = 0;

    if (len == 0 || !memchr(label, '\\', len))
        return len;
    for (size_t at = 0; at < len; at += step_at(label + at, len - at))
        octets++;
    return octets;
}

size_t xn_presentation_to_octets(const uint8_t *label, size_t len, uint8_t *dst)
{
    size_t out = 0, octets = xn_presentation_octets(label, len);

    if (octets > XN_WIRE_LABEL_MAX)
        return 0;
    if (octets == len) {
        if (len > 0)
            memcpy(dst, label, len);
        return len;
    }
    for (size_t at = 0, step; at < len; at += step) {
        const uint8_t *c = label + at;
        step = step_at(c, len - at);
        dst[out++] = step == 4 ? (uint8_t)xn_escape_number(c) : c[step - 1];
    }
    return out;
}
