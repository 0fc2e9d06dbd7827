/* SPDX-License-Identifier: BSD-3-Clause */
/* Names as people write them, in UTF-8: split at the four dots of UTS 46, label by label. Nothing
 * is allocated and nothing kept: safe from any thread. A text or label may have any number of
 * octets, in time that grows with it, and be NULL where it has none. */
#ifndef XN_CORE_IDNA_PRESENTATION_H
#define XN_CORE_IDNA_PRESENTATION_H

#include "core/idna/unicode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All fields are private. The caller owns it; it points into the text, which must outlive it. */
struct xn_presentation_cursor {
    const uint8_t *start, *pos, *end;
};

/* Starts a walk over the labels of a written name. A dot is U+002E, U+3002, U+FF0E or U+FF61,
 * unless a backslash stands before it. One final dot ends the name; "" and "." have no labels; any
 * other two dots side by side, and a first one, have an empty label between them. */
void xn_presentation_open(struct xn_presentation_cursor *cursor, const uint8_t *text, size_t len);

/* Gives the next label, from the left, and its octets; false: there is none. */
bool xn_presentation_next(struct xn_presentation_cursor *cursor, const uint8_t **label,
                          size_t *len);

/* Octets that a written ASCII label has in wire format: `\DDD` and `\X` are one each. */
size_t xn_presentation_octets(const uint8_t *label, size_t len);

/* Writes these octets to dst, which has room for 63. Returns how many, 0 where they are more. */
size_t xn_presentation_to_octets(const uint8_t *label, size_t len, uint8_t *dst);

bool xn_presentation_is_ascii(const uint8_t *label, size_t len);

/* May an octet of a written ASCII label stand as it is: letters, digits, `-` and `_`? */
static inline bool xn_presentation_is_plain(uint8_t octet)
{
    return (unsigned)(octet | 0x20) - 'a' < 26 || (unsigned)octet - '0' < 10 || octet == '-' ||
           octet == '_';
}

/* The octets of the escape (RFC 1035, section 5.1) that a label, or the rest of one, begins with:
 * 4, `\DDD` up to 255, or 2, `\X` of printable ASCII but a digit. 0: none. */
size_t xn_presentation_escape(const uint8_t *label, size_t len);

/* Octets of what stands for a written label: 63, each of which may be an escape, `\DDD`. */
enum { XN_PRESENTATION_ALABEL_MAX = 4 * 63 };

/* Reads one written label as this project's profile does, and writes what stands for it in the DNS
 * to dst, which has room for XN_PRESENTATION_ALABEL_MAX octets:
 * - ASCII without "xn--": the same in lower case, untouched otherwise ("_dmarc", "*", escapes); it
 * is XN_DISALLOWED all the same where an escape is a control character;
 * - "xn--…" in ASCII, itself written in escapes or not: the same in lower case, whether it is an
 *   A-label or not; *reasons says why not;
 * - anything else: its A-label, mapped by UTS 46 (core/idna/unicode.h: xn_unicode_map_label), or
 * nothing where *reasons says so. Returns XN_OK, or XN_BAD_UTF8. *reasons has no display reasons.
 * *dst_len is 0 where nothing stands for the label: with XN_EMPTY, XN_TOO_LONG, XN_DISALLOWED in
 * ASCII for a control character that is not written `\DDD`, for a backslash that begins no escape
 * and for `\u{`, which is how core/idna/display.h shows a character and would be another name's
 * "u{" here; and whatever the mapping found. */
XN_MUST_CHECK xn_status xn_presentation_to_alabel(const struct xn_unicode *unicode,
                                                  const uint8_t *label, size_t len, uint8_t *dst,
                                                  size_t *dst_len, xn_reasons *reasons);

#ifdef __cplusplus
}
#endif

#endif
