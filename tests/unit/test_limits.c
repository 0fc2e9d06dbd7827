/* SPDX-License-Identifier: BSD-3-Clause */
/* Every public function of libxn, except those of core/idna/unicode.h, core/idna/uts46.h and
 * core/idna/label.h (test_limits_unicode.c) and those of core/names/idna.h (test_idna.c), with
 * nothing, with no room, with as much as its header allows and with more. */
#include "tests/unit/limits.h"

#include "core/idna/misread.h"
#include "core/idna/unicode.h"
#include "core/lookalike/script.h"
#include "core/lookalike/shape.h"
#include "core/names/display.h"
#include "core/names/presentation.h"
#include "core/names/written.h"
#include "core/punycode/trace.h"
#include "core/text/utf8.h"
#include "core/wire/wire.h"

static struct xn_unicode *unicode;

/* --- status.h, finding.h --- */

static void test_words(void **state)
{
    (void)state;
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

static void test_utf8(void **state)
{
    uint8_t *octets = octets_of(0xC3, 1), four[XN_UTF8_MAX];
    uint32_t *cps = cps_of(0xFC, 1), cp;
    size_t len = 9, bad_at = 9;

    (void)state;
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

static void test_no_punycode(void **state)
{
    uint8_t *octets = octets_of('a', 1);
    uint32_t *cps = cps_of(0xFC, 1);
    struct xn_punycode_notes notes = {.step_count = 9};
    size_t len = 9;

    (void)state;
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
static void test_long_punycode(void **state)
{
    size_t len;

    (void)state;
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

static void test_wire(void **state)
{
    uint8_t *octets = octets_of(1, 300), *lower = octets_of(0, 300);
    char *text = calloc(4, 300);
    struct xn_wire_cursor cursor;

    (void)state;
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
static void test_longest_name(void **state)
{
    uint8_t *wire = octets_of(1, XN_WIRE_NAME_MAX);
    char *text = malloc(XN_WIRE_TEXT_MAX), *display = malloc(XN_DISPLAY_NAME_MAX);
    struct xn_name name;

    (void)state;
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

static void test_name(void **state)
{
    uint8_t *root = octets_of(0, 1), *octets = octets_of(1, 300);
    struct xn_name name;
    char text[XN_DISPLAY_NAME_MAX];

    (void)state;
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

static void test_written(void **state)
{
    uint8_t *dst = octets_of(0, XN_WRITTEN_ALABEL_MAX);
    struct xn_presentation_cursor cursor;
    const uint8_t *label;
    xn_reasons reasons;
    size_t len = 9;

    (void)state;
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

static void test_script(void **state)
{
    struct xn_script_set set = {0};

    (void)state;
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

static void test_lookalike(void **state)
{
    struct xn_shape *shape = calloc(1, sizeof *shape), *other = calloc(1, sizeof *other);
    uint8_t *key = octets_of(0, XN_KEY_MAX);

    (void)state;
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

int main(void)
{
    struct test_group group = {0};

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    add_test(&group, "words of what has none", test_words, NULL);
    add_test(&group, "UTF-8", test_utf8, NULL);
    add_test(&group, "Punycode of nothing, and without room", test_no_punycode, NULL);
    add_test(&group, "Punycode of any length", test_long_punycode, NULL);
    add_test(&group, "wire format", test_wire, NULL);
    add_test(&group, "the longest texts of a name", test_longest_name, NULL);
    add_test(&group, "names", test_name, NULL);
    add_test(&group, "written labels", test_written, NULL);
    add_test(&group, "scripts", test_script, NULL);
    add_test(&group, "shapes and keys", test_lookalike, NULL);
    int failed = run_group("limits", &group);
    xn_unicode_close(unicode);
    free(group.tests);
    return failed;
}
