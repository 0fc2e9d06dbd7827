/* SPDX-License-Identifier: BSD-3-Clause */
/* Written names, label by label. What is said of them: test_rulename.c.
 */
#include "tests/unit/vectors.h"

#include "core/names/presentation.h"
#include "core/names/written.h"
#include "core/wire/wire.h"
#include "tests/unit/exact.h"

#define E3 "\\000\\001\\002"
#define E9 E3 E3 E3
#define E59 E9 E9 E9 E9 E9 E9 E3 "\\003\\004"
#define A59 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A63 A59 "aaaa"

static struct xn_unicode *unicode;

/* --- labels --- */

/* Each label with `|` behind it. */
static const struct {
    const char *text, *labels;
} walks[] = {
    {"", ""},
    {".", ""},
    {"\u3002", ""},
    {"a", "a|"},
    {"a.", "a|"},
    {"a\uFF61", "a|"},
    {"a.bc", "a|bc|"},
    {"a\u3002b\uFF0Ec\uFF61d", "a|b|c|d|"},
    {"\u00FC\u3002\u3001", "\u00FC|\u3001|"},
    {".a", "|a|"},
    {"..", "||"},
    {"a..", "a||"},
    {"a.\u3002b", "a||b|"},
    {"a\\.b.c", "a\\.b|c|"},
    {"a\\\\.b", "a\\\\|b|"},
    {"a\\\u3002b", "a\\\u3002b|"},
    {"a.b\\", "a|b\\|"},
    {"\xE3\x80.\xFF", "\xE3\x80|\xFF|"},
};

TEST(test_walks, "where labels end")
{
    for (size_t i = 0; i < COUNT(walks); i++) {
        size_t text_len = strlen(walks[i].text), len;
        uint8_t *text = exact_copy(walks[i].text, text_len);
        struct xn_presentation_cursor cursor;
        const uint8_t *label;
        char labels[64] = "";

        xn_presentation_open(&cursor, text, text_len);
        while (xn_presentation_next(&cursor, &label, &len))
            sprintf(labels + strlen(labels), "%.*s|", (int)len, (const char *)label);
        assert_string_equal(labels, walks[i].labels);
        assert_false(xn_presentation_next(&cursor, &label, &len));
        free(text);
    }
}

/* --- escapes and octets --- */

static const struct {
    const char *label;
    size_t escape, octets; /* of the escape it begins with, if any; of all in wire format */
} escapes[] = {
    {"", 0, 0},        {"a", 0, 1},      {"abc", 0, 3},     {"\\", 0, 1},       {"a\\", 0, 2},
    {"\\.", 2, 1},     {"\\.x", 2, 2},   {"\\\\", 2, 1},    {"\\ ", 2, 1},      {"\\~", 2, 1},
    {"\\\x1F", 0, 1},  {"\\\x7F", 0, 1}, {"\\\x80", 0, 1},  {"\\/", 2, 1},      {"\\:", 2, 1},
    {"\\0", 0, 1},     {"\\04", 0, 2},   {"\\046", 4, 1},   {"\\0466", 4, 2},   {"\\000", 4, 1},
    {"\\255", 4, 1},   {"\\256", 0, 1},  {"\\300", 0, 1},   {"\\0a6", 0, 1},    {"\\04a", 0, 1},
    {"\\0/6", 0, 1},   {"\\04:", 0, 1},  {"a\\046b", 0, 3}, {"a\\\\\\.", 0, 3}, {"a\\.\\046", 0, 3},
    {"abc\\04", 0, 5}, {"\\999", 0, 1},
};

TEST(test_escapes, "escapes, and how many octets there are")
{
    for (size_t i = 0; i < COUNT(escapes); i++) {
        size_t len = strlen(escapes[i].label);
        uint8_t *label = exact_copy(escapes[i].label, len);
        uint8_t *octets = malloc(escapes[i].octets);

        assert_int_equal(xn_presentation_to_octets(label, len, octets), escapes[i].octets);
        free(octets);
        if (xn_presentation_escape(label, len) != escapes[i].escape ||
            xn_presentation_octets(label, len) != escapes[i].octets)
            fail_msg("'%s'", escapes[i].label);
        free(label);
    }
}

TEST(test_octets, "the octets that a label has")
{
    static const char text[] = "aB\\.\\000\\255\\\\\\u{4}\\";
    static const uint8_t octets[] = {'a', 'B', '.', 0, 255, '\\', 'u', '{', '4', '}', '\\'};
    uint8_t *dst = malloc(sizeof octets), *full = malloc(XN_WIRE_LABEL_MAX);

    assert_int_equal(xn_presentation_to_octets((const uint8_t *)text, sizeof text - 1, dst),
                     sizeof octets);
    assert_memory_equal(dst, octets, sizeof octets);
    assert_int_equal(
        xn_presentation_to_octets((const uint8_t *)E59 E3 "a", strlen(E59 E3 "a"), full), 63);
    assert_int_equal(
        xn_presentation_to_octets((const uint8_t *)E59 E3 "aa", strlen(E59 E3 "aa"), full), 0);
    free(full);
    free(dst);
}

