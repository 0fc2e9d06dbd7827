/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lookalike/shape.h"

#include "core/idna/alabel.h"
#include "core/lookalike/letters.h"
#include "core/text/utf8char.h"
#include "core/wire/walk.h"

#include <string.h>

/* tools/tables/lookalike makes ascii_first, ascii_second, page_of, line_of, sequence_at, pool,
 * seconds and second_bits. */
#include "lookalike_table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

const char *xn_key_word(xn_key key)
{
    static const char *const words[] = {"exact", "strict", "loose"};
    return (unsigned)key < COUNT(words) ? words[key] : "unknown";
}

const char *xn_ascii_word(xn_ascii ascii)
{
    static const char *const words[] = {"off", "safe", "wide"};
    return (unsigned)ascii < COUNT(words) ? words[ascii] : "unknown";
}

/* --- shapes --- */

/* Reads a label of at most 63 octets. */
static void read_shape(const uint8_t *label, size_t len, struct xn_shape *shape)
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

void xn_shape_read(const uint8_t *label, size_t len, struct xn_shape *shape)
{
    read_shape(label, len <= XN_WIRE_LABEL_MAX ? len : 0, shape);
}

/* --- keys --- */

_Static_assert((int)XN_ULABEL_MAX < (int)XN_WIRE_LABEL_MAX, "put has room after a key");

enum { WORD = sizeof(uint64_t) }; /* octets that are tested at once */

static inline bool none_is_ascii(const uint8_t octets[WORD])
{
    const uint64_t highest = 0x8080808080808080; /* the highest bit of each octet */
    uint64_t all;

    memcpy(&all, octets, sizeof all);
    return (all & highest) == highest;
}

/* Maps each ASCII octet to one or two octets by a row of the table: that of a key, or FOLDED. Other
 * octets are copied. */
static size_t map_octets(const uint8_t *octets, size_t len, unsigned row, uint8_t *dst)
{
    const uint8_t *first = ascii_first[row], *second = ascii_second[row];
    size_t out = 0;

    for (size_t i = 0; i < len;) {
        if (len - i >= WORD && none_is_ascii(octets + i)) {
            memcpy(dst + out, octets + i, WORD);
            out += WORD;
            i += WORD;
            continue;
        }
        for (size_t end = len - i > WORD ? i + WORD : len; i < end; i++) {
            dst[out] = first[octets[i]];
            dst[out + 1] = second[octets[i]];
            out += 1u + (dst[out + 1] != 0);
        }
    }
    return out;
}

/* The sequence of a code point that no key has: both are empty, the exact key's and the strict
 * key's. */
static const uint8_t nothing[2 + XN_KEY_SEQUENCE_MAX] = {EXACT};

/* Returns what the table has for a code point: an octet of flags and length, then UTF-8. NULL means
 * that the code point is copied. */
static inline const uint8_t *find_sequence(uint32_t cp)
{
    if (cp >= CODE_POINTS_END)
        return cp >> 12 == 0xE0 ? nothing : NULL; /* U+E0xxx: default ignorable, assigned or not */
    size_t line = line_of[(size_t)page_of[cp / BLOCK / BLOCK] * BLOCK + cp / BLOCK % BLOCK];
    size_t at = sequence_at[line * BLOCK + cp % BLOCK];
    return at ? pool + at : NULL;
}

static uint8_t find_flags(uint32_t cp)
{
    const uint8_t *sequence = find_sequence(cp);

    return sequence ? *sequence : 0;
}

/* Reads a code point of a sequence or of a decoded label's key: UTF-8 that we wrote. */
static inline size_t read_own(const uint8_t *octets, uint32_t *cp)
{
    size_t len = octets[0] < 0x80 ? 1 : octets[0] < 0xE0 ? 2 : octets[0] < 0xF0 ? 3 : 4;

    *cp = len == 1 ? octets[0] : octets[0] & 0x7Fu >> len;
    for (size_t i = 1; i < len; i++)
        *cp = *cp << 6 | (octets[i] & 0x3F);
    return len;
}

/* Reads the code point before an offset that is not 0, and returns its own. */
static size_t read_before(const uint8_t *key, size_t at, uint32_t *cp)
{
    while ((key[--at] & 0xC0) == 0x80)
        ;
    read_own(key + at, cp);
    return at;
}

