/* SPDX-License-Identifier: BSD-3-Clause */
/* Addresses that DNS64 makes of IPv4 addresses (RFC 6147), by the form of RFC 6052, section 2.2.
 * Host-free. */
#ifndef XNM_MODULE_ANSWER_DNS64_H
#define XNM_MODULE_ANSWER_DNS64_H

#include "module/rule/rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XNM_IPV6_LEN = 16 };

struct xnm_dns64 {
    unsigned bits; /* 32, 40, 48, 56, 64 or 96; 0: there is no prefix, and nothing is below it */
    uint8_t prefix[XNM_IPV6_LEN];
};

/* Is an address below the prefix? It has XNM_IPV6_LEN octets. */
bool xnm_dns64_has(const struct xnm_dns64 *dns64, const uint8_t *address);

/* Writes the name below in-addr.arpa of the IPv4 address in an IPv6 address below the prefix, whose
 * name below ip6.arpa (wire format, in any case) is given. False: it is no such name. */
bool xnm_dns64_pointer(const struct xnm_dns64 *dns64, const uint8_t *name, size_t len,
                       struct xnm_wirename *pointer);

#endif
