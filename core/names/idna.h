/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts whole names between the forms that people write, that the DNS has, and that people may
 * be shown.
 *
 * A written name is UTF-8 in presentation format (RFC 1035, section 5.1). Its dots are the four of
 * UTS 46, and it may have a final dot. Labels in ASCII stay as they are ("_dmarc", "*", `\.`), and
 * all others are mapped by UTS 46 (nontransitional; STD3, Bidi, ContextJ and hyphen tests).
 * core/idna/uts46.h converts names exactly as UTS 46 says.
 *
 * These functions keep no state, so any thread may call them; all threads may share a handle. They
 * allocate nothing, except that ICU may while it maps a label; without memory, that label is
 * XN_TOO_LONG. A name may have any length, and time grows with it; it may be NULL if its length is
 * 0. A NUL follows the text in dst; *dst_len does not count it, the sizes here do. The text has no
 * other NUL. */
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
    uint8_t label_count;                   /* labels that were read, without the root */
    xn_reasons labels[XN_WIRE_LABELS_MAX]; /* labels[0] is the leftmost */
};

/* Octets of a name in ASCII or in Unicode, with the NUL. */
enum { XN_IDNA_TEXT_MAX = XN_WIRE_TEXT_MAX + 1 };

/* Converts a written name to wire format, with ASCII in lower case, in wire, which has room for
 * XN_WIRE_NAME_MAX octets. *findings has no reasons that restrict a label:
 * - for each label, what xn_written_to_alabel (core/names/written.h) finds. If a label begins with
 *   "xn--" and is not an A-label, it is written all the same; so is a label with an escaped control
 *   character.
 * - for the name, XN_TOO_LONG if it has more than 255 octets in wire format: what follows is not
 *   read. XN_EMPTY for "". "." is the root.
 *
 * *wire_len is 0 if the name has no form in the DNS. Returns XN_OK, or XN_BAD_UTF8 if a label that
 * was read is malformed. */
XN_MUST_CHECK xn_status xn_idna_to_wire(const struct xn_unicode *unicode, const char *name,
                                        size_t len, uint8_t *wire, size_t *wire_len,
                                        struct xn_findings *findings);

/* Converts a written name to text in ASCII, escaped as in zone files, with a final dot if there was
 * one. *findings is that of xn_idna_to_wire. dst has room for XN_IDNA_TEXT_MAX octets. Returns what
 * xn_idna_to_wire returns. */
XN_MUST_CHECK xn_status xn_idna_to_ascii(const struct xn_unicode *unicode, const char *name,
                                         size_t len, char *dst, size_t *dst_len,
                                         struct xn_findings *findings);

/* Does the same, but writes each A-label as its U-label, in UTF-8. Do not show the result to
 * people: a U-label may imitate another one. dst has room for XN_IDNA_TEXT_MAX octets. Returns what
 * xn_idna_to_wire returns. */
XN_MUST_CHECK xn_status xn_idna_to_unicode(const struct xn_unicode *unicode, const char *name,
                                           size_t len, char *dst, size_t *dst_len,
                                           struct xn_findings *findings);

/* Octets of a name in the form that people are shown, with the NUL: ten for each code point, as in
 * `\u{10FFFF}`, and a dot for each label. A name of four A-labels has the most code points: of its
 * octets only the root's, and each label's length and prefix, encode none. */
enum { XN_IDNA_DISPLAY_MAX = 10 * (XN_WIRE_NAME_MAX - 4 * 5 - 1) + XN_WIRE_LABELS_MAX + 1 };

/* Converts a name in wire format to text for people, whatever it holds, with dots between labels
 * and none at the end (the root is "."):
 * - a label without "xn--", and an invalid one, in ASCII in lower case, with `\DDD` for each octet
 *   outside 0x21-0x7E and for `"`, `\` and a dot;
 * - a restricted label with `\u{…}` for each code point that is not ASCII;
 * - any other label in UTF-8, with `\u{…}` for joiners.
 *
 * So the text has no control, bidi, invisible, blank or separator character. dst has room for
 * XN_IDNA_DISPLAY_MAX octets. *findings has all reasons. Returns XN_OK, or XN_BAD_WIRE if the
 * octets are not one whole uncompressed name; *dst_len is then 0. */
XN_MUST_CHECK xn_status xn_idna_display_wire(const struct xn_unicode *unicode, const uint8_t *wire,
                                             size_t wire_len, char *dst, size_t *dst_len,
                                             struct xn_findings *findings);

/* Reads any text as a written name, and writes it for people, as safely: a label with a form in the
 * DNS as xn_idna_display_wire shows it, any other with `\u{…}` for each character that is not
 * ASCII, and with `\DDD` for each octet that is escaped above or is not UTF-8. *findings has all
 * reasons, of at most the first XN_WIRE_LABELS_MAX labels; malformed UTF-8 is XN_DISALLOWED.
 * XN_IDNA_DISPLAY_MAX octets hold every name that the DNS can. Returns XN_OK, or XN_NO_SPACE: dst
 * then holds as many whole labels, or characters of the last one, as there is room for. */
XN_MUST_CHECK xn_status xn_idna_display_text(const struct xn_unicode *unicode, const char *text,
                                             size_t len, char *dst, size_t dst_cap, size_t *dst_len,
                                             struct xn_findings *findings);

#ifdef __cplusplus
}
#endif

#endif
