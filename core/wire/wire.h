/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks uncompressed wire-format names (RFC 1035, section 3.1) that are not trusted. A name is
 * checked once, when it arrives; the functions of core/wire/walk.h, which this header includes,
 * then need no further checks. They allocate nothing and keep no state, so any thread may call
 * them. */
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

#endif
