/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzzes the display of names: no character could mislead a reader or a terminal, and the text of a
 * whole name is made of those of its labels. The first octet of an input is options. */
#include "tests/fuzz/names.h"

#include "core/names/display.h"
#include "tests/unit/logline_grammar.h"

enum { EMOJI = 1 << XN_EMOJI, OPTION_EMOJI = 2 };

/* Characters as logs may have them; a name without blanks, quotes and odd backslashes. */
static void expect_harmless(const char *text, size_t len)
{
    char *line = strndup(text, len);

    assert_int_equal(strlen(line), len);
    check_characters(line, (int32_t)len);
    check_name(line, '\0');
    free(line);
}

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

static void expect_name(const struct xn_name *name)
{
    char *text = malloc(XN_DISPLAY_NAME_MAX), *label = malloc(XN_DISPLAY_LABEL_MAX);
    char wire_text[XN_WIRE_TEXT_MAX];
    size_t len = xn_display_name(name, text), at = 0;
    size_t wire_len = xn_wire_to_text(name->wire, wire_text) - (name->label_count > 0);

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t octets[XN_WIRE_NAME_MAX], options = take_octet(&data, &size);
    size_t len = name_from(data, size, octets);
    uint8_t *wire = exact_copy(octets, len);
    struct xn_name *name = malloc(sizeof *name);

    assert_int_equal(
        xn_name_read(target_unicode(), wire, len, options & OPTION_EMOJI ? EMOJI : 0, name), XN_OK);
    expect_name(name);
    free(name);
    free(wire);
    return 0;
}