TEST(test_each_octet, "octets that are ASCII, and plain")
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

    assert_true(xn_presentation_is_ascii(NULL, 0) && xn_presentation_is_plain_label(NULL, 0));
    for (unsigned octet = 0; octet < 256; octet++) {
        const uint8_t first[] = {(uint8_t)octet, 'a'}, last[] = {'a', (uint8_t)octet};

        assert_int_equal(xn_presentation_is_ascii(first, 2), octet < 0x80);
        assert_int_equal(xn_presentation_is_ascii(last, 2), octet < 0x80);
        bool is_plain = memchr(plain, (int)octet, sizeof plain - 1);
        assert_int_equal(xn_presentation_is_plain((uint8_t)octet), is_plain);
        assert_int_equal(xn_presentation_is_plain_label(first, 2), is_plain);
        assert_int_equal(xn_presentation_is_plain_label(last, 2), is_plain);
    }
}

/* --- what stands for a label --- */

#define BIT(reason) ((xn_reasons)1 << (reason))
static const struct {
    const char *label, *alabel;
    xn_reasons reasons;
} alabels[] = {
    {"_DMARC", "_dmarc", 0},
    {"*", "*", 0},
    {"a\\.B\\065", "a\\.b\\065", 0},
    {"a b/~", "a b/~", 0},
    {"a b/\x7F", "", BIT(XN_DISALLOWED)}, /* a control character: \127 is fine */
    {"a\x01", "", BIT(XN_DISALLOWED)},
    {"a\\001", "a\\001", BIT(XN_DISALLOWED)},
    {"\\127", "\\127", BIT(XN_DISALLOWED)},
    {"\\032\\126\\128", "\\032\\126\\128", 0},
    {"p\\u{430}ypal", "", BIT(XN_DISALLOWED)}, /* as it is shown, not "pu{430}ypal" */
    {"\\u{", "", BIT(XN_DISALLOWED)},
    {"p\\\\u{430}ypal", "p\\\\u{430}ypal", 0},
    {"p\\uypal", "p\\uypal", 0},
    {"\\120N--\\066cher-kva", "\\120n--\\066cher-kva", 0}, /* an A-label all the same */
    {"xn--a\\.-", "xn--a\\.-", BIT(XN_ASCII_ONLY)},
    {"\\999", "", BIT(XN_DISALLOWED)},
    {"a\\", "", BIT(XN_DISALLOWED)},
    {"\\065\\.\\\\", "\\065\\.\\\\", 0},
    {"\\065\\.\\\x7F", "", BIT(XN_DISALLOWED)},
    {"xn--a\\25", "", BIT(XN_DISALLOWED)},
    {A63 "\\", "", BIT(XN_TOO_LONG)},
    {"xn--bcher-kva", "xn--bcher-kva", 0},
    {"XN--BCHER-KVA", "xn--bcher-kva", 0},
    {"xn--pypal-4ve", "xn--pypal-4ve", 0}, /* restricted, which is no matter here */
    {"xn--abc-", "xn--abc-", BIT(XN_ASCII_ONLY)},
    {"xn--" A59, "xn--" A59, BIT(XN_DISALLOWED)}, /* U+0080, 59 times */
    {"xn--99999999", "xn--99999999", BIT(XN_PUNYCODE)},
    {"b\u00FCcher", "xn--bcher-kva", 0},
    {"B\u00DCCHER", "xn--bcher-kva", 0},
    {"fa\u00DF", "xn--fa-hia", 0},
    {"p\u0430ypal", "xn--pypal-4ve", 0},
    {"\u00FC\u202E", "", BIT(XN_DISALLOWED)},
    {"", "", BIT(XN_EMPTY)},
    {A63, A63, 0},
    {A63 "a", "", BIT(XN_TOO_LONG)},
    {"\\255\\255\\255\\255" E59, "\\255\\255\\255\\255" E59, BIT(XN_DISALLOWED)},
    {"\\255\\255\\255\\255\\255" E59, "", BIT(XN_TOO_LONG)},
    {"xn--" E59, "xn--" E59, BIT(XN_PUNYCODE)}, /* longer as it is written than an A-label can be */
};

TEST(test_alabels, "what stands for a label")
{
    for (size_t i = 0; i < COUNT(alabels); i++) {
        size_t len = strlen(alabels[i].label), alabel_len;
        uint8_t *label = exact_copy(alabels[i].label, len), *dst = malloc(XN_WRITTEN_ALABEL_MAX);
        xn_reasons reasons;

        assert_int_equal(xn_written_to_alabel(unicode, label, len, dst, &alabel_len, &reasons),
                         XN_OK);
        if (reasons != alabels[i].reasons || alabel_len != strlen(alabels[i].alabel) ||
            memcmp(dst, alabels[i].alabel, alabel_len) != 0)
            fail_msg("'%s'", alabels[i].label);
        free(dst);
        free(label);
    }
}

TEST(test_no_text, "what is no UTF-8")
{
    uint8_t dst[XN_WRITTEN_ALABEL_MAX];
    xn_reasons reasons = 1;
    size_t len = 1;

    assert_int_equal(
        xn_written_to_alabel(unicode, (const uint8_t *)"a\xFC", 2, dst, &len, &reasons),
        XN_BAD_UTF8);
    assert_int_equal(len, 0);
    assert_int_equal(reasons, 0);
}

TEST_MAIN_WITH_UNICODE(unicode)
