/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/address.h"

#include "module/base/arena.h"
#include "module/base/number.h"
#include "module/base/thread.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

/* --- addresses --- */

bool xnm_client_from(const uint8_t *octets, size_t len, struct xnm_client *client)
{
    static const uint8_t mapped[12] = {[10] = 0xFF, [11] = 0xFF};

    if (len == 16 && memcmp(octets, mapped, sizeof mapped) == 0) {
        octets += sizeof mapped;
        len = 4;
    }
    if (len != 4 && len != 16)
        return false;
    *client = (struct xnm_client){.len = (uint8_t)len};
    memcpy(client->octets, octets, len);
    return true;
}

bool xnm_client_of(const struct sockaddr_storage *address, struct xnm_client *client)
{
    const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)(const void *)address;
    const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)(const void *)address;

    if (address->ss_family == AF_INET)
        return xnm_client_from((const uint8_t *)&ipv4->sin_addr, 4, client);
    return address->ss_family == AF_INET6 &&
           xnm_client_from((const uint8_t *)&ipv6->sin6_addr, 16, client);
}

/* --- prefixes --- */

/* Sets all bits after the first `bits` to those of `fill`, 0x00 or 0xFF. */
static void fill_after(uint8_t *octets, size_t len, unsigned bits, uint8_t fill)
{
    for (size_t at = bits / 8; at < len; at++) {
        uint8_t mask = at == bits / 8 ? (uint8_t)(0xFF >> bits % 8) : 0xFF;
        octets[at] = (uint8_t)((octets[at] & ~mask) | (fill & mask));
    }
}

/* Reads an address as it is written: an IPv4-mapped one stays IPv6. */
static bool read_address(const char *text, size_t len, struct xnm_client *client)
{
    char copy[INET6_ADDRSTRLEN];

    if (len >= sizeof copy)
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    *client = (struct xnm_client){.len = 4};
    if (inet_pton(AF_INET, copy, client->octets) == 1)
        return true;
    client->len = 16;
    return inet_pton(AF_INET6, copy, client->octets) == 1;
}

bool xnm_client_read(const char *text, size_t len, struct xnm_client *client)
{
    struct xnm_client written;

    return read_address(text, len, &written) &&
           xnm_client_from(written.octets, written.len, client);
}

const char *xnm_prefix_read(const char *text, size_t len, struct xnm_prefix *prefix)
{
    static _Thread_local char message[120 + XNM_PREFIX_TEXT_MAX];
    const char *slash = memchr(text, '/', len);
    size_t address_len = slash ? (size_t)(slash - text) : len;
    struct xnm_client *address = &prefix->address, written;
    char as[XNM_PREFIX_TEXT_MAX];
    uint32_t bits;

    if (!read_address(text, address_len, address))
        return "is not an address or a prefix: expected one such as 192.0.2.0/24 or 2001:db8::1";
    bits = 8U * address->len;
    if (slash && !xnm_number_read(slash + 1, len - address_len - 1, bits, &bits)) {
        snprintf(message, sizeof message, "has no length of a prefix: expected 0 to %u after its /",
                 8U * address->len);
        return message;
    }
    prefix->bits = (uint8_t)bits;
    written = *address;
    fill_after(address->octets, address->len, bits, 0);
    if (memcmp(written.octets, address->octets, sizeof written.octets) != 0) {
        snprintf(message, sizeof message,
                 "has bits after the first %u: expected %s, or one address without a length",
                 (unsigned)bits, xnm_prefix_text(prefix, as));
        return message;
    }
    /* Clients have no such addresses: they have those of IPv4. */
    if (address->len == 16 && bits >= 96 && xnm_client_from(address->octets, 16, &written) &&
        written.len == 4) {
        *prefix = (struct xnm_prefix){written, (uint8_t)(bits - 96)};
        snprintf(message, sizeof message, "is an address of IPv4: expected %s",
                 xnm_prefix_text(prefix, as));
        return message;
    }
    return NULL;
}

char *xnm_prefix_text(const struct xnm_prefix *prefix, char dst[XNM_PREFIX_TEXT_MAX])
{
    const struct xnm_client *address = &prefix->address;

    if (!inet_ntop(address->len == 4 ? AF_INET : AF_INET6, address->octets, dst,
                   XNM_PREFIX_TEXT_MAX))
        dst[0] = '\0';
    if (prefix->bits < 8 * address->len)
        snprintf(dst + strlen(dst), XNM_PREFIX_TEXT_MAX - strlen(dst), "/%u", prefix->bits);
    return dst;
}

void xnm_prefix_shorten(struct xnm_prefix *prefix, uint8_t bits)
{
    if (prefix->bits <= bits)
        return;
    prefix->bits = bits;
    fill_after(prefix->address.octets, prefix->address.len, bits, 0);
}

bool xnm_prefix_holds(const struct xnm_prefix *outer, const struct xnm_prefix *inner)
{
    struct xnm_client first = inner->address;

    if (outer->bits > inner->bits || first.len != outer->address.len)
        return false;
    fill_after(first.octets, first.len, outer->bits, 0);
    return memcmp(first.octets, outer->address.octets, first.len) == 0;
}

/* Writes the prefix's first address, and after it its last one: 2 * address.len octets. */
static void write_range(const struct xnm_prefix *prefix, uint8_t *range)
{
    size_t len = prefix->address.len;

    memcpy(range, prefix->address.octets, len);
    memcpy(range + len, range, len);
    fill_after(range + len, len, prefix->bits, 0xFF);
}

/* Sorts prefixes that have the same bits before this one. Their octets are in the order that
 * counts: that of the family, the address, the length. */
