/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole names in one call, between what people write, the DNS, and what people may be shown.
 *
 * A written name is UTF-8 in presentation format (RFC 1035, section 5.1): its dots are the four
 * of UTS 46, a final dot may stand, labels in ASCII stay as they are ("_dmarc", "*", `\.`), and all
 * others are mapped by UTS 46 (nontransitional; STD3, Bidi, ContextJ and hyphen tests). For UTS 46
 * to the letter there is core/idna/uts46.h.
 *
 * These functions keep no state, so any thread may call them; all threads may share a handle. They
 * allocate nothing, except that ICU may while it maps a label; without memory, that label is
 * XN_TOO_LONG. A name may have any length, in time that grows with it, and may be NULL if its
 * length is 0. Text in dst is followed by a NUL, which *dst_len does not count and the sizes here
 * do; there is none inside it. */
#ifndef XN_CORE_NAMES_IDNA_H
#define XN_CORE_NAMES_IDNA_H

#include "core/idna/finding.h"
#include "core/idna/unicode.h"
#include "core/wire/size.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The findings of a name. If reasons is 0, there are none. */
struct xn_findings {
    xn_reasons reasons;                    /* the reasons of all labels, and of the name itself */
    uint8_t label_count;                   /* labels looked at, without the root's */
    xn_reasons labels[XN_WIRE_LABELS_MAX]; /* labels[0] is the leftmost */
};

/* Octets of a name in ASCII or in Unicode, with the NUL. */
enum { XN_IDNA_TEXT_MAX = XN_WIRE_TEXT_MAX + 1 };

/* Writes a written name as it is in the DNS, in wire format, with ASCII in lower case, to wire,
 * which has room for XN_WIRE_NAME_MAX octets. *findings has no display reasons:
 * - of each label, what xn_written_to_alabel (libxn(3)) finds. A label that begins with "xn--" and
 *   is no A-label is written all the same; so is one with an escaped control character.
 * - of the name, XN_TOO_LONG if it has more than 255 octets in wire format; what follows is not
 *   looked at. XN_EMPTY for "". "." is the root.
 * *wire_len is 0 if the name has no form in the DNS. Returns XN_OK, or XN_BAD_UTF8 if a label that
 * was looked at is malformed. */
XN_MUST_CHECK xn_status xn_idna_to_wire(const struct xn_unicode *unicode, const char *name,
                                        size_t len, uint8_t *wire, size_t *wire_len,
                                        struct xn_findings *findings);

/* Does the same and writes the name as text, escaped as in zone files, with a final dot if there
 * was one. dst has room for XN_IDNA_TEXT_MAX octets. Returns what xn_idna_to_wire returns. */
XN_MUST_CHECK xn_status xn_idna_to_ascii(const struct xn_unicode *unicode, const char *name,
                                         size_t len, char *dst, size_t *dst_len,
                                         struct xn_findings *findings);

/* Does the same and writes each A-label as its U-label, in UTF-8. Not for people's eyes: a U-label
 * may imitate another one. dst has room for XN_IDNA_TEXT_MAX octets. Returns what xn_idna_to_wire
 * returns. */
XN_MUST_CHECK xn_status xn_idna_to_unicode(const struct xn_unicode *unicode, const char *name,
                                           size_t len, char *dst, size_t *dst_len,
                                           struct xn_findings *findings);

/* Octets of a name as it is shown, with the NUL. */
enum { XN_IDNA_DISPLAY_MAX = 2468 };

/* Writes a name in wire format for people, whatever it holds, with dots between labels and none at
 * the end (the root is "."):
 * - a label without "xn--", and an invalid one, in ASCII in lower case, with `\DDD` for each octet
 *   outside 0x21-0x7E and for `"`, `\` and a dot;
 * - a restricted label with `\u{…}` for each code point that is not ASCII;
 * - any other label in UTF-8, with `\u{…}` for joiners.
 * So the text has no control, bidi, invisible, blank or separator character. dst has room for
 * XN_IDNA_DISPLAY_MAX octets. *findings has all reasons, also those why a label is not shown as it
 * is. Returns XN_OK, or XN_BAD_WIRE if the octets are not one whole uncompressed name; *dst_len is
 * 0 then. */
XN_MUST_CHECK xn_status xn_idna_display_wire(const struct xn_unicode *unicode, const uint8_t *wire,
                                             size_t wire_len, char *dst, size_t *dst_len,
                                             struct xn_findings *findings);

/* Writes any text for people as the name that it is, or would be if it were one, as safely: a label
 * with a form in the DNS as it is shown when it comes from there; any other with `\u{…}` for each
 * character that is not ASCII, and with `\DDD` for each other octet that is escaped above, also for
 * those that are not UTF-8. *findings has all reasons, of at most the first XN_WIRE_LABELS_MAX
 * labels; malformed UTF-8 is XN_DISALLOWED. Returns XN_OK, or XN_NO_SPACE: dst then holds as many
 * whole labels, or characters of the last, as there is room for. XN_IDNA_DISPLAY_MAX octets hold
 * every name that the DNS can. */
XN_MUST_CHECK xn_status xn_idna_display_text(const struct xn_unicode *unicode, const char *text,
                                             size_t len, char *dst, size_t dst_cap, size_t *dst_len,
                                             struct xn_findings *findings);

#ifdef __cplusplus
}
#endif

#endif
