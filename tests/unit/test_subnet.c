/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which client the data of an EDNS Client Subnet option names (RFC 7871, section 6). */
#include "tests/unit/vectors.h"

#include "module/base/subnet.h"

#define DATA(...) {__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

static struct option {
    const char *name;
    uint8_t data[24];
    size_t len;
    const char *client; /* NULL: it names none */
} options[] = {
    {"an IPv4 address", DATA(0, 1, 32, 0, 192, 0, 2, 7), "192.0.2.7"},
    {"an IPv4 network", DATA(0, 1, 24, 0, 192, 0, 2), "192.0.2.0/24"},
    {"bits within an octet", DATA(0, 1, 25, 0, 192, 0, 2, 128), "192.0.2.128/25"},
    {"one bit", DATA(0, 1, 1, 0, 128), "128.0.0.0/1"},
    {"an IPv6 address", DATA(0, 2, 128, 0, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7),
     "2001:db8::7"},
    {"an IPv6 network", DATA(0, 2, 56, 0, 0x20, 1, 0xd, 0xb8, 0, 1, 2), "2001:db8:1:200::/56"},
    {"an IPv4-mapped address",
     DATA(0, 2, 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2, 7), "192.0.2.7"},
    {"an IPv4-mapped network",
     DATA(0, 2, 120, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 192, 0, 2), "192.0.2.0/24"},
    {"all IPv4-mapped addresses", DATA(0, 2, 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF),
     NULL},
    {"no bits: the client is not named", DATA(0, 1, 0, 0), NULL},
    {"… of IPv6", DATA(0, 2, 0, 0), NULL},
    {"… of no family", DATA(0, 0, 0, 0), NULL},
    {"no data", {0}, 0, NULL},
    {"three octets", DATA(0, 1, 0), NULL},
    {"an address that is too short", DATA(0, 1, 24, 0, 192, 0), NULL},
    {"an address that is too long", DATA(0, 1, 24, 0, 192, 0, 2, 0), NULL},
    {"no address", DATA(0, 1, 24, 0), NULL},
    {"an IPv4 prefix of 33 bits", DATA(0, 1, 33, 0, 192, 0, 2, 7, 0), NULL},
    {"an IPv6 prefix of 129 bits",
     DATA(0, 2, 129, 0, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0), NULL},
    {"bits after the prefix", DATA(0, 1, 25, 0, 192, 0, 2, 129), NULL},
    {"a bit after the prefix, in IPv6", DATA(0, 2, 7, 0, 0x21), NULL},
    {"family 3", DATA(0, 3, 32, 0, 192, 0, 2, 7), NULL},
    {"family 257", DATA(1, 1, 32, 0, 192, 0, 2, 7), NULL},
    {"a scope, which belongs into answers", DATA(0, 1, 32, 32, 192, 0, 2, 7), NULL},
};

/* On the heap, so that a sanitizer sees each octet that is read too far. */
static uint8_t *exact(const struct option *row)
{
    uint8_t *data = malloc(row->len > 0 ? row->len : 1);

    assert_non_null(data);
    memcpy(data, row->data, row->len);
    return data;
}

TEST_ROWS(test_option, options, name)
{
    const struct option *row = *state;
    uint8_t *data = exact(row);
    struct xnm_prefix client, untouched;
    char text[XNM_PREFIX_TEXT_MAX];

    memset(&client, 0x5A, sizeof client);
    untouched = client;
    assert_int_equal(xnm_subnet_read(data, row->len, &client), row->client != NULL);
    if (row->client)
        assert_string_equal(xnm_prefix_text(&client, text), row->client);
    else
        assert_memory_equal(&client, &untouched, sizeof client);
    free(data);
}

/* --- whose option is believed --- */

static struct peer {
    const char *name, *address;
    bool is_forwarder;
} peers[] = {
    {"a forwarder's address", "192.0.2.53", true},
    {"… IPv4-mapped", "::ffff:192.0.2.53", true},
    {"the address after it", "192.0.2.54", false},
    {"an address in a forwarder's network", "198.51.100.9", true},
    {"an address beside that network", "198.51.101.1", false},
    {"a forwarder's IPv6 address", "2001:db8::53", true},
    {"another IPv6 address", "2001:db8::54", false},
    {"an IPv6 address with the octets of a forwarder's", "c000:235::", false},
};

static struct xnm_forwarders forwarders_of(const char *const *texts, size_t count)
{
    struct xnm_forwarders forwarders = {.count = count};

    for (size_t i = 0; i < count; i++)
        assert_null(xnm_prefix_read(texts[i], strlen(texts[i]), &forwarders.prefixes[i]));
    return forwarders;
}

TEST_ROWS(test_peer, peers, name)
{
    static const char *const texts[] = {"192.0.2.53", "198.51.100.0/24", "2001:db8::53"};
    static const uint8_t data[] = {0, 1, 32, 0, 203, 0, 113, 7};
    const struct peer *row = *state;
    const struct xnm_forwarders forwarders = forwarders_of(texts, COUNT(texts));
    const struct xnm_forwarders none = {0};
    struct xnm_client peer;
    struct xnm_prefix client;
    char text[XNM_PREFIX_TEXT_MAX];

    assert_true(xnm_client_read(row->address, strlen(row->address), &peer));
    assert_false(xnm_subnet_client(&none, &peer, data, sizeof data, &client));
    assert_false(xnm_subnet_client(&forwarders, &peer, data, sizeof data - 1, &client));
    assert_int_equal(xnm_subnet_client(&forwarders, &peer, data, sizeof data, &client),
                     row->is_forwarder);
    if (row->is_forwarder)
        assert_string_equal(xnm_prefix_text(&client, text), "203.0.113.7");
}

TEST_MAIN
