/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lookalike.h"

#include "core/alabel.h"
#include "core/utf8.h"

#include <string.h>

/* Made by tools/build/lookalike: ascii_first, ascii_second, page_of, line_of, sequence_at, pool. */
#include "lookalike_table.h"

const char *xn_key_word(xn_key key)
{
    static const char *const words[] = {"exact", "strict", "loose"};
    return words[key];
}

const char *xn_ascii_word(xn_ascii ascii)
{
    static const char *const words[] = {"off", "safe", "wide"};
    return words[ascii];
}

/* --- shapes --- */

void xn_shape_read(const uint8_t *label, size_t len, struct xn_shape *shape)
{
    uint8_t lower[XN_WIRE_LABEL_MAX];
    size_t count = 0;

    shape->ace = xn_wire_has_ace_prefix(label, len) &&
                 xn_alabel_decode(label, len, shape->code_points, &count) == 0;
    if (!shape->ace) {
        xn_wire_lower(lower, label, len);
        for (count = 0; count < len; count++)
            shape->code_points[count] = lower[count] + (lower[count] < 0x80 ? 0u : XN_SHAPE_OCTET);
    }
    shape->len = (uint8_t)count;
}

/* --- keys --- */

static const uint8_t nothing[] = {EXACT};

/* What the table has for a code point: an octet of flags and length, then UTF-8. NULL: the code
 * point stands for itself. */
static const uint8_t *find_sequence(uint32_t cp)
{
    if (cp >= CODE_POINTS_END)
        return cp >> 12 == 0xE0 ? nothing : NULL; /* default ignorable, assigned or not */
    size_t line = line_of[(size_t)page_of[cp / BLOCK / BLOCK] * BLOCK + cp / BLOCK % BLOCK];
    size_t at = sequence_at[line * BLOCK + cp % BLOCK];
    return at ? pool + at : NULL;
}

static uint8_t find_flags(uint32_t cp)
{
    const uint8_t *sequence = find_sequence(cp);

    return sequence ? *sequence : 0;
}

/* Puts a mark among those of its letter, which stand in the order of their code points: canonical
 * order would depend on what composes with the letter. */
static size_t put_mark(uint32_t mark, uint8_t *dst, size_t out)
{
    uint8_t octets[XN_UTF8_MAX];
    size_t len = xn_utf8_write(mark, octets), at = out;

    while (at > 0) {
        size_t before = at - 1;
        uint32_t cp;
        while (before > 0 && (dst[before] & 0xC0) == 0x80)
            before--;
        if (xn_utf8_read(dst + before, at - before, &cp) == 0 || cp <= mark ||
            !(find_flags(cp) & ORDERED))
            break;
        at = before;
    }
    memmove(dst + at + len, dst + at, out - at);
    memcpy(dst + at, octets, len);
    return out + len;
}

/* Writes a code point that its key maps no further. */
static size_t put_mapped(uint32_t cp, xn_key key, uint8_t *dst, size_t out)
{
    uint8_t flags = find_flags(cp);

    if (flags & SLIGHT && key != XN_KEY_EXACT && out > 0 && dst[out - 1] < 0x80)
        return out;
    return flags & ORDERED ? put_mark(cp, dst, out) : out + xn_utf8_write(cp, dst + out);
}

/* Writes a sequence of the key's. */
static size_t put_sequence(const uint8_t *sequence, xn_key key, uint8_t *dst, size_t out)
{
    size_t len = *sequence & LENGTH;

    if (!(*sequence & SLIGHT)) {
        memcpy(dst + out, sequence + 1, len);
        return out + len;
    }
    for (size_t at = 0; at < len;) {
        uint32_t cp = 0;
        at += xn_utf8_read(sequence + 1 + at, len - at, &cp);
        out = put_mapped(cp, key, dst, out);
    }
    return out;
}

/* The strict key maps on what the exact key leaves. */
static size_t put_strict(const uint8_t *exact, uint8_t *dst, size_t out)
{
    size_t len = *exact & LENGTH;

    for (size_t at = 0; at < len;) {
        uint32_t cp = 0;
        at += xn_utf8_read(exact + 1 + at, len - at, &cp);
        const uint8_t *sequence = find_sequence(cp);
        out = sequence ? put_sequence(sequence, XN_KEY_STRICT, dst, out)
                       : out + xn_utf8_write(cp, dst + out);
    }
    return out;
}

static size_t put(uint32_t cp, xn_key key, uint8_t *dst, size_t out)
{
    const uint8_t *sequence = find_sequence(cp);

    if (!sequence)
        return out + xn_utf8_write(cp, dst + out);
    if (!(*sequence & EXACT) && key == XN_KEY_EXACT)
        return put_mapped(cp, key, dst, out);
    return *sequence & EXACT && key != XN_KEY_EXACT ? put_strict(sequence, dst, out)
                                                    : put_sequence(sequence, key, dst, out);
}

/* A syllable stands for its jamo (The Unicode Standard, section 3.12). */
static size_t put_hangul(uint32_t syllable, xn_key key, uint8_t *dst, size_t out)
{
    uint32_t index = syllable - 0xAC00;

    out = put(0x1100 + index / (21 * 28), key, dst, out);
    out = put(0x1161 + index / 28 % 21, key, dst, out);
    return index % 28 ? put(0x11A7 + index % 28, key, dst, out) : out;
}

