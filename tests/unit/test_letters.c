/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters of labels: which there are, and which labels are one edit apart. fuzz_lookalike.c tests
 * keys without some letters. */
#include "tests/unit/vectors.h"

#include "core/lookalike/letters.h"
#include "core/lookalike/shape.h"
#include "core/text/utf8.h"

#include <ctype.h>

static void shape_of(const char *text, struct xn_shape *shape)
{
    size_t count = 0;

    assert_int_equal(xn_utf8_decode((const uint8_t *)text, strlen(text), shape->code_points,
                                    XN_WIRE_LABEL_MAX, &count, NULL),
                     XN_OK);
    shape->len = (uint8_t)count;
    shape->ace = count < strlen(text);
}

/* --- which letters there are --- */

static struct letters_row {
    const char *name, *label;
    xn_key key;
    const char *letters; /* the parts of the key, each with a blank after it */
} letters_rows[] = {
    {"nothing", "", XN_KEY_EXACT, ""},
    {"ASCII", "mail", XN_KEY_EXACT, "rn a i l "},
    {"a composed mark", "caf\u00E9", XN_KEY_EXACT, "c a f e\u0301 "},
    {"… by the strict key", "caf\u00E9", XN_KEY_STRICT, "c a f e "},
    {"a mark of its own", "q\u0323a", XN_KEY_EXACT, "q\u0323 a "},
    {"two", "q\u0301\u0323a", XN_KEY_EXACT, "q\u0301\u0323 a "},
    {"… by the strict key", "q\u0301\u0323a", XN_KEY_STRICT, "q a "},
    {"a mark before all letters", "\u0323a", XN_KEY_EXACT, "\u0323 a "},
    {"what leaves no trace", "\u200Da\u200Db\u200D", XN_KEY_EXACT, "a b "},
    {"a letter that is not like ASCII", "\u0436\u0301\u0439", XN_KEY_EXACT,
     "\u0436\u0301 \u1D0E\u0306 "},
    {"marks of other lengths, in another order", "\u0436\u0E3A\u032Da", XN_KEY_EXACT,
     "\u0436\u032D\u0E3A a "},
    {"syllables", "\uAC00\uAC01", XN_KEY_EXACT, "\u1100\u1161 \u1100\u1161\u1100 "},
};

TEST_ROWS(splits_labels, letters_rows, name)
{
    const struct letters_row *row = *state;
    struct xn_letters letters;
    struct xn_shape shape;
    char text[256];
    size_t len = 0;

    shape_of(row->label, &shape);
    xn_letters_read(&shape, row->key, XN_ASCII_OFF, &letters);
    for (unsigned n = 0; n < letters.count; n++)
        len += (size_t)sprintf(text + len, "%.*s ", letters.at[n + 1] - letters.at[n],
                               (const char *)letters.key + letters.at[n]);
    text[len] = '\0';
    assert_string_equal(text, row->letters);
}

/* --- labels of host names --- */

/* Every octet, in the middle of a label: read as from a shape, or not at all. */
TEST(reads_each_octet, "reads each octet")
{
    for (unsigned octet = 0; octet < 256; octet++) {
        const uint8_t label[] = {'m', (uint8_t)octet, '0'};
        struct xn_letters fast, slow;
        struct xn_shape shape;
        bool host = octet < 0x80 && (isalnum((int)octet) || octet == '-' || octet == '_');
        assert_int_equal(xn_letters_read_ascii(label, sizeof label, &fast), host);
        if (!host)
            continue;
        xn_shape_read(label, sizeof label, &shape);
        xn_letters_read(&shape, XN_KEY_STRICT, XN_ASCII_WIDE, &slow);
        assert_int_equal(fast.count, slow.count);
        assert_memory_equal(fast.first, slow.first, slow.count + 1);
        assert_memory_equal(fast.at, slow.at, (slow.count + 1) * sizeof *slow.at);
        assert_memory_equal(fast.key, slow.key, xn_letters_len(&slow));
    }
}

TEST(reads_longest_label, "reads longest label")
{
    uint8_t label[XN_WIRE_LABEL_MAX + 1];
    struct xn_letters letters;

    memset(label, 'm', sizeof label);
    assert_false(xn_letters_read_ascii(label, sizeof label, &letters));
    assert_true(xn_letters_read_ascii(label, XN_WIRE_LABEL_MAX, &letters));
    assert_int_equal(letters.count, XN_WIRE_LABEL_MAX);
    assert_int_equal(xn_letters_len(&letters), 2 * XN_WIRE_LABEL_MAX);
    assert_true(xn_letters_read_ascii(label, 0, &letters));
    assert_int_equal(letters.count, 0);
}

