/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole names (core/names/idna.h): what was written reads back as what was read, and whatever a
 * stranger sends, as text or in wire format, is shown without a character that could mislead a
 * reader or a terminal; the text of a name is made of those of its labels (core/names/display.h).
 * The first octet of an input is options; the others are a written name and a wire name. */
#include "tests/fuzz/names.h"

#include "core/idna/property.h"
#include "core/names/display.h"
#include "core/names/idna.h"
#include "tests/unit/logline_grammar.h"

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

/* Characters as logs may have them, without blanks and quotes. */
static void expect_harmless(const char *text, size_t len)
{
    char *line = strndup(text, len);

    assert_int_equal(strlen(line), len);
    assert_int_equal(strcspn(line, " \""), len);
    check_characters(line, (int32_t)len);
    free(line);
}

static void expect_fit_for_terminal(const char *text, size_t len)
{
    uint32_t cp;

    expect_harmless(text, len);
    for (size_t at = 0; at < len; at += xn_utf8_read((const uint8_t *)text + at, len - at, &cp))
        assert_true(xn_utf8_read((const uint8_t *)text + at, len - at, &cp) > 0 &&
                    xn_unicode_is_shown(cp));
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

/* --- label by label (core/names/display.h) --- */

enum { EMOJI = 1 << XN_EMOJI, OPTION_EMOJI = 2 };

static bool is_ascii(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] >= 0x80)
            return false;
    return true;
}

/* Restricted and invalid labels are shown in ASCII. */
static size_t expect_label(const struct xn_name *name, const struct xn_label *label, char *dst)
{
    size_t len = xn_display_label(name, label, dst);

    assert_in_range(len, 1, XN_DISPLAY_LABEL_MAX);
    if (!label->ace || label->reasons != 0)
        assert_true(is_ascii(dst, len));
    expect_harmless(dst, len);
    return len;
}

/* The same by its text, where no octet of that is an escape. */
static void expect_by_text(const struct xn_name *name, const char *text, size_t len)
{
    char wire_text[XN_WIRE_TEXT_MAX], *by_text = malloc(XN_DISPLAY_NAME_MAX);
    size_t wire_len = xn_wire_to_text(name->wire, wire_text);

    if (name->label_count > 0 && wire_len == xn_display_text_len(name)) {
        assert_int_equal(xn_display_name_by_text(name, wire_text, by_text), len);
        assert_memory_equal(by_text, text, len);
    }
    free(by_text);
}

static void expect_display(const struct xn_name *name)
{
    char *text = malloc(XN_DISPLAY_NAME_MAX + 1), *label = malloc(XN_DISPLAY_LABEL_MAX);
    char wire_text[XN_WIRE_TEXT_MAX];
    size_t len = xn_display_name(name, text), at = 0;
    size_t wire_len = xn_wire_to_text(name->wire, wire_text) - (name->label_count > 0);

    text[len] = '\0';
    check_name(text, '\0');
    expect_harmless(text, len);
    expect_by_text(name, text, len);
    for (size_t i = 0; i < name->label_count; i++) {
        size_t label_len = expect_label(name, &name->labels[i], label);
        if (i > 0)
            assert_int_equal(text[at++], '.');
        assert_true(label_len <= len - at);
        assert_memory_equal(text + at, label, label_len);
        at += label_len;
    }
    if (name->label_count == 0)
        assert_int_equal(text[at++], '.');
    assert_int_equal(at, len);
    assert_int_equal(xn_display_differs(name),
                     len != wire_len || memcmp(text, wire_text, len) != 0);
    free(label);
    free(text);
}

/* The name that the octets are, or whose labels they have. */
static void expect_labels_shown(const uint8_t *data, size_t size, uint8_t options)
{
    uint8_t octets[XN_WIRE_NAME_MAX];
    size_t len = name_from(data, size, octets);
    uint8_t *wire = exact_copy(octets, len);
    struct xn_name *name = malloc(sizeof *name);

    assert_int_equal(
        xn_name_read(target_unicode(), wire, len, options & OPTION_EMOJI ? EMOJI : 0, name), XN_OK);
    expect_display(name);
    free(name);
    free(wire);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t options = take_octet(&data, &size);
    char *text = exact_copy(data, size);

    expect_converted(size > 0 ? text : NULL, size);
    expect_shown(text, size, options);
    expect_wire_shown((const uint8_t *)text, size);
    expect_labels_shown(data, size, options);
    free(text);
    return 0;
}
