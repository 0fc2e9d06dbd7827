/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/subnet.h"

#include <string.h>

enum {
    HEAD = 4, /* octets before the address: family, source prefix, scope prefix */
    FAMILY_IPV4 = 1,
    FAMILY_IPV6 = 2, /* IANA, Address Family Numbers */
    MAPPED_BITS = 96 /* of ::ffff:0:0/96 */
};

/* --- forwarders --- */

const char *xnm_forwarders_add(struct xnm_forwarders *forwarders, const char *text, size_t len)
{
    struct xnm_prefix prefix;
    const char *fault = xnm_prefix_read(text, len, &prefix);

    if (fault)
        return fault;
    _Static_assert(XNM_FORWARDERS_MAX == 64, "the message has this number");
    if (forwarders->count == XNM_FORWARDERS_MAX)
        return "is one too many: expected 64 addresses at most";
    forwarders->prefixes[forwarders->count++] = prefix;
    return NULL;
}

bool xnm_forwarders_same(const struct xnm_forwarders *a, const struct xnm_forwarders *b)
{
    return a->count == b->count &&
           memcmp(a->prefixes, b->prefixes, a->count * sizeof *a->prefixes) == 0;
}

bool xnm_forwarders_have(const struct xnm_forwarders *forwarders, const struct xnm_client *address)
{
    const struct xnm_prefix whole = xnm_prefix_whole(address);

    for (size_t i = 0; i < forwarders->count; i++) {
        if (xnm_prefix_holds(&forwarders->prefixes[i], &whole))
            return true;
    }
    return false;
}

/* --- the option --- */

/* Returns the octets of an address of the family; 0: there is no such family. */
static uint8_t address_len(unsigned family)
{
    return family == FAMILY_IPV4 ? 4 : family == FAMILY_IPV6 ? 16 : 0;
}

/* Makes an IPv4 prefix of an IPv4-mapped one. */
static void unmap(struct xnm_prefix *prefix)
{
    struct xnm_client address;

    if (prefix->bits < MAPPED_BITS || !xnm_client_from(prefix->address.octets, 16, &address) ||
        address.len != 4)
        return;
    prefix->address = address;
    prefix->bits = (uint8_t)(prefix->bits - MAPPED_BITS);
}

bool xnm_subnet_read(const uint8_t *data, size_t len, struct xnm_prefix *client)
{
    struct xnm_prefix read = {{0}, 0};

    if (len <= HEAD)
        return false;
    read.address.len = address_len((unsigned)data[0] << 8 | data[1]);
    read.bits = data[2];
    if (read.bits == 0 || read.bits > 8 * read.address.len || data[3] != 0 ||
        len - HEAD != (read.bits + 7U) / 8)
        return false;
    memcpy(read.address.octets, data + HEAD, len - HEAD);
    if (!xnm_prefix_holds(&read, &read)) /* bits after the prefix */
        return false;
    if (read.address.len == 16)
        unmap(&read);
    if (read.bits > 0)
        *client = read;
    return read.bits > 0;
}

bool xnm_subnet_client(const struct xnm_forwarders *forwarders, const struct xnm_client *peer,
                       const uint8_t *data, size_t len, struct xnm_prefix *client)
{
    return xnm_forwarders_have(forwarders, peer) && xnm_subnet_read(data, len, client);
}
