/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/codec/convert.h"

#include "core/names/display.h"
#include "core/names/presentation.h"
#include "core/names/toplevel.h"
#include "core/names/written.h"
#include "core/text/utf8.h"
#include "tools/text/shown.h"

#include <stdlib.h>
#include <string.h>

void conversion_free(struct conversion *conversion)
{
    buffer_free(&conversion->ascii);
    buffer_free(&conversion->unicode);
    buffer_free(&conversion->display);
    buffer_free(&conversion->text);
    free(conversion->findings);
}

static void note(struct conversion *conversion, size_t label, xn_reasons reasons)
{
    if (reasons == 0)
        return;
    if (xn_reasons_status(reasons) == XN_LABEL_INVALID)
        conversion->valid = false;
    if (conversion->finding_count == conversion->finding_cap) {
        conversion->finding_cap = conversion->finding_cap * 2 + 8;
        conversion->findings =
            realloc(conversion->findings, conversion->finding_cap * sizeof *conversion->findings);
        if (!conversion->findings)
            buffer_out_of_memory();
    }
    conversion->findings[conversion->finding_count++] = (struct conversion_finding){label, reasons};
}

/* The arguments for converting a label. */
struct converter {
    const struct xn_unicode *unicode;
    const uint8_t *name; /* of len octets */
    size_t len;
    struct xn_toplevel tld; /* of the name, once it is needed */
};

/* Adds an A-label, valid or not, with the same code as the log. */
static void add_alabel(struct converter *converter, size_t number, const uint8_t *alabel,
                       size_t len, struct conversion *conversion)
{
    uint8_t wire[XN_TOPLEVEL_WIRE_MAX] = {(uint8_t)len};
    char text[XN_WRITTEN_ALABEL_MAX];
    size_t text_len = xn_wire_label_to_text(alabel, len, text);
    struct xn_name name;

    buffer_add(&conversion->ascii, text, text_len);
    memcpy(wire + 1, alabel, len);
    if (xn_toplevel_read(converter->unicode, converter->name, converter->len, &converter->tld, wire,
                         &name) != XN_OK)
        return; /* impossible: labels of 1 to 63 octets */
    note(conversion, number, name.labels[0].reasons);
    if (xn_reasons_status(name.labels[0].reasons) == XN_LABEL_INVALID) {
        buffer_add(&conversion->unicode, text, text_len);
    } else {
        size_t room = XN_UTF8_MAX * (size_t)name.labels[0].cps_len, utf8_len;
        char *utf8 = buffer_reserve(&conversion->unicode, room);
        if (xn_utf8_encode(name.code_points, name.labels[0].cps_len, (uint8_t *)utf8, room,
                           &utf8_len) == XN_OK) /* the decoder accepts scalar values only */
            conversion->unicode.len += utf8_len;
    }
    conversion->display.len += xn_display_label(
        &name, &name.labels[0], buffer_reserve(&conversion->display, XN_DISPLAY_LABEL_MAX));
}

/* Adds a label that has no form in the DNS, so that it cannot be read back as a valid label. A
 * backslash before a character that is shown as `\u{…}` would escape the backslash of that escape,
 * so it is shown as `\u{5C}`. */
static void add_refused(const char *label, size_t len, struct conversion *conversion)
{
    struct buffer *out = &conversion->display;

    buffer_add(&conversion->unicode, label, len);
    for (size_t at = 0, step; at < len; at += step) {
        bool last = len - at == 1, pair = !last && (uint8_t)label[at + 1] - 0x20u < 0x7F - 0x20;
        const char *backslash = memchr(label + at, '\\', len - at);

        step = backslash ? (size_t)(backslash - label) - at : len - at;
        if (step > 0) {
            buffer_shown(out, label + at, step);
            continue;
        }
        step = pair ? 2 : 1;
        if (pair || last)
            buffer_add(out, label + at, step);
        else
            buffer_text(out, "\\u{5C}");
    }
}

/* Adds text that is the same in all forms. */
static void add_same(const void *text, size_t len, struct conversion *conversion)
{
    buffer_add(&conversion->ascii, text, len);
    buffer_add(&conversion->unicode, text, len);
    buffer_add(&conversion->display, text, len);
}

