/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "core/lookalike/shape.h"
#include "tests/unit/exact.h"
#include "tests/unit/wirelabel.h"

#define OCTETS(literal) literal, sizeof literal - 1

/* --- keys of labels as people see them --- */

static struct row {
    const char *label, *exact, *strict, *loose;
} rows[] = {
    {"paypal", "paypal", "paypal", "paypal"},
    {"PayPal", "paypal", "paypal", "paypal"},
    {"pаypal", "paypal", "paypal", "paypal"}, /* Cyrillic a */
    {"аррӏе", "apple", "apple", "apple"},     /* Cyrillic, U+04CF the l */
    {"gооgle", "google", "google", "google"}, /* Cyrillic o */
    {"páypal", "pa\u0301ypal", "paypal", "paypal"},
    {"pa\u0323\u0301ypal", "pa\u0301\u0323ypal", "paypal", "paypal"},
    {"pai\u0307d", "paid", "pald", "palcl"}, /* the dot that the i has */
    {"j\u0307\u0131\u0307", "ji", "jl", "jl"},
    {"ai\u0301\u0307", "ai\u0301", "al", "al"},
    {"bücher", "bu\u0308cher", "bucher", "bucher"},
    {"búcher", "bu\u0301cher", "bucher", "bucher"},
    {"paypa1", "paypal", "paypal", "paypal"},
    {"paypai", "paypai", "paypal", "paypal"},
    {"g00gle", "gOOgle", "google", "google"},
    {"modern", "rnodern", "rnodern", "rnoclern"},
    {"w5", "w5", "w5", "vvs"},
    {"faß", "faß", "fab", "fab"},
    {"łódź", "l\u0338o\u0301dz\u0301", "lodz", "loclz"},
    {"æon", "aeon", "aeon", "aeon"},
    {"əlɐ", "\u01DDl\u0250", "ala", "ala"},
    {"ᴘᴀʏᴘᴀʟ", "\u1D18\u1D00y\u1D18\u1D00\u029F", "paypal", "paypal"}, /* small capitals */
    {"ᏢᎪᎩᏢᎪᏞ", "PAYPAL", "paypal", "paypal"},                          /* Cherokee */
    {"ⓟⓐⓨ", "ⓟⓐⓨ", "pay", "pay"},
    {"❶⓿", "❶⓿", "lo", "lo"},
    {"४२", "४२", "42", "42"}, /* Devanagari digits */
    {"москва", "\u028Doc\u0138\u0299a", "rnockba", "rnockba"},
    {"ґанок", "r\u02BCa\u029Co\u0138", "rahok", "rahok"}, /* an apostrophe behind ASCII */
    {"ישראל", "\u02BCשראל", "\u02BCwרxל", "\u02BCvvרxל"}, /* and one that is a letter */
    {"col·lega", "col·lega", "collega", "collega"},
    {"नमस्ते", "नमस्ते", "नमस्ते", "नमस्ते"},     /* vowels of their script stay … */
    {"a\u0947b", "a\u0947b", "ab", "ab"}, /* … but hide no letter of ours */
    {"한글", "\u1112\u1161\u1102\u1100\u30FC\u1105", "\u1112\u1161\u1102\u1100-\u1105",
     "\u1112\u1161\u1102\u1100-\u1105"},
    {"中国", "中国", "中国", "中国"},
    {"نامه\u200Cای", "نlمolى", "نlمolى", "نlمolى"}, /* a joiner leaves no trace */
    {"\u0301a", "\u0301a", "a", "a"},
};

static void has_keys(void **state)
{
    const struct row *row = *state;
    const char *const expected[] = {row->exact, row->strict, row->loose};
    uint8_t wire[XN_WIRE_LABEL_MAX];
    size_t len = wire_label(row->label, wire);
    uint8_t *label = exact_copy(wire, len);

    for (int key = XN_KEY_EXACT; key <= XN_KEY_LOOSE; key++) {
        char got[XN_KEY_MAX + 1];
        got[xn_lookalike_key(label, len, (xn_key)key, (uint8_t *)got)] = '\0';
        assert_string_equal(got, expected[key]);
    }
    free(label);
}

/* --- shapes --- */

static struct shape_row {
    const char *name, *label;
    size_t len;
    bool ace;
    size_t count;
    uint32_t first, last;
} shape_rows[] = {
    {"ASCII", OCTETS("WWW"), false, 3, 'w', 'w'},
    {"an A-label", OCTETS("xn--bcher-kva"), true, 6, 'b', 'r'},
    {"an A-label in capitals", OCTETS("XN--BCHER-KVA"), true, 6, 'b', 'r'},
    {"no valid U-label, but Punycode", OCTETS("xn--31m-dda"), true, 4, 0x9B, 'm'},
    {"a capital not of ASCII", OCTETS("xn--bcher-2pa"), true, 6, 'b', 'r'},
    {"xn-- alone", OCTETS("xn--"), false, 4, 'x', '-'},
    {"Punycode of ASCII alone", OCTETS("xn--abc-"), false, 8, 'x', '-'},
    {"Punycode that breaks off", OCTETS("xn--99999"), false, 9, 'x', '9'},
    {"Punycode of a surrogate", OCTETS("xn--ib9b"), false, 8, 'x', 'b'},
    {"an octet above ASCII", OCTETS("\xC3\xA9"), false, 2, XN_SHAPE_OCTET + 0xC3,
     XN_SHAPE_OCTET + 0xA9},
    {"an octet above ASCII behind xn--", OCTETS("xn--\xFF-abc"), false, 9, 'x', 'c'},
    {"a NUL", OCTETS("a\0B"), false, 3, 'a', 'b'},
    {"a dot", OCTETS("a.b"), false, 3, 'a', 'b'},
    {"63 octets", OCTETS("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaz"), false,
     63, 'a', 'z'},
};

