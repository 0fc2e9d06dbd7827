/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/logs/logname.h"

#include "core/names/presentation.h"
#include "core/wire/escape.h"
#include "core/wire/walk.h"

/* Reads one octet, or an escape (RFC 1035, section 5.1). Returns the number of characters read. */
static size_t read_octet(const uint8_t *text, size_t len, uint8_t *octet)
{
    size_t escape = *text == '\\' ? xn_presentation_escape(text, len) : 0;

    *octet = escape == 4 ? (uint8_t)xn_escape_number(text) : escape == 2 ? text[1] : *text;
    return escape > 0 ? escape : 1;
}

size_t logs_name_read(const char *text, size_t len, uint8_t *wire, bool *idn)
{
    size_t out = 1, label_at = 0;
    bool is_root = len == 1 && *text == '.';

    *idn = false;
    for (size_t at = 0, taken; !is_root && at <= len; at += taken) {
        if (out >= XN_WIRE_NAME_MAX) /* the root's length octet needs room */
            return 0;
        if (at < len && text[at] != '.') {
            taken = read_octet((const uint8_t *)text + at, len - at, &wire[out++]);
            continue;
        }
        size_t label_len = out - label_at - 1;
        if (label_len == 0 || label_len > XN_WIRE_LABEL_MAX)
            return 0;
        wire[label_at] = (uint8_t)label_len;
        *idn = *idn || xn_wire_has_ace_prefix(wire + label_at + 1, label_len);
        label_at = out++;
        taken = 1;
    }
    wire[label_at] = 0;
    xn_wire_lower(wire, wire, out);
    return out;
}
