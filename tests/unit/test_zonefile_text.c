/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and records as text for any reader of zone files. */
#include "tests/unit/vectors.h"
#include "tools/rules/zonewrite.h"

#include "module/zone/zonefile.h"
#include "tests/unit/exact.h"
#include "tests/unit/randomnames.h"
#include "tests/unit/zonename.h"

static struct xn_unicode *unicode;

/* --- names --- */

static const struct {
    const char *name; /* with dots where its labels end */
    const char *text;
} names[] = {
    {"", "."},
    {"example", "example."},
    {"_s.a-1.xn--e1afmkfd", "_s.a-1.xn--e1afmkfd."},
    {"*.a", "\\042.a."},
    {"@", "\\064."},
    {"$include.x", "\\036include.x."},
    {"\";()\\ \t\n'", "\\034\\059\\040\\041\\092\\032\\009\\010\\039."},
    {"a+b,c/d:e=f~g!", "a\\043b\\044c\\047d\\058e\\061f\\126g\\033."},
    {"\x01\x7F\x80\xFF", "\\001\\127\\128\\255."},
};

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        uint8_t wire[XN_WIRE_NAME_MAX];
        char text[XN_WIRE_TEXT_MAX + 1];
        size_t len = wire_of(names[i].name, wire);
        uint8_t *exact = exact_copy(wire, len);
        assert_int_equal(zonewrite_name(exact, len, text), strlen(names[i].text));
        assert_string_equal(text, names[i].text);
        free(exact);
    }
}

static void test_dot_and_capital(void **state)
{
    char text[XN_WIRE_TEXT_MAX + 1];

    (void)state;
    assert_int_equal(zonewrite_name((const uint8_t *)"\003a.b\001\0", 7, text), 12);
    assert_string_equal(text, "a\\046b.\\000.");
    /* not in lower case: ldns's reader makes another name of it */
    assert_int_equal(zonewrite_name((const uint8_t *)"\001A", 3, text), 0);
}

static void test_random_names(void **state)
{
    uint64_t seed = 0x7E7;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        struct xnm_wirename name = random_entry(&seed), read;
        char *text = malloc(XN_WIRE_TEXT_MAX + 1);
        size_t len = zonewrite_name(name.octets, name.len, text);
        assert_int_equal(len, strlen(text));
        assert_true(len > 0);
        assert_true(read_zone_name(unicode, text, &read));
        assert_int_equal(read.len, name.len);
        assert_memory_equal(read.octets, name.octets, name.len);
        free(text);
    }
}

/* --- records --- */

static const struct {
    const char *type, *rdata; /* as xnm_zonefile_rdata reads it */
    const char *text;
} records[] = {
    {"A", "192.0.2.1", "A 192.0.2.1"},
    {"AAAA", "2001:DB8:0:0::1", "AAAA 2001:db8::1"},
    {"MX", "10 почта.example", "MX 10 xn--80a1acny.example."},
    {"PTR", ".", "PTR ."},
    {"SRV", "0 65535 443 a.example", "SRV 0 65535 443 a.example."},
    {"TXT", "\"a b\" c \"\"", "TXT \"a b\" \"c\" \"\""},
    {"TXT", "\"\\\"\\\\;()\\000\\255$@\"", "TXT \"\\\"\\\\;()\\000\\255$@\""},
    {"CAA", "128 issue \"ca.example; x=y\"", "CAA 128 issue \"ca.example; x=y\""},
    {"NAPTR", "1 2 \"u\" \"E2U+sip\" \"!^.*$!sip:i@x!\" .",
     "NAPTR 1 2 \"u\" \"E2U+sip\" \"!^.*$!sip:i@x!\" ."},
    {"SSHFP", "1 1 00FF", "SSHFP 1 1 00ff"},
    {"TLSA", "3 1 1 00ff", "TLSA 3 1 1 00ff"},
    /* names that some reader could misread */
    {"PTR", "a\\\"b", "TYPE12 \\# 5 0361226200"},
    {"PTR", "\\@.x", "TYPE12 \\# 5 0140017800"},
    {"PTR", "$x", "TYPE12 \\# 4 02247800"},
    {"MX", "1 a\\;b", "TYPE15 \\# 7 000103613b6200"},
    {"MX", "1 a\\.b", "TYPE15 \\# 7 000103612e6200"},
    /* types that older readers know by number alone */
    {"HTTPS", "1 . alpn=h2", "TYPE65 \\# 10 00010000010003026832"},
    {"SVCB", "0 x", "TYPE64 \\# 5 0000017800"},
    {"HINFO", "a b", "TYPE13 \\# 4 01610162"},
    {"TYPE65280", "\\# 3 00ff10", "TYPE65280 \\# 3 00ff10"},
    {"TYPE65280", "\\# 0", "TYPE65280 \\# 0"},
};

static void test_record(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(records); i++) {
        struct xnm_record record;
        struct xnm_zonefile_error error;
        uint16_t type = xnm_zonefile_type(records[i].type, strlen(records[i].type));
        assert_true(xnm_zonefile_rdata(unicode, type, records[i].rdata, strlen(records[i].rdata),
                                       &record, &error));
        size_t cap = 64 + 2 * (size_t)record.rdata_len;
        char *text = malloc(cap);
        size_t len = zonewrite_record(unicode, &record, text);
        assert_true(len <= cap);
        if (len != strlen(records[i].text) || memcmp(text, records[i].text, len) != 0)
            fail_msg("%.*s", (int)len, text);
        free(text);
        free(record.rdata);
    }
}

/* RDATA of any octets, of types that have fields and of one that has none: the text is plain ASCII
 * in one line, and within its bounds. */
static void test_random_records(void **state)
{
    static const uint16_t types[] = {1, 28, 12, 15, 16, 33, 35, 44, 52, 257, 64, 65, 29, 65280};
    uint64_t seed = 0xDA7A;

    (void)state;
    for (unsigned i = 0; i < 60000; i++) {
        uint8_t octets[300];
        size_t rdata_len = below(&seed, below(&seed, 2) ? 12 : sizeof octets);
        for (size_t at = 0; at < rdata_len; at++)
            octets[at] = (uint8_t)(below(&seed, 2) ? below(&seed, 6) : below(&seed, 256));
        uint8_t *exact = exact_copy(octets, rdata_len);
        struct xnm_record record = {.type = types[below(&seed, COUNT(types))],
                                    .rdata_len = (uint16_t)rdata_len,
                                    .rdata = exact};
        size_t cap = 64 + 2 * rdata_len;
        char *text = malloc(cap);
        size_t len = zonewrite_record(unicode, &record, text);
        assert_in_range(len, 1, cap);
        for (size_t at = 0; at < len; at++)
            assert_in_range((uint8_t)text[at], 0x20, 0x7E);
        free(text);
        free(exact);
    }
}

int main(void)
{
    struct test_group group = {0};

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    add_test(&group, "names", test_names, NULL);
    add_test(&group, "a dot and a capital letter in a label", test_dot_and_capital, NULL);
    add_test(&group, "20000 random names come back", test_random_names, NULL);
    add_test(&group, "records", test_record, NULL);
    add_test(&group, "60000 records of any octets", test_random_records, NULL);
    int failed = run_group("zonefile text", &group);
    xn_unicode_close(unicode);
    return failed;
}
