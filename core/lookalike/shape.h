/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of labels that were read, and of parts of them. Private: not part of libxn's interface. */
#ifndef XN_CORE_LOOKALIKE_SHAPE_H
#define XN_CORE_LOOKALIKE_SHAPE_H

#include "core/lookalike/lookalike.h"

/* Return "exact", "strict" or "loose"; and "off", "safe" or "wide"; or "unknown" for any other
 * value. Never NULL; static storage. */
const char *xn_key_word(xn_key key);
const char *xn_ascii_word(xn_ascii ascii);

/* Writes the sequence of one code point of a shape in a key, as UTF-8 without a NUL, to dst, which
 * has room for XN_KEY_MAX octets. Returns the number of octets written, at most
 * XN_KEY_SEQUENCE_MAX, or 0 if it leaves no trace, as joiners do. A key is the sequences of its
 * code points, one after the other, except for what leaves no trace after ASCII, and for the order
 * of marks. */
size_t xn_lookalike_sequence(uint32_t cp, xn_key key, uint8_t dst[XN_KEY_MAX]);

/* Writes the key of a shape that xn_shape_read made, as UTF-8 without a NUL, to dst, which has room
 * for XN_KEY_MAX octets. Octets of 0x80 or more in a label that is not decoded are copied. Returns
 * the number of octets written: 0 for a shape without code points, or longer than 63. */
size_t xn_shape_key(const struct xn_shape *shape, xn_key key, uint8_t dst[XN_KEY_MAX]);

/* Folds a class of ASCII differences in an exact or strict key. Returns the length of the result,
 * at most that of the key, or twice that for XN_ASCII_WIDE. */
size_t xn_key_fold(const uint8_t *key, size_t len, xn_ascii ascii, uint8_t dst[XN_KEY_MAX]);

/* Some letters have a second reading, which is a letter or digit of ASCII: most readers take ł for
 * l, others for t. A key has the first one. If a shape that xn_shape_read made has such letters,
 * writes the shape with the second reading of each, which is compared by XN_KEY_STRICT alone, and
 * returns true. Otherwise it writes nothing. `second` may be NULL, to ask only. */
bool xn_shape_read_second(const struct xn_shape *shape, struct xn_shape *second);

#endif