static bool sort(struct xnm_prefix *prefixes, size_t count, unsigned bit, const atomic_bool *stop)
{
    size_t ones_at = count;

    _Static_assert(sizeof *prefixes == 18, "a prefix has no padding");
    if (count < 2 || bit == 8 * sizeof *prefixes)
        return true;
    if (xnm_stop_is_set(stop))
        return false;
    for (size_t i = 0; i < ones_at;) {
        const struct xnm_prefix prefix = prefixes[i];
        if (((const uint8_t *)&prefix)[bit / 8] << bit % 8 & 0x80) {
            prefixes[i] = prefixes[--ones_at];
            prefixes[ones_at] = prefix;
        } else {
            i++;
        }
    }
    return sort(prefixes, ones_at, bit + 1, stop) &&
           sort(prefixes + ones_at, count - ones_at, bit + 1, stop);
}

bool xnm_prefixes_sort(struct xnm_prefix *prefixes, size_t count, const atomic_bool *stop)
{
    return sort(prefixes, count, 0, stop);
}

/* --- sets --- */

/* Adds 1 to an address. False: it is the last one. */
static bool next_address(uint8_t *octets, size_t len)
{
    while (len > 0)
        if (++octets[--len] != 0)
            return true;
    return false;
}

/* Joins ranges in order that touch. Returns how many are left. */
static size_t join(uint8_t *octets, size_t count, size_t len)
{
    uint8_t *kept = octets, after[16];

    for (size_t i = 1; i < count; i++) {
        const uint8_t *range = octets + 2 * len * i;
        memcpy(after, kept + len, len);
        bool touches = !next_address(after, len) || memcmp(range, after, len) <= 0;
        if (!touches) {
            kept += 2 * len;
            memmove(kept, range, 2 * len);
        } else if (memcmp(range + len, kept + len, len) > 0) {
            memcpy(kept + len, range + len, len);
        }
    }
    return count > 0 ? (size_t)(kept - octets) / (2 * len) + 1 : 0;
}

static bool make_family(struct xnm_ranges *ranges, struct xnm_pool *pool, unsigned family,
                        const struct xnm_prefix *prefixes, size_t count)
{
    size_t len = xnm_family_len(family), found = 0;
    uint8_t *octets, *range;

    for (size_t i = 0; i < count; i++)
        found += prefixes[i].address.len == len;
    octets = range = xnm_pool_take(pool, 2 * len * found + 1);
    if (!octets)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (prefixes[i].address.len != len)
            continue;
        write_range(&prefixes[i], range);
        range += 2 * len;
    }
    ranges->octets[family] = octets;
    ranges->count[family] = join(octets, found, len);
    return true;
}

bool xnm_ranges_make(struct xnm_ranges *ranges, struct xnm_pool *pool,
                     const struct xnm_prefix *prefixes, size_t count)
{
    return make_family(ranges, pool, XNM_IPV4, prefixes, count) &&
           make_family(ranges, pool, XNM_IPV6, prefixes, count);
}

bool xnm_ranges_copy(struct xnm_ranges *to, struct xnm_pool *pool, const struct xnm_ranges *from)
{
    for (unsigned family = 0; family < XNM_FAMILIES; family++) {
        size_t len = 2 * xnm_family_len(family) * from->count[family];
        uint8_t *copy = xnm_pool_take(pool, len + 1);
        if (!copy)
            return false;
        if (len > 0)
            memcpy(copy, from->octets[family], len);
        to->octets[family] = copy;
        to->count[family] = from->count[family];
    }
    return true;
}

/* Returns the first range whose last address is not before this one; `count`: there is none. */
static size_t find(const uint8_t *octets, size_t count, size_t len, const uint8_t *address)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memcmp(octets + 2 * len * middle + len, address, len) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the first range whose last address is not before the prefix's first one; NULL: there is
 * none. */
static const uint8_t *find_range(const struct xnm_ranges *ranges, const struct xnm_prefix *prefix)
{
    size_t len = prefix->address.len;
    unsigned family = len == 4 ? XNM_IPV4 : XNM_IPV6;
    const uint8_t *octets = ranges->octets[family];
    size_t count = ranges->count[family];
    size_t at = count > 0 ? find(octets, count, len, prefix->address.octets) : count;

    return at < count ? octets + 2 * len * at : NULL;
}

bool xnm_ranges_hold(const struct xnm_ranges *ranges, const struct xnm_prefix *prefix)
{
    size_t len = prefix->address.len;
    const uint8_t *range = find_range(ranges, prefix);
    uint8_t ends[32];

    if (!range || memcmp(range, prefix->address.octets, len) > 0)
        return false;
    write_range(prefix, ends);
    return memcmp(ends + len, range + len, len) <= 0;
}

bool xnm_ranges_touch(const struct xnm_ranges *ranges, const struct xnm_prefix *prefix)
{
    size_t len = prefix->address.len;
    const uint8_t *range = find_range(ranges, prefix);
    uint8_t ends[32];

    write_range(prefix, ends);
    return range && memcmp(range, ends + len, len) <= 0;
}

bool xnm_ranges_meet(const struct xnm_ranges *a, const struct xnm_ranges *b,
                     struct xnm_client *client)
{
    for (unsigned family = 0; family < XNM_FAMILIES; family++) {
        size_t len = xnm_family_len(family), i = 0, j = 0;
        while (i < a->count[family] && j < b->count[family]) {
            const uint8_t *p = a->octets[family] + 2 * len * i;
            const uint8_t *q = b->octets[family] + 2 * len * j;
            if (memcmp(p + len, q, len) < 0) {
                i++;
            } else if (memcmp(q + len, p, len) < 0) {
                j++;
            } else {
                *client = (struct xnm_client){.len = (uint8_t)len};
                memcpy(client->octets, memcmp(p, q, len) > 0 ? p : q, len);
                return true;
            }
        }
    }
    return false;
}