/* Returns whether the key so far ends with a mark that belongs after this one. */
static bool ends_with_later(const uint8_t *key, size_t len, uint32_t mark)
{
    uint32_t cp;

    if (len == 0)
        return false;
    read_before(key, len, &cp);
    return cp > mark && find_flags(cp) & ORDERED;
}

/* Returns whether a code point is a dot above a letter that has one already, whatever marks are
 * between them. */
static bool is_own_dot(uint32_t mark, const uint8_t *key, size_t len)
{
    enum { DOT_ABOVE = 0x307 };
    uint32_t cp = 0;

    if (mark != DOT_ABOVE)
        return false;
    do {
        if (len == 0)
            return false;
        len = read_before(key, len, &cp);
    } while (cp >= 0x80 && find_flags(cp) & ORDERED);
    return cp == 'i' || cp == 'j';
}

/* Shellsort with Ciura's gaps: insertion alone would take quadratic time for many marks. */
static void sort(uint32_t *marks, size_t count)
{
    static const size_t gaps[] = {301, 132, 57, 23, 10, 4, 1};

    for (size_t g = 0; g < COUNT(gaps); g++)
        for (size_t i = gaps[g], at; i < count; i++) {
            uint32_t mark = marks[i];
            for (at = i; at >= gaps[g] && marks[at - gaps[g]] > mark; at -= gaps[g])
                marks[at] = marks[at - gaps[g]];
            marks[at] = mark;
        }
}

/* Puts the marks of each letter in the order of code points. Canonical order would depend on what
 * composes with the letter. */
static void sort_marks(uint8_t *key, size_t len)
{
    uint32_t marks[XN_KEY_MAX / 2];
    size_t count = 0, from = 0;

    for (size_t at = 0; at <= len;) {
        uint32_t cp = 0;
        size_t octets = at < len ? read_own(key + at, &cp) : 1;
        if (cp >= 0x80 && find_flags(cp) & ORDERED) {
            from = count == 0 ? at : from;
            marks[count++] = cp;
        } else if (count > 0) {
            sort(marks, count);
            for (size_t i = 0; i < count; i++)
                from += xn_utf8_put(marks[i], key + from);
            count = 0;
        }
        at += octets;
    }
}

/* Marks code that few code points need, which stays out of the inlined path. */
#define NOINLINE __attribute__((noinline))

/* Writes a code point that the key maps no further. */
NOINLINE static size_t put_mapped(uint32_t cp, xn_key key, uint8_t *dst, size_t out, bool *unsorted)
{
    uint8_t flags = find_flags(cp);

    if (is_own_dot(cp, dst, out) ||
        (flags & SLIGHT && key != XN_KEY_EXACT && out > 0 && dst[out - 1] < 0x80))
        return out;
    *unsorted |= flags & ORDERED && ends_with_later(dst, out, cp);
    return out + xn_utf8_write(cp, dst + out);
}

/* Writes a sequence, a part of which is SLIGHT. */
NOINLINE static size_t put_slight(const uint8_t *sequence, xn_key key, uint8_t *dst, size_t out,
                                  bool *unsorted)
{
    size_t len = *sequence & LENGTH;

    for (size_t at = 0; at < len;) {
        uint32_t cp = 0;
        at += read_own(sequence + 1 + at, &cp);
        out = put_mapped(cp, key, dst, out, unsorted);
    }
    return out;
}

/* Writes the sequence of a code point. Copies XN_KEY_SEQUENCE_MAX octets, whatever the length of
 * the sequence: the octets after it are overwritten later, or not part of the key. There is room,
 * since a decoded label has at most XN_ULABEL_MAX code points. */
static inline size_t put(uint32_t cp, xn_key key, uint8_t *dst, size_t out, bool *unsorted)
{
    const uint8_t *sequence = find_sequence(cp);

    if (!sequence)
        return out + xn_utf8_write(cp, dst + out);
    if (!(*sequence & EXACT) && key == XN_KEY_EXACT)
        return put_mapped(cp, key, dst, out, unsorted);
    if (*sequence & EXACT && key != XN_KEY_EXACT)
        sequence += 1 + (*sequence & LENGTH);
    if (*sequence & SLIGHT)
        return put_slight(sequence, key, dst, out, unsorted);
    memcpy(dst + out, sequence + 1, XN_KEY_SEQUENCE_MAX);
    return out + (*sequence & LENGTH);
}

