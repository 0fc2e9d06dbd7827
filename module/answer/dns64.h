/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognizes addresses that DNS64 makes from IPv4 addresses (RFC 6147), in the format of RFC 6052,
 * section 2.2. Host-free. */
#ifndef XNM_MODULE_ANSWER_DNS64_H
#define XNM_MODULE_ANSWER_DNS64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_wirename;

enum { XNM_IPV6_LEN = 16 };

struct xnm_dns64 {
    unsigned bits; /* 32, 40, 48, 56, 64 or 96; 0: no prefix, and no address is within it */
    uint8_t prefix[XNM_IPV6_LEN];
};

/* Returns whether an address, of XNM_IPV6_LEN octets, is within the prefix. */
bool xnm_dns64_has(const struct xnm_dns64 *dns64, const uint8_t *address);

/* `name` is the ip6.arpa name of an IPv6 address within the prefix, in wire format, any case.
 * Writes the in-addr.arpa name of the IPv4 address inside. False: it is not such a name. */
bool xnm_dns64_pointer(const struct xnm_dns64 *dns64, const uint8_t *name, size_t len,
                       struct xnm_wirename *pointer);

#endif
