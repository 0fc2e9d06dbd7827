/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, types and RDATA, and their text for any reader of zone files. Whole files:
 * test_zoneread.c; octets at random: tests/fuzz/fuzz_rdata.c. */
#include "module/zone/zonewrite.h"
#include "tests/unit/vectors.h"

#include "core/wire/wire.h"
#include "module/base/diagnostics.h"
#include "module/zone/mnemonic.h"
#include "module/zone/zonefile.h"
#include "tests/unit/exact.h"
#include "tests/unit/nametext.h"
#include "tests/unit/zonename.h"

#define OCTETS(literal) literal, sizeof literal - 1
#define WIRE(literal) literal, sizeof literal /* the NUL that C adds is the root label */

#define X10 "xxxxxxxxxx"
#define X50 X10 X10 X10 X10 X10
#define X60 X10 X50
#define X63 X60 "xxx"
#define X250 X50 X50 X50 X50 X50
#define W63 "\x3F" X63
#define E10 "\\120\\120\\120\\120\\120\\120\\120\\120\\120\\120" /* ten x, escaped */
#define E63 E10 E10 E10 E10 E10 E10 "\\120\\120\\120"
#define A10 "a.a.a.a.a.a.a.a.a.a."
#define A120 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10

static struct xn_unicode *unicode;

/* --- names --- */

static struct name {
    const char *name;
    const char *text;
    const char *wire;
    size_t len;
} names[] = {
    {"the root", ".", WIRE("")},
    {"a name", "www.example.org", WIRE("\3www\7example\3org")},
    {"a final dot", "www.example.org.", WIRE("\3www\7example\3org")},
    {"one label", "a", WIRE("\1a")},
    {"capital letters", "WWW.ExamPLE.ORG", WIRE("\3www\7example\3org")},
    {"not a letter: @ [ ` {", "@[`{", WIRE("\4@[`{")},
    {"an asterisk", "*.example", WIRE("\1*\7example")},
    {"an underscore", "_dmarc.example", WIRE("\6_dmarc\7example")},
    {"an address of RPZ", "32.2.0.0.10.rpz-ip",
     WIRE("\002"
          "32\0012\0010\0010\002"
          "10\6rpz-ip")},
    {"an escaped dot", "a\\.b.c", WIRE("\3a.b\1c")},
    {"an escaped dot at the end", "a.b\\.", WIRE("\1a\2b.")},
    {"an escaped dot and a final one", "a\\..", WIRE("\2a.")},
    {"an escaped backslash and a final dot", "a\\\\.", WIRE("\2a\\")},
    {"an escaped blank", "a\\ b", WIRE("\3a b")},
    {"escaped quotes, parentheses and semicolon", "\\\"\\(\\)\\;", WIRE("\4\"();")},
    {"an octet as a number", "a\\046b.\\000\\255", WIRE("\3a.b\2\0\xFF")},
    {"a capital letter as a number", "\\065", WIRE("\1a")},
    {"a label of 63 octets", X63, WIRE(W63)},
    {"a label of 63 octets, escaped", E63, WIRE(W63)},
    {"a name of 255 octets", X63 "." X63 "." X63 "." X60 "x", WIRE(W63 W63 W63 "\x3D" X60 "x")},
    {"a name of 255 octets and a final dot", X63 "." X63 "." X63 "." X60 "x.",
     WIRE(W63 W63 W63 "\x3D" X60 "x")},
    {"a name of 255 octets, escaped", E63 "." E63 "." E63 "." E10 E10 E10 E10 E10 E10 "\\120.",
     WIRE(W63 W63 W63 "\x3D" X60 "x")},
    {"UTF-8", "\xC3\xBC", WIRE("\7xn--tda")},
};

TEST_ROWS(reads_name, names, name)
{
    const struct name *row = *state;
    char *text = exact_copy(row->text, strlen(row->text) + 1);
    struct xnm_wirename name = {99, {0}};

    assert_true(read_zone_name(unicode, text, &name));
    assert_int_equal(name.len, row->len);
    assert_memory_equal(name.octets, row->wire, row->len);
    free(text);
}

