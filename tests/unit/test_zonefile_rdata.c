/* SPDX-License-Identifier: BSD-3-Clause */
/* RDATA. Names and types: test_zonefile.c. Whole files: test_zoneread.c. Messages: tests/rules. */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "module/zone/zonefile.h"
#include "tests/unit/exact.h"

#define X10 "xxxxxxxxxx"
#define X50 X10 X10 X10 X10 X10
#define X64 X50 X10 "xxxx"
#define X250 X50 X50 X50 X50 X50
#define A10 "a.a.a.a.a.a.a.a.a.a."
#define A130 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10

static struct xn_unicode *unicode;

/* --- RDATA --- */

#define EXAMPLE "076578616d706c6500"

static struct rdata {
    const char *type;
    const char *text;
    const char *hex; /* NULL: an error */
    size_t at;       /* … there */
} rdatas[] = {
    {"A", "192.0.2.1", "c0000201", 0},
    {"A", " \t192.0.2.1 \t", "c0000201", 0},
    {"A", "( 192.0.2.1 )", "c0000201", 0},
    {"A", "192.0.2.1\r", "c0000201", 0},
    {"AAAA", "2001:DB8::1", "20010db8000000000000000000000001", 0},
    {"NS", "example", EXAMPLE, 0},
    {"NS", "EXAMPLE.", EXAMPLE, 0},
    {"NS", ".", "00", 0},
    {"PTR", "казино.example",
     "0c786e2d2d3830616f6466736707"
     "6578616d706c6500",
     0},
    {"PTR", "例え。jp．", "0b786e2d2d72386a7a343567026a7000", 0},
    {"PTR", "。", "00", 0},
    {"PTR", "a\\.b.бб", "03612e6208786e2d2d3930616100", 0},
    {"PTR", "a\\ b\\031.c", "046120621f016300", 0},
    {"PTR", "_ldap._TCP.бб", "055f6c646170045f74637008786e2d2d3930616100", 0},
    {"MX", "10 example", "000a" EXAMPLE, 0},
    {"SRV", "0 65535 443 example", "0000ffff01bb" EXAMPLE, 0},
    {"TXT", "abc", "03616263", 0},
    {"TXT", "\"a b\" c \"\"", "03612062016300", 0},
    {"TXT", "\"привет\"", "0cd0bfd180d0b8d0b2d0b5d182", 0},
    {"TXT", "привет", "0cd0bfd180d0b8d0b2d0b5d182", 0},
    {"TXT", "a\\б", "0361d0b1", 0},
    {"TXT", "\"\\\"\\\\;()\\065\\255\"", "07225c3b282941ff", 0},
    {"TXT", "a\\;b\\ c", "05613b622063", 0},
    {"TXT", "\"a\tb\"", "03610962", 0},
    {"TXT", "\"\xFF\"", "01ff", 0},
    {"HINFO", "PC \"Debian 12\"", "0250430944656269616e203132", 0},
    {"NAPTR", "100 10 \"u\" \"E2U+sip\" \"!^.*$!sip:i@x!\" .",
     "0064000a01750745325"
     "52b7369700e215e2e2a24217369703a69407821"
     "00",
     0},
    {"CAA", "0 issue \"ca.example\"",
     "000569737375656361"
     "2e6578616d706c65",
     0},
    {"CAA", "0 issue ca.example",
     "00056973737565"
     "63612e6578616d706c65",
     0},
    {"CAA", "0 issue \"\"", "00056973737565", 0},
    {"URI", "10 1 \"http://б/\"", "000a0001687474703a2f2fd0b12f", 0},
    {"SSHFP", "1 2 12 34 ab", "01021234ab", 0},
    {"TLSA", "3 1 1 ABCD", "030101abcd", 0},
    {"TLSA", "DANE-EE SPKI SHA2-256 abcd", "030101abcd", 0},
    {"CERT", "\\# 8 0001000108010203", "0001000108010203", 0},
    {"NID", "\\# 10 000a00144fffff20ee64", "000a00144fffff20ee64", 0},
    {"L64", "\\# 10 000a20010db800000000", "000a20010db800000000", 0},
    {"L32", "10 192.0.2.1", "000ac0000201", 0},
    {"EUI48", "\\# 6 00005e00532a", "00005e00532a", 0},
    {"EUI64", "\\# 8 00005eef1000002a", "00005eef1000002a", 0},
    {"LP", "10 example", "000a" EXAMPLE, 0},
    {"HTTPS", "1 .", "000100", 0},
    {"HTTPS", "0 example", "0000" EXAMPLE, 0},
    {"HTTPS", "1 бб alpn=h2,h3", "000108786e2d2d393061610000010006026832026833", 0},
    {"HTTPS", "1 . port=\"8443\" alpn=\"h2,h3\" no-default-alpn",
     "000100"
     "00010006026832026833"
     "00020000"
     "0003000220fb",
     0},
    {"HTTPS", "1 . ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=::1 mandatory=ipv4hint ech=AQID",
     "000100"
     "000000020004"
     "00040008c0000201c0000202"
     "00050003010203"
     "0006001000000000000000000000000000000001",
     0},
    {"SVCB", "1 . key65000=\"a b\\\"\\255\" dohpath=/q{?dns}",
     "000100"
     "000700082f717b3f646e737d"
     "fde80005612062"
     "22ff",
     0},
    {"A", "\\# 4 C0000201", "c0000201", 0},
    {"A", "\\# 4 (c0 00\t02 01)", "c0000201", 0},
    {"MX", "\\# 5 000a 0141 00", "000a016100", 0},
    {"TYPE65280", "\\# 0", "", 0},
    {"TYPE65280", "\\# 3 abcdef", "abcdef", 0},
    {"NULL", "\\# 1 ff", "ff", 0},
    {"LOC", "\\# 16 00000000000000000000000000000000", "00000000000000000000000000000000", 0},
    {"HTTPS", "\\# 7 00010000020000", "00010000020000", 0},

    {"A", "", NULL, 0},
    {"A", "   ", NULL, 3},
    {"A", "192.0.2.256", NULL, 0},
    {"A", "192.0.2", NULL, 0},
    {"A", "0x7f000001", NULL, 0},
    {"A", "\"192.0.2.1\"", NULL, 0},
    {"A", "192.0.2.1 192.0.2.2", NULL, 10},
    {"A", "192.0.2.1 \"x\"", NULL, 10},
    {"AAAA", "192.0.2.1", NULL, 0},
    {"AAAA", "fe80::1%lo", NULL, 0},
    {"MX", "example", NULL, 0},
    {"MX", "65536 example", NULL, 0},
    {"MX", "-1 example", NULL, 0},
    {"MX", "+1 example", NULL, 0},
    {"MX", "0x1 example", NULL, 0},
    {"MX", "1a example", NULL, 0},
    {"MX", "10", NULL, 2},
    {"MX", "10 @", NULL, 3},
    {"MX", "10 \"example\"", NULL, 3},
    {"MX", "10 a..b", NULL, 5},
    {"MX", "10 ..", NULL, 3},
    {"MX", "10 a\\\\..", NULL, 7},
    {"MX", "10 " X64, NULL, 3},
    {"MX", "10 a." X64 "\\046", NULL, 5},
    {"MX", "10 " A130, NULL, 3},
    {"MX", "10 a\\300", NULL, 4},
    {"MX", "10 a\\", NULL, 4},
    {"MX", "10 a\001b", NULL, 4},
    {"MX", "10 a\"b\"", NULL, 4},
    {"MX", "10 бб..б", NULL, 8},
    {"MX", "10 б.-б", NULL, 6},
    {"MX", "10 a.\xD0", NULL, 5},
    {"MX", "10 a.б\xE9.б", NULL, 7},
    {"MX", "10 б\xC2\xADб", NULL, 5},
    {"MX", "10 a*=.б⿰.б", NULL, 9},
    {"MX", "10 б\uFBF9.a", NULL, 5}, /* the character with the longest name */
    {"MX", "10 *б.a", NULL, 3},
    {"MX", "10 б\\.a", NULL, 5},
    {"MX", "10 б/a", NULL, 5},
    {"MX", "10 б." X64, NULL, 6},
    {"MX", "10 б." X64 "\\046", NULL, 6},
    {"SVCB", "1 б.⿰. alpn=h2", NULL, 5},
    {"TXT", "", NULL, 0},
    {"TXT", "\"abc", NULL, 0},
    {"TXT", "abc \"abc\\\"", NULL, 4},
    {"TXT", "\"abc\"def", NULL, 5},
    {"TXT", "abc\"def\"", NULL, 3},
    {"TXT", "v=1; p=none", NULL, 3},
    {"TXT", "; p=none", NULL, 0},
    {"TXT", "\"a\\25\"", NULL, 2},
    {"TXT", "\"a\001\"", NULL, 2},
    {"TXT", "a\nb", NULL, 1},
    {"TXT", "(a", NULL, 0},
    {"TXT", "a)", NULL, 1},
    {"TXT", X250 "xxxxxx", NULL, 255},
    {"TXT", "\"" X250 "xxxx\\065б\"", NULL, 259},
    {"CAA", "256 issue \"x\"", NULL, 0},
    {"CAA", "0 is-sue \"x\"", NULL, 2},
    {"CAA", "0 \"\" \"x\"", NULL, 2},
    {"DS", "1 8 2 abcd", NULL, 0},
    {"DNSKEY", "\\# 4 01000308", NULL, 0},
    {"OPENPGPKEY", "AQID", NULL, 0},
    {"CERT", "PKIX 1 RSASHA256 AQID", NULL, 0},
    {"CERT", "", NULL, 0},
    {"EUI48", "00-00-5e-00-53-2A", NULL, 0},
    {"EUI64", "00-00-5e-ef-10-00-00-2a", NULL, 0},
    {"NID", "10 0014:4fff:ff20:ee64", NULL, 3},
    {"L64", "10 2001:db8:0:0", NULL, 3},
    {"HTTPS", "1", NULL, 1},
    {"HTTPS", "1 . port=65536", NULL, 4},
    {"HTTPS", "1 . port=", NULL, 4},
    {"HTTPS", "1 . alpn=h2 bogus=1", NULL, 12},
    {"HTTPS", "1 . ALPN=h2", NULL, 4},
    {"HTTPS", "1 . ipv4hint=192.0.2", NULL, 4},
    {"HTTPS", "1 . ipv6hint=::ffff:255.255.255.255:0000:0000:0000:00000", NULL, 4},
    {"HTTPS", "1 . ipv6hint=::1,0000:0000:0000:0000:0000:0000:0000:0000:000000", NULL, 4},
    {"HTTPS", "1 . key3=8443 key6=::1",
     "0001000003000220fb0006001000000000000000000000000000000001", 0},
    {"HTTPS", "1 . key3=65536", NULL, 4},
    {"HTTPS", "1 . key00003=65536", NULL, 4},
    {"HTTPS", "1 . alpn=h2\" port=1 key9=x\"", NULL, 4},
    {"HTTPS", "1 . alpn=\\\"h2\" key9=x\"", NULL, 4},
    {"HTTPS", "1 . alpn=\"h2\"\" key9=x\"", NULL, 4},
    {"HTTPS", "1 . alpn\" key9=x\"", NULL, 4},
    {"HTTPS", "1 . no-default-alpn=1", NULL, 4},
    {"HTTPS", "1 . \"alpn=h2\"", NULL, 4},
    {"HTTPS", "1 . port=1 port=2", NULL, 0},
    {"HTTPS", "1 . alpn", NULL, 0},
    {"HTTPS", "1 . port", NULL, 0},
    {"WKS", "192.0.2.1", NULL, 9},
    {"WKS", "192.0.2.1 6", NULL, 10},
    {"LOC", "1 N 2 E 0m", NULL, 0},
    {"TYPE65280", "abcdef", NULL, 0},
    {"A", "\\#", NULL, 2},
    {"A", "\\# x", NULL, 3},
    {"A", "\\# 65536", NULL, 3},
    {"A", "\\# 4", NULL, 4},
    {"A", "\\# 4 c00002", NULL, 5},
    {"A", "\\# 4 c000020101", NULL, 5},
    {"A", "\\# 4 c000020", NULL, 5},
    {"A", "\\# 3 c00002", NULL, 0},
    {"A", "\\# 5 c000020100", NULL, 0},
    {"A", "\\# 0", NULL, 0},
    {"MX", "\\# 4 000ac00c", NULL, 0},
    {"MX", "\\# 4 000a 0161", NULL, 0},
    {"MX", "\\# 6 000a 0161 0000", NULL, 0},
    {"TXT", "\\# 2 0261", NULL, 0},
    {"TXT", "\\# 0", NULL, 0},
    {"HTTPS", "\\# 7 00010000030000", NULL, 0},
    {"HTTPS", "\\# 9 000100000300020", NULL, 5},
    {"CNAME", "example", NULL, 0},
    {"DNAME", "example", NULL, 0},
    {"SOA", ". . 1 2 3 4 5", NULL, 0},
    {"RRSIG", "\\# 0", NULL, 0},
    {"NSEC", "a A", NULL, 0},
    {"NSEC3", "a A", NULL, 0},
    {"ANY", "\\# 0", NULL, 0},
};

