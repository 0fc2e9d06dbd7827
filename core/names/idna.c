/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/names/idna.h"

#include "core/idna/label.h"
#include "core/names/display.h"
#include "core/names/presentation.h"
#include "core/names/toplevel.h"
#include "core/names/written.h"
#include "core/text/hexadecimal.h"
#include "core/text/utf8char.h"
#include "core/wire/wire.h"

#include <string.h>

_Static_assert((int)XN_IDNA_DISPLAY_MAX == XN_DISPLAY_NAME_MAX + 1, "a shown name and the NUL");

static void note_label(struct xn_findings *findings, xn_reasons reasons)
{
    if (findings->label_count < XN_WIRE_LABELS_MAX)
        findings->labels[findings->label_count++] = reasons;
    findings->reasons |= reasons;
}

/* --- conversion --- */

/* Reads one label and appends it to a wire name. *complete becomes false if it has no form there,
 * or no room. */
static xn_status add_label(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                           uint8_t *wire, size_t *at, bool *complete, struct xn_findings *findings)
{
    uint8_t alabel[XN_WRITTEN_ALABEL_MAX];
    size_t alabel_len;
    xn_reasons reasons;
    xn_status status = xn_written_to_alabel(unicode, label, len, alabel, &alabel_len, &reasons);

    if (status != XN_OK)
        return status;
    note_label(findings, reasons);
    size_t octets = xn_presentation_octets(alabel, alabel_len);
    *complete &= octets > 0;
    if (!xn_wire_fits(octets, *at, XN_WIRE_NAME_MAX)) {
        findings->reasons |= xn_reason_bit(XN_TOO_LONG);
        *complete = false;
        *at = XN_WIRE_NAME_MAX;
    } else {
        wire[*at] = (uint8_t)xn_presentation_to_octets(alabel, alabel_len, wire + *at + 1);
        *at += octets + 1;
    }
    return XN_OK;
}

/* Converts like xn_idna_to_wire, and sets whether there was a final dot. */
static xn_status read_name(const struct xn_unicode *unicode, const char *name, size_t len,
                           uint8_t *wire, size_t *wire_len, bool *dot, struct xn_findings *findings)
{
    struct xn_presentation_cursor cursor;
    const uint8_t *label, *end = NULL;
    size_t label_len, at = 0;
    bool complete = len > 0;

    *findings = (struct xn_findings){.reasons = len > 0 ? 0 : xn_reason_bit(XN_EMPTY)};
    *wire_len = 0;
    xn_presentation_open(&cursor, (const uint8_t *)name, len);
    while (at < XN_WIRE_NAME_MAX && xn_presentation_next(&cursor, &label, &label_len)) {
        xn_status status = add_label(unicode, label, label_len, wire, &at, &complete, findings);
        if (status != XN_OK)
            return status;
        end = label + label_len;
    }
    *dot = len > 0 && end != (const uint8_t *)name + len;
    if (complete) {
        wire[at] = 0;
        xn_wire_lower(wire, wire, at); /* what was written as an escape */
        *wire_len = at + 1;
    }
    return XN_OK;
}

xn_status xn_idna_to_wire(const struct xn_unicode *unicode, const char *name, size_t len,
                          uint8_t *wire, size_t *wire_len, struct xn_findings *findings)
{
    bool dot = false;

    return read_name(unicode, name, len, wire, wire_len, &dot, findings);
}

xn_status xn_idna_to_ascii(const struct xn_unicode *unicode, const char *name, size_t len,
                           char *dst, size_t *dst_len, struct xn_findings *findings)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t wire_len;
    bool dot = false;
    xn_status status = read_name(unicode, name, len, wire, &wire_len, &dot, findings);

    *dst_len = wire_len > 0 ? xn_wire_to_text(wire, dst) - !dot : 0;
    dst[*dst_len] = '\0';
    return status;
}

/* Writes an A-label as its U-label, and any other label as text. */
static size_t write_unicode(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                            xn_reasons reasons, char *dst)
{
    uint32_t cps[XN_ULABEL_MAX];
    uint8_t text[XN_ULABEL_TEXT];
    size_t cps_len, text_len;

    if (reasons != 0 || !xn_wire_has_ace_prefix(label, len) ||
        xn_label_decode_text(unicode, label, len, cps, &cps_len, text, &text_len) &
            XN_INVALID_REASONS)
        return xn_wire_label_to_text(label, len, dst);
    memcpy(dst, text, text_len);
    return text_len;
}

