/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/logs/name.h"

#include "core/names/presentation.h"
#include "core/wire/walk.h"

#include <string.h>

/* A wire name under construction, label by label. */
struct maker {
    uint8_t *wire;
    size_t len;      /* octets written, including the length octet of the current label */
    size_t label_at; /* offset of that length octet */
    bool idn;
};

static void begin_label(struct maker *maker)
{
    maker->label_at = maker->len++;
}

static bool end_label(struct maker *maker)
{
    size_t len = maker->len - maker->label_at - 1;

    if (len == 0 || len > XN_WIRE_LABEL_MAX)
        return false;
    maker->wire[maker->label_at] = (uint8_t)len;
    maker->idn = maker->idn || xn_wire_has_ace_prefix(maker->wire + maker->label_at + 1, len);
    return true;
}

/* Reads one octet, or an escape (RFC 1035, section 5.1). Returns the number of characters read. */
static size_t read_octet(const char *text, size_t len, uint8_t *octet)
{
    size_t escape = *text == '\\' ? xn_presentation_escape((const uint8_t *)text, len) : 0;

    *octet = (uint8_t)*text;
    if (escape == 4)
        *octet = (uint8_t)((text[1] - '0') * 100 + (text[2] - '0') * 10 + (text[3] - '0'));
    else if (escape == 2)
        *octet = (uint8_t)text[1];
    return escape > 0 ? escape : 1;
}

static bool add_labels(struct maker *maker, const char *text, size_t len)
{
    begin_label(maker);
    for (size_t at = 0, taken; at < len; at += taken) {
        uint8_t octet;

        taken = 1;
        if (text[at] == '.') {
            if (!end_label(maker))
                return false;
            begin_label(maker);
        } else {
            taken = read_octet(text + at, len - at, &octet);
            maker->wire[maker->len++] = octet;
        }
        if (maker->len >= XN_WIRE_NAME_MAX) /* the root's length octet needs room */
            return false;
    }
    return end_label(maker);
}

size_t report_name_read(const char *text, size_t len, uint8_t *wire, bool *idn)
{
    struct maker maker = {.wire = wire};
    bool is_root = len == 1 && text[0] == '.';

    if (!is_root && !add_labels(&maker, text, len))
        return 0;
    maker.wire[maker.len++] = 0;
    xn_wire_lower(wire, wire, maker.len);
    *idn = maker.idn;
    return maker.len;
}