static void expect_rdata(const struct rdata *row, const struct xnm_record *record)
{
    char *hex = malloc(2 * (size_t)record->rdata_len + 1);

    hex[0] = '\0';
    for (size_t i = 0; i < record->rdata_len; i++)
        snprintf(hex + 2 * i, 3, "%02x", record->rdata[i]);
    assert_string_equal(hex, row->hex);
    free(hex);
}

static void test_rdata(void **state)
{
    const struct rdata *row = *state;
    size_t len = strlen(row->text);
    uint16_t type = xnm_zonefile_type(row->type, strlen(row->type));
    char *text = exact_copy(row->text, len);
    struct xnm_record record;
    struct xnm_zonefile_error error = {0, ""};
    bool good = xnm_zonefile_rdata(unicode, type, text, len, &record, &error);

    free(text);
    assert_int_equal(good, row->hex != NULL);
    if (good) {
        assert_string_equal(error.message, "");
        assert_int_equal(record.type, type);
        assert_int_equal(record.ttl, 0);
        expect_rdata(row, &record);
        free(record.rdata);
        return;
    }
    assert_true(error.message[0] != '\0');
    assert_null(strchr(error.message, '\n'));
    assert_int_equal(error.at, row->at);
}

/* --- sizes --- */

/* `count` times a word, behind `start`. Returns whether it is RDATA, of so many octets. */
static bool read_many(uint16_t type, const char *start, const char *word, size_t count,
                      size_t *rdata_len)
{
    size_t start_len = strlen(start), word_len = strlen(word), len = start_len + count * word_len;
    char *text = malloc(len + 1);
    struct xnm_record record;
    struct xnm_zonefile_error error;

    memcpy(text, start, start_len);
    for (size_t i = 0; i < count; i++)
        memcpy(text + start_len + i * word_len, word, word_len);
    char *exact = exact_copy(text, len);
    free(text);
    bool good = xnm_zonefile_rdata(unicode, type, exact, len, &record, &error);
    free(exact);
    *rdata_len = good ? record.rdata_len : 0;
    if (good)
        free(record.rdata);
    return good;
}

