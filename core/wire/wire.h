/* SPDX-License-Identifier: BSD-3-Clause */
/* Uncompressed wire-format names (RFC 1035, section 3.1): validated once at the border, then walked
 * without further tests. Nothing is allocated: safe from any thread. */
#ifndef XN_CORE_WIRE_WIRE_H
#define XN_CORE_WIRE_WIRE_H

#include "core/text/status.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    XN_WIRE_LABEL_MAX = 63,   /* octets of a label, without its length octet */
    XN_WIRE_NAME_MAX = 255,   /* octets of a name, with every length octet and the root's */
    XN_WIRE_LABELS_MAX = 127, /* labels of a name, without the root's: two octets at least each */
    /* A name as text: `\DDD` for each octet of the label contents, a dot for each length octet but
     * the root's. With labels of n octets a name has 254 / (n + 1) of them, 4n + 1 characters each:
     * 63 octets are worst. */
    XN_WIRE_TEXT_MAX = 3 * (4 * 63 + 1) + (4 * 61 + 1)
};
static_assert(3 * (63 + 1) + (61 + 1) + 1 == XN_WIRE_NAME_MAX,
              "the longest text is that of a name of 255 octets");

/* All fields are private. The caller owns it; it points into the wire name, which must outlive it.
 */
struct xn_wire_cursor {
    const uint8_t *pos;
};

/* May a label of so many octets begin at `at` in a name of wire_len, with the root behind it? */
static inline bool xn_wire_fits(size_t label_len, size_t at, size_t wire_len)
{
    return label_len <= XN_WIRE_LABEL_MAX && at + label_len + 1 < wire_len;
}

/* Checks that wire holds exactly one whole name of wire_len octets and starts a walk over its
 * labels. Returns XN_OK; XN_BAD_WIRE: over 255 octets, a label over 63 (compression pointers are
 * that), no root label at the end, or octets behind it. */
XN_MUST_CHECK xn_status xn_wire_open(struct xn_wire_cursor *cursor, const uint8_t *wire,
                                     size_t wire_len);

/* Gives the next label, from the left; false at the root. Cannot fail after xn_wire_open said
 * XN_OK. */
static inline bool xn_wire_next(struct xn_wire_cursor *cursor, const uint8_t **label, size_t *len)
{
    *len = *cursor->pos;
    *label = cursor->pos + 1;
    if (*len == 0)
        return false;
    cursor->pos += *len + 1;
    return true;
}

/* Is it a label with the ACE prefix "xn--" (RFC 5890, section 2.3.2.1), in any case? Says nothing
 * of the rest. */
static inline bool xn_wire_has_ace_prefix(const uint8_t *label, size_t len)
{
    return len >= 4 && label[2] == '-' && label[3] == '-' && (label[0] | 0x20) == 'x' &&
           (label[1] | 0x20) == 'n';
}

/* Has a wire name that xn_wire_open found valid, of wire_len octets, a label with the ACE prefix?
 * Nothing, wire_len 0, has none. Most names have none, and
 * are told by looking at sixteen octets at once for two hyphens side by side. */
bool xn_wire_has_ace(const uint8_t *wire, size_t wire_len);

/* Copies octets, as many as there are, with the letters of ASCII in lower case, of a label or of a
 * whole name: no length octet is a letter. dst has room for len octets and may be src; both may be
 * NULL where len is 0. */
void xn_wire_lower(uint8_t *dst, const uint8_t *src, size_t len);

/* Would xn_wire_lower change an octet? src may be NULL where len is 0. */
bool xn_wire_has_capitals(const uint8_t *src, size_t len);

/* Writes a wire name that xn_wire_open found valid as text: lower-case ASCII, `\DDD` for every
 * octet outside 0x21-0x7E and for `"`, `\` and a dot inside a label, so that one name is one token.
 * Ends with the root's dot (the root is "."); no NUL. dst has room for XN_WIRE_TEXT_MAX characters.
 * Returns how many were written. */
size_t xn_wire_to_text(const uint8_t *wire, char *dst);

/* The same for the octets of one label, however many, without any dot at its end: dst has room for
 * four characters an octet. Both may be NULL where len is 0. */
size_t xn_wire_label_to_text(const uint8_t *label, size_t len, char *dst);

#ifdef __cplusplus
}
#endif

#endif
