/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and types. RDATA: test_zonefile_rdata.c. Whole files: test_zoneread.c. */
#include "tests/unit/vectors.h"

#include "core/wire/wire.h"
#include "module/zone/mnemonic.h"
#include "module/zone/zonefile.h"
#include "tests/unit/exact.h"
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
    const char *wire; /* NULL: refused */
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

    {"nothing", "", NULL, 0},
    {"two dots", "a..b", NULL, 0},
    {"two final dots", "a..", NULL, 0},
    {"dots alone", "..", NULL, 0},
    {"a dot at the start", ".a", NULL, 0},
    {"a backslash alone", "\\", NULL, 0},
    {"a backslash at the end", "a\\", NULL, 0},
    {"a number of two digits", "\\25", NULL, 0},
    {"a number of one digit", "\\2.a", NULL, 0},
    {"a number over 255", "\\256", NULL, 0},
    {"a number with a letter", "\\2a5", NULL, 0},
    {"a blank", "a b", NULL, 0},
    {"a blank before it", " a", NULL, 0},
    {"a blank behind it", "a ", NULL, 0},
    {"a tab", "a\tb", NULL, 0},
    {"a line end", "a\n", NULL, 0},
    {"a control character", "a\001b", NULL, 0},
    {"an escaped control character", "a\\\001b", NULL, 0},
    {"octet 7F", "a\x7F", NULL, 0},
    {"an escaped octet of UTF-8", "b\\\xC3\xBC", NULL, 0},
    {"quotes", "\"a\"", NULL, 0},
    {"a comment", "a;b", NULL, 0},
    {"parentheses", "a(b)", NULL, 0},
    {"a label of 64 octets", X63 "x", NULL, 0},
    {"a label of 64 octets, escaped", E63 "\\120", NULL, 0},
    {"a label of 64 octets behind another", "a." X63 "x.b", NULL, 0},
    {"a label of 250 octets", X250, NULL, 0},
    {"a label of 256 octets", X250 "xxxxxx", NULL, 0},
    {"a label of 319 octets, 63 and 256", X250 X60 "xxxxxxxxx", NULL, 0},
    {"a name of 256 octets", X63 "." X63 "." X63 "." X60 "xx", NULL, 0},
    {"128 labels", A120 "a.a.a.a.a.a.a.a", NULL, 0},
    {"text of 2000 octets", X250 X250 X250 X250 X250 X250 X250 X250, NULL, 0},
};

static void test_name(void **state)
{
    const struct name *row = *state;
    char *text = exact_copy(row->text, strlen(row->text) + 1);
    struct xnm_wirename name = {99, {0}};

    assert_int_equal(read_zone_name(unicode, text, &name), row->wire != NULL);
    assert_int_equal(name.len, row->len);
    if (row->wire)
        assert_memory_equal(name.octets, row->wire, row->len);
    free(text);
}