static void has_shape(void **state)
{
    const struct shape_row *row = *state;
    uint8_t *label = exact_copy(row->label, row->len);
    struct xn_shape shape;

    xn_shape_read(label, row->len, &shape);
    assert_int_equal(shape.ace, row->ace);
    assert_int_equal(shape.len, row->count);
    assert_int_equal(shape.code_points[0], row->first);
    assert_int_equal(shape.code_points[shape.len - 1], row->last);
    free(label);
}

/* --- octets --- */

/* Octets that are no ASCII stand for themselves; an ASCII label has one key, however it is made. */
static void test_octets(void **state)
{
    (void)state;
    for (int key = XN_KEY_EXACT; key <= XN_KEY_LOOSE; key++)
        for (unsigned octet = 0; octet < 0x100; octet++) {
            uint8_t label[] = {'a', (uint8_t)octet, 'n'}, fast[XN_KEY_MAX], slow[XN_KEY_MAX];
            struct xn_shape shape;
            xn_shape_read(label, sizeof label, &shape);
            size_t len = xn_shape_key(&shape, (xn_key)key, slow);
            assert_int_equal(xn_lookalike_key(label, sizeof label, (xn_key)key, fast), len);
            assert_memory_equal(fast, slow, len);
            if (octet >= 0x80)
                assert_int_equal(fast[1], octet);
        }
}

/* No two letters or digits of ASCII have one exact or strict key, but for 1, l and i, and 0 and o.
 */
static void test_ascii_apart(void **state)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    uint8_t one[XN_KEY_MAX], other[XN_KEY_MAX];

    (void)state;
    for (const char *a = letters; *a; a++)
        for (const char *b = a + 1; *b; b++)
            for (int key = XN_KEY_EXACT; key <= XN_KEY_STRICT; key++) {
                size_t len = xn_lookalike_key((const uint8_t *)a, 1, (xn_key)key, one);
                bool equal = xn_lookalike_key((const uint8_t *)b, 1, (xn_key)key, other) == len &&
                             memcmp(one, other, len) == 0;
                bool documented = (*a == 'l' && *b == '1') ||
                                  (key == XN_KEY_STRICT &&
                                   ((*a == 'i' && strchr("l1", *b)) || (*a == 'o' && *b == '0')));
                if (equal != documented)
                    fail_msg("%c and %c, %s", *a, *b, xn_key_word((xn_key)key));
            }
}

/* U+0F75 is U+0F71 and U+0F74, and marks on one letter stand in the order of their code points:
 * however many there are, all of the one come before all of the other. */
static void test_many_marks(void **state)
{
    (void)state;
    for (uint8_t count = 1; count <= XN_ULABEL_MAX; count++) {
        struct xn_shape shape = {.ace = true, .len = count};
        uint8_t key[XN_KEY_MAX];

        for (size_t i = 0; i < count; i++)
            shape.code_points[i] = 0xF75;
        assert_int_equal(xn_shape_key(&shape, XN_KEY_EXACT, key), 6 * count);
        for (size_t i = 0; i < 2u * count; i++)
            assert_memory_equal(key + 3 * i, i < count ? "\xE0\xBD\xB1" : "\xE0\xBD\xB4", 3);
    }
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(xn_key_word(XN_KEY_EXACT), "exact");
    assert_string_equal(xn_key_word(XN_KEY_STRICT), "strict");
    assert_string_equal(xn_key_word(XN_KEY_LOOSE), "loose");
    assert_string_equal(xn_ascii_word(XN_ASCII_OFF), "off");
    assert_string_equal(xn_ascii_word(XN_ASCII_SAFE), "safe");
    assert_string_equal(xn_ascii_word(XN_ASCII_WIDE), "wide");
}

int main(void)
{
    struct test_group group = {0};

    ADD_TESTS(&group, rows, label, has_keys);
    ADD_TESTS(&group, shape_rows, name, has_shape);
    add_test(&group, "octets", test_octets, NULL);
    add_test(&group, "letters of ASCII stay apart", test_ascii_apart, NULL);
    add_test(&group, "many marks", test_many_marks, NULL);
    add_test(&group, "words", test_words, NULL);
    int failed = run_group("lookalike", &group);
    free(group.tests);
    return failed;
}
