/* SPDX-License-Identifier: BSD-3-Clause */
/* A reference for near=, within= and words=: it compares every part of a label with the protected
 * one. */
#ifndef XN_TESTS_UNIT_PARTREFERENCE_H
#define XN_TESTS_UNIT_PARTREFERENCE_H

#include "core/lookalike/letters.h"
#include "core/lookalike/shape.h"
#include "module/rule/rule.h"
#include "tests/unit/randomnames.h"

#include <stddef.h>
#include <string.h>

/* --- near= and within= --- */

/* Are two parts of labels, from one letter to another, the same by a key and class? */
static inline bool same_letters(const struct xn_shape *p, const struct xn_letters *a, unsigned a_at,
                                unsigned a_end, const struct xn_shape *q,
                                const struct xn_letters *b, unsigned b_at, unsigned b_end,
                                xn_key key, xn_ascii ascii)
{
    struct xn_letters x, y;
    struct xn_shape cut;

    if (a_end < a_at || b_end < b_at || a_end > a->count || b_end > b->count)
        return false;
    xn_letters_cut(a, p, a_at, a_end, &cut);
    xn_letters_read(&cut, key, ascii, &x);
    xn_letters_cut(b, q, b_at, b_end, &cut);
    xn_letters_read(&cut, key, ascii, &y);
    return xn_letters_len(&x) == xn_letters_len(&y) &&
           memcmp(x.key, y.key, xn_letters_len(&x)) == 0;
}

static inline uint32_t first_of(const struct xn_shape *shape, const struct xn_letters *letters,
                                unsigned n)
{
    return shape->code_points[letters->first[n]];
}

/* Two labels whose letters are compared. */
struct lettered {
    const struct xn_shape *p, *q;
    struct xn_letters a, b;
    xn_key key;
    xn_ascii ascii;
};

static inline bool same_parts(const struct lettered *both, unsigned a_at, unsigned a_end,
                              unsigned b_at, unsigned b_end)
{
    return same_letters(both->p, &both->a, a_at, a_end, both->q, &both->b, b_at, b_end, both->key,
                        both->ascii);
}

/* Is letter n of a label the same as one beside it? */
static inline bool is_beside_same(const struct xn_shape *shape, const struct xn_letters *letters,
                                  unsigned n, const struct lettered *both)
{
#define SAME(x, y)                                                                                 \
    same_letters(shape, letters, x, (x) + 1, shape, letters, y, (y) + 1, both->key, both->ascii)
    return (n > 0 && SAME(n - 1, n)) || SAME(n, n + 1);
#undef SAME
}

/* "In shorter labels only a letter that is doubled, or one of two that is missing, a hyphen that is
 * added, two neighbours that are exchanged, or a vowel in the place of another one." */
static inline bool is_cheap(const struct lettered *both, unsigned i, unsigned of_a, unsigned j,
                            unsigned of_b)
{
    if (of_a == 2)
        return true;
    if (of_a == 0)
        return first_of(both->q, &both->b, j) == '-' || is_beside_same(both->q, &both->b, j, both);
    if (of_b == 0)
        return is_beside_same(both->p, &both->a, i, both);
    uint32_t x = first_of(both->p, &both->a, i), y = first_of(both->q, &both->b, j);
    return x < 0x80 && y < 0x80 && x != 0 && y != 0 && strchr("aeiou", (int)x) &&
           strchr("aeiou", (int)y);
}

/* "One edit beyond the key": at some place of both, before which and after which they are the same,
 * the one has so many letters and the other so many; two are exchanged. From seven characters any
 * counts, from five any that leaves the first letter. */
static inline bool is_one_edit(const struct xn_shape *p, const struct xn_shape *q, xn_key key,
                               xn_ascii ascii)
{
    static const unsigned edits[][2] = {{0, 1}, {1, 0}, {1, 1}, {2, 2}};
    struct lettered both = {.p = p, .q = q, .key = key, .ascii = ascii};

    xn_letters_read(p, key, ascii, &both.a);
    xn_letters_read(q, key, ascii, &both.b);
    unsigned a_end = both.a.count, b_end = both.b.count;
    bool any = p->len >= 7 || (p->len >= 5 && same_parts(&both, 0, 1, 0, 1));
    if (same_parts(&both, 0, a_end, 0, b_end))
        return false;
    for (unsigned i = 0; i <= a_end; i++)
        for (unsigned j = 0; j <= b_end; j++) {
            if (!same_parts(&both, 0, i, 0, j))
                continue;
            for (unsigned n = 0; n < sizeof edits / sizeof *edits; n++) {
                unsigned of_a = edits[n][0], of_b = edits[n][1];
                if (i + of_a <= a_end && j + of_b <= b_end &&
                    same_parts(&both, i + of_a, a_end, j + of_b, b_end) &&
                    (n < 3 || (same_parts(&both, i, i + 1, j + 1, j + 2) &&
                               same_parts(&both, i + 1, i + 2, j, j + 1))) &&
                    (any || is_cheap(&both, i, of_a, j, of_b)))
                    return true;
            }
        }
    return false;
}

