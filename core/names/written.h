/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts one written label: presentation format (RFC 1035, section 5.1) in UTF-8, without dots.
 * Keeps no state, so any thread may call it. Allocates nothing, except that ICU may while it maps a
 * label; without memory, the label is XN_TOO_LONG. */
#ifndef XN_CORE_NAMES_WRITTEN_H
#define XN_CORE_NAMES_WRITTEN_H

#include "core/idna/finding.h"
#include "core/idna/unicode.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Octets of a label in presentation format: 63, each of which may be an escape `\DDD`. */
enum { XN_WRITTEN_ALABEL_MAX = 4 * 63 };

/* Reads one written label of len octets, and writes its form in the DNS, in presentation format
 * without a NUL, to dst, which has room for XN_WRITTEN_ALABEL_MAX octets:
 * - ASCII without "xn--": in lower case, otherwise unchanged ("_dmarc", "*", escapes). With an
 *   escaped control character it is written, but is XN_DISALLOWED.
 * - ASCII that begins with "xn--", with escapes or without: in lower case. If it is not an A-label,
 *   *reasons says why, and it is written all the same.
 * - anything else: its A-label, mapped by UTS 46 (nontransitional; STD3, Bidi, ContextJ and hyphen
 *   tests), or nothing, and *reasons says why. A character that the mapping would drop, such as
 *   U+00AD, is XN_DISALLOWED, except U+FE0E and U+FE0F after an emoji.
 *
 * *reasons has no reasons that restrict a label. *dst_len is 0 if the label has no form in the DNS:
 * with XN_EMPTY, with XN_TOO_LONG, with any reason from the mapping, and for an ASCII label that is
 * XN_DISALLOWED because it has a control character not written `\DDD`, a backslash that begins no
 * escape, or `\u{`. The log shows names with `\u{`; as an escape of RFC 1035 it would be "u{",
 * another name. Returns XN_OK, or XN_BAD_UTF8. */
XN_MUST_CHECK xn_status xn_written_to_alabel(const struct xn_unicode *unicode, const uint8_t *label,
                                             size_t len, uint8_t *dst, size_t *dst_len,
                                             xn_reasons *reasons);

#ifdef __cplusplus
}
#endif

#endif