/* --- one edit --- */

static struct near_row {
    const char *name, *a, *b;
    xn_ascii ascii;
    xn_edit edit;
} nears[] = {
    {"the same", "paypal", "paypal", XN_ASCII_OFF, XN_EDIT_NONE},
    {"the same by the key", "paypal", "p\u0430ypal", XN_ASCII_OFF, XN_EDIT_NONE},
    {"nothing and a letter", "", "a", XN_ASCII_OFF, XN_EDIT_ADDED},
    {"nothing and two", "", "ab", XN_ASCII_OFF, XN_EDIT_NONE},
    {"the first letter left out", "paypal", "aypal", XN_ASCII_OFF, XN_EDIT_OMITTED},
    {"the last", "paypal", "paypa", XN_ASCII_OFF, XN_EDIT_OMITTED},
    {"one of two", "google", "gogle", XN_ASCII_OFF, XN_EDIT_OMITTED},
    {"two", "google", "ggle", XN_ASCII_OFF, XN_EDIT_NONE},
    {"an m", "mango", "ango", XN_ASCII_OFF, XN_EDIT_OMITTED},
    {"an m of rn", "rnango", "mngo", XN_ASCII_OFF, XN_EDIT_OMITTED},
    {"half an m", "mango", "nango", XN_ASCII_OFF, XN_EDIT_REPLACED},
    {"another letter", "paypal", "paipal", XN_ASCII_OFF, XN_EDIT_REPLACED},
    {"two others", "paypal", "paipel", XN_ASCII_OFF, XN_EDIT_NONE},
    {"exchanged", "paypal", "payapl", XN_ASCII_OFF, XN_EDIT_SWAPPED},
    {"the first two exchanged", "paypal", "apypal", XN_ASCII_OFF, XN_EDIT_SWAPPED},
    {"the last two", "paypal", "paypla", XN_ASCII_OFF, XN_EDIT_SWAPPED},
    {"exchanged over one between", "paypal", "papyal", XN_ASCII_OFF, XN_EDIT_SWAPPED},
    {"moved", "paypal", "aypalp", XN_ASCII_OFF, XN_EDIT_NONE},
    {"exchanged, and one is another", "paypal", "payabl", XN_ASCII_OFF, XN_EDIT_NONE},
    {"an m and its neighbour", "amazon", "maazon", XN_ASCII_OFF, XN_EDIT_SWAPPED},
    {"an edit and an ASCII difference", "goagle", "g0gle", XN_ASCII_OFF, XN_EDIT_NONE},
    {"… of the class", "goagle", "g0gle", XN_ASCII_SAFE, XN_EDIT_OMITTED},
    {"a letter with a mark added", "caf\u00E9", "caf\u00E9\u00E9", XN_ASCII_OFF, XN_EDIT_ADDED},
    {"a mark is a letter's", "cafe", "caf\u00E9", XN_ASCII_OFF, XN_EDIT_REPLACED},
};

TEST_ROWS(finds_edits, nears, name)
{
    const struct near_row *row = *state;
    struct xn_letters a, b;
    struct xn_shape shape;
    unsigned n, m;

    shape_of(row->a, &shape);
    xn_letters_read(&shape, XN_KEY_EXACT, row->ascii, &a);
    shape_of(row->b, &shape);
    xn_letters_read(&shape, XN_KEY_EXACT, row->ascii, &b);
    xn_edit edit = xn_letters_edit(&a, &b, &n, &m), back = xn_letters_edit(&b, &a, &m, &n);
    assert_int_equal(edit, row->edit);
    assert_int_equal(back, edit == XN_EDIT_OMITTED ? XN_EDIT_ADDED
                           : edit == XN_EDIT_ADDED ? XN_EDIT_OMITTED
                                                   : edit);
}

TEST(rejects_long_shape, "rejects long shape")
{
    struct xn_shape shape = {.len = XN_WIRE_LABEL_MAX + 1};
    struct xn_letters letters;

    xn_letters_read(&shape, XN_KEY_EXACT, XN_ASCII_OFF, &letters);
    assert_int_equal(letters.count, 0);
    assert_int_equal(xn_letters_len(&letters), 0);
}

TEST_MAIN