/* The code points of labels one after the other; none if they are longer than a label. */
static inline struct xn_shape join_shapes(const struct xn_shape *shapes, unsigned count)
{
    struct xn_shape joined = {.len = 0};

    for (unsigned n = 0; n < count; n++) {
        if (joined.len + shapes[n].len > 63)
            return (struct xn_shape){.len = 0};
        memcpy(joined.code_points + joined.len, shapes[n].code_points,
               shapes[n].len * sizeof *joined.code_points);
        joined.len = (uint8_t)(joined.len + shapes[n].len);
        joined.ace |= shapes[n].ace;
    }
    return joined;
}

static inline bool is_cut_alike(const struct xnm_protection *protection, const struct xn_shape *p,
                                const struct xn_shape *q, bool second)
{
    for (xn_key key = second ? XN_KEY_STRICT : XN_KEY_EXACT; key <= protection->key; key++) {
        xn_looks looks = xn_lookalike_compare(p, q, key, protection->ascii);
        if (looks == XN_LOOKS_ALIKE ||
            (looks == XN_LOOKS_SAME && (p->ace || protection->ascii != XN_ASCII_OFF)))
            return true;
    }
    return false;
}

enum { SUFFIX_LABELS_MAX = 8 }; /* more than any public suffix has */

/* "From four characters": one edit, and also the label with www before it or with its public suffix
 * after it, without the dots. `rest` are the labels of that suffix. */
static inline bool is_near(const struct xnm_protection *protection, const struct xn_shape *p,
                           const struct xn_shape *rest, unsigned rest_count,
                           const struct xn_shape *q, bool second)
{
    bool ascii = !p->ace && !q->ace;
    struct xn_shape parts[2 + SUFFIX_LABELS_MAX] = {{.len = 3, .code_points = {'w', 'w', 'w'}}, *p};

    if (!protection->near || p->len < 4 || p->len < protection->min ||
        (ascii && protection->ascii == XN_ASCII_OFF))
        return false;
    struct xn_shape joined = join_shapes(parts, 2);
    if (joined.len > 0 && is_cut_alike(protection, &joined, q, second))
        return true;
    memcpy(parts + 2, rest, rest_count * sizeof *rest);
    joined = join_shapes(parts + 1, 1 + rest_count);
    if (joined.len > 0 && is_cut_alike(protection, &joined, q, second))
        return true;
    return !(second && protection->key == XN_KEY_EXACT) &&
           is_one_edit(p, q, ascii ? XN_KEY_EXACT : protection->key, protection->ascii);
}

/* "From five characters": a dot in the label. */
static inline bool is_joined(const struct xnm_protection *protection, const struct xn_shape *p,
                             const uint8_t *const *asked, bool second)
{
    struct xn_shape q[2], other;
    bool read = false;

    for (unsigned i = 0; i < 2; i++) {
        xn_shape_read(asked[i] + 1, asked[i][0], &q[i]);
        if (second && xn_shape_read_second(&q[i], &other)) {
            q[i] = other;
            read = true;
        }
    }
    struct xn_shape joined = join_shapes(q, 2);
    return protection->near && p->len >= 5 && p->len >= protection->min && joined.len > 0 &&
           (p->ace || joined.ace || protection->ascii != XN_ASCII_OFF) &&
           is_cut_alike(protection, p, &joined, read);
}

static inline bool is_digit_at(const struct xn_shape *q, const struct xn_letters *letters,
                               unsigned n)
{
    return first_of(q, letters, n) >= '0' && first_of(q, letters, n) <= '9';
}

