/* SPDX-License-Identifier: BSD-3-Clause */
/* Every public function of libxn, except those of core/names/idna.h (test_idna.c), with nothing,
 * with no room, with as much as its header allows and with more. */
#include "core/idna/context.h"
#include "core/idna/label.h"
#include "core/idna/mapping.h"
#include "core/idna/misread.h"
#include "core/idna/property.h"
#include "core/idna/traits.h"
#include "core/idna/ulabel.h"
#include "core/idna/unicode.h"
#include "core/idna/uts46.h"
#include "core/lookalike/script.h"
#include "core/lookalike/shape.h"
#include "core/names/display.h"
#include "core/names/presentation.h"
#include "core/names/written.h"
#include "core/punycode/trace.h"
#include "core/text/utf8.h"
#include "core/wire/wire.h"
#include "tests/unit/limits.h"

static struct xn_unicode *unicode;

/* --- status.h, finding.h --- */

TEST(test_words, "words of what has none")
{
    assert_non_null(xn_status_text((xn_status)-1));
    assert_non_null(xn_status_text((xn_status)1000));
    assert_int_equal(xn_reasons_worst(0), XN_REASON_COUNT);
    for (int reason = -1; reason < 1000; reason++) {
        assert_true(strlen(xn_reason_word((xn_reason)reason)) > 0);
        assert_true(strlen(xn_reason_text((xn_reason)reason)) > 0);
    }
    for (int word = -1; word < 1000; word++) {
        assert_true(strlen(xn_label_status_word((xn_label_status)word)) > 0);
        assert_true(strlen(xn_level_word((xn_level)word)) > 0);
        assert_true(strlen(xn_key_word((xn_key)word)) > 0);
        assert_true(strlen(xn_ascii_word((xn_ascii)word)) > 0);
    }
    assert_string_equal(xn_level_word(XN_LEVEL_UNRESTRICTED), "unrestricted");
    assert_string_equal(xn_key_word(XN_KEY_LOOSE), "loose");
    assert_string_equal(xn_ascii_word(XN_ASCII_WIDE), "wide");
}

/* --- utf8.h --- */

