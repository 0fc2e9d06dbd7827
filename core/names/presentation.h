/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads names in presentation format, in UTF-8: splits them at the four dots of UTS 46 and converts
 * each label. These functions keep no state, so any thread may call them. They allocate nothing,
 * except that ICU may while xn_presentation_to_alabel asks it about a label that the library's own
 * table cannot decide (xn_unicode_lacks). A text or label may have any length, in time that grows
 * with it; one of length 0 may be NULL. */
#ifndef XN_CORE_NAMES_PRESENTATION_H
#define XN_CORE_NAMES_PRESENTATION_H

#include "core/idna/unicode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A walk over the labels of a written name. All fields are private. The caller owns it; it points
 * into the text, which must outlive it. */
struct xn_presentation_cursor {
    const uint8_t *start, *pos, *end;
};

/* Starts a walk over the labels of a written name. A dot is U+002E, U+3002, U+FF0E or U+FF61,
 * unless a backslash stands before it. A final dot ends the name. "" and "." have no labels. Any
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

/* Octets of a label in presentation format: 63, each of which may be an escape `\DDD`. */
enum { XN_PRESENTATION_ALABEL_MAX = 4 * 63 };

/* Reads one written label in this project's profile, and writes it as it is in the DNS, in
 * presentation format, to dst, which has room for XN_PRESENTATION_ALABEL_MAX octets:
 * - ASCII without "xn--": in lower case, otherwise unchanged ("_dmarc", "*", escapes). With an
 *   escaped control character it is written, but XN_DISALLOWED.
 * - "xn--…" in ASCII, whether written with escapes or not: in lower case. If it is not an A-label,
 *   *reasons says why, and it is written all the same.
 * - anything else: its A-label, mapped by UTS 46 (core/idna/unicode.h: xn_unicode_map_label), or
 *   nothing, and *reasons says why.
 * Returns XN_OK, or XN_BAD_UTF8. *reasons has no display reasons. *dst_len is 0 if the label has no
 * form in the DNS: with XN_EMPTY, with XN_TOO_LONG, with any reason found by the mapping, and for
 * an ASCII label that is XN_DISALLOWED because it has a control character not written `\DDD`, a
 * backslash that begins no escape, or `\u{`. core/names/display.h shows a character so; read as an
 * escape, it would be "u{", another name. */
XN_MUST_CHECK xn_status xn_presentation_to_alabel(const struct xn_unicode *unicode,
                                                  const uint8_t *label, size_t len, uint8_t *dst,
                                                  size_t *dst_len, xn_reasons *reasons);

#ifdef __cplusplus
}
#endif

#endif