/* Stands a hyphen or a digit, but not one of two digits, beyond a border of a part? */
static inline bool is_apart_at(const struct xn_shape *q, const struct xn_letters *letters,
                               unsigned outside, unsigned inside)
{
    return first_of(q, letters, outside) == '-' ||
           (is_digit_at(q, letters, outside) && !is_digit_at(q, letters, inside));
}

/* "A label of eight characters and more at the start or the end; of five and more between ends,
 * hyphens and digits." */
static inline bool is_within(const struct xnm_protection *protection, const struct xn_shape *p,
                             const struct xn_shape *q, const struct xn_shape *written, bool second)
{
    struct xn_letters letters;
    struct xn_shape cut, as_written;

    if (!protection->within || p->len < 5 || p->len < protection->min)
        return false;
    xn_letters_read(q, XN_KEY_STRICT, XN_ASCII_OFF, &letters);
    for (unsigned i = 0; i < letters.count; i++)
        for (unsigned j = i + 1; j <= letters.count; j++) {
            bool left = i == 0 || is_apart_at(written, &letters, i - 1, i);
            bool right = j == letters.count || is_apart_at(written, &letters, j, j - 1);
            if (j - i == letters.count || (i > 0 && j < letters.count && !(left && right)) ||
                (p->len < 8 && !(left && right)))
                continue;
            xn_letters_cut(&letters, q, i, j, &cut);
            xn_letters_cut(&letters, written, i, j, &as_written);
            cut.ace = as_written.ace;
            if (is_cut_alike(protection, p, &cut, second))
                return true;
        }
    return false;
}

/* Returns the n-th word of a set as its letters, or NULL. */
static inline const struct xn_letters *word_of(unsigned set, unsigned n)
{
    enum { SET_WORDS_MAX = 6 };
    static struct xn_letters read[RANDOM_SETS][SET_WORDS_MAX];
    static unsigned counts[RANDOM_SETS];
    char words[64], *rest = words, *word;
    struct xn_shape shape;

    if (counts[set - 1] == 0) {
        strcpy(words, random_sets[set - 1]);
        while ((word = strsep(&rest, " "))) {
            xn_shape_read((const uint8_t *)word, strlen(word), &shape);
            xn_letters_read(&shape, XN_KEY_STRICT, XN_ASCII_WIDE,
                            &read[set - 1][counts[set - 1]++]);
        }
    }
    return n < counts[set - 1] ? &read[set - 1][n] : NULL;
}

/* Returns whether the letters between two places are words of a set, hyphens and digits alone: with
 * a word, if one is needed. `letters` have the loose key. */
static inline bool are_words(unsigned set, const struct xn_shape *written,
                             const struct xn_letters *letters, unsigned at, unsigned end,
                             bool needed)
{
    const struct xn_letters *word;

    if (at == end)
        return !needed;
    if ((first_of(written, letters, at) == '-' || is_digit_at(written, letters, at)) &&
        are_words(set, written, letters, at + 1, end, needed))
        return true;
    for (unsigned n = 0; (word = word_of(set, n)); n++)
        for (unsigned to = at + 1; to <= end; to++)
            if ((size_t)(letters->at[to] - letters->at[at]) == xn_letters_len(word) &&
                memcmp(letters->key + letters->at[at], word->key, xn_letters_len(word)) == 0 &&
                are_words(set, written, letters, to, end, false))
                return true;
    return false;
}

/* "The label, from five characters, with words before or after it, and hyphens and digits between
 * them." */
static inline bool is_worded(const struct xnm_protection *protection, const struct xn_shape *p,
                             const struct xn_shape *q, const struct xn_shape *written, bool second)
{
    struct xn_letters letters;
    struct xn_shape cut;

    if (protection->words == 0 || p->len < 5 || p->len < protection->min)
        return false;
    xn_letters_read(q, XN_KEY_STRICT, XN_ASCII_WIDE, &letters);
#define WORDS(at, end, needed) are_words(protection->words, written, &letters, at, end, needed)
    for (unsigned i = 0; i < letters.count; i++)
        for (unsigned j = i + 1; WORDS(0, i, false) && j <= letters.count; j++) {
            if (!WORDS(j, letters.count, false) ||
                (!WORDS(0, i, true) && !WORDS(j, letters.count, true)))
                continue;
            xn_letters_cut(&letters, q, i, j, &cut);
            cut.ace = written->ace;
            if (is_cut_alike(protection, p, &cut, second))
                return true;
        }
#undef WORDS
    return false;
}

#endif
