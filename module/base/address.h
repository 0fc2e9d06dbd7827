/* SPDX-License-Identifier: BSD-3-Clause */
/* Clients' addresses, prefixes of addresses, and sets of them. */
#ifndef XNM_MODULE_BASE_ADDRESS_H
#define XNM_MODULE_BASE_ADDRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr_storage;
struct xnm_pool;

/* An address. An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) is its IPv4 address, as
 * sockets for both families show such clients. */
struct xnm_client {
    uint8_t len;        /* octets: 4 or 16 */
    uint8_t octets[16]; /* in network order */
};

/* Sets *client from the address of a socket, or from the octets of an address. False: it is of
 * another family, or has another length. */
bool xnm_client_of(const struct sockaddr_storage *address, struct xnm_client *client);
bool xnm_client_from(const uint8_t *octets, size_t len, struct xnm_client *client);

/* Reads an address, without a zone index. False: it is none. */
bool xnm_client_read(const char *text, size_t len, struct xnm_client *client);

/* The addresses that begin with the first `bits` bits of one; all other bits of it are 0. */
struct xnm_prefix {
    struct xnm_client address;
    uint8_t bits; /* 8 * address.len: that address alone */
};

/* Reads an address or a prefix, "192.0.2.0/24" or "2001:db8::1", without a zone index. Returns
 * NULL, or the error, as a text that follows the quoted word. The thread's next call may overwrite
 * it. */
const char *xnm_prefix_read(const char *text, size_t len, struct xnm_prefix *prefix);

/* Writes a prefix as it is read, with a NUL; an address without its length. Returns dst. */
enum { XNM_PREFIX_TEXT_MAX = sizeof "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255/128" };
char *xnm_prefix_text(const struct xnm_prefix *prefix, char dst[XNM_PREFIX_TEXT_MAX]);

/* Returns the prefix that has this address alone. */
static inline struct xnm_prefix xnm_prefix_whole(const struct xnm_client *client)
{
    return (struct xnm_prefix){*client, (uint8_t)(8 * client->len)};
}

/* Makes a prefix of `bits` bits of a longer one. One that is not longer stays as it is. */
void xnm_prefix_shorten(struct xnm_prefix *prefix, uint8_t bits);

/* Returns whether `outer` has all addresses of `inner`. */
bool xnm_prefix_holds(const struct xnm_prefix *outer, const struct xnm_prefix *inner);

/* Puts prefixes in order, each after those that hold it, and before all that come after these.
 * Each is moved 144 times at most, whatever their values. False: another thread has set *stop
 * (which may be NULL), and they are in any order. */
bool xnm_prefixes_sort(struct xnm_prefix *prefixes, size_t count, const atomic_bool *stop);

/* A set of addresses: of each family, ranges in order, none of which touch. A range is its first
 * and its last address: 8 octets of IPv4, 32 of IPv6. {0} is empty. */
enum { XNM_IPV4, XNM_IPV6, XNM_FAMILIES };
struct xnm_ranges {
    const uint8_t *octets[XNM_FAMILIES];
    size_t count[XNM_FAMILIES];
};

/* The octets of an address of a family. */
static inline size_t xnm_family_len(unsigned family)
{
    return family == XNM_IPV4 ? 4 : 16;
}

/* Makes the set of all addresses of the prefixes, which are in order, in the pool's memory. False:
 * no memory. */
bool xnm_ranges_make(struct xnm_ranges *ranges, struct xnm_pool *pool,
                     const struct xnm_prefix *prefixes, size_t count);

/* Copies a set. False: no memory. */
bool xnm_ranges_copy(struct xnm_ranges *to, struct xnm_pool *pool, const struct xnm_ranges *from);

/* hold returns whether the set has all addresses of the prefix, touch whether it has any of them. A
 * binary search. */
bool xnm_ranges_hold(const struct xnm_ranges *ranges, const struct xnm_prefix *prefix);
bool xnm_ranges_touch(const struct xnm_ranges *ranges, const struct xnm_prefix *prefix);

/* Returns whether both sets have an address in common, and sets *client to the first. */
bool xnm_ranges_meet(const struct xnm_ranges *a, const struct xnm_ranges *b,
                     struct xnm_client *client);

#endif
