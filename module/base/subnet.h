/* SPDX-License-Identifier: BSD-3-Clause */
/* Clients that forwarders name by the EDNS Client Subnet option (RFC 7871). */
#ifndef XNM_MODULE_BASE_SUBNET_H
#define XNM_MODULE_BASE_SUBNET_H

#include "module/base/address.h"

enum {
    XNM_SUBNET_OPTION = 8,  /* the option's code */
    XNM_FORWARDERS_MAX = 64 /* addresses and networks in client-subnet-from */
};

/* The forwarders whose option is trusted. All 0: none. */
struct xnm_forwarders {
    size_t count;
    struct xnm_prefix prefixes[XNM_FORWARDERS_MAX];
};

/* Adds an address or prefix. Returns NULL, or the error, as a text that follows the quoted word.
 * The thread's next call may overwrite it. */
const char *xnm_forwarders_add(struct xnm_forwarders *forwarders, const char *text, size_t len);

/* Returns whether both have the same addresses in the same order. */
bool xnm_forwarders_same(const struct xnm_forwarders *a, const struct xnm_forwarders *b);

/* Returns `forwarders`; NULL: there are none. */
static inline const struct xnm_forwarders *
xnm_forwarders_any(const struct xnm_forwarders *forwarders)
{
    return forwarders->count > 0 ? forwarders : NULL;
}

/* Returns whether the address is one of the forwarders'. */
bool xnm_forwarders_have(const struct xnm_forwarders *forwarders, const struct xnm_client *address);

/* Reads the data of a query's option (RFC 7871, section 6) into *client. An IPv4-mapped address
 * becomes an IPv4 address. Returns whether the option names a client or its network. False: it is
 * malformed (its length, its family, its prefix, its scope, or bits after the prefix), or its
 * prefix has no bits, by which the forwarder declines to name the client. */
bool xnm_subnet_read(const uint8_t *data, size_t len, struct xnm_prefix *client);

/* Returns whether `peer`, the address that the query came from, is a forwarder's, and the option's
 * data names a client, which is written to *client. */
bool xnm_subnet_client(const struct xnm_forwarders *forwarders, const struct xnm_client *peer,
                       const uint8_t *data, size_t len, struct xnm_prefix *client);

#endif