static struct size {
    const char *name;
    const char *start, *word;
    uint16_t type;
    size_t most; /* so many words fit, and not one more */
    size_t octets;
} sizes[] = {
    {"65535 empty strings", "", "\"\" ", 16, 65535, 65535},
    {"256 strings", "", X250 "xxxx ", 16, 257, 65535},
    {"65535 octets of hexadecimal", "\\# 65535 ", "ab", 65280, 65535, 65535},
    {"4095 addresses", "1 . ipv6hint=::1", ",0::0", 65, 4094, 65527},
    {"4095 addresses of a key without a name", "1 . key6=::1", ",0::0", 65, 4094, 65527},
    {"65530 octets of escapes and 1 of a number", "1 1 a", "\\255", 256, 65530, 65535},
};

static void test_size(void **state)
{
    const struct size *row = *state;
    size_t octets;

    assert_true(read_many(row->type, row->start, row->word, row->most, &octets));
    assert_int_equal(octets, row->octets);
    assert_false(read_many(row->type, row->start, row->word, row->most + 1, &octets));
}

/* Text that is too long or too deeply nested is refused, whatever its length. */
static void test_hostile_sizes(void **state)
{
    size_t octets;

    (void)state;
    assert_false(read_many(1, "", "(", 100000, &octets));
    assert_false(read_many(1, "", "( ) ", 100000, &octets));
    assert_false(read_many(1, "", ")", 100000, &octets));
    assert_false(read_many(1, "", "\\", 1000001, &octets));
    assert_false(read_many(1, "", "9", 1000000, &octets));
    assert_false(read_many(2, "", "a.", 1000000, &octets));
    assert_false(read_many(2, "", "\xD0\xB1.", 300000, &octets));
    assert_false(read_many(2, "", "\xD0\xB1", 300000, &octets));
    assert_false(read_many(16, "", "\"", 1000001, &octets));
    assert_false(read_many(16, "\"", "x", 1000000, &octets));
    assert_false(read_many(65, "1 .", " port=1", 100000, &octets));
    assert_false(read_many(65, "1 . alpn=", "h2,", 100000, &octets));
}