enum { SYLLABLE_FIRST = 0xAC00, SYLLABLE_COUNT = 19 * 21 * 28 };

/* Writes a Hangul syllable as its jamo (The Unicode Standard, section 3.12): one of 19 leading
 * consonants, of 21 vowels, and of 27 trailing consonants or none. */
static size_t put_hangul(uint32_t syllable, xn_key key, uint8_t *dst, size_t out, bool *unsorted)
{
    uint32_t index = syllable - SYLLABLE_FIRST;

    out = put(0x1100 + index / (21 * 28), key, dst, out, unsorted);
    out = put(0x1161 + index / 28 % 21, key, dst, out, unsorted);
    return index % 28 ? put(0x11A7 + index % 28, key, dst, out, unsorted) : out;
}

/* Folds a class in a key. The only capital in the key of an ASCII label is O, which 0 becomes. The
 * loose key is the strict key with the wide class folded. */
size_t xn_key_fold(const uint8_t *key, size_t len, xn_ascii ascii, uint8_t dst[XN_KEY_MAX])
{
    size_t out = 0;

    if (ascii == XN_ASCII_WIDE)
        return map_octets(key, len, FOLDED, dst);
    for (; out < len; out++)
        dst[out] = ascii == XN_ASCII_SAFE && key[out] == 'O' ? 'o' : key[out];
    return out;
}

/* Returns whether the octets that were written modify the letter before them. An octet that is no
 * character counts as if it did. */
static bool is_modifier(const uint8_t *key, size_t len)
{
    uint32_t cp;

    return xn_utf8_read(key, len, &cp) == 0 || find_flags(cp) & (SLIGHT | ORDERED);
}

/* Returns whether a code point that wrote the octets from `at` to `end` belongs to the letter
 * before it, which wrote some. A mark at the start of its sequence leaves no trace after ASCII, so
 * then the code point is read alone. */
static bool continues_letter(uint32_t cp, xn_key key, const uint8_t *octets, size_t at, size_t end)
{
    uint8_t alone[2 * XN_KEY_SEQUENCE_MAX];
    bool unsorted = false;

    if (octets[at - 1] >= 0x80 || cp < 0x80 || cp >= XN_SHAPE_OCTET)
        return is_modifier(octets + at, end - at);
    return is_modifier(alone, put(cp, key, alone, 0, &unsorted));
}

/* Writes the exact or the strict key of a shape; with `letters`, records where each begins.
 * Inlined, because nearly all calls need only the key. */
static inline __attribute__((always_inline)) size_t
write_unfolded(const struct xn_shape *shape, xn_key key, uint8_t *dst, struct xn_letters *letters)
{
    size_t out = 0;
    bool unsorted = false;

    for (size_t i = 0; i < shape->len; i++) {
        uint32_t cp = shape->code_points[i];
        size_t before = out;
        if (cp >= XN_SHAPE_OCTET)
            dst[out++] = (uint8_t)(cp - XN_SHAPE_OCTET);
        else if (cp >= SYLLABLE_FIRST && cp < SYLLABLE_FIRST + SYLLABLE_COUNT)
            out = put_hangul(cp, key, dst, out, &unsorted);
        else
            out = put(cp, key, dst, out, &unsorted);
        if (!letters || out == before ||
            (letters->count > 0 && continues_letter(cp, key, dst, before, out)))
            continue;
        letters->first[letters->count] = (uint8_t)i;
        letters->at[letters->count++] = (uint16_t)before;
    }
    if (unsorted)
        sort_marks(dst, out);
    return out;
}

/* Writes the key of a shape that xn_shape_read made. */
NOINLINE static size_t write_key(const struct xn_shape *shape, xn_key key, uint8_t *dst)
{
    if (key == XN_KEY_LOOSE) {
        uint8_t strict[XN_KEY_MAX];
        size_t len = write_key(shape, XN_KEY_STRICT, strict);
        return xn_key_fold(strict, len, XN_ASCII_WIDE, dst);
    }
    return write_unfolded(shape, key, dst, NULL);
}

size_t xn_shape_key(const struct xn_shape *shape, xn_key key, uint8_t dst[XN_KEY_MAX])
{
    return shape->len <= XN_WIRE_LABEL_MAX ? write_key(shape, key, dst) : 0;
}

