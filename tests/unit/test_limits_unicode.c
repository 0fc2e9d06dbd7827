/* SPDX-License-Identifier: BSD-3-Clause */
/* Every public function of libxn in core/idna/unicode.h and core/idna/label.h with nothing, with no
 * room, with as much as its header allows and with more. */
#include "tests/unit/limits.h"

#include "core/idna/context.h"
#include "core/idna/label.h"
#include "core/idna/mapping.h"
#include "core/idna/property.h"
#include "core/idna/traits.h"
#include "core/idna/ulabel.h"
#include "core/idna/unicode.h"
#include "core/idna/uts46.h"
#include "core/lookalike/script.h"
#include "core/lookalike/shape.h"
#include "core/names/display.h"

static struct xn_unicode *unicode;

/* --- unicode.h --- */

static void test_ulabel(void **state)
{
    struct xn_scripts scripts = {0};
    uint32_t *most = cps_of(0xFC, XN_ULABEL_MAX), *astral = cps_of(0x1F600, XN_ULABEL_MAX);

    (void)state;
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

static void test_long_ulabel(void **state)
{
    static const uint32_t each[] = {'a', 0xFC, 0x5D0, 0x200D, 0x1F600, 0x10FFFF, 0xD800};

    (void)state;
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

static void test_map(void **state)
{
    uint8_t *dst = octets_of(0, XN_WIRE_LABEL_MAX);
    size_t len = 9;

    (void)state;
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
static void test_strict(void **state)
{
    size_t len = 9, room = 2 * XN_STRICT_NAME_MAX;
    char *name = (char *)octets_of('a', XN_STRICT_NAME_MAX + 1), *dst = (char *)octets_of(0, room);
    xn_reasons reasons = 9;

    (void)state;
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

static void test_characters(void **state)
{
    static const uint32_t each[] = {0,          0xD800,     0x10FFFF,  0x110000,
                                    0x7FFFFFFF, 0x80000000, UINT32_MAX};
    uint8_t scripts[XN_SCRIPT_EXTENSIONS_MAX];

    (void)state;
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
        char *escape = malloc(XN_DISPLAY_ESCAPE_MAX);
        assert_int_equal(xn_display_escape(each[i], escape) > 0, each[i] <= 0x10FFFF);
        free(escape);
    }
    assert_int_equal(xn_unicode_find_script(""), -1);
}

/* --- label.h --- */

static void test_alabel(void **state)
{
    uint32_t *cps = cps_of(0, XN_ULABEL_MAX);
    uint8_t *text = octets_of(0, XN_ULABEL_TEXT);
    size_t len = 9, text_len = 9;

    (void)state;
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

int main(void)
{
    struct test_group group = {0};

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    add_test(&group, "no code points, and as many as a U-label has", test_ulabel, NULL);
    add_test(&group, "more code points than a U-label has", test_long_ulabel, NULL);
    add_test(&group, "mapping a label", test_map, NULL);
    add_test(&group, "UTS 46 of a whole name", test_strict, NULL);
    add_test(&group, "what is no code point", test_characters, NULL);
    add_test(&group, "A-labels", test_alabel, NULL);
    int failed = run_group("limits_unicode", &group);
    xn_unicode_close(unicode);
    free(group.tests);
    return failed;
}
