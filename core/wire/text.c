/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in wire format from text and to text, in one call each. */
#include "core/wire/escape.h"
#include "core/wire/wire.h"

xn_status xn_wire_print(const uint8_t *wire, size_t wire_len, char *dst, size_t *dst_len)
{
    struct xn_wire_cursor cursor;
    xn_status status = xn_wire_open(&cursor, wire, wire_len);

    *dst_len = status == XN_OK ? xn_wire_to_text(wire, dst) : 0;
    dst[*dst_len] = '\0';
    return status;
}

/* Returns how many characters of a text stand for the next octet of a label, or 0 if none may stand
 * there. */
static size_t read_octet(const uint8_t *text, size_t len, uint8_t *octet)
{
    size_t step = *text == '\\' ? xn_escape_len(text, len) : 1;

    if (step == 0 || xn_escape_is_shown(text, len) || xn_escape_is_control(*text) || *text >= 0x80)
        return 0;
    *octet = step == 4 ? (uint8_t)xn_escape_number(text) : text[step - 1];
    return step;
}

/* Returns how many characters were read: fewer than len if the next one is at fault. `at` is where
 * the label begins that is being read, with its length octet, and `end` where it ends. */
static size_t parse(const uint8_t *text, size_t len, uint8_t *wire, size_t *wire_len)
{
    size_t pos = 0, at = 0, end = 1, step;
    uint8_t octet = 0;

    for (; pos < len; pos += step) {
        step = 1;
        if (text[pos] == '.') {
            if (end == at + 1)
                return pos;
            wire[at] = (uint8_t)(end - at - 1);
            at = end++;
        } else if ((step = read_octet(text + pos, len - pos, &octet)) == 0 ||
                   !xn_wire_fits(end - at, at, XN_WIRE_NAME_MAX)) {
            return pos;
        } else {
            wire[end++] = octet;
        }
    }
    if (end > at + 1) { /* no final dot */
        wire[at] = (uint8_t)(end - at - 1);
        at = end;
    }
    wire[at] = 0;
    *wire_len = at + 1;
    return len;
}

xn_status xn_wire_parse(const char *text, size_t len, uint8_t *wire, size_t *wire_len,
                        size_t *bad_at)
{
    bool is_root = len == 1 && *text == '.';
    size_t read = 0;

    *wire_len = 0;
    if (is_root)
        wire[(*wire_len)++] = 0;
    else if (len > 0)
        read = parse((const uint8_t *)text, len, wire, wire_len);
    if (bad_at)
        *bad_at = is_root ? len : read;
    return *wire_len > 0 ? XN_OK : XN_BAD_TEXT;
}