size_t xn_lookalike_sequence(uint32_t cp, xn_key key, uint8_t dst[XN_KEY_MAX])
{
    struct xn_shape shape = {.len = 1, .code_points = {cp}};

    return write_key(&shape, key, dst);
}

size_t xn_lookalike_key(const uint8_t *label, size_t len, xn_key key, uint8_t dst[XN_KEY_MAX])
{
    struct xn_shape shape;

    if (len > XN_WIRE_LABEL_MAX)
        return 0;
    if (xn_wire_has_ace_prefix(label, len)) {
        read_shape(label, len, &shape);
        return write_key(&shape, key, dst);
    }
    return map_octets(label, len, key, dst);
}

void xn_letters_read(const struct xn_shape *shape, xn_key key, xn_ascii ascii,
                     struct xn_letters *letters)
{
    uint8_t unfolded[XN_KEY_MAX];
    size_t out = 0, len = 0, end = shape->len <= XN_WIRE_LABEL_MAX ? shape->len : 0;

    letters->count = 0;
    if (end > 0)
        len = write_unfolded(shape, key, unfolded, letters);
    letters->first[letters->count] = (uint8_t)end;
    letters->at[letters->count] = (uint16_t)len;
    letters->first[0] = 0;
    for (unsigned i = 0; i < letters->count; i++) {
        size_t at = letters->at[i];
        letters->at[i] = (uint16_t)out;
        out += xn_key_fold(unfolded + at, letters->at[i + 1] - at, ascii, letters->key + out);
    }
    letters->at[letters->count] = (uint16_t)out;
}

static bool is_host_octet(uint8_t octet)
{
    return (octet >= 'a' && octet <= 'z') || (octet >= '0' && octet <= '9') || octet == '-' ||
           octet == '_' || (octet >= 'A' && octet <= 'Z');
}

bool xn_letters_read_ascii(const uint8_t *label, size_t len, struct xn_letters *letters)
{
    const uint8_t *first = ascii_first[XN_KEY_LOOSE], *second = ascii_second[XN_KEY_LOOSE];
    size_t out = 0;

    if (len > XN_WIRE_LABEL_MAX)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!is_host_octet(label[i]))
            return false;
        letters->first[i] = (uint8_t)i;
        letters->at[i] = (uint16_t)out;
        letters->key[out] = first[label[i]];
        letters->key[out + 1] = second[label[i]];
        out += 1u + (letters->key[out + 1] != 0);
    }
    letters->count = (unsigned)len;
    letters->first[len] = (uint8_t)len;
    letters->at[len] = (uint16_t)out;
    return true;
}

/* --- second readings --- */

static inline bool may_have_second(uint32_t cp)
{
    return second_bits[cp / 64 % COUNT(second_bits)] >> cp % 64 & 1;
}

/* Returns the ASCII that is the second reading of a code point, or the code point. */
static uint32_t second_reading(uint32_t cp)
{
    size_t first = 0, end = COUNT(seconds);

    while (first < end) {
        size_t middle = (first + end) / 2;
        if (seconds[middle].cp == cp)
            return seconds[middle].letter;
        if (seconds[middle].cp < cp)
            first = middle + 1;
        else
            end = middle;
    }
    return cp;
}

bool xn_shape_read_second(const struct xn_shape *shape, struct xn_shape *second)
{
    unsigned first = 0;

    if (shape->len > XN_WIRE_LABEL_MAX)
        return false;
    while (first < shape->len &&
           (!may_have_second(shape->code_points[first]) || /* nearly all */
            second_reading(shape->code_points[first]) == shape->code_points[first]))
        first++;
    if (first == shape->len)
        return false;
    if (!second)
        return true;
    *second = *shape;
    for (; first < second->len; first++)
        second->code_points[first] = second_reading(second->code_points[first]);
    return true;
}

/* --- which tables these are --- */

/* FNV-1a suffices: tables are not made by attackers. */
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
    for (size_t i = 0; i < COUNT(seconds); i++) {
        hash = hash_octets(hash, &seconds[i].cp, sizeof seconds[i].cp);
        hash = hash_octets(hash, &seconds[i].letter, sizeof seconds[i].letter);
    }
    return hash_octets(hash, pool, sizeof pool);
}
