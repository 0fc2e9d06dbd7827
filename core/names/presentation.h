/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads names in presentation format, in UTF-8: splits them at the four dots of UTS 46, and knows
 * their escapes. These functions allocate nothing and keep no state, so any thread may call them. A
 * text or label may have any length, in time that grows with it; one of length 0 may be NULL.
 * Private: not part of libxn's interface. */
#ifndef XN_CORE_NAMES_PRESENTATION_H
#define XN_CORE_NAMES_PRESENTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A walk over the labels of a written name. All fields are private. The caller owns it; it points
 * into the text, which must outlive it. */
struct xn_presentation_cursor {
    const uint8_t *start, *pos, *end;
};

/* Starts a walk over the labels of a written name. A dot is U+002E, U+3002, U+FF0E or U+FF61,
 * unless a backslash is before it. A final dot ends the name. "" and "." have no labels. Any
 * other dot at the start of the name, or after a dot, has an empty label before it. */
void xn_presentation_open(struct xn_presentation_cursor *cursor, const uint8_t *text, size_t len);

/* Gets the next label, from the left, and its length in octets. Returns false if there is none. */
bool xn_presentation_next(struct xn_presentation_cursor *cursor, const uint8_t **label,
                          size_t *len);

/* Returns how many octets a written ASCII label has in wire format: `\DDD` and `\X` are one each.
 */
size_t xn_presentation_octets(const uint8_t *label, size_t len);

/* Writes these octets to dst, which has room for 63. Returns their number, or 0 if there are more.
 */
size_t xn_presentation_to_octets(const uint8_t *label, size_t len, uint8_t *dst);

bool xn_presentation_is_ascii(const uint8_t *label, size_t len);

/* Returns whether an octet needs no escape in a label: letters, digits, `-` and `_`. */
static inline bool xn_presentation_is_plain(uint8_t octet)
{
    return (unsigned)(octet | 0x20) - 'a' < 26 || (unsigned)octet - '0' < 10 || octet == '-' ||
           octet == '_';
}

/* Returns whether all octets of a label, which may be empty, are plain. */
bool xn_presentation_is_plain_label(const uint8_t *label, size_t len);

/* Returns the length of the escape (RFC 1035, section 5.1) that a label, or the rest of one, begins
 * with: 4 for `\DDD` up to 255, 2 for `\X` where X is printable ASCII except a digit, 0 if there is
 * no escape. */
size_t xn_presentation_escape(const uint8_t *label, size_t len);

#endif
