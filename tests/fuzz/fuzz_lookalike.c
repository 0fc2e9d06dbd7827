/* SPDX-License-Identifier: BSD-3-Clause */
/* Look-alikes: what core/lookalike/lookalike.h promises of the keys of one label, and of two
 * compared. An input is two labels, a line each. */
#include "tests/fuzz/names.h"

#include "core/lookalike/letters.h"
#include "core/lookalike/shape.h"

struct keyed {
    uint8_t label[XN_WIRE_LABEL_MAX];
    size_t len;
    struct xn_shape shape;
    uint8_t keys[XN_KEY_LOOSE + 1][XN_KEY_MAX];
    size_t key_lens[XN_KEY_LOOSE + 1];
};

static bool is_text(const struct xn_shape *shape)
{
    for (size_t i = 0; i < shape->len; i++)
        if (shape->code_points[i] >= XN_SHAPE_OCTET)
            return false;
    return true;
}

/* The key of a key is itself, where a label could have so many code points. */
static void expect_idempotent(const struct keyed *keyed, xn_key key)
{
    struct xn_shape again = {.ace = true};
    uint8_t octets[XN_KEY_MAX];
    uint32_t cps[XN_KEY_MAX];
    size_t count;

    assert_int_equal(
        xn_utf8_decode(keyed->keys[key], keyed->key_lens[key], cps, XN_KEY_MAX, &count, NULL),
        XN_OK);
    if (count > XN_WIRE_LABEL_MAX)
        return;
    memcpy(again.code_points, cps, count * sizeof *cps);
    again.len = (uint8_t)count;
    expect_octets(octets, xn_shape_key(&again, key, octets), keyed->keys[key],
                  keyed->key_lens[key]);
}

static void read_keys(const uint8_t *text, size_t size, struct keyed *keyed)
{
    uint8_t *octets = malloc(XN_KEY_MAX), *label;

    memset(keyed, 0, sizeof *keyed);
    keyed->len = label_from(text, size, keyed->label);
    if (keyed->len == 0)
        keyed->label[keyed->len++] = 'a';
    label = exact_copy(keyed->label, keyed->len);
    xn_shape_read(label, keyed->len, &keyed->shape);
    for (int i = XN_KEY_EXACT; i <= XN_KEY_LOOSE; i++) {
        keyed->key_lens[i] = xn_shape_key(&keyed->shape, (xn_key)i, keyed->keys[i]);
        assert_in_range(keyed->key_lens[i], 0, XN_KEY_MAX);
        expect_octets(octets, xn_lookalike_key(label, keyed->len, (xn_key)i, octets),
                      keyed->keys[i], keyed->key_lens[i]);
        if (is_text(&keyed->shape))
            expect_idempotent(keyed, (xn_key)i);
    }
    free(label);
    free(octets);
}

static bool keys_equal(const struct keyed *a, const struct keyed *b, xn_key key)
{
    return a->key_lens[key] == b->key_lens[key] &&
           memcmp(a->keys[key], b->keys[key], a->key_lens[key]) == 0;
}

static bool is_same(const struct xn_shape *a, const struct xn_shape *b)
{
    return a->len == b->len &&
           memcmp(a->code_points, b->code_points, a->len * sizeof *a->code_points) == 0;
}

static void expect_looks(const struct keyed *a, const struct keyed *b, xn_key key, xn_ascii ascii)
{
    xn_looks looks = xn_lookalike_compare(&a->shape, &b->shape, key, ascii);

    assert_in_range(looks, XN_LOOKS_OTHER, XN_LOOKS_ALIKE);
    assert_int_equal(looks, xn_lookalike_compare(&b->shape, &a->shape, key, ascii));
    assert_int_equal(looks == XN_LOOKS_SAME, is_same(&a->shape, &b->shape));
    if (looks != XN_LOOKS_OTHER)
        assert_true(keys_equal(a, b, XN_KEY_LOOSE));
    if (keys_equal(a, b, key))
        assert_int_not_equal(looks, XN_LOOKS_OTHER);
    if (ascii < XN_ASCII_WIDE && looks == XN_LOOKS_ALIKE) /* the next class has more */
        assert_int_equal(
            xn_lookalike_compare(&a->shape, &b->shape, key, (xn_ascii)((int)ascii + 1)),
            XN_LOOKS_ALIKE);
}

/* A second reading has no second reading, and what is not read by it stays. */
static void expect_second(const struct keyed *keyed)
{
    struct xn_shape second;

    if (!xn_shape_read_second(&keyed->shape, &second))
        return;
    assert_true(keyed->shape.ace && second.ace);
    assert_int_equal(second.len, keyed->shape.len);
    for (size_t i = 0; i < second.len; i++)
        if (second.code_points[i] != keyed->shape.code_points[i])
            assert_in_range(second.code_points[i], '0', 'z');
    assert_false(xn_shape_read_second(&second, NULL));
    assert_int_not_equal(xn_lookalike_compare(&second, &keyed->shape, XN_KEY_STRICT, XN_ASCII_OFF),
                         XN_LOOKS_SAME);
}