xn_status xn_idna_to_unicode(const struct xn_unicode *unicode, const char *name, size_t len,
                             char *dst, size_t *dst_len, struct xn_findings *findings)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct xn_wire_cursor cursor;
    const uint8_t *label;
    size_t wire_len, label_len, out = 0;
    bool dot = false;
    xn_status status = read_name(unicode, name, len, wire, &wire_len, &dot, findings);

    if (xn_wire_open(&cursor, wire, wire_len) == XN_OK) {
        for (size_t i = 0; xn_wire_next(&cursor, &label, &label_len); i++) {
            out += write_unicode(unicode, label, label_len, findings->labels[i], dst + out);
            dst[out++] = '.';
        }
        if (out == 0)
            dst[out++] = '.';
        out -= !dot;
    }
    dst[out] = '\0';
    *dst_len = out;
    return status;
}

/* --- display --- */

xn_status xn_idna_display_wire(const struct xn_unicode *unicode, const uint8_t *wire,
                               size_t wire_len, char *dst, size_t *dst_len,
                               struct xn_findings *findings)
{
    struct xn_name name;
    xn_status status = xn_name_read(unicode, wire, wire_len, 0, &name);

    *findings = (struct xn_findings){0};
    *dst_len = 0;
    if (status == XN_OK) {
        for (size_t i = 0; i < name.label_count; i++)
            note_label(findings, name.labels[i].reasons);
        *dst_len = xn_display_name(&name, dst);
    }
    dst[*dst_len] = '\0';
    return status;
}

/* The output buffer, filled while there is room. Its last octet is kept for the NUL. */
struct sink {
    const uint8_t *name; /* that is written, of name_len octets */
    size_t name_len;
    struct xn_toplevel tld;
    char *dst;
    size_t cap, len;
    bool full;
};

static void put(struct sink *sink, const char *text, size_t len)
{
    sink->full |= len >= sink->cap - sink->len;
    if (sink->full)
        return;
    memcpy(sink->dst + sink->len, text, len);
    sink->len += len;
}

/* Writes a label that has no form in the DNS. */
static void put_raw(struct sink *sink, const uint8_t *label, size_t len)
{
    char text[XN_DISPLAY_ESCAPE_MAX];
    uint32_t cp;

    for (size_t at = 0, step; at < len && !sink->full; at += step) {
        step = label[at] < 0x80 ? 0 : xn_utf8_read(label + at, len - at, &cp);
        if (step > 0) {
            put(sink, text, xn_hexadecimal_escape(cp, text));
        } else {
            step = 1;
            put(sink, text, xn_wire_label_to_text(label + at, 1, text));
        }
    }
}

/* Writes a label as it is shown when it comes from the DNS. Returns the reasons for that. */
static xn_reasons put_octets(struct sink *sink, const struct xn_unicode *unicode,
                             const uint8_t *alabel, size_t len)
{
    uint8_t wire[XN_TOPLEVEL_WIRE_MAX];
    char text[XN_DISPLAY_LABEL_MAX + 1];
    struct xn_name name;

    wire[0] = (uint8_t)xn_presentation_to_octets(alabel, len, wire + 1);
    if (xn_toplevel_read(unicode, sink->name, sink->name_len, &sink->tld, wire, &name) != XN_OK)
        return 0; /* cannot be: labels of 1 to 63 octets */
    put(sink, text, xn_display_label(&name, &name.labels[0], text));
    return name.labels[0].reasons;
}

static void put_label(struct sink *sink, const struct xn_unicode *unicode, const uint8_t *label,
                      size_t len, struct xn_findings *findings)
{
    uint8_t alabel[XN_WRITTEN_ALABEL_MAX];
    size_t alabel_len;
    xn_reasons reasons;

    if (xn_written_to_alabel(unicode, label, len, alabel, &alabel_len, &reasons) != XN_OK)
        reasons = xn_reason_bit(XN_DISALLOWED);
    if (alabel_len > 0)
        reasons |= put_octets(sink, unicode, alabel, alabel_len);
    else
        put_raw(sink, label, len);
    note_label(findings, reasons);
}

xn_status xn_idna_display_text(const struct xn_unicode *unicode, const char *text, size_t len,
                               char *dst, size_t dst_cap, size_t *dst_len,
                               struct xn_findings *findings)
{
    struct sink sink = {(const uint8_t *)text, len, {0}, dst, dst_cap, 0, dst_cap == 0};
    struct xn_presentation_cursor cursor;
    const uint8_t *label;
    size_t label_len;
    bool first = true;

    *findings = (struct xn_findings){.reasons = len > 0 ? 0 : xn_reason_bit(XN_EMPTY)};
    xn_presentation_open(&cursor, (const uint8_t *)text, len);
    for (; !sink.full && xn_presentation_next(&cursor, &label, &label_len); first = false) {
        if (!first)
            put(&sink, ".", 1);
        put_label(&sink, unicode, label, label_len, findings);
    }
    if (first && len > 0) /* the root */
        put(&sink, ".", 1);
    if (dst_cap > 0)
        dst[sink.len] = '\0';
    *dst_len = sink.len;
    return sink.full ? XN_NO_SPACE : XN_OK;
}
