/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets of addresses have what one of their prefixes has, bit by bit, and nothing else. */
#include "tests/unit/random.h"
#include "tests/unit/vectors.h"

#include "module/base/address.h"
#include "module/base/arena.h"

enum { SETS = 3000, PREFIXES = 12, ASKED = 40 };

/* Few different octets, so that prefixes hold and touch each other. */
static struct xnm_client random_client(uint32_t *seed)
{
    static const uint8_t octets[] = {0, 1, 127, 128, 254, 255};
    struct xnm_client client = {.len = random_below(seed, 2) ? 4 : 16};

    for (unsigned i = 0; i < client.len; i++)
        client.octets[i] = octets[random_below(seed, i + 2 < client.len ? 2 : 6)];
    return client;
}

static struct xnm_prefix random_prefix(uint32_t *seed)
{
    struct xnm_prefix prefix = {.address = random_client(seed)};
    unsigned all = 8U * prefix.address.len;

    prefix.bits = (uint8_t)(random_below(seed, 8) ? all - random_below(seed, 20)
                                                  : random_below(seed, all + 1));
    for (unsigned bit = prefix.bits; bit < all; bit++)
        prefix.address.octets[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
    return prefix;
}

/* RFC 4632, section 3.1: the first bits are the same. */
static bool has(const struct xnm_prefix *prefix, const struct xnm_client *client)
{
    bool same = prefix->address.len == client->len;

    for (unsigned bit = 0; bit < prefix->bits && same; bit++)
        same = (prefix->address.octets[bit / 8] >> (7 - bit % 8) & 1) ==
               (client->octets[bit / 8] >> (7 - bit % 8) & 1);
    return same;
}

static bool any_has(const struct xnm_prefix *prefixes, unsigned count,
                    const struct xnm_client *client)
{
    bool found = false;

    for (unsigned i = 0; i < count; i++)
        found |= has(&prefixes[i], client);
    return found;
}

/* How many networks were held; touched alone. */
static unsigned held, touched;

/* Compares a network of few addresses with the set, address by address. */
static void compare_network(const struct xnm_ranges *ranges, const struct xnm_prefix *prefixes,
                            unsigned count, uint32_t *seed)
{
    const struct xnm_client address = random_client(seed);
    struct xnm_prefix network = xnm_prefix_whole(&address);
    unsigned inside = 0, free_bits = random_below(seed, 7);

    xnm_prefix_shorten(&network, (uint8_t)(network.bits - free_bits));
    for (unsigned n = 0; n < 1U << free_bits; n++) {
        struct xnm_client client = network.address;
        client.octets[client.len - 1] |= (uint8_t)n;
        inside += any_has(prefixes, count, &client);
    }
    assert_int_equal(xnm_ranges_hold(ranges, &network), inside == 1U << free_bits);
    assert_int_equal(xnm_ranges_touch(ranges, &network), inside > 0);
    held += free_bits > 0 && inside == 1U << free_bits;
    touched += inside > 0 && inside < 1U << free_bits;
}

TEST(test_sets, "sets against their prefixes, bit by bit")
{
    uint32_t seed = 0xadd;
    unsigned inside = 0, meet = 0;

    for (unsigned number = 0; number < SETS; number++) {
        struct xnm_prefix prefixes[2][PREFIXES];
        struct xnm_ranges ranges[2];
        struct xnm_pool pool = {0};
        struct xnm_client client;
        unsigned counts[2];
        bool common = false;
        for (unsigned set = 0; set < 2; set++) {
            counts[set] = random_below(&seed, PREFIXES + 1);
            for (unsigned i = 0; i < counts[set]; i++)
                prefixes[set][i] = random_prefix(&seed);
            assert_true(xnm_prefixes_sort(prefixes[set], counts[set], NULL));
            assert_true(xnm_ranges_make(&ranges[set], &pool, prefixes[set], counts[set]));
        }
        for (unsigned i = 0; i < ASKED; i++) {
            client = random_client(&seed);
            bool expected = any_has(prefixes[0], counts[0], &client);
            const struct xnm_prefix whole = xnm_prefix_whole(&client);
            assert_int_equal(xnm_ranges_hold(&ranges[0], &whole), expected);
            assert_int_equal(xnm_ranges_touch(&ranges[0], &whole), expected);
            inside += expected;
            compare_network(&ranges[0], prefixes[0], counts[0], &seed);
        }
        /* Two sets have something in common where two of their prefixes hold each other. */
        for (unsigned i = 0; i < counts[0] * counts[1]; i++) {
            const struct xnm_prefix *a = &prefixes[0][i / counts[1]];
            const struct xnm_prefix *b = &prefixes[1][i % counts[1]];
            common |= a->bits <= b->bits ? has(a, &b->address) : has(b, &a->address);
        }
        assert_int_equal(xnm_ranges_meet(&ranges[0], &ranges[1], &client), common);
        meet += common;
        if (common)
            assert_true(any_has(prefixes[0], counts[0], &client) &&
                        any_has(prefixes[1], counts[1], &client));
        xnm_pool_free(&pool);
    }
    assert_true(inside > 5000 && meet > 300 && meet < SETS - 300);
    assert_true(held > 1000 && touched > 100);
}

/* An address that is written is read back as the same. */
TEST(test_text, "prefixes as text")
{
    uint32_t seed = 0x7e47;
    char text[XNM_PREFIX_TEXT_MAX];

    for (unsigned i = 0; i < 10000; i++) {
        struct xnm_prefix prefix = random_prefix(&seed), again;
        xnm_prefix_text(&prefix, text);
        const char *fault = xnm_prefix_read(text, strlen(text), &again);
        if (fault)
            fail_msg("%s %s", text, fault);
        assert_int_equal(again.bits, prefix.bits);
        assert_memory_equal(&again.address, &prefix.address, sizeof again.address);
    }
}

TEST_MAIN
