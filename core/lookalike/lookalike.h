/* SPDX-License-Identifier: BSD-3-Clause */
/* Look-alikes: labels that a reader takes for one another. Two labels look alike by a key if their
 * keys are equal; a key is text, and no name. Tables made from Unicode's data and from
 * core/lookalike/lookalike.table when this library was built: no ICU, no allocation, the same keys
 * wherever the same version of Unicode was built in.
 *
 * Every key maps one code point after the other and is idempotent: the key of a key is itself. Each
 * is coarser than the one before: labels with equal exact keys have equal strict ones, and labels
 * that look alike by any key and any class of ASCII differences have equal loose ones.
 *
 * The exact key finds equal what UTS 39's skeletons find equal, and besides
 * - default ignorable code points (joiners) leave no trace;
 * - marks on one letter have no order: it would depend on what composes with the letter;
 * - U+04CF is l; UTS 39 says i, and so it may be either where labels are compared.
 * ASCII that no host name has keeps itself, but for U+007C (l).
 *
 * In strict and loose keys what only modifies a letter (marks of all scripts, modifier letters,
 * middle dots) leaves no trace behind one that looks like ASCII. Marks that are no vowels of their
 * script leave none anywhere. */
#ifndef XN_CORE_LOOKALIKE_LOOKALIKE_H
#define XN_CORE_LOOKALIKE_LOOKALIKE_H

#include "core/wire/wire.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    XN_KEY_EXACT,  /* the skeleton of UTS 39, section 4, and what that misses in domain names */
    XN_KEY_STRICT, /* without diacritics, strokes and hooks; digits; letters of other scripts that
                      resemble ours */
    XN_KEY_LOOSE   /* to find what may look alike, for xn_lookalike_compare to decide */
} xn_key;

/* Which differences between labels that are both ASCII make them look alike. */
typedef enum {
    XN_ASCII_OFF,  /* none */
    XN_ASCII_SAFE, /* m and rn, 0 and o, 1 and l */
    XN_ASCII_WIDE  /* also i and l, vv and w, cl and d, 5 and s */
} xn_ascii;

/* "exact", "strict", "loose"; "off", "safe", "wide"; "unknown" of any other value. Never NULL;
 * static storage. */
const char *xn_key_word(xn_key key);
const char *xn_ascii_word(xn_ascii ascii);

/* A label of a wire name as a reader would see it decoded. */
struct xn_shape {
    bool ace; /* it is "xn--" and Punycode for what is not ASCII alone, valid as a U-label or not */
    uint8_t len;                             /* code points */
    uint32_t code_points[XN_WIRE_LABEL_MAX]; /* ASCII letters in lower case; an octet of 0x80 or
                                                more of a label that is not decoded as
                                                XN_SHAPE_OCTET + octet, which is no code point */
};
enum { XN_SHAPE_OCTET = 0x110000 };

/* Reads a label (octets, in any case). The shape of one over 63 octets, and of none, which may be
 * NULL, has no code points. */
void xn_shape_read(const uint8_t *label, size_t len, struct xn_shape *shape);

/* What one code point is in a key: at most so many octets. */
enum { XN_KEY_SEQUENCE_MAX = 32, XN_KEY_MAX = XN_WIRE_LABEL_MAX * XN_KEY_SEQUENCE_MAX };

/* Writes what one code point of a shape is in a key as UTF-8 to dst, which has room for
 * XN_KEY_MAX octets. No NUL. Returns how many were written, at most XN_KEY_SEQUENCE_MAX; 0: it
 * leaves no trace, as joiners do. A key is its code points' sequences, one after the other, but for
 * what leaves no trace behind ASCII and the order of marks. */
size_t xn_lookalike_sequence(uint32_t cp, xn_key key, uint8_t dst[XN_KEY_MAX]);

/* Writes the key of a shape that xn_shape_read made as UTF-8 (but for octets that no text has,
 * which stand for themselves) to dst, which has room for XN_KEY_MAX octets. No NUL. Return how many
 * were written: 0 for a shape or a label without code points, or longer than 63. */
size_t xn_shape_key(const struct xn_shape *shape, xn_key key, uint8_t dst[XN_KEY_MAX]);
/* … of a wire label: as xn_shape_read and xn_shape_key, faster where it is ASCII. */
size_t xn_lookalike_key(const uint8_t *label, size_t len, xn_key key, uint8_t dst[XN_KEY_MAX]);

typedef enum {
    XN_LOOKS_OTHER, /* they do not look alike */
    XN_LOOKS_SAME,  /* they are the same label */
    XN_LOOKS_NEAR,  /* their keys are equal, but what differs is ASCII, and none of the class */
    XN_LOOKS_ALIKE
} xn_looks;

/* Compares a protected label with one that was asked for, by shapes that xn_shape_read made; longer
 * ones than 63 do not look alike. They look alike by a key and a class if
 * their keys are equal, or are after the class was folded in them; what differs counts if one of
 * them is no ASCII, or if both are and the class alone makes their exact keys equal. */
xn_looks xn_lookalike_compare(const struct xn_shape *original, const struct xn_shape *asked,
                              xn_key key, xn_ascii ascii);

/* Which tables these are: keys that are kept are to be compared with those of the same number
 * alone.
 */
uint64_t xn_lookalike_version(void);

#ifdef __cplusplus
}
#endif

#endif
