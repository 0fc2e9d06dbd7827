/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares labels by their keys. */
#include "core/lookalike/lookalike.h"

#include "core/lookalike/shape.h"

#include <string.h>

static size_t folded_key(const struct xn_shape *shape, xn_key key, xn_ascii ascii, uint8_t *dst)
{
    uint8_t unfolded[XN_KEY_MAX];
    size_t len = xn_shape_key(shape, key, unfolded);

    return xn_key_fold(unfolded, len, ascii, dst);
}

static bool equal(const struct xn_shape *a, const struct xn_shape *b, xn_key key, xn_ascii ascii)
{
    uint8_t x[XN_KEY_MAX], y[XN_KEY_MAX];
    size_t len = folded_key(a, key, ascii, x);

    return len == folded_key(b, key, ascii, y) && memcmp(x, y, len) == 0;
}

/* UTS 39 says that U+04CF is an i; most fonts draw an l. Either is one octet in a key. */
enum { PALOCHKA = 0x4CF };

static bool has_palochka(const struct xn_shape *shape)
{
    for (size_t i = 0; i < shape->len; i++)
        if (shape->code_points[i] == PALOCHKA)
            return true;
    return false;
}

/* The exact key with each palochka as an l, and with each as an i. */
struct either {
    size_t len;
    uint8_t l[XN_KEY_MAX], i[XN_KEY_MAX];
};

static void write_either(const struct xn_shape *shape, xn_ascii ascii, struct either *keys)
{
    struct xn_shape dotted = *shape;

    for (size_t i = 0; i < dotted.len; i++)
        if (dotted.code_points[i] == PALOCHKA)
            dotted.code_points[i] = 'i';
    keys->len = folded_key(shape, XN_KEY_EXACT, ascii, keys->l);
    folded_key(&dotted, XN_KEY_EXACT, ascii, keys->i);
}

static bool equal_by_either(const struct xn_shape *a, const struct xn_shape *b, xn_ascii ascii)
{
    struct either x, y;

    if (!has_palochka(a) && !has_palochka(b))
        return false;
    write_either(a, ascii, &x);
    write_either(b, ascii, &y);
    for (size_t at = 0; at < x.len && x.len == y.len; at++)
        if (x.l[at] != y.l[at] && x.l[at] != y.i[at] && x.i[at] != y.l[at])
            return false;
    return x.len == y.len;
}

xn_looks xn_lookalike_compare(const struct xn_shape *original, const struct xn_shape *asked,
                              xn_key key, xn_ascii ascii)
{
    if (original->len > XN_WIRE_LABEL_MAX || asked->len > XN_WIRE_LABEL_MAX)
        return XN_LOOKS_OTHER;
    if (original->len == asked->len && original->ace == asked->ace &&
        memcmp(original->code_points, asked->code_points, asked->len * sizeof(uint32_t)) == 0)
        return XN_LOOKS_SAME;
    if (!equal(original, asked, key, ascii) &&
        !(key == XN_KEY_EXACT && equal_by_either(original, asked, ascii)))
        return XN_LOOKS_OTHER;
    if (original->ace || asked->ace)
        return XN_LOOKS_ALIKE;
    return ascii != XN_ASCII_OFF && equal(original, asked, XN_KEY_EXACT, ascii) ? XN_LOOKS_ALIKE
                                                                                : XN_LOOKS_NEAR;
}