/* Adds a label. Returns whether it has a form in the DNS. */
static bool add_label(struct converter *converter, size_t number, const uint8_t *label, size_t len,
                      struct conversion *conversion)
{
    uint8_t alabel[XN_WRITTEN_ALABEL_MAX], octets[XN_WIRE_LABEL_MAX];
    size_t alabel_len = len, octets_len = len;
    xn_reasons reasons = 0;

    if (len > 0 && len <= XN_WIRE_LABEL_MAX && xn_presentation_is_plain_label(label, len)) {
        xn_wire_lower(octets, label, len);
        memcpy(alabel, octets, len);
    } else if (xn_written_to_alabel(converter->unicode, label, len, alabel, &alabel_len,
                                    &reasons) != XN_OK) {
        return false; /* impossible: the caller has checked that the name is UTF-8 */
    } else {
        octets_len = xn_presentation_to_octets(alabel, alabel_len, octets);
    }
    if (xn_wire_has_ace_prefix(octets, octets_len)) {
        add_alabel(converter, number, octets, octets_len, conversion);
        return true;
    }
    note(conversion, number, reasons);
    if (alabel_len > 0)
        add_same(alabel, alabel_len, conversion);
    else
        add_refused((const char *)label, len, conversion);
    return alabel_len > 0;
}

void convert_name(const struct xn_unicode *unicode, const struct host *host,
                  struct conversion *conversion)
{
    struct xn_presentation_cursor cursor;
    const uint8_t *label, *end;
    size_t label_len, number = 0, wire_len = 1;
    bool complete = true;

    conversion->ascii.len = conversion->unicode.len = conversion->display.len = 0;
    conversion->text.len = conversion->finding_count = 0;
    buffer_reserve(&conversion->ascii, host->len); /* it has data, even if nothing is added */
    size_t len = shown_read(host->name, host->len, buffer_reserve(&conversion->text, host->len));
    const uint8_t *shown = (const uint8_t *)conversion->text.data;
    conversion->text.len = len;
    conversion->fault = host->fault                    ? host->fault
                        : xn_utf8_is_valid(shown, len) ? NULL
                                                       : &host_not_utf8;
    conversion->valid = !conversion->fault;
    if (conversion->fault)
        return;
    end = shown + len;
    struct converter converter = {.unicode = unicode, .name = shown, .len = len};
    xn_presentation_open(&cursor, shown, len);
    while (xn_presentation_next(&cursor, &label, &label_len)) {
        size_t before = conversion->ascii.len + (number > 0);

        if (number++ > 0)
            add_same(".", 1, conversion);
        complete &= add_label(&converter, number, label, label_len, conversion);
        wire_len += 1 + xn_presentation_octets((const uint8_t *)conversion->ascii.data + before,
                                               conversion->ascii.len - before);
    }
    if (len > 0 && (number == 0 || label + label_len < end)) /* a final dot, or the root alone */
        add_same(".", 1, conversion);
    if (wire_len > XN_WIRE_NAME_MAX)
        note(conversion, 0, xn_reason_bit(XN_TOO_LONG));
    if (!complete)
        conversion->ascii.len = 0;
}

void convert_reasons(struct buffer *buffer, xn_reasons reasons)
{
    const char *before = "";

    buffer_text(buffer, "[");
    for (xn_reason reason = 0; reason < XN_REASON_COUNT; reason++) {
        if (!(reasons & xn_reason_bit(reason)))
            continue;
        buffer_format(buffer, "%s\"%s\"", before, xn_reason_word(reason));
        before = ",";
    }
    buffer_text(buffer, "]");
}

void convert_json(struct buffer *out, const char *input, size_t len, const struct host *host,
                  const struct conversion *conversion)
{
    buffer_text(out, "{\"input\":");
    buffer_json(out, input, len);
    buffer_text(out, ",");
    host_json(out, host);
    buffer_text(out, ",\"ascii\":");
    buffer_json(out, conversion->ascii.data, conversion->ascii.len);
    buffer_text(out, ",\"unicode\":");
    buffer_json(out, conversion->unicode.data, conversion->unicode.len);
    buffer_text(out, ",\"display\":");
    buffer_json(out, conversion->display.data, conversion->display.len);
}
