/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/tap/pair.h"

#include "core/wire/walk.h"
#include "module/base/hashset.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { SLOTS = 1 << 16 }; /* of 16 octets: a second's queries of a busy resolver */

struct tap_pairs {
    uint64_t seed;
    struct {
        uint64_t
            key; /* of the exchange; seeded, so that an attacker cannot choose two with one key */
        uint64_t microseconds; /* 0: free */
    } slots[SLOTS];
};

struct tap_pairs *tap_pairs_new(void)
{
    struct tap_pairs *pairs = calloc(1, sizeof *pairs);

    if (pairs)
        pairs->seed = xnm_hashset_seed(pairs);
    return pairs;
}

void tap_pairs_free(struct tap_pairs *pairs)
{
    free(pairs);
}

static uint64_t key_of(const struct tap_pairs *pairs, const struct tap_exchange *exchange)
{
    struct {
        uint64_t sender;
        uint16_t port, id, qtype;
        uint8_t address_len, qname_len, address[16], qname[XN_WIRE_NAME_MAX];
    } all;
    size_t len = offsetof(__typeof__(all), qname) + exchange->qname_len;

    memset(&all, 0, offsetof(__typeof__(all), qname));
    all.sender = exchange->sender;
    all.port = exchange->port;
    all.id = exchange->id;
    all.qtype = exchange->qtype;
    all.address_len = exchange->address_len;
    all.qname_len = exchange->qname_len;
    if (exchange->address_len > 0)
        memcpy(all.address, exchange->address, exchange->address_len);
    xn_wire_lower(all.qname, exchange->qname, exchange->qname_len);
    return XXH3_64bits_withSeed(&all, len, pairs->seed);
}

void tap_pairs_ask(struct tap_pairs *pairs, const struct tap_exchange *exchange,
                   uint64_t microseconds)
{
    uint64_t key = key_of(pairs, exchange);

    pairs->slots[key % SLOTS].key = key;
    pairs->slots[key % SLOTS].microseconds = microseconds;
}

uint64_t tap_pairs_answer(struct tap_pairs *pairs, const struct tap_exchange *exchange)
{
    uint64_t key = key_of(pairs, exchange), microseconds = 0;

    if (pairs->slots[key % SLOTS].key == key) {
        microseconds = pairs->slots[key % SLOTS].microseconds;
        pairs->slots[key % SLOTS].microseconds = 0;
    }
    return microseconds;
}