TEST(test_utf8, "UTF-8")
{
    uint8_t *octets = octets_of(0xC3, 1), four[XN_UTF8_MAX];
    uint32_t *cps = cps_of(0xFC, 1), cp;
    size_t len = 9, bad_at = 9;

    assert_int_equal(xn_utf8_read(NULL, 0, &cp), 0);
    assert_int_equal(xn_utf8_read(octets, 1, &cp), 0);
    assert_int_equal(xn_utf8_write(UINT32_MAX, four), 0);
    assert_true(xn_utf8_is_valid(NULL, 0));
    assert_false(xn_utf8_is_valid(octets, 1));
    assert_int_equal(xn_utf8_decode(NULL, 0, NULL, 0, &len, NULL), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(xn_utf8_decode(octets, 1, NULL, 0, &len, &bad_at), XN_BAD_UTF8);
    assert_int_equal(bad_at, 0);
    octets[0] = 'a';
    len = 9;
    assert_int_equal(xn_utf8_decode(octets, 1, NULL, 0, &len, &bad_at), XN_NO_SPACE);
    assert_int_equal(len, 0);
    len = 9;
    assert_int_equal(xn_utf8_encode(NULL, 0, NULL, 0, &len), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(xn_utf8_encode(cps, 1, NULL, 0, &len), XN_NO_SPACE);
    assert_int_equal(xn_utf8_encode(cps, 1, octets, 1, &len), XN_NO_SPACE);
    free(cps);
    FOR_EACH_TOO_LONG(many, 1)
    {
        uint8_t *none = octets_of(0, 0);
        cps = cps_of(0xFC, many);
        assert_int_equal(xn_utf8_encode(cps, many, NULL, 0, &len), XN_NO_SPACE);
        assert_int_equal(xn_utf8_encode(cps, many, none, 0, &len), XN_NO_SPACE);
        free(none);
        free(cps);
    }
    free(octets);
}

/* --- punycode.h --- */

TEST(test_no_punycode, "Punycode of nothing, and without room")
{
    uint8_t *octets = octets_of('a', 1);
    uint32_t *cps = cps_of(0xFC, 1);
    struct xn_punycode_notes notes = {.step_count = 9};
    size_t len = 9;

    assert_int_equal(xn_punycode_decode(NULL, 0, NULL, 0, &len), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(xn_punycode_decode(NULL, 0, cps, 1, &len), XN_OK);
    assert_int_equal(xn_punycode_decode_traced(NULL, 0, NULL, 0, &len, &notes), XN_OK);
    assert_int_equal(notes.step_count, 0);
    assert_int_equal(xn_punycode_decode(octets, 1, NULL, 0, &len), XN_NO_SPACE);
    assert_int_equal(xn_punycode_decode_traced(octets, 1, NULL, 0, &len, &notes), XN_NO_SPACE);
    len = 9;
    assert_int_equal(xn_punycode_encode(NULL, 0, NULL, 0, &len), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(xn_punycode_encode(NULL, 0, octets, 1, &len), XN_OK);
    assert_int_equal(xn_punycode_encode_traced(NULL, 0, NULL, 0, &len, &notes), XN_OK);
    assert_int_equal(xn_punycode_encode(cps, 1, NULL, 0, &len), XN_NO_SPACE);
    assert_int_equal(xn_punycode_encode_traced(cps, 1, NULL, 0, &len, &notes), XN_NO_SPACE);
    free(cps);
    free(octets);
}

/* Longer than a label: there is no limit but the room. */
TEST(test_long_punycode, "Punycode of any length")
{
    size_t len;

    FOR_EACH_TOO_LONG(many, 1)
    {
        uint32_t *cps = cps_of(0xFC, many), *back = cps_of(0, many), *few = cps_of(0, 59);
        uint8_t *octets = octets_of(0, 10 * many);
        size_t octets_len;

        assert_int_equal(xn_punycode_encode(cps, many, octets, 10 * many, &octets_len), XN_OK);
        uint8_t *exact = exact_copy(octets, octets_len);
        assert_int_equal(xn_punycode_decode(exact, octets_len, back, many, &len), XN_OK);
        assert_int_equal(len, many);
        assert_memory_equal(back, cps, many * sizeof *cps);
        assert_int_equal(xn_punycode_decode(exact, octets_len, few, 59, &len), XN_NO_SPACE);
        assert_int_equal(xn_punycode_encode(cps, many, exact, octets_len - 1, &len), XN_NO_SPACE);
        free(exact);
        free(octets);
        free(few);
        free(back);
        free(cps);
    }
}

/* --- wire.h --- */

TEST(test_wire, "wire format")
{
    uint8_t *octets = octets_of(1, 300), *lower = octets_of(0, 300);
    char *text = calloc(4, 300);
    struct xn_wire_cursor cursor;

    assert_int_equal(xn_wire_open(&cursor, NULL, 0), XN_BAD_WIRE);
    for (size_t len = 1; len <= 300; len++) {
        uint8_t *exact = exact_copy(octets, len);
        assert_int_equal(xn_wire_open(&cursor, exact, len), XN_BAD_WIRE);
        free(exact);
    }
    assert_false(xn_wire_fits(63, 192, 255));
    assert_true(xn_wire_fits(61, 192, 255));
    assert_false(xn_wire_fits(64, 0, 255));
    assert_false(xn_wire_has_ace_prefix(NULL, 0));
    assert_false(xn_wire_has_ace(NULL, 0));
    xn_wire_lower(NULL, NULL, 0);
    xn_wire_lower(lower, octets, 300);
    assert_memory_equal(lower, octets, 300);
    assert_false(xn_wire_has_capitals(NULL, 0));
    assert_false(xn_wire_has_capitals(octets, 300));
    assert_int_equal(xn_wire_label_to_text(NULL, 0, NULL), 0);
    assert_int_equal(xn_wire_label_to_text(octets, 300, text), 4 * 300);
    free(text);
    free(lower);
    free(octets);
}

/* The longest texts of names, in exactly the room that the headers ask for. */
TEST(test_longest_name, "the longest texts of a name")
{
    uint8_t *wire = octets_of(1, XN_WIRE_NAME_MAX);
    char *text = malloc(XN_WIRE_TEXT_MAX), *display = malloc(XN_DISPLAY_NAME_MAX);
    struct xn_name name;

    wire[0] = wire[64] = wire[128] = 63;
    wire[192] = 61;
    wire[254] = 0;
    assert_int_equal(xn_wire_to_text(wire, text), XN_WIRE_TEXT_MAX);
    assert_int_equal(xn_name_read(unicode, wire, XN_WIRE_NAME_MAX, 0, &name), XN_OK);
    assert_int_equal(xn_display_name(&name, display), XN_WIRE_TEXT_MAX - 1);
    free(display);
    free(text);
    free(wire);
}

/* --- name.h, display.h --- */

TEST(test_name, "names")
{
    uint8_t *root = octets_of(0, 1), *octets = octets_of(1, 300);
    struct xn_name name;
    char text[XN_DISPLAY_NAME_MAX];

    assert_int_equal(xn_name_read(unicode, NULL, 0, 0, &name), XN_BAD_WIRE);
    assert_int_equal(xn_name_read(unicode, octets, 300, 0, &name), XN_BAD_WIRE);
    assert_int_equal(xn_name_read(unicode, root, 1, 0, &name), XN_OK);
    assert_int_equal(xn_display_name(&name, text), 1);
    assert_int_equal(xn_display_text_len(&name), 0);
    assert_int_equal(xn_display_name_by_text(&name, ".", text), 1);
    assert_false(xn_display_differs(&name));
    free(octets);
    free(root);
}

/* --- presentation.h --- */

TEST(test_written, "written labels")
{
    uint8_t *dst = octets_of(0, XN_WRITTEN_ALABEL_MAX);
    struct xn_presentation_cursor cursor;
    const uint8_t *label;
    xn_reasons reasons;
    size_t len = 9;

    xn_presentation_open(&cursor, NULL, 0);
    assert_false(xn_presentation_next(&cursor, &label, &len));
    assert_int_equal(xn_presentation_octets(NULL, 0), 0);
    assert_int_equal(xn_presentation_to_octets(NULL, 0, dst), 0);
    assert_int_equal(xn_presentation_escape(NULL, 0), 0);
    assert_true(xn_presentation_is_ascii(NULL, 0));
    assert_int_equal(xn_written_to_alabel(unicode, NULL, 0, dst, &len, &reasons), XN_OK);
    assert_int_equal(reasons, BIT(XN_EMPTY));
    FOR_EACH_TOO_LONG(many, XN_WIRE_LABEL_MAX + 1)
    {
        uint8_t *text = octets_of('a', many), *octets = octets_of(0, XN_WIRE_LABEL_MAX);
        assert_int_equal(xn_presentation_octets(text, many), many);
        assert_int_equal(xn_presentation_to_octets(text, many, octets), 0);
        assert_int_equal(xn_written_to_alabel(unicode, text, many, dst, &len, &reasons), XN_OK);
        assert_int_equal(reasons, BIT(XN_TOO_LONG));
        assert_int_equal(len, 0);
        free(octets);
        free(text);
    }
    free(dst);
}

/* --- script.h, lookalike.h --- */

TEST(test_script, "scripts")
{
    struct xn_script_set set = {0};

    assert_int_equal(xn_script_level(NULL, 0), XN_LEVEL_ASCII);
    assert_false(xn_script_set_add(&set, NULL, 0));
    assert_int_equal(xn_script_find_in(&set, NULL, 0), 0);
    assert_int_equal(xn_script_find_outside(&set, NULL, 0), 0);
    assert_int_equal(xn_misread_mixed_digit(NULL, 0), 0);
    assert_int_equal(xn_script_find_restricted(NULL, 0), 0);
    assert_int_equal(xn_script_find_emoji(NULL, 0), 0);
    assert_int_equal(xn_script_find_rtl(NULL, 0), 0);
    assert_false(xn_script_is_wholescript(NULL, 0));
    FOR_EACH_TOO_LONG(len, 60)
    {
        uint32_t *label = cps_of('a', len);
        assert_int_equal(xn_script_find_in(&set, label, len), len);
        assert_int_equal(xn_script_find_outside(&set, label, len), 0);
        assert_int_equal(xn_misread_mixed_digit(label, len), len);
        assert_int_equal(xn_script_find_restricted(label, len), len);
        assert_int_equal(xn_script_find_emoji(label, len), len);
        assert_int_equal(xn_script_find_rtl(label, len), len);
        free(label);
    }
}

TEST(test_lookalike, "shapes and keys")
{
    struct xn_shape *shape = calloc(1, sizeof *shape), *other = calloc(1, sizeof *other);
    uint8_t *key = octets_of(0, XN_KEY_MAX);

    xn_shape_read(NULL, 0, shape);
    assert_int_equal(shape->len, 0);
    assert_int_equal(xn_shape_key(shape, XN_KEY_EXACT, key), 0);
    assert_int_equal(xn_lookalike_key(NULL, 0, XN_KEY_EXACT, key), 0);
    FOR_EACH_TOO_LONG(len, XN_WIRE_LABEL_MAX + 1)
    {
        uint8_t *label = alabel_of(len), *plain = octets_of('a', len);
        xn_shape_read(label, len, shape);
        assert_int_equal(shape->len, 0);
        assert_false(shape->ace);
        assert_int_equal(xn_lookalike_key(label, len, XN_KEY_LOOSE, key), 0);
        xn_shape_read(plain, len, shape);
        assert_int_equal(shape->len, 0);
        assert_int_equal(xn_lookalike_key(plain, len, XN_KEY_STRICT, key), 0);
        free(plain);
        free(label);
    }
    for (unsigned len = XN_WIRE_LABEL_MAX + 1; len <= UINT8_MAX; len++) {
        shape->len = other->len = (uint8_t)len;
        assert_int_equal(xn_shape_key(shape, XN_KEY_LOOSE, key), 0);
        assert_int_equal(xn_lookalike_compare(shape, other, XN_KEY_LOOSE, XN_ASCII_WIDE),
                         XN_LOOKS_OTHER);
    }
    free(key);
    free(other);
    free(shape);
}

/* --- unicode.h --- */

TEST(test_ulabel, "no code points, and as many as a U-label has")
{
    struct xn_scripts scripts = {0};
    uint32_t *most = cps_of(0xFC, XN_ULABEL_MAX), *astral = cps_of(0x1F600, XN_ULABEL_MAX);

    assert_int_equal(xn_ulabel_check_valid(NULL, 0), BIT(XN_EMPTY));
    assert_int_equal(xn_ulabel_check_display(NULL, 0), 0);
    assert_int_equal(xn_ulabel_check(NULL, 0), BIT(XN_EMPTY));
    assert_int_equal(xn_ulabel_mix(NULL, 0), XN_LEVEL_ASCII);
    assert_int_equal(xn_context_find_joiner(NULL, 0), 0);
    assert_int_equal(xn_unicode_bidi_fault(NULL, 0), 0);
    assert_int_equal(xn_ulabel_drop_joiners(NULL, 0, NULL), 0);
    assert_false(xn_unicode_is_rtl(NULL, 0));
    xn_ulabel_add_scripts(NULL, 0, &scripts);
    assert_int_equal(scripts.count, 0);
    assert_int_equal(xn_ulabel_check(most, XN_ULABEL_MAX), 0);
    assert_int_equal(xn_ulabel_check_valid(astral, XN_ULABEL_MAX), 0);
    assert_int_equal(xn_ulabel_check_display(astral, XN_ULABEL_MAX), BIT(XN_EMOJI));
    free(astral);
    free(most);
}

TEST(test_long_ulabel, "more code points than a U-label has")
{
    static const uint32_t each[] = {'a', 0xFC, 0x5D0, 0x200D, 0x1F600, 0x10FFFF, 0xD800};

    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        FOR_EACH_TOO_LONG(len, XN_ULABEL_MAX + 1)
        {
            struct xn_scripts scripts = {0};
            uint32_t *label = cps_of(each[i], len), *rest = cps_of(0, len);

            assert_int_equal(xn_ulabel_check_valid(label, len), BIT(XN_TOO_LONG));
            assert_int_equal(xn_ulabel_check_display(label, len), BIT(XN_TOO_LONG));
            assert_int_equal(xn_ulabel_check(label, len), BIT(XN_TOO_LONG));
            assert_int_equal(xn_ulabel_mix(label, len), XN_LEVEL_UNRESTRICTED);
            assert_int_equal(xn_context_find_joiner(label, len), each[i] == 0x200D ? 0 : len);
            assert_true(xn_unicode_bidi_fault(label, len) <= len);
            assert_true(xn_ulabel_drop_joiners(label, len, rest) <= len);
            xn_unicode_is_rtl(label, len);
            xn_ulabel_add_scripts(label, len, &scripts);
            assert_int_equal(xn_script_level(label, len), XN_LEVEL_UNRESTRICTED);
            assert_false(xn_script_is_wholescript(label, len));
            free(rest);
            free(label);
        }
}

TEST(test_map, "mapping a label")
{
    uint8_t *dst = octets_of(0, XN_WIRE_LABEL_MAX);
    size_t len = 9;

    assert_int_equal(xn_unicode_map_label(unicode, NULL, 0, dst, &len), BIT(XN_EMPTY));
    assert_int_equal(len, 0);
    assert_int_equal(xn_unicode_alabel_overlength(unicode, NULL, 0), 0);
    FOR_EACH_TOO_LONG(many, 64)
    {
        uint8_t *label = octets_of('a', many);
        assert_int_equal(xn_unicode_map_label(unicode, label, many, dst, &len), BIT(XN_TOO_LONG));
        assert_int_equal(xn_unicode_alabel_overlength(unicode, label, many),
                         many > XN_PRESENTATION_LABEL_MAX ? 0 : many);
        free(label);
    }
    /* Octets that are not UTF-8 are not a label. */
    for (unsigned octet = 0x80; octet < 0x100; octet++) {
        uint8_t *label = octets_of((uint8_t)octet, 1);
        assert_int_equal(xn_unicode_map_label(unicode, label, 1, dst, &len), BIT(XN_DISALLOWED));
        free(label);
    }
    free(dst);
}

static xn_status to_ascii(const char *name, size_t len, char *dst, size_t cap, size_t *dst_len,
                          xn_reasons *reasons)
{
    return xn_uts46_to_ascii(unicode, name, len, XN_UTS46_STRICT, dst, cap, dst_len, reasons);
}

static xn_status to_unicode(const char *name, size_t len, char *dst, size_t cap, size_t *dst_len,
                            xn_reasons *reasons)
{
    return xn_uts46_to_unicode(unicode, name, len, XN_UTS46_STRICT, dst, cap, dst_len, reasons);
}

/* A whole name may have up to XN_STRICT_NAME_MAX octets, since the time grows with their square. */
TEST(test_strict, "UTS 46 of a whole name")
{
    size_t len = 9, room = 2 * XN_STRICT_NAME_MAX;
    char *name = (char *)octets_of('a', XN_STRICT_NAME_MAX + 1), *dst = (char *)octets_of(0, room);
    xn_reasons reasons = 9;

    assert_int_equal(to_unicode(NULL, 0, NULL, 0, &len, &reasons), XN_NO_SPACE);
    assert_int_equal(len, 0);
    assert_int_equal(to_unicode(NULL, 0, dst, 1, &len, &reasons), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(to_ascii(NULL, 0, dst, 1, &len, &reasons), XN_OK);
    assert_int_equal(reasons, BIT(XN_EMPTY));
    assert_int_equal(to_ascii(name, 5, dst, 5, &len, &reasons), XN_NO_SPACE);
    assert_int_equal(to_ascii(name, 5, dst, 6, &len, &reasons), XN_OK);
    assert_string_equal(dst, "aaaaa");
    for (size_t i = 1; i < XN_STRICT_NAME_MAX + 1; i += 2)
        name[i] = '.';
    assert_int_equal(to_unicode(name, XN_STRICT_NAME_MAX - 1, dst, room, &len, &reasons), XN_OK);
    assert_int_equal(reasons, 0);
    assert_int_equal(len, XN_STRICT_NAME_MAX - 1);
    assert_int_equal(to_unicode(name, XN_STRICT_NAME_MAX + 1, dst, room, &len, &reasons), XN_OK);
    assert_int_equal(reasons, BIT(XN_TOO_LONG));
    assert_int_equal(len, 0);
    len = 9;
    assert_int_equal(to_ascii(name, XN_STRICT_NAME_MAX + 1, dst, room, &len, &reasons), XN_OK);
    assert_int_equal(reasons, BIT(XN_TOO_LONG));
    assert_int_equal(len, 0);
    name[0] = (char)0xFF;
    assert_int_equal(to_ascii(name, XN_STRICT_NAME_MAX + 1, dst, room, &len, &reasons),
                     XN_BAD_UTF8);
    assert_int_equal(reasons, 0);
    free(dst);
    free(name);
}

TEST(test_characters, "what is no code point")
{
    static const uint32_t each[] = {0,          0xD800,     0x10FFFF,  0x110000,
                                    0x7FFFFFFF, 0x80000000, UINT32_MAX};
    uint8_t scripts[XN_SCRIPT_EXTENSIONS_MAX];

    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        char name[XN_CHARACTER_NAME_MAX];
        uint8_t key[XN_KEY_MAX];

        xn_unicode_character_name(each[i], name);
        assert_true(strlen(name) > 0);
        assert_int_equal(xn_unicode_is_shown(each[i]), false);
        assert_int_equal(xn_unicode_is_visible(each[i]), false);
        xn_unicode_is_wide(each[i]);
        xn_unicode_is_mark(each[i]);
        xn_unicode_is_letter(each[i]);
        xn_unicode_is_emoji(each[i]);
        xn_traits_is_allowed(each[i]);
        xn_unicode_digit_zero(each[i]);
        xn_unicode_script(each[i]);
        xn_unicode_script_extensions(each[i], scripts);
        assert_int_equal(xn_unicode_judge_character(unicode, each[i], each[i], each[i]),
                         XN_CHARACTER_REFUSED);
        xn_lookalike_sequence(each[i], XN_KEY_LOOSE, key);
    }
    assert_int_equal(xn_unicode_find_script(""), -1);
}

/* --- label.h --- */

TEST(test_alabel, "A-labels")
{
    uint32_t *cps = cps_of(0, XN_ULABEL_MAX);
    uint8_t *text = octets_of(0, XN_ULABEL_TEXT);
    size_t len = 9, text_len = 9;

    assert_int_equal(xn_label_decode(unicode, NULL, 0, cps, &len), BIT(XN_PUNYCODE));
    assert_int_equal(len, 0);
    assert_int_equal(xn_label_decode_text(unicode, NULL, 0, cps, &len, text, &text_len),
                     BIT(XN_PUNYCODE));
    assert_int_equal(text_len, 0);
    for (size_t short_len = 1; short_len < 4; short_len++) {
        uint8_t *label = exact_copy("xn-", short_len);
        assert_int_equal(xn_label_decode(unicode, label, short_len, cps, &len), BIT(XN_PUNYCODE));
        assert_int_equal(
            xn_label_decode_text(unicode, label, short_len, cps, &len, text, &text_len),
            BIT(XN_PUNYCODE));
        free(label);
    }
    for (size_t whole = 7; whole <= XN_WIRE_LABEL_MAX; whole++) {
        uint8_t *label = alabel_of(whole);
        assert_int_equal(xn_label_decode_text(unicode, label, whole, cps, &len, text, &text_len),
                         0);
        assert_int_equal(len, whole - 6);
        assert_int_equal(text_len, 2 * len);
        free(label);
    }
    FOR_EACH_TOO_LONG(many, XN_WIRE_LABEL_MAX + 1)
    {
        uint8_t *label = alabel_of(many);
        len = text_len = 9;
        assert_int_equal(xn_label_decode(unicode, label, many, cps, &len), BIT(XN_TOO_LONG));
        assert_int_equal(len, 0);
        assert_int_equal(xn_label_decode_text(unicode, label, many, cps, &len, text, &text_len),
                         BIT(XN_TOO_LONG));
        assert_int_equal(len, 0);
        assert_int_equal(text_len, 0);
        free(label);
    }
    free(text);
    free(cps);
}

TEST_MAIN_WITH_UNICODE(unicode)
