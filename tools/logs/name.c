/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/logs/name.h"

#include "core/idna/mapping.h"
#include "core/names/presentation.h"
#include "core/names/written.h"
#include "core/wire/walk.h"
#include "tools/text/shown.h"

#include <string.h>

/* --- ASCII --- */

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

static size_t read_ascii(const char *text, size_t len, uint8_t *wire, bool *idn)
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

/* --- Unicode --- */

/* Removes the U+2068 and U+2069 that `bidi-isolates: yes` puts around labels. */
static size_t drop_isolates(char *text, size_t len)
{
    size_t out = 0;

    for (size_t at = 0; at < len; at++) {
        if (len - at >= 3 && (memcmp(text + at, "\xE2\x81\xA8", 3) == 0 ||
                              memcmp(text + at, "\xE2\x81\xA9", 3) == 0))
            at += 2;
        else
            text[out++] = text[at];
    }
    return out;
}

/* Writes the name with its labels in ASCII. Returns its length, or 0 if a label has no ASCII form.
 */
static size_t write_ascii(const struct xn_unicode *unicode, const char *text, size_t len, char *dst)
{
    struct xn_presentation_cursor cursor;
    const uint8_t *label;
    size_t label_len, out = 0, octets;
    xn_reasons reasons;

    xn_presentation_open(&cursor, (const uint8_t *)text, len);
    while (xn_presentation_next(&cursor, &label, &label_len)) {
        if (out + 1 > XN_WIRE_TEXT_MAX)
            return 0;
        if (out > 0)
            dst[out++] = '.';
        if (label_len > XN_PRESENTATION_LABEL_MAX ||
            xn_written_to_alabel(unicode, label, label_len, (uint8_t *)dst + out, &octets,
                                 &reasons) != XN_OK ||
            octets == 0)
            return 0;
        out += octets;
    }
    return out;
}

static size_t read_unicode(const struct xn_unicode *unicode, const char *text, size_t len,
                           uint8_t *wire, bool *idn)
{
    enum { WRITTEN_MAX = 4096 }; /* more than 255 times `\u{10FFFF}` */
    char written[WRITTEN_MAX], ascii[XN_WIRE_TEXT_MAX + XN_WRITTEN_ALABEL_MAX];

    if (len > WRITTEN_MAX)
        return 0;
    len = drop_isolates(written, shown_read(text, len, written));
    len = write_ascii(unicode, written, len, ascii);
    return len > 0 ? read_ascii(ascii, len, wire, idn) : 0;
}

static bool is_unicode(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((uint8_t)text[i] >= 0x80 || (text[i] == '\\' && i + 1 < len && text[i + 1] == 'u'))
            return true;
    return false;
}

size_t report_name_read(const struct xn_unicode *unicode, const char *text, size_t len,
                        uint8_t *wire, bool *idn)
{
    *idn = false;
    if (is_unicode(text, len))
        return read_unicode(unicode, text, len, wire, idn);
    return read_ascii(text, len, wire, idn);
}
