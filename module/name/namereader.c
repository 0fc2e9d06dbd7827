/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/name/namereader.h"

#include "core/names/presentation.h"
#include "core/names/written.h"
#include "core/wire/walk.h"
#include "module/name/namefault.h"

#include <string.h>

struct reading {
    const struct xn_unicode *unicode;
    const uint8_t *text;
    bool wildcard;   /* a wildcard is accepted */
    bool remarkable; /* as in struct xnm_namereader */
    bool below;      /* there is a wildcard, which takes two octets of each name that it covers */
    bool full;       /* the name is too long */
    struct xnm_wirename *name;
    xnm_rulename_diagnose *report;
    void *arg;
};

static bool fail(const struct reading *reading, const uint8_t *at, const char *message)
{
    if (reading->report)
        reading->report(reading->arg, XNM_ERROR, (size_t)(at - reading->text), message);
    return false;
}

static bool fail_label(const struct reading *reading, const uint8_t *label, size_t len,
                       xn_reasons reasons)
{
    char message[XNM_NAMEFAULT_MAX];

    if (!reading->report)
        return false;
    size_t at =
        xnm_namefault_find(reading->unicode, label, len, reasons, reading->wildcard, message);
    return fail(reading, label + at, message);
}

/* Adds a label of at most 63 octets, in lower case; `at` is its place in the text. */
static bool append(struct reading *reading, const uint8_t *at, const uint8_t *octets, size_t len)
{
    struct xnm_wirename *name = reading->name;
    uint8_t *dst = name->octets + name->len;

    reading->full =
        name->len + 1 + len + 1 > (reading->below ? XN_WIRE_NAME_MAX - 2 : XN_WIRE_NAME_MAX);
    if (reading->full)
        return fail(reading, at,
                    "name is longer than 255 octets in wire format: expected it to "
                    "end before this label");
    *dst++ = (uint8_t)len;
    xn_wire_lower(dst, octets, len);
    name->len = (uint8_t)(name->len + 1 + len);
    return true;
}

/* Returns whether every octet is plain or part of an escape. */
static bool is_presentation(const uint8_t *label, size_t len)
{
    size_t step;

    for (size_t i = 0; i < len; i += step) {
        step = xn_presentation_is_plain(label[i]) ? 1 : xn_presentation_escape(label + i, len - i);
        if (step == 0)
            return false;
    }
    return true;
}

/* Adds a label in presentation format. */
static bool append_presentation(struct reading *reading, const uint8_t *at, const uint8_t *ascii,
                                size_t len)
{
    uint8_t octets[XN_WIRE_LABEL_MAX];

    if (!memchr(ascii, '\\', len))
        return append(reading, at, ascii, len);
    size_t count = xn_presentation_to_octets(ascii, len, octets);
    if (count == 0)
        return fail(reading, at, "label cannot be read: expected escapes as in zone files");
    return append(reading, at, octets, count);
}

static bool read_written(struct reading *reading, const uint8_t *label, size_t len)
{
    uint8_t ascii[XN_WRITTEN_ALABEL_MAX];
    size_t ascii_len;
    xn_reasons reasons;

    if (xn_written_to_alabel(reading->unicode, label, len, ascii, &ascii_len, &reasons) != XN_OK ||
        ascii_len == 0 || !is_presentation(ascii, ascii_len))
        return fail_label(reading, label, len, reasons);
    reading->remarkable = true;
    return append_presentation(reading, label, ascii, ascii_len);
}

/* A plain label, as lists have nearly always, is the same in wire format as in text and needs no
 * buffer. An "xn--" label that is not an A-label gets only a warning. */
static bool read_label(struct reading *reading, const uint8_t *label, size_t len)
{
    if (len == 0 || len > XN_WIRE_LABEL_MAX || !xn_presentation_is_plain_label(label, len))
        return read_written(reading, label, len);
    reading->remarkable |= xn_wire_has_ace_prefix(label, len);
    return append(reading, label, label, len);
}

/* Skips a first label `*`. */
static bool take_wildcard(struct xn_presentation_cursor *cursor)
{
    struct xn_presentation_cursor ahead = *cursor;
    const uint8_t *label;
    size_t len;

    if (!xn_presentation_next(&ahead, &label, &len) || len != 1 || *label != '*')
        return false;
    *cursor = ahead;
    return true;
}

/* Reports each bad label, but not the thousands that a hostile line may have. */
static bool read_labels(struct reading *reading, struct xn_presentation_cursor *cursor)
{
    enum { BAD_MAX = 8 };
    const uint8_t *label;
    size_t len, bad = 0;

    while (!reading->full && bad < BAD_MAX && xn_presentation_next(cursor, &label, &len))
        bad += !read_label(reading, label, len);
    return bad == 0;
}

bool xnm_namereader_read(const struct xn_unicode *unicode, const char *text, size_t len,
                         struct xnm_wirename *name, struct xnm_namereader *read,
                         xnm_rulename_diagnose *report, void *arg)
{
    struct reading reading = {.unicode = unicode,
                              .text = (const uint8_t *)text,
                              .wildcard = read->takes_wildcard,
                              .name = name,
                              .report = report,
                              .arg = arg};
    struct xn_presentation_cursor cursor;

    name->len = 0;
    xn_presentation_open(&cursor, reading.text, len);
    if (read->takes_wildcard)
        read->wildcard = reading.below = take_wildcard(&cursor);
    if (len == 0)
        return fail(&reading, reading.text,
                    "empty name: expected a domain name, or '.' for the root");
    read->at = (size_t)(cursor.pos - reading.text);
    read->len = (size_t)(cursor.end - cursor.pos);
    if (!read_labels(&reading, &cursor)) {
        name->len = 0;
        return false;
    }
    read->remarkable = reading.remarkable;
    name->octets[name->len++] = 0;
    return true;
}