/* Folds a class in a key. Of the capitals that keys may have only O is an ASCII label's: it is what
 * 0 becomes. The loose key is the strict one with the wide class folded. */
static size_t fold(const uint8_t *key, size_t len, xn_ascii ascii, uint8_t *dst)
{
    size_t out = 0;

    for (size_t i = 0; i < len; i++) {
        uint8_t octet = key[i];
        if (ascii != XN_ASCII_OFF && octet == 'O')
            octet = 'o';
        bool wide = ascii == XN_ASCII_WIDE &&
                    ((octet >= 'a' && octet <= 'z') || (octet >= '0' && octet <= '9'));
        dst[out++] = wide ? ascii_first[XN_KEY_LOOSE][octet] : octet;
        if (wide && ascii_second[XN_KEY_LOOSE][octet])
            dst[out++] = ascii_second[XN_KEY_LOOSE][octet];
    }
    return out;
}

size_t xn_shape_key(const struct xn_shape *shape, xn_key key, uint8_t *dst)
{
    size_t out = 0;

    if (key == XN_KEY_LOOSE) {
        uint8_t strict[XN_KEY_MAX];
        size_t len = xn_shape_key(shape, XN_KEY_STRICT, strict);
        return fold(strict, len, XN_ASCII_WIDE, dst);
    }
    for (size_t i = 0; i < shape->len; i++) {
        uint32_t cp = shape->code_points[i];
        if (cp >= XN_SHAPE_OCTET)
            dst[out++] = (uint8_t)(cp - XN_SHAPE_OCTET);
        else if (cp >= 0xAC00 && cp < 0xAC00 + 11172)
            out = put_hangul(cp, key, dst, out);
        else
            out = put(cp, key, dst, out);
    }
    return out;
}

size_t xn_lookalike_sequence(uint32_t cp, xn_key key, uint8_t *dst)
{
    struct xn_shape shape = {.len = 1, .code_points = {cp}};

    return xn_shape_key(&shape, key, dst);
}

size_t xn_lookalike_key(const uint8_t *label, size_t len, xn_key key, uint8_t *dst)
{
    struct xn_shape shape;
    size_t out = 0;

    if (xn_wire_has_ace_prefix(label, len)) {
        xn_shape_read(label, len, &shape);
        return xn_shape_key(&shape, key, dst);
    }
    for (size_t i = 0; i < len; i++) {
        dst[out] = ascii_first[key][label[i]];
        dst[out + 1] = ascii_second[key][label[i]];
        out += dst[out + 1] ? 2 : 1;
    }
    return out;
}

/* --- comparing --- */

static size_t folded_key(const struct xn_shape *shape, xn_key key, xn_ascii ascii, uint8_t *dst)
{
    uint8_t unfolded[XN_KEY_MAX];
    size_t len = xn_shape_key(shape, key, unfolded);

    return fold(unfolded, len, ascii, dst);
}

static bool equal(const struct xn_shape *a, const struct xn_shape *b, xn_key key, xn_ascii ascii)
{
    uint8_t x[XN_KEY_MAX], y[XN_KEY_MAX];
    size_t len = folded_key(a, key, ascii, x);

    return len == folded_key(b, key, ascii, y) && memcmp(x, y, len) == 0;
}

/* UTS 39 says that it is an i, and most fonts draw an l. Either has one octet in a key. */
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

xn_looks xn_lookalike_compare(const struct xn_shape *shielded, const struct xn_shape *asked,
                              xn_key key, xn_ascii ascii)
{
    if (shielded->len == asked->len &&
        memcmp(shielded->code_points, asked->code_points, asked->len * sizeof(uint32_t)) == 0)
        return XN_LOOKS_SAME;
    if (!equal(shielded, asked, key, ascii) &&
        !(key == XN_KEY_EXACT && equal_by_either(shielded, asked, ascii)))
        return XN_LOOKS_OTHER;
    if (shielded->ace || asked->ace)
        return XN_LOOKS_ALIKE;
    return ascii != XN_ASCII_OFF && equal(shielded, asked, XN_KEY_EXACT, ascii) ? XN_LOOKS_ALIKE
                                                                                : XN_LOOKS_NEAR;
}

/* --- which tables these are --- */

/* FNV-1a: nobody has a reason to make two that collide. */
static uint64_t hash_octets(uint64_t hash, const void *octets, size_t len)
{
    const uint8_t *octet = octets;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ octet[i]) * 0x100000001B3;
    return hash;
}

uint64_t xn_lookalike_version(void)
{
    uint64_t hash = 0xCBF29CE484222325;

    hash = hash_octets(hash, ascii_first, sizeof ascii_first);
    hash = hash_octets(hash, ascii_second, sizeof ascii_second);
    hash = hash_octets(hash, page_of, sizeof page_of);
    hash = hash_octets(hash, line_of, sizeof line_of);
    hash = hash_octets(hash, sequence_at, sizeof sequence_at);
    return hash_octets(hash, pool, sizeof pool);
}
