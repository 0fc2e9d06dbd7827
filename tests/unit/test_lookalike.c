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

TEST_ROWS(has_keys, rows, label)
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

TEST_ROWS(has_shape, shape_rows, name)
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
TEST(test_octets, "octets")
{
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
TEST(test_ascii_apart, "letters of ASCII stay apart")
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    uint8_t one[XN_KEY_MAX], other[XN_KEY_MAX];

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

/* U+0F75 is U+0F71 and U+0F74, and marks on one letter are in the order of their code points:
 * however many there are, all of the one come before all of the other. */
TEST(test_many_marks, "many marks")
{
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

TEST(test_words, "words")
{
    assert_string_equal(xn_key_word(XN_KEY_EXACT), "exact");
    assert_string_equal(xn_key_word(XN_KEY_STRICT), "strict");
    assert_string_equal(xn_key_word(XN_KEY_LOOSE), "loose");
    assert_string_equal(xn_ascii_word(XN_ASCII_OFF), "off");
    assert_string_equal(xn_ascii_word(XN_ASCII_SAFE), "safe");
    assert_string_equal(xn_ascii_word(XN_ASCII_WIDE), "wide");
}

/* --- compare --- */

enum { SAME = XN_LOOKS_SAME, ALIKE = XN_LOOKS_ALIKE, NEAR = XN_LOOKS_NEAR, OTHER = XN_LOOKS_OTHER };

/* A protected label, one that is asked for, and how they look by each key and class. */
static struct compare_row {
    const char *protected, *asked;
    int exact[3], strict[3]; /* off, safe, wide */
} compare_rows[] = {
    {"paypal", "paypal", {SAME, SAME, SAME}, {SAME, SAME, SAME}},
    {"paypal", "PAYPAL", {SAME, SAME, SAME}, {SAME, SAME, SAME}},
    {"bücher", "bücher", {SAME, SAME, SAME}, {SAME, SAME, SAME}},
    {"paypal", "pаypal", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}}, /* Cyrillic a */
    {"apple", "аррӏе", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"google", "gооgle", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"paypal", "páypal", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},
    {"mini", "mӏnӏ", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},         /* palochka: i … */
    {"linkedin", "ӏіnkedӏn", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}}, /* … and l */
    {"ӏід", "іӏд", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"lint", "іӏnt", {OTHER, OTHER, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"lilt", "ӏӏӏ", {OTHER, OTHER, OTHER}, {OTHER, OTHER, OTHER}},
    {"maol", "mӏol", {OTHER, OTHER, OTHER}, {OTHER, OTHER, OTHER}},
    {"paypal", "example", {OTHER, OTHER, OTHER}, {OTHER, OTHER, OTHER}},
    {"paypal", "paypa", {OTHER, OTHER, OTHER}, {OTHER, OTHER, OTHER}},
    {"paypal", "pаypals", {OTHER, OTHER, OTHER}, {OTHER, OTHER, OTHER}},

    /* a protected name that is an IDN */
    {"bücher", "búcher", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},
    {"bücher", "bucher", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},
    {"bücher", "bũcher", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},
    {"bücherm", "bücherrn", {ALIKE, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"почта", "nочта", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},

    /* ASCII alone: what differs counts if the class alone makes them equal */
    {"paypal", "paypa1", {NEAR, ALIKE, ALIKE}, {NEAR, ALIKE, ALIKE}},
    {"paypal", "paypai", {OTHER, OTHER, ALIKE}, {NEAR, NEAR, ALIKE}},
    {"list", "1ist", {NEAR, ALIKE, ALIKE}, {NEAR, ALIKE, ALIKE}},
    {"google", "g00gle", {OTHER, ALIKE, ALIKE}, {NEAR, ALIKE, ALIKE}},
    {"modern", "rnodem", {NEAR, ALIKE, ALIKE}, {NEAR, ALIKE, ALIKE}},
    {"wales", "vvales", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},
    {"vw", "wv", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},
    {"deli", "cleli", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},
    {"5even", "seven", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},
    {"d0wn", "clovvn", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},

    /* both */
    {"google", "gо0gle", {OTHER, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"windows", "vvindоws", {OTHER, OTHER, ALIKE}, {OTHER, OTHER, ALIKE}},
    {"mail", "маіl", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}}, /* UTS 39: no m */

    /* capitals of other scripts are none of ASCII's classes */
    {"o", "О", {OTHER, ALIKE, ALIKE}, {ALIKE, ALIKE, ALIKE}},
    {"a", "Ꭺ", {OTHER, OTHER, OTHER}, {ALIKE, ALIKE, ALIKE}},
};

static void looks(void **state)
{
    const struct compare_row *row = *state;
    uint8_t label[XN_WIRE_LABEL_MAX];
    struct xn_shape protected, asked;

    xn_shape_read(label, wire_label(row->protected, label), &protected);
    xn_shape_read(label, wire_label(row->asked, label), &asked);
    for (int ascii = XN_ASCII_OFF; ascii <= XN_ASCII_WIDE; ascii++) {
        for (int key = XN_KEY_EXACT; key <= XN_KEY_STRICT; key++) {
            int expected = key == XN_KEY_EXACT ? row->exact[ascii] : row->strict[ascii];
            int got = (int)xn_lookalike_compare(&protected, &asked, (xn_key)key, (xn_ascii)ascii);
            int back = (int)xn_lookalike_compare(&asked, &protected, (xn_key)key, (xn_ascii)ascii);
            if (got != expected || back != expected)
                fail_msg("%s, %s: %d and %d, expected %d", xn_key_word((xn_key)key),
                         xn_ascii_word((xn_ascii)ascii), got, back, expected);
        }
    }
}

/* An A-label that does not decode, and one that decodes to ASCII, are ASCII. */
TEST(test_broken_labels, "broken labels")
{
    struct xn_shape broken, asked;

    xn_shape_read((const uint8_t *)"xn--9999m", 9, &broken);
    xn_shape_read((const uint8_t *)"xn--9999rn", 10, &asked);
    assert_int_equal(xn_lookalike_compare(&broken, &asked, XN_KEY_EXACT, XN_ASCII_OFF), NEAR);
    assert_int_equal(xn_lookalike_compare(&broken, &asked, XN_KEY_EXACT, XN_ASCII_SAFE), ALIKE);
    xn_shape_read((const uint8_t *)"abc", 3, &broken);
    xn_shape_read((const uint8_t *)"xn--abc-", 8, &asked);
    assert_int_equal(xn_lookalike_compare(&broken, &asked, XN_KEY_STRICT, XN_ASCII_WIDE), OTHER);
}

/* A shape that is too long looks like nothing, itself included. */
TEST(test_too_long, "shapes that are too long")
{
    struct xn_shape label, longer = {.len = XN_WIRE_LABEL_MAX + 1};

    xn_shape_read((const uint8_t *)"abc", 3, &label);
    assert_int_equal(xn_lookalike_compare(&label, &longer, XN_KEY_EXACT, XN_ASCII_OFF), OTHER);
    assert_int_equal(xn_lookalike_compare(&longer, &label, XN_KEY_EXACT, XN_ASCII_OFF), OTHER);
    assert_int_equal(xn_lookalike_compare(&longer, &longer, XN_KEY_EXACT, XN_ASCII_OFF), OTHER);
}

BEFORE_MAIN(comparisons)
{
    for (size_t i = 0; i < COUNT(compare_rows); i++)
        add_named_test(looks, &compare_rows[i], "%s, %s", compare_rows[i].protected,
                       compare_rows[i].asked);
}

TEST_MAIN
