/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads names of a DNS message, which may be compressed (RFC 1035, section 4.1.4). The message may
 * be anybody's. */
#ifndef XN_CORE_WIRE_EXPAND_H
#define XN_CORE_WIRE_EXPAND_H

#include <stddef.h>
#include <stdint.h>

enum {
    XN_WIRE_HEADER_LEN = 12, /* octets of a message before its first name */
    XN_WIRE_JUMPS_MAX = 128  /* pointers of one name that are followed */
};

/* Writes the name that begins at octet *at of a message of len octets, without pointers, and moves
 * *at after it. A pointer must lead to before the octets that are being read, so that there are no
 * loops, and not into the header, since a name there would change with the header's counts. dst has
 * room for XN_WIRE_NAME_MAX octets. Returns the octets written; 0: no whole, valid name begins
 * there, or it has more than XN_WIRE_JUMPS_MAX pointers, and *at is as it was. */
size_t xn_wire_expand(const uint8_t *message, size_t len, size_t *at, uint8_t *dst);

#endif