/* Each octet by itself, plain and escaped, is a label or refused; never another octet's. */
TEST(reads_each_octet, "each octet as a name")
{
    for (int octet = 1; octet < 256; octet++) {
        char plain[] = {(char)octet, '\0'}, number[5];
        struct xnm_wirename name;

        snprintf(number, sizeof number, "\\%03d", octet);
        assert_true(read_zone_name(unicode, number, &name));
        assert_int_equal(name.len, 3);
        assert_int_equal(name.octets[1], octet >= 'A' && octet <= 'Z' ? octet + 32 : octet);
        if (read_zone_name(unicode, plain, &name) && octet != '.')
            assert_int_equal(name.octets[1], octet >= 'A' && octet <= 'Z' ? octet + 32 : octet);
    }
}

/* --- types --- */

static const struct {
    const char *text;
    size_t len;
    unsigned expected; /* 0: it is no type of a rule */
} types[] = {{OCTETS("A"), 1},
             {OCTETS("aaaa"), 28},
             {OCTETS("Cname"), 5},
             {OCTETS("HTTPS"), 65},
             {OCTETS("SVCB"), 64},
             {OCTETS("RRSIG"), 46},
             {OCTETS("NSEC"), 47},
             {OCTETS("NSEC3"), 50},
             {OCTETS("DNSKEY"), 48},
             {OCTETS("DS"), 43},
             {OCTETS("NSAP-PTR"), 23},
             {OCTETS("CAA"), 257},
             {OCTETS("ANY"), 255},
             {OCTETS("any"), 255},
             {OCTETS("TYPE1"), 1},
             {OCTETS("type65280"), 65280},
             {OCTETS("TYPE65535"), 65535},
             {OCTETS("TYPE00001"), 1},
             {OCTETS("TYPE255"), 255},
             {OCTETS("TYPE127"), 127},
             {OCTETS("TYPE256"), 256},
             {OCTETS(""), 0},
             {OCTETS("TYPE"), 0},
             {OCTETS("TYPE0"), 0},
             {OCTETS("TYPE65536"), 0},
             {OCTETS("TYPE4294967297"), 0},
             {OCTETS("TYPE-1"), 0},
             {OCTETS("TYPE 1"), 0},
             {OCTETS("TYPE1x"), 0},
             {OCTETS("OPT"), 0},
             {OCTETS("TYPE41"), 0},
             {OCTETS("TSIG"), 0},
             {OCTETS("TKEY"), 0},
             {OCTETS("AXFR"), 0},
             {OCTETS("IXFR"), 0},
             {OCTETS("MAILA"), 0},
             {OCTETS("MAILB"), 0},
             {OCTETS("TYPE128"), 0},
             {OCTETS("TYPE254"), 0},
             {OCTETS("A "), 0},
             {OCTETS("A\0"), 0},
             {OCTETS("\xD0\x90"), 0},
             {OCTETS(X60), 0}};

TEST(reads_types, "types, and words that are none")
{
    for (size_t i = 0; i < COUNT(types); i++) {
        char *text = exact_copy(types[i].text, types[i].len);
        if (xnm_zonefile_type(text, types[i].len) != types[i].expected)
            fail_msg("%s", types[i].text);
        free(text);
    }
}

TEST(writes_mnemonics, "mnemonics")
{
    assert_string_equal(xnm_mnemonic_type(1), "A");
    assert_null(xnm_mnemonic_type(0));
    assert_null(xnm_mnemonic_type(54)); /* ldns calls it TYPE54 */
    assert_null(xnm_mnemonic_type(65280));
    assert_string_equal(xnm_mnemonic_class(1), "IN");
    assert_null(xnm_mnemonic_class(9));
    assert_string_equal(xnm_mnemonic_rcode(3), "NXDOMAIN");
    assert_null(xnm_mnemonic_rcode(99));
}