/* Addresses that no value has room for: ldns would take some of them for keys with lengths of their
 * own, and copy as many octets. */
static void test_hostile_addresses(void **state)
{
    enum { ADDRESSES = 4097, SECOND = 1, LAST = 4063, TEXT_MAX = 16 * ADDRESSES };
    char *text = malloc(TEXT_MAX);
    size_t len = (size_t)sprintf(text, "1 . ipv6hint=0::0");
    struct xnm_record record;
    struct xnm_zonefile_error error;

    (void)state;
    for (unsigned i = 1; i < ADDRESSES; i++)
        len += (size_t)sprintf(text + len, ",%s",
                               i == SECOND ? "1:fde8::"
                               : i == LAST ? "::2:ffff"
                                           : "0::0");
    len += (size_t)sprintf(text + len, " alpn=h2 port=53");
    assert_false(xnm_zonefile_rdata(unicode, 65, text, len, &record, &error));
    free(text);
}

/* Its type and text, as they can be shown. */
static const char *name_of(const struct rdata *row)
{
    char text[128];
    char *name = malloc(sizeof text);

    snprintf(text, sizeof text, "%s %s", row->type, row->text);
    return name ? xnm_quote(text, strlen(text), name, sizeof text) : row->type;
}

int main(void)
{
    struct test_group group = {0};

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    for (size_t i = 0; i < COUNT(rdatas); i++)
        add_test(&group, name_of(&rdatas[i]), test_rdata, &rdatas[i]);
    ADD_TESTS(&group, sizes, name, test_size);
    add_test(&group, "hostile sizes", test_hostile_sizes, NULL);
    add_test(&group, "hostile addresses", test_hostile_addresses, NULL);
    int failed = run_group("zonefile_rdata", &group);
    xn_unicode_close(unicode);
    return failed;
}
