/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks, reads and prints uncompressed wire-format names (RFC 1035, section 3.1) that nobody has
 * checked before. A name is validated once, when it comes in; core/wire/walk.h, which this header
 * includes, has what is then done with it without further checks. These functions allocate nothing
 * and keep no state, so any thread may call them. */
#ifndef XN_CORE_WIRE_WIRE_H
#define XN_CORE_WIRE_WIRE_H

#include "core/text/status.h"
#include "core/wire/walk.h"

#include <stddef.h>
#include <stdint.h>

/* Checks that wire holds exactly one whole name of wire_len octets, and starts a walk over its
 * labels. Returns XN_OK, or XN_BAD_WIRE if the name is longer than 255 octets, a label is longer
 * than 63 (as compression pointers appear to be), the root label is missing, or octets follow it.
 */
XN_MUST_CHECK xn_status xn_wire_open(struct xn_wire_cursor *cursor, const uint8_t *wire,
                                     size_t wire_len);

/* Does what xn_wire_to_text does for a name that nobody has checked, and writes a NUL after it: dst
 * has room for XN_WIRE_TEXT_MAX + 1 characters. Returns XN_OK, or XN_BAD_WIRE when xn_wire_open
 * does; *dst_len, without the NUL, is 0 then. */
XN_MUST_CHECK xn_status xn_wire_print(const uint8_t *wire, size_t wire_len, char *dst,
                                      size_t *dst_len);

/* Reads one whole name in presentation format (RFC 1035, section 5.1), in ASCII, and writes it in
 * wire format to wire, which has room for XN_WIRE_NAME_MAX octets. The text may end with a dot; "."
 * is the root. `\DDD` is an octet, `\X` the character X unless it is a digit. Case is kept. Reads
 * all that xn_wire_to_text writes. Returns XN_OK, or XN_BAD_TEXT; *wire_len is 0 then, and *bad_at
 * (bad_at may be NULL) the offset of the first character at fault: a control character or one that
 * is not ASCII (xn_idna_to_wire reads Unicode); a backslash that begins no escape, or begins `\u{`,
 * with which core/names/display.h shows a character; a dot without a label before it; the first
 * that is too much for a label of 63 octets or a name of 255; len for "". */
XN_MUST_CHECK xn_status xn_wire_parse(const char *text, size_t len, uint8_t *wire, size_t *wire_len,
                                      size_t *bad_at);

#endif