#define X64 X50 X10 "xxxx"
#define A130 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10 A10

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
    {"CAA", "255 azAZ09 \"\"", "ff06617a415a3039", 0},
    {"URI", "10 1 \"http://б/\"", "000a0001687474703a2f2fd0b12f", 0},
    {"SSHFP", "1 2 12 34 ab", "01021234ab", 0},
    {"SSHFP", "1 2 0123456789abcdefABCDEF", "01020123456789abcdefabcdef", 0},
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
    {"HTTPS", "\\# 13 000100 00020000 0003000201bb",
     "00010000020000"
     "0003000201bb",
     0},
    {"HTTPS", "\\# 9 000100 000000020003", "000100000000020003", 0},
    {"HTTPS", "\\# 11 000100 00040004c0000201", "00010000040004c0000201", 0},
    {"HTTPS", "\\# 7 000100 ffff0000", "000100ffff0000", 0},
    {"HTTPS", "\\# 8 000100 0008000178", "0001000008000178", 0},

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
    {"MX", "10 .a", NULL, 3},
    {"MX", "10 a..", NULL, 5},
    {"MX", "10 " X63 "." X63 "." X63 "." X60 "xx", NULL, 3},
    {"MX", "10 a\\300", NULL, 4},
    {"MX", "10 a\\25", NULL, 4},
    {"MX", "10 a\\2a5", NULL, 4},
    {"MX", "10 a\\\001", NULL, 4},
    {"MX", "10 a\\ü", NULL, 4},
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
    {"CAA", "0 a- x", NULL, 2},
    {"CAA", "0 a_ x", NULL, 2},
    {"CAA", "0 [ x", NULL, 2},
    {"CAA", "0 ` x", NULL, 2},
    {"CAA", "0 { x", NULL, 2},
    {"CAA", "0 @ x", NULL, 2},
    {"CAA", "0 / x", NULL, 2},
    {"CAA", "0 : x", NULL, 2},
    {"TLSA", "256 1 1 ab", NULL, 0},
    {"TLSA", "[ 1 1 ab", NULL, 0},
    {"SSHFP", "1 2 000", NULL, 4},
    {"SSHFP", "1 2 0g", NULL, 4},
    {"SSHFP", "1 2 0:", NULL, 4},
    {"SSHFP", "1 2 0@", NULL, 4},
    {"SSHFP", "1 2 0`", NULL, 4},
    {"SSHFP", "1 2 0/", NULL, 4},
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
    {"HTTPS", "1 . port=\"65536\"", NULL, 4},
    {"HTTPS", "1 . port=000000", NULL, 4},
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
    {"HTTPS", "\\# 6 000100 000300", NULL, 0},
    {"HTTPS", "\\# 7 000100 00030000", NULL, 0},
    {"HTTPS", "\\# 8 000100 0003000101", NULL, 0},
    {"HTTPS", "\\# 8 000100 0003000201", NULL, 0},
    {"HTTPS", "\\# 13 000100 0003000201bb 00020000", NULL, 0},
    {"HTTPS", "\\# 11 000100 00020000 00020000", NULL, 0},
    {"HTTPS", "\\# 7 000100 00000000", NULL, 0},
    {"HTTPS", "\\# 7 000100 00050000", NULL, 0},
    {"HTTPS", "\\# 10 000100 00000003000300", NULL, 0},
    {"HTTPS", "\\# 13 000100 00040006c0000201c000", NULL, 0},
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

static void reads_rdata(void **state)
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

static struct size {
    const char *name;
    const char *start, *word, *end;
    uint16_t type;
    size_t most; /* so many words fit, and not one more */
    size_t octets;
} sizes[] = {
    {"65535 empty strings", "", "\"\" ", "", 16, 65535, 65535},
    {"256 strings", "", X250 "xxxx ", "", 16, 257, 65535},
    {"65535 octets of hexadecimal", "\\# 65535 ", "ab", "", 65280, 65535, 65535},
    {"4095 addresses", "1 . ipv6hint=::1", ",0::0", "", 65, 4094, 65527},
    {"4095 addresses of a key without a name", "1 . key6=::1", ",0::0", "", 65, 4094, 65527},
    {"65530 octets of escapes and 1 of a number", "1 1 a", "\\255", "", 256, 65530, 65535},
    {"a tag of 255 letters", "0 ", "a", " x", 257, 255, 258},
};

