/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/record.h"
#include "tests/unit/vectors.h"

#include "module/answer/dns64.h"
#include "tests/unit/exact.h"

#include <arpa/inet.h>

/* RFC 6052, section 2.4: 192.0.2.33 below each length of prefix. */
static struct row {
    const char *prefix;
    unsigned bits;
    const char *address;
    const char *pointer; /* dots for length octets; NULL: it is not below the prefix */
} rows[] = {
    {"2001:db8::", 32, "2001:db8:c000:221::", "33.2.0.192.in-addr.arpa"},
    {"2001:db8:100::", 40, "2001:db8:1c0:2:21::", "33.2.0.192.in-addr.arpa"},
    {"2001:db8:122::", 48, "2001:db8:122:c000:2:2100::", "33.2.0.192.in-addr.arpa"},
    {"2001:db8:122:300::", 56, "2001:db8:122:3c0:0:221::", "33.2.0.192.in-addr.arpa"},
    {"2001:db8:122:344::", 64, "2001:db8:122:344:c0:2:2100::", "33.2.0.192.in-addr.arpa"},
    {"2001:db8:122:344::", 96, "2001:db8:122:344::192.0.2.33", "33.2.0.192.in-addr.arpa"},
    {"64:ff9b::", 96, "64:ff9b::192.0.2.33", "33.2.0.192.in-addr.arpa"},
    {"64:ff9b::", 96, "64:ff9b::255.254.253.252", "252.253.254.255.in-addr.arpa"},
    {"64:ff9b::", 96, "64:ff9b::", "0.0.0.0.in-addr.arpa"},
    {"64:ff9b::", 96, "64:ff9b:1::192.0.2.33", NULL},
    {"64:ff9b::", 96, "64:ff9a::192.0.2.33", NULL},
    {"2001:db8::", 32, "2001:db9:c000:221::", NULL},
    {"::", 0, "64:ff9b::192.0.2.33", NULL},
};

static struct xnm_dns64 dns64_of(const struct row *row)
{
    struct xnm_dns64 dns64 = {.bits = row->bits};

    assert_int_equal(inet_pton(AF_INET6, row->prefix, dns64.prefix), 1);
    return dns64;
}

/* The name below ip6.arpa; `ten` is the letter of the digit ten. Returns its length. */
static size_t name_of(const uint8_t *address, char ten, uint8_t *name)
{
    size_t at = 0;

    for (size_t i = 2 * XNM_IPV6_LEN; i-- > 0; at += 2) {
        unsigned nibble = i % 2 ? address[i / 2] & 15U : address[i / 2] >> 4;
        name[at] = 1;
        name[at + 1] = (uint8_t)(nibble < 10 ? '0' + (int)nibble : ten + (int)nibble - 10);
    }
    memcpy(name + at, "\3iP6\4arPA", 10);
    return at + 10;
}

static void text_of(const struct xnm_wirename *name, char *text)
{
    size_t len = 0;

    for (unsigned at = 0; name->octets[at] != 0; at += name->octets[at] + 1U) {
        memcpy(text + len, name->octets + at + 1, name->octets[at]);
        len += name->octets[at];
        text[len++] = '.';
        assert_true(at < name->len);
    }
    text[len - 1] = '\0';
}

TEST_ROWS(test_row, rows, address)
{
    const struct row *row = *state;
    struct xnm_dns64 dns64 = dns64_of(row);
    uint8_t address[XNM_IPV6_LEN], name[128];
    struct xnm_wirename pointer;
    char text[256];

    assert_int_equal(inet_pton(AF_INET6, row->address, address), 1);
    assert_int_equal(xnm_dns64_has(&dns64, address), row->pointer != NULL);
    for (unsigned i = 0; i < 2; i++) {
        size_t len = name_of(address, i ? 'A' : 'a', name);
        uint8_t *exact = exact_copy(name, len);
        assert_int_equal(xnm_dns64_pointer(&dns64, exact, len, &pointer), row->pointer != NULL);
        if (row->pointer) {
            text_of(&pointer, text);
            assert_string_equal(text, row->pointer);
            assert_int_equal(pointer.len, strlen(row->pointer) + 2);
        }
        free(exact);
    }
}

/* Every octet of a name counts, and so does its length. */
TEST(test_no_address, "what is no such name")
{
    struct xnm_dns64 dns64 = dns64_of(&(struct row){"64:ff9b::", 96, NULL, NULL});
    uint8_t address[XNM_IPV6_LEN], name[128];
    struct xnm_wirename pointer;

    assert_int_equal(inet_pton(AF_INET6, "64:ff9b::192.0.2.33", address), 1);
    size_t len = name_of(address, 'a', name);
    assert_true(xnm_dns64_pointer(&dns64, name, len, &pointer));
    for (size_t i = 0; i < len; i++) {
        uint8_t before = name[i];
        name[i] = 'g';
        assert_false(xnm_dns64_pointer(&dns64, name, len, &pointer));
        name[i] = before;
    }
    for (size_t cut = 0; cut < len; cut++) {
        uint8_t *exact = exact_copy(name, cut);
        assert_false(xnm_dns64_pointer(&dns64, exact, cut, &pointer));
        free(exact);
    }
    name[len] = 0;
    assert_false(xnm_dns64_pointer(&dns64, name, len + 1, &pointer));
}

TEST_MAIN