/* Writes the key without letter n. Returns its length. */
static size_t write_without(const struct xn_letters *letters, unsigned n, uint8_t *dst)
{
    size_t before = letters->at[n], after = xn_letters_len(letters) - letters->at[n + 1];

    memcpy(dst, letters->key, before);
    memcpy(dst + before, letters->key + letters->at[n + 1], after);
    return before + after;
}

static void expect_key(const struct xn_shape *shape, xn_key key, const uint8_t *octets, size_t len)
{
    uint8_t *own = malloc(XN_KEY_MAX);

    expect_octets(own, xn_shape_key(shape, key, own), octets, len);
    free(own);
}

/* The key of each part of a shape is a part of its key. Without a letter, a shape has the key
 * without that letter's part. */
static void expect_letters(const struct xn_shape *shape, xn_key key, xn_ascii ascii, xn_key whole)
{
    struct xn_letters letters;
    struct xn_shape cut, rest;
    uint8_t *without = malloc(XN_KEY_MAX);

    xn_letters_read(shape, key, ascii, &letters);
    expect_key(shape, whole, letters.key, xn_letters_len(&letters));
    for (unsigned n = 0; n < letters.count; n++) {
        for (unsigned end = n + 1; end <= letters.count; end++) {
            xn_letters_cut(&letters, shape, n, end, &cut);
            expect_key(&cut, whole, letters.key + letters.at[n],
                       (size_t)(letters.at[end] - letters.at[n]));
        }
        xn_letters_cut(&letters, shape, 0, n, &cut);
        xn_letters_cut(&letters, shape, n + 1, letters.count, &rest);
        memcpy(cut.code_points + cut.len, rest.code_points, rest.len * sizeof *rest.code_points);
        cut.len = (uint8_t)(cut.len + rest.len);
        expect_key(&cut, whole, without, write_without(&letters, n, without));
    }
    free(without);
}

/* One edit is one from either side, and leaves a key in common. */
static void expect_near(const struct keyed *keyed, const struct keyed *other, xn_key key,
                        xn_ascii ascii)
{
    static struct xn_letters a, b;
    uint8_t *x = malloc(XN_KEY_MAX), *y = malloc(XN_KEY_MAX);
    bool shared = false;

    xn_letters_read(&keyed->shape, key, ascii, &a);
    xn_letters_read(&other->shape, key, ascii, &b);
    unsigned place, other_place;
    bool near = xn_letters_edit(&a, &b, &place, &other_place) != XN_EDIT_NONE;
    assert_int_equal(near, xn_letters_edit(&b, &a, &place, &other_place) != XN_EDIT_NONE);
    for (unsigned n = 0; near && n <= a.count; n++) {
        size_t x_len = n < a.count ? write_without(&a, n, x) : xn_letters_len(&a);
        const uint8_t *first = n < a.count ? x : a.key;
        for (unsigned m = 0; m <= b.count; m++) {
            size_t y_len = m < b.count ? write_without(&b, m, y) : xn_letters_len(&b);
            const uint8_t *second = m < b.count ? y : b.key;
            shared |= x_len == y_len && memcmp(first, second, x_len) == 0;
        }
    }
    assert_int_equal(near, shared);
    free(x);
    free(y);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct keyed a, b;
    const uint8_t *line;
    size_t len = take_line(&data, &size, &line);

    read_keys(line, len, &a);
    len = take_line(&data, &size, &line);
    read_keys(line, len, &b);
    expect_second(&a);
    if (keys_equal(&a, &b, XN_KEY_EXACT))
        assert_true(keys_equal(&a, &b, XN_KEY_STRICT));
    if (keys_equal(&a, &b, XN_KEY_STRICT))
        assert_true(keys_equal(&a, &b, XN_KEY_LOOSE));
    for (int key = XN_KEY_EXACT; key <= XN_KEY_STRICT; key++)
        for (int ascii = XN_ASCII_OFF; ascii <= XN_ASCII_WIDE; ascii++) {
            expect_looks(&a, &b, (xn_key)key, (xn_ascii)ascii);
            expect_near(&a, &b, (xn_key)key, (xn_ascii)ascii);
        }
    expect_letters(&a.shape, XN_KEY_EXACT, XN_ASCII_OFF, XN_KEY_EXACT);
    expect_letters(&a.shape, XN_KEY_STRICT, XN_ASCII_OFF, XN_KEY_STRICT);
    expect_letters(&a.shape, XN_KEY_STRICT, XN_ASCII_WIDE, XN_KEY_LOOSE);
    return 0;
}