/* Reads `count` times the word between the start and the end. Returns whether that is RDATA, of so
 * many octets. */
static bool read_many(const struct size *row, size_t count, size_t *rdata_len)
{
    size_t word = strlen(row->word);
    char *text = malloc(strlen(row->start) + count * word + strlen(row->end) + 1);
    char *end = stpcpy(text, row->start);
    struct xnm_record record;
    struct xnm_zonefile_error error;

    for (size_t i = 0; i < count; i++, end += word)
        memcpy(end, row->word, word);
    end = stpcpy(end, row->end);
    char *exact = exact_copy(text, (size_t)(end - text));
    bool good =
        xnm_zonefile_rdata(unicode, row->type, exact, (size_t)(end - text), &record, &error);
    free(text);
    free(exact);
    *rdata_len = good ? record.rdata_len : 0;
    if (good)
        free(record.rdata);
    return good;
}

TEST_ROWS(limits_rdata, sizes, name)
{
    const struct size *row = *state;
    size_t octets;

    assert_true(read_many(row, row->most, &octets));
    assert_int_equal(octets, row->octets);
    assert_false(read_many(row, row->most + 1, &octets));
}

/* Addresses that no value has room for: ldns would take some of them for keys with lengths of their
 * own, and copy as many octets. */
TEST(refuses_many_addresses, "more addresses than a value has room for")
{
    enum { ADDRESSES = 4097, SECOND = 1, LAST = 4063, TEXT_MAX = 16 * ADDRESSES };
    char *text = malloc(TEXT_MAX);
    size_t len = (size_t)sprintf(text, "1 . ipv6hint=0::0");
    struct xnm_record record;
    struct xnm_zonefile_error error;

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
    return name ? xnm_diagnostics_quote(text, strlen(text), name, sizeof text) : row->type;
}

BEFORE_MAIN(rows)
{
    for (size_t i = 0; i < COUNT(rdatas); i++)
        add_test(name_of(&rdatas[i]), reads_rdata, &rdatas[i]);
}

/* --- text --- */

static const struct {
    const char *name; /* with dots where its labels end */
    const char *text;
} text_names[] = {
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

TEST(writes_names, "names as text")
{
    for (size_t i = 0; i < COUNT(text_names); i++) {
        uint8_t wire[XN_WIRE_NAME_MAX];
        char text[XN_WIRE_TEXT_MAX + 1];
        size_t len = wire_of(text_names[i].name, wire);
        uint8_t *exact = exact_copy(wire, len);
        assert_int_equal(xnm_zonewrite_name(exact, len, text), strlen(text_names[i].text));
        assert_string_equal(text, text_names[i].text);
        free(exact);
    }
}

TEST(writes_dot_and_capital, "a dot and a capital letter in a label")
{
    char text[XN_WIRE_TEXT_MAX + 1];

    assert_int_equal(xnm_zonewrite_name((const uint8_t *)"\003a.b\001\0", 7, text), 12);
    assert_string_equal(text, "a\\046b.\\000.");
    /* not in lower case: ldns's reader makes another name of it */
    assert_int_equal(xnm_zonewrite_name((const uint8_t *)"\001A", 3, text), 0);
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

TEST(writes_records, "records as text")
{
    for (size_t i = 0; i < COUNT(records); i++) {
        struct xnm_record record;
        struct xnm_zonefile_error error;
        uint16_t type = xnm_zonefile_type(records[i].type, strlen(records[i].type));
        assert_true(xnm_zonefile_rdata(unicode, type, records[i].rdata, strlen(records[i].rdata),
                                       &record, &error));
        size_t cap = 64 + 2 * (size_t)record.rdata_len;
        char *text = malloc(cap);
        size_t len = xnm_zonewrite_record(unicode, &record, text);
        assert_true(len <= cap);
        if (len != strlen(records[i].text) || memcmp(text, records[i].text, len) != 0)
            fail_msg("%.*s", (int)len, text);
        free(text);
        free(record.rdata);
    }
}

TEST_MAIN_WITH_UNICODE(unicode)
