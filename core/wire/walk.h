/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks, compares and prints uncompressed wire-format names (RFC 1035, section 3.1) that
 * xn_wire_open (core/wire/wire.h) accepted, and their labels. These functions cannot
 * fail, allocate nothing and keep no state, so any thread may call them. */
#ifndef XN_CORE_WIRE_WALK_H
#define XN_CORE_WIRE_WALK_H

#include "core/wire/size.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A walk over the labels of a name. All fields are private. The caller owns it; it points into the
 * wire name, which must outlive it. */
struct xn_wire_cursor {
    const uint8_t *pos;
};

/* Returns whether a label of label_len octets may begin at offset `at` of a name of wire_len
 * octets, with the root label after it. */
static inline bool xn_wire_fits(size_t label_len, size_t at, size_t wire_len)
{
    return label_len <= XN_WIRE_LABEL_MAX && at + label_len + 1 < wire_len;
}

/* Gets the next label, from the left. Returns false at the root. Cannot fail after xn_wire_open
 * returned XN_OK. */
static inline bool xn_wire_next(struct xn_wire_cursor *cursor, const uint8_t **label, size_t *len)
{
    *len = *cursor->pos;
    *label = cursor->pos + 1;
    if (*len == 0)
        return false;
    cursor->pos += *len + 1;
    return true;
}

/* Writes the offset of each label of a name, from the left, without the root. Returns the number of
 * labels. */
static inline unsigned xn_wire_find_labels(const uint8_t *wire,
                                           uint8_t label_at[XN_WIRE_LABELS_MAX])
{
    unsigned labels = 0;

    for (size_t at = 0; wire[at] != 0; at += (size_t)wire[at] + 1)
        label_at[labels++] = (uint8_t)at;
    return labels;
}

enum { XN_WIRE_ACE_PREFIX_LEN = 4 }; /* octets of "xn--" */

/* Returns whether a label begins with the ACE prefix "xn--" (RFC 5890, section 2.3.2.1), in
 * upper or lower case. The rest of the label is not read. */
static inline bool xn_wire_has_ace_prefix(const uint8_t *label, size_t len)
{
    return len >= XN_WIRE_ACE_PREFIX_LEN && label[2] == '-' && label[3] == '-' &&
           (label[0] | 0x20) == 'x' && (label[1] | 0x20) == 'n';
}

/* Returns whether a wire name that xn_wire_open accepted has a label with the ACE prefix. False if
 * wire_len is 0. Fast: a search for "--", sixteen octets at a time, rules out most names. */
bool xn_wire_has_ace(const uint8_t *wire, size_t wire_len);

/* Copies len octets and puts ASCII letters in lower case. Works for a label and for a whole name,
 * since no length octet is a letter. dst has room for len octets and may be src; both may be NULL
 * if len is 0. */
void xn_wire_lower(uint8_t *dst, const uint8_t *src, size_t len);

/* Returns whether xn_wire_lower would change an octet. src may be NULL if len is 0. */
bool xn_wire_has_capitals(const uint8_t *src, size_t len);

/* Writes a wire name that xn_wire_open accepted as text: ASCII in lower case, with `\DDD` for every
 * octet outside 0x21-0x7E and for `"`, `\` and a dot inside a label, so that a name is one token.
 * The text ends with the root's dot (the root is "."), without a NUL. dst has room for
 * XN_WIRE_TEXT_MAX characters. Returns the number of characters written. */
size_t xn_wire_to_text(const uint8_t *wire, char *dst);

/* Does the same as xn_wire_to_text for one label of any length, without a dot at the end. dst has
 * room for four characters for each octet. Both may be NULL if len is 0. */
size_t xn_wire_label_to_text(const uint8_t *label, size_t len, char *dst);

#endif
