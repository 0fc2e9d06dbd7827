/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads names of a DNS message, which may be compressed (RFC 1035, section 4.1.4). The message is
 * not trusted. */
#ifndef XN_CORE_WIRE_EXPAND_H
#define XN_CORE_WIRE_EXPAND_H

#include <stddef.h>
#include <stdint.h>

enum {
    XN_WIRE_HEADER_LEN = 12, /* octets of a message before its first name */
    XN_WIRE_JUMPS_MAX = 128  /* pointers of one name that are followed */
};

/* Writes the name that begins at octet *at of a message of len octets, without pointers, to dst,
 * and moves *at behind it. dst has room for XN_WIRE_NAME_MAX octets. A pointer must lead to an
 * octet before those that were read, so that there are no loops, and not into the header, because a
 * name there would change with the header's counts. Returns the number of octets written, or 0,
 * with *at unchanged, if no whole, valid name begins there or it has more than XN_WIRE_JUMPS_MAX
 * pointers. */
size_t xn_wire_expand(const uint8_t *message, size_t len, size_t *at, uint8_t *dst);

#endif
