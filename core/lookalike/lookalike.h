/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds look-alikes: labels that a reader takes for one another. Each label has three keys; labels
 * with equal keys look alike. A key is text, not a name. The tables are made from Unicode's data
 * and from lookalike.table when the library is built. So keys need no ICU and no allocation, and
 * are the same in every build with the same version of Unicode.
 *
 * Every key maps one code point at a time and is idempotent: the key of a key is itself. Each key
 * is coarser than the one before: labels with equal exact keys have equal strict keys, and labels
 * that look alike by any key and any class of ASCII differences have equal loose keys.
 *
 * Labels with equal UTS 39 skeletons have equal exact keys. The exact key differs from a skeleton:
 * - it drops default ignorable code points (joiners);
 * - it ignores the order of marks on one letter, which depends on the marks that compose with it;
 * - it maps U+04CF to l. UTS 39 says i, and xn_lookalike_compare accepts either.
 *
 * ASCII that host names do not have stays as it is, except U+007C, which is l.
 *
 * Strict and loose keys drop what only modifies a letter (marks of all scripts, modifier letters,
 * middle dots) after a letter that looks like ASCII, and marks that are not vowels of their script
 * everywhere. */
#ifndef XN_CORE_LOOKALIKE_LOOKALIKE_H
#define XN_CORE_LOOKALIKE_LOOKALIKE_H

#include "core/wire/size.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    XN_KEY_EXACT,  /* the skeleton of UTS 39, section 4, adapted to domain names as above */
    XN_KEY_STRICT, /* also ignores diacritics, strokes and hooks, and maps digits and letters of
                      other scripts to the ASCII that they resemble */
    XN_KEY_LOOSE   /* finds candidates, which xn_lookalike_compare then decides */
} xn_key;

/* Classes of differences with which two ASCII labels still look alike. */
typedef enum {
    XN_ASCII_OFF,  /* none */
    XN_ASCII_SAFE, /* m and rn, 0 and o, 1 and l */
    XN_ASCII_WIDE  /* also i and l, vv and w, cl and d, 5 and s */
} xn_ascii;

/* A label of a wire name, decoded. */
struct xn_shape {
    bool ace;    /* it was decoded: "xn--" and Punycode that decodes to more than ASCII, even if the
                    result is not a valid U-label */
    uint8_t len; /* code points */
    uint32_t code_points[XN_WIRE_LABEL_MAX]; /* ASCII letters are in lower case. In a label that is
                                                not decoded, an octet of 0x80 or more is
                                                XN_SHAPE_OCTET + octet, not a code point. */
};
enum { XN_SHAPE_OCTET = 0x110000 };

/* Reads a label of len octets, in upper or lower case, into *shape, which the caller owns. A label
 * of no octets, which may be NULL, or of more than 63 has a shape without code points. */
void xn_shape_read(const uint8_t *label, size_t len, struct xn_shape *shape);

/* The most octets that one code point, and one label, have in a key. */
enum { XN_KEY_SEQUENCE_MAX = 32, XN_KEY_MAX = XN_WIRE_LABEL_MAX * XN_KEY_SEQUENCE_MAX };

/* Writes the key of a label of len octets, in upper or lower case, as UTF-8 without a NUL, to dst,
 * which has room for XN_KEY_MAX octets. Octets of 0x80 or more in a label that is not decoded are
 * copied. Returns the number of octets written: 0 for a label of no octets, which may be NULL, or
 * of more than 63. */
size_t xn_lookalike_key(const uint8_t *label, size_t len, xn_key key, uint8_t dst[XN_KEY_MAX]);

typedef enum {
    XN_LOOKS_OTHER, /* they do not look alike */
    XN_LOOKS_SAME,  /* they are the same label */
    XN_LOOKS_NEAR,  /* their keys are equal, but both are ASCII and differ beyond the class */
    XN_LOOKS_ALIKE
} xn_looks;

/* Compares a protected label with one that was asked for, as xn_shape_read has read them. They look
 * alike by a key and a class if their keys are equal, or become equal when the class is folded in
 * them, but are only near if both are ASCII and the class alone does not make their exact keys
 * equal. Shapes of more than 63 code points do not look alike. Returns one of xn_looks. */
xn_looks xn_lookalike_compare(const struct xn_shape *original, const struct xn_shape *asked,
                              xn_key key, xn_ascii ascii);

/* Returns a number that identifies the tables. Compare stored keys only with keys made under the
 * same number. */
uint64_t xn_lookalike_version(void);

#ifdef __cplusplus
}
#endif

#endif
