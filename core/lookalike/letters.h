/* SPDX-License-Identifier: BSD-3-Clause */
/* The letters of a label, each with its part of the label's key, to compare parts of labels. A
 * letter is a code point, together with the marks and modifiers after it and with code points that
 * leave no trace in the key. What stands before a letter does not change its part, so the key of a
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

static inline size_t xn_letters_len(const struct xn_letters *letters)
{
    return letters->at[letters->count];
}

/* Is letter n equal to the one before it? Left out, either gives the same key. */
bool xn_letters_repeat(const struct xn_letters *letters, unsigned n);

/* Writes the key without letter n. Returns its length. */
size_t xn_letters_without(const struct xn_letters *letters, unsigned n, uint8_t dst[XN_KEY_MAX]);

/* Writes the part of the shape that has the letters from `first` to `end`, as if it were a label.
 */
void xn_letters_cut(const struct xn_letters *letters, const struct xn_shape *shape, unsigned first,
                    unsigned end, struct xn_shape *part);

/* Are two labels one edit apart: is one letter left out, added or another one, or are two
 * neighbours exchanged? Equal labels are not. Both must have been read with one key and class. */
bool xn_letters_are_near(const struct xn_letters *a, const struct xn_letters *b);

#endif
