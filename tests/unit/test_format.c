/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/base/format.h"
#include "tests/unit/exact.h"
#include "tests/unit/wirenames.h"

/* Expects that the output is `expected`, and fills its buffer. Frees dst. */
static void expect(const char *expected, char *dst, const char *end)
{
    assert_int_equal(end - dst, strlen(expected));
    assert_memory_equal(dst, expected, strlen(expected));
    free(dst);
}

/* --- numbers --- */

static struct number {
    const char *text;
    uint64_t number;
} numbers[] = {
    {"0", 0},
    {"9", 9},
    {"10", 10},
    {"65535", 65535},
    {"4294967296", 4294967296},
    {"9999999999999999999", 9999999999999999999u},
    {"10000000000000000000", 10000000000000000000u},
    {"18446744073709551615", UINT64_MAX},
};

TEST_ROWS(writes_numbers, numbers, text)
{
    const struct number *row = *state;
    char *dst = malloc(strlen(row->text));

    assert_true(strlen(row->text) <= XNM_FORMAT_NUMBER_MAX);
    expect(row->text, dst, xnm_format_number(dst, row->number));
}

/* --- mnemonics --- */

static struct mnemonic {
    const char *text;
    const char *mnemonic, *generic;
    unsigned number;
} mnemonics[] = {
    {"AAAA", "AAAA", "TYPE", 28},
    {"NSAP-PTR", "NSAP-PTR", "TYPE", 23},
    {"TYPE65280", NULL, "TYPE", 65280},
    {"CLASS42", NULL, "CLASS", 42},
    {"TYPE0", NULL, "TYPE", 0},
    {"RCODE22", NULL, "RCODE", 22},
    {"RCODE4294967295", NULL, "RCODE", ~0u},
};

TEST_ROWS(writes_mnemonics, mnemonics, text)
{
    const struct mnemonic *row = *state;
    char *dst = malloc(strlen(row->text));

    expect(row->text, dst, xnm_format_mnemonic(dst, row->mnemonic, row->generic, row->number));
}

/* --- time --- */

static struct moment {
    const char *text;
    struct timespec when;
} moments[] = {
    {"1970-01-01T00:00:00.000000Z", {0, 999}},
    {"2000-02-29T12:00:00.000001Z", {951825600, 1000}},
    {"2024-02-29T23:59:59.999999Z", {1709251199, 999999999}},
    {"2026-11-20T21:56:03.000214Z", {1795211763, 214000}},
    {"2038-01-19T03:14:08.100000Z", {2147483648, 100000000}},
    {"2100-02-28T23:59:59.000000Z", {4107542399, 0}},
    {"2100-03-01T00:00:00.000000Z", {4107542400, 0}},
    {"2106-02-07T06:28:16.000000Z", {4294967296, 0}},
    {"9999-12-31T23:59:59.999999Z", {253402300799, 999999000}},
};

static void writes_times(void **state)
{
    const struct moment *row = *state;
    char *dst = malloc(XNM_FORMAT_TIME_LEN);

    assert_int_equal(strlen(row->text), XNM_FORMAT_TIME_LEN);
    expect(row->text, dst, xnm_format_time(dst, &row->when));
}

/* UTC, whatever the daemon's zone. */
TEST(writes_utc, "UTC, whatever the zone")
{
    setenv("TZ", "Asia/Kathmandu", 1);
    tzset();
    for (size_t i = 0; i < COUNT(moments); i++)
        writes_times(&(void *){&moments[i]});
    unsetenv("TZ");
    tzset();
}

/* Every day of four centuries, and random seconds of it, are what libc makes of them. */
TEST(writes_days, "every day as libc has it")
{
    uint64_t seed = 5;

    for (int64_t day = 0; day < 146097; day++) {
        struct timespec when = {day * 86400 + (int64_t)below(&seed, 86400), 0};
        char expected[40], got[XNM_FORMAT_TIME_LEN];
        struct tm utc;

        gmtime_r(&when.tv_sec, &utc);
        strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%S.000000Z", &utc);
        assert_ptr_equal(xnm_format_time(got, &when), got + sizeof got);
        assert_memory_equal(got, expected, sizeof got);
    }
}

/* --- addresses --- */

static struct address {
    const char *client;
    const char *whole, *prefix; /* "": nothing is put */
    unsigned prefix_len;
} addresses[] = {
    {"192.0.2.7", "192.0.2.7", "192.0.2.0", 24},
    {"0.0.0.0", "0.0.0.0", "0.0.0.0", 24},
    {"255.255.255.255", "255.255.255.255", "255.255.255.0", 24},
    {"9.10.99.100", "9.10.99.100", "9.10.99.0", 24},
    {"::", "::", "::", 56},
    {"::1", "::1", "::", 56},
    {"2001:db8:1:2fff:a:b:c:7", "2001:db8:1:2fff:a:b:c:7", "2001:db8:1:2f00::", 56},
    {"2001:db8:1111:2222:3333:4444:5555:6666", "2001:db8:1111:2222:3333:4444:5555:6666",
     "2001:db8:1111:2200::", 56},
    {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     "ffff:ffff:ffff:ff00::", 56},
    {"fe80::1", "fe80::1", "fe80::", 56},
    {"::ffff:192.0.2.7", "192.0.2.7", "192.0.2.0", 24},
    {"::ffff:0.0.0.0", "0.0.0.0", "0.0.0.0", 24},
    {"::fffe:c000:207", "::fffe:c000:207", "::", 56},
    {"0:0:0:0:1:ffff:c000:207", "::1:ffff:c000:207", "::", 56},
    {"64:ff9b::192.0.2.7", "64:ff9b::c000:207", "64:ff9b::", 56},
    {"no address", "", "", 0},
};

static void put_and_expect(const struct address *row, bool is_prefix, const char *expected)
{
    struct sockaddr_storage address = client_of(row->client);
    struct xnm_client client;
    char *dst = malloc(XNM_FORMAT_ADDRESS_MAX), *end = dst;

    if (xnm_client_of(&address, &client)) {
        struct xnm_prefix prefix = xnm_prefix_whole(&client);
        if (is_prefix)
            xnm_prefix_shorten(&prefix, xnm_format_prefix_len(client.len));
        assert_int_equal(xnm_format_prefix_len(client.len), row->prefix_len);
        end = xnm_format_client(dst, &prefix.address);
    }
    assert_true(strlen(expected) + sizeof "/56" - 1 <= XNM_FORMAT_ADDRESS_MAX);
    expect(expected, dst, end);
}

TEST_ROWS(writes_addresses, addresses, client)
{
    const struct address *row = *state;

    put_and_expect(row, false, row->whole);
    put_and_expect(row, true, row->prefix);
}

/* Random addresses with many zeros are what libc makes of them, but for those of RFC 4291, section
 * 2.5.5.1, which it writes as IPv4 behind "::" and which no client has. */
TEST(writes_random_addresses, "random addresses as libc has them")
{
    uint64_t seed = 7;

    for (int i = 0; i < 100000; i++) {
        char expected[INET6_ADDRSTRLEN], got[XNM_FORMAT_ADDRESS_MAX];
        uint8_t address[16] = {0x20};

        for (int octet = 1; octet < 16; octet++)
            address[octet] = (uint8_t)(below(&seed, 3) == 0 ? below(&seed, 256) : 0);
        inet_ntop(AF_INET6, address, expected, sizeof expected);
        *xnm_format_ipv6(got, address) = '\0';
        assert_string_equal(got, expected);
    }
}

ADD_ROWS(writes_times, moments, text)
TEST_MAIN
