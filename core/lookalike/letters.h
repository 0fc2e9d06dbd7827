/* SPDX-License-Identifier: BSD-3-Clause */
/* The letters of a label, each with its part of the label's key, to compare parts of labels. A
 * letter is a code point, together with the marks and modifiers after it and with code points that
 * leave no trace in the key. The letters before a letter do not change its part, so the key of a
 * label without some of its letters is the key without their parts. Private: not part of libxn's
 * interface. */
#ifndef XN_CORE_LOOKALIKE_LETTERS_H
#define XN_CORE_LOOKALIKE_LETTERS_H

#include "core/lookalike/lookalike.h"

/* Letter n has the code points from first[n] to first[n + 1] of the shape, and the octets from
 * at[n] to at[n + 1] of the key. */
struct xn_letters {
    unsigned count;
    uint8_t first[XN_WIRE_LABEL_MAX + 1];
    uint16_t at[XN_WIRE_LABEL_MAX + 1];
    uint8_t key[XN_KEY_MAX];
};

/* Reads the letters of a shape that xn_shape_read made. The key is XN_KEY_EXACT or XN_KEY_STRICT,
 * with this class folded in it; XN_KEY_LOOSE is XN_KEY_STRICT with XN_ASCII_WIDE. A shape longer
 * than 63 has no letters. */
void xn_letters_read(const struct xn_shape *shape, xn_key key, xn_ascii ascii,
                     struct xn_letters *letters);

/* Reads a label of letters, digits, hyphens and underscores of ASCII (octets, in upper or lower
 * case), with the loose key: much faster. Returns false, with nothing usable written, if it has
 * other octets or is longer than 63. */
bool xn_letters_read_ascii(const uint8_t *label, size_t len, struct xn_letters *letters);

static inline size_t xn_letters_len(const struct xn_letters *letters)
{
    return letters->at[letters->count];
}

/* Writes the part of the shape that has the letters from `first` to `end`, as if it were a label.
 */
void xn_letters_cut(const struct xn_letters *letters, const struct xn_shape *shape, unsigned first,
                    unsigned end, struct xn_shape *part);

/* The one edit that makes b of a. */
typedef enum {
    XN_EDIT_NONE,     /* they are equal, or more than one edit apart */
    XN_EDIT_OMITTED,  /* letter `n` of a is missing */
    XN_EDIT_ADDED,    /* letter `m` of b is added */
    XN_EDIT_REPLACED, /* letter `n` of a became letter `m` of b */
    XN_EDIT_SWAPPED   /* letter `n` of a and the one after it are exchanged */
} xn_edit;

/* Returns the edit that makes b of a, and writes the letters to *n and *m; where several do (of a
 * letter that repeats), the leftmost. Both must have been read with one key and class. */
xn_edit xn_letters_edit(const struct xn_letters *a, const struct xn_letters *b, unsigned *n,
                        unsigned *m);

/* Returns whether letter n of a and letter m of b have the same key. */
bool xn_letters_same(const struct xn_letters *a, unsigned n, const struct xn_letters *b,
                     unsigned m);

/* Returns whether letter n is equal to the one before it. Left out, either gives the same key. */
static inline bool xn_letters_repeat(const struct xn_letters *letters, unsigned n)
{
    return n > 0 && xn_letters_same(letters, n - 1, letters, n);
}

#endif