/* Each octet by itself, plain and escaped, is a label or refused; never another octet's. */
static void test_each_octet(void **state)
{
    (void)state;
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

static struct type {
    const char *name;
    const char *text;
    size_t len;
    unsigned expected;
} types[] = {
    {"type A", OCTETS("A"), 1},
    {"type aaaa", OCTETS("aaaa"), 28},
    {"type Cname", OCTETS("Cname"), 5},
    {"type HTTPS", OCTETS("HTTPS"), 65},
    {"type SVCB", OCTETS("SVCB"), 64},
    {"type RRSIG", OCTETS("RRSIG"), 46},
    {"type NSEC", OCTETS("NSEC"), 47},
    {"type NSEC3", OCTETS("NSEC3"), 50},
    {"type DNSKEY", OCTETS("DNSKEY"), 48},
    {"type DS", OCTETS("DS"), 43},
    {"type NSAP-PTR", OCTETS("NSAP-PTR"), 23},
    {"type CAA", OCTETS("CAA"), 257},
    {"type ANY", OCTETS("ANY"), 255},
    {"type any", OCTETS("any"), 255},
    {"TYPE1", OCTETS("TYPE1"), 1},
    {"type65280", OCTETS("type65280"), 65280},
    {"TYPE65535", OCTETS("TYPE65535"), 65535},
    {"TYPE00001", OCTETS("TYPE00001"), 1},
    {"TYPE255", OCTETS("TYPE255"), 255},
    {"TYPE127", OCTETS("TYPE127"), 127},
    {"TYPE256", OCTETS("TYPE256"), 256},

    {"no type: nothing", OCTETS(""), 0},
    {"no type: TYPE", OCTETS("TYPE"), 0},
    {"no type: TYPE0", OCTETS("TYPE0"), 0},
    {"no type: TYPE65536", OCTETS("TYPE65536"), 0},
    {"no type: TYPE4294967297", OCTETS("TYPE4294967297"), 0},
    {"no type: TYPE-1", OCTETS("TYPE-1"), 0},
    {"no type: TYPE 1", OCTETS("TYPE 1"), 0},
    {"no type: TYPE1x", OCTETS("TYPE1x"), 0},
    {"no type: OPT", OCTETS("OPT"), 0},
    {"no type: TYPE41", OCTETS("TYPE41"), 0},
    {"no type: TSIG", OCTETS("TSIG"), 0},
    {"no type: TKEY", OCTETS("TKEY"), 0},
    {"no type: AXFR", OCTETS("AXFR"), 0},
    {"no type: IXFR", OCTETS("IXFR"), 0},
    {"no type: MAILA", OCTETS("MAILA"), 0},
    {"no type: MAILB", OCTETS("MAILB"), 0},
    {"no type: TYPE128", OCTETS("TYPE128"), 0},
    {"no type: TYPE254", OCTETS("TYPE254"), 0},
    {"no type: a blank behind it", OCTETS("A "), 0},
    {"no type: a NUL behind it", OCTETS("A\0"), 0},
    {"no type: Unicode", OCTETS("\xD0\x90"), 0},
    {"no type: 60 letters", OCTETS(X60), 0},
};

static void test_type(void **state)
{
    const struct type *row = *state;
    char *text = exact_copy(row->text, row->len);

    assert_int_equal(xnm_zonefile_type(text, row->len), row->expected);
    free(text);
}

static void test_mnemonics(void **state)
{
    (void)state;
    assert_string_equal(xnm_mnemonic_type(1), "A");
    assert_null(xnm_mnemonic_type(0));
    assert_null(xnm_mnemonic_type(54)); /* ldns calls it TYPE54 */
    assert_null(xnm_mnemonic_type(65280));
    assert_string_equal(xnm_mnemonic_class(1), "IN");
    assert_null(xnm_mnemonic_class(9));
    assert_string_equal(xnm_mnemonic_rcode(3), "NXDOMAIN");
    assert_null(xnm_mnemonic_rcode(99));
}

/* Types that no record has, whatever its RDATA. */
static void test_no_data(void **state)
{
    static const uint16_t meta[] = {0, 41, 128, 250, 254, 255};

    (void)state;
    for (size_t i = 0; i < sizeof meta / sizeof *meta; i++) {
        struct xnm_record record;
        struct xnm_zonefile_error error;
        assert_false(xnm_zonefile_rdata(unicode, meta[i], "\\# 0", 4, &record, &error));
        assert_string_equal(error.message,
                            "this is not a type of data: expected one such as A or TXT");
    }
}

int main(void)
{
    struct test_group group = {0};

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    ADD_TESTS(&group, names, name, test_name);
    add_test(&group, "each octet as a name", test_each_octet, NULL);
    ADD_TESTS(&group, types, name, test_type);
    add_test(&group, "mnemonics", test_mnemonics, NULL);
    add_test(&group, "types of no data", test_no_data, NULL);
    int failed = run_group("zonefile", &group);
    xn_unicode_close(unicode);
    return failed;
}
