/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/answer/dns64.h"

#include "core/text/hexadecimal.h"
#include "core/wire/walk.h"
#include "module/base/record.h"

#include <stdio.h>
#include <string.h>

/* IN_NIBBLES: the octets of the labels that an address has in ip6.arpa. */
enum { IPV4_LEN = 4, NIBBLES = 2 * XNM_IPV6_LEN, IN_NIBBLES = 2 * NIBBLES };

bool xnm_dns64_has(const struct xnm_dns64 *dns64, const uint8_t *address)
{
    return dns64->bits > 0 && memcmp(address, dns64->prefix, dns64->bits / 8) == 0;
}

/* One label for each nibble, the lowest first (RFC 3596, section 2.5). */
static bool read_address(const uint8_t *name, size_t len, uint8_t *address)
{
    static const uint8_t end[] = "\3ip6\4arpa";
    uint8_t lower[XN_WIRE_NAME_MAX];

    if (len != IN_NIBBLES + sizeof end)
        return false;
    xn_wire_lower(lower, name, len);
    if (memcmp(lower + IN_NIBBLES, end, sizeof end) != 0)
        return false;
    memset(address, 0, XNM_IPV6_LEN);
    for (size_t i = 0; i < NIBBLES; i++) {
        uint32_t value = xn_hexadecimal_value(lower[2 * i + 1]);
        if (lower[2 * i] != 1 || value == XN_HEXADECIMAL_NONE)
            return false;
        address[XNM_IPV6_LEN - 1 - i / 2] |= (uint8_t)(i % 2 == 0 ? value : value << 4);
    }
    return true;
}

/* The IPv4 address follows the prefix; the ninth octet is skipped. */
static void take_ipv4(const struct xnm_dns64 *dns64, const uint8_t *address, uint8_t *ipv4)
{
    size_t at = dns64->bits / 8;

    for (size_t i = 0; i < IPV4_LEN; i++, at++) {
        at += at == 8;
        ipv4[i] = address[at];
    }
}

bool xnm_dns64_pointer(const struct xnm_dns64 *dns64, const uint8_t *name, size_t len,
                       struct xnm_wirename *pointer)
{
    static const uint8_t end[] = "\7in-addr\4arpa";
    uint8_t address[XNM_IPV6_LEN], ipv4[IPV4_LEN];
    size_t at = 0;

    if (dns64->bits == 0 || !read_address(name, len, address) || !xnm_dns64_has(dns64, address))
        return false;
    take_ipv4(dns64, address, ipv4);
    for (size_t i = IPV4_LEN; i-- > 0;) {
        char digits[4];
        int count = snprintf(digits, sizeof digits, "%u", ipv4[i]);
        pointer->octets[at++] = (uint8_t)count;
        memcpy(pointer->octets + at, digits, (size_t)count);
        at += (size_t)count;
    }
    memcpy(pointer->octets + at, end, sizeof end);
    pointer->len = (uint8_t)(at + sizeof end);
    return true;
}
