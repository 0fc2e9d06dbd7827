/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole names in one call (core/names/idna.h): what was written reads back as what was read, and
 * whatever a stranger sends, as text or in wire format, is shown in a form
 * that is fit for a terminal. The octets after the first are a written name and a wire name. */
#include "tests/fuzz/target.h"

#include "core/idna/property.h"
#include "core/names/idna.h"
#include "core/text/utf8.h"
#include "core/wire/wire.h"

static void expect_converted(const char *name, size_t len)
{
    const struct xn_unicode *unicode = target_unicode();
    uint8_t *wire = malloc(XN_WIRE_NAME_MAX), *again = malloc(XN_WIRE_NAME_MAX);
    char *ascii = malloc(XN_IDNA_TEXT_MAX), *text = malloc(XN_IDNA_TEXT_MAX);
    size_t wire_len, again_len, ascii_len, text_len;
    struct xn_findings findings, others;
    xn_status status = xn_idna_to_wire(unicode, name, len, wire, &wire_len, &findings);

    expect_status(xn_idna_to_ascii(unicode, name, len, ascii, &ascii_len, &others), status);
    assert_memory_equal(&others, &findings, sizeof findings);
    expect_status(xn_idna_to_unicode(unicode, name, len, text, &text_len, &others), status);
    assert_memory_equal(&others, &findings, sizeof findings);
    assert_int_equal(strlen(ascii), ascii_len);
    assert_int_equal(strlen(text), text_len);
    if (wire_len > 0) {
        expect_status(xn_idna_to_wire(unicode, ascii, ascii_len, again, &again_len, &others),
                      XN_OK);
        expect_octets(again, again_len, wire, wire_len);
    } else {
        assert_true(status != XN_OK || findings.reasons != 0);
        assert_int_equal(ascii_len, 0);
        assert_int_equal(text_len, 0);
    }
    if (wire_len > 0 && findings.reasons == 0) {
        expect_status(xn_idna_to_wire(unicode, text, text_len, again, &again_len, &others), XN_OK);
        expect_octets(again, again_len, wire, wire_len);
        assert_int_equal(others.reasons, 0);
    }
    free(text);
    free(ascii);
    free(again);
    free(wire);
}

static void expect_fit_for_terminal(const char *text, size_t len)
{
    uint32_t cp;

    for (size_t at = 0, step; at < len; at += step) {
        step = xn_utf8_read((const uint8_t *)text + at, len - at, &cp);
        assert_true(step > 0 && cp != ' ' && cp != '"' && xn_unicode_is_shown(cp));
    }
}

/* In all the room, in just enough, and in less. */
static void expect_shown(const char *text, size_t len, uint8_t less)
{
    const struct xn_unicode *unicode = target_unicode();
    size_t room = 64 * len + XN_IDNA_DISPLAY_MAX, shown_len, cut_len;
    char *shown = malloc(room);
    struct xn_findings findings, others;

    expect_status(xn_idna_display_text(unicode, text, len, shown, room, &shown_len, &findings),
                  XN_OK);
    expect_fit_for_terminal(shown, shown_len);
    char *cut = malloc(shown_len + 1);
    expect_status(xn_idna_display_text(unicode, text, len, cut, shown_len + 1, &cut_len, &others),
                  XN_OK);
    expect_octets(cut, cut_len + 1, shown, shown_len + 1);
    size_t cap = less % (shown_len + 1);
    expect_status(xn_idna_display_text(unicode, text, len, cut, cap, &cut_len, &others),
                  XN_NO_SPACE);
    assert_in_range(cut_len, 0, cap);
    expect_octets(cut, cut_len, shown, cut_len);
    expect_fit_for_terminal(cut, cut_len);
    free(cut);
    free(shown);
}

/* A name in wire format is shown as its text is. */
static void expect_wire_shown(const uint8_t *wire, size_t len)
{
    const struct xn_unicode *unicode = target_unicode();
    char *shown = malloc(XN_IDNA_DISPLAY_MAX), *again = malloc(XN_IDNA_DISPLAY_MAX);
    char text[XN_WIRE_TEXT_MAX + 1];
    uint8_t lower[XN_WIRE_NAME_MAX];
    size_t shown_len, again_len, text_len;
    struct xn_wire_cursor cursor;
    struct xn_findings findings, others;
    xn_status status = xn_wire_open(&cursor, wire, len);

    expect_status(xn_idna_display_wire(unicode, wire, len, shown, &shown_len, &findings), status);
    assert_int_equal(strlen(shown), shown_len);
    if (status == XN_OK) {
        expect_fit_for_terminal(shown, shown_len);
        xn_wire_lower(lower, wire, len);
        expect_status(xn_idna_display_wire(unicode, lower, len, shown, &shown_len, &others), XN_OK);
        assert_memory_equal(&others, &findings, sizeof findings);
        text_len = xn_wire_to_text(lower, text);
        expect_status(xn_idna_display_text(unicode, text, text_len, again, XN_IDNA_DISPLAY_MAX,
                                           &again_len, &others),
                      XN_OK);
        expect_octets(again, again_len, shown, shown_len);
        assert_int_equal(others.label_count, findings.label_count);
        assert_int_equal(findings.reasons & ~others.reasons, 0);
    } else {
        assert_int_equal(shown_len, 0);
        assert_int_equal(findings.reasons, 0);
        assert_int_equal(findings.label_count, 0);
    }
    free(again);
    free(shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t less = take_octet(&data, &size);
    char *text = exact_copy(data, size);

    expect_converted(size > 0 ? text : NULL, size);
    expect_shown(text, size, less);
    expect_wire_shown((const uint8_t *)text, size);
    free(text);
    return 0;
}
