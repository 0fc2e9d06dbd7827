/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in presentation format to wire format and back, in one call each. */
#include "tests/unit/vectors.h"

#include "core/wire/wire.h"
#include "tests/unit/exact.h"
#include "tests/unit/wirenames.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define A63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A61 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define E59                                                                                        \
    "\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097"   \
    "\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097"   \
    "\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097\\097"   \
    "\\097\\097\\097\\097\\097"

/* --- text to wire --- */

static const struct {
    const char *text;
    const char *wire; /* its labels, with their lengths; the root's is the NUL */
} names[] = {
    {".", ""},
    {"a", "\1a"},
    {"a.", "\1a"},
    {"www.Example.", "\3www\7Example"},
    {"_dmarc.example", "\6_dmarc\7example"},
    {"*.example", "\1*\7example"},
    {"a\\.b.example", "\3a.b\7example"},
    {"\\a\\-\\\\\\\"", "\4a-\\\""},
    {"\\065\\255\\007", "\3A\xFF\7"},
    {"a b.example", "\3a b\7example"},
    {"\"quoted\"", "\10\"quoted\""},
    {"xn--bcher-kva.example", "\15xn--bcher-kva\7example"},
    {A63, "\77" A63},
    {E59 "aaaa", "\77" A63},
    {A63 "." A63 "." A63 "." A61, "\77" A63 "\77" A63 "\77" A63 "\75" A61},
    {A63 "." A63 "." A63 "." A61 ".", "\77" A63 "\77" A63 "\77" A63 "\75" A61},
};

static const struct {
    const char *text;
    size_t at;
} refused[] = {
    {"", 0},
    {"..", 0},
    {".a", 0},
    {"a..b", 2},
    {"a.b..", 4},
    {"a\tb", 1},
    {"a\x7F", 1},
    {"b\xC3\xBC"
     "cher.example",
     1},
    {"a\xE3\x80\x82"
     "b",
     1}, /* a dot of UTS 46 */
    {"a\\", 1},
    {"a\\2", 1},
    {"a\\25", 1},
    {"a\\256", 1},
    {"a\\25a", 1},
    {"a\\999", 1},
    {"a\\\t", 1},
    {"a\\\xC3\xBC", 1},
    {"p\\u{430}ypal", 1},
    {A63 "a", 63},
    {A63 "\\097", 63},
    {A63 "." A63 "." A63 "." A61 "a", 4 * 64 - 3},
    {A63 "." A63 "." A63 "." A61 ".a", 4 * 64 - 2},
    {E59 "aaaaa", 4 * 59 + 4},
};

static void test_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t len = strlen(names[i].text), wire_len = 999, bad_at = 999;
        char *text = exact_copy(names[i].text, len);
        uint8_t *wire = malloc(XN_WIRE_NAME_MAX);

        assert_int_equal(xn_wire_parse(text, len, wire, &wire_len, &bad_at), XN_OK);
        assert_int_equal(bad_at, len);
        assert_int_equal(wire_len, strlen(names[i].wire) + 1);
        assert_memory_equal(wire, names[i].wire, wire_len);
        free(wire);
        free(text);
    }
}

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        size_t len = strlen(refused[i].text), wire_len = 999, bad_at = 999;
        char *text = exact_copy(refused[i].text, len);
        uint8_t *wire = malloc(XN_WIRE_NAME_MAX);

        assert_int_equal(xn_wire_parse(text, len, wire, &wire_len, &bad_at), XN_BAD_TEXT);
        if (bad_at != refused[i].at || wire_len != 0)
            fail_msg("'%s': %zu", refused[i].text, bad_at);
        assert_int_equal(xn_wire_parse(text, len, wire, &wire_len, NULL), XN_BAD_TEXT);
        free(wire);
        free(text);
    }
    size_t wire_len = 999, bad_at = 999;
    assert_int_equal(xn_wire_parse(NULL, 0, NULL, &wire_len, &bad_at), XN_BAD_TEXT);
    assert_int_equal(wire_len, 0);
    assert_int_equal(bad_at, 0);
}

/* Each octet as it is: text in the DNS is printable ASCII. */
static void test_each_octet(void **state)
{
    (void)state;
    for (unsigned octet = 0; octet < 256; octet++) {
        char text[] = {'a', (char)octet, 'a'};
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t wire_len, bad_at;
        bool good = octet >= 0x20 && octet < 0x7F && octet != '\\';
        xn_status status = xn_wire_parse(text, 3, wire, &wire_len, &bad_at);

        if (octet == '\\') { /* of the letter a */
            assert_int_equal(wire_len, 4);
            continue;
        }
        assert_int_equal(status, good ? XN_OK : XN_BAD_TEXT);
        assert_int_equal(bad_at, good ? 3 : 1);
        assert_int_equal(wire_len, good ? 5 : 0);
    }
}

/* --- wire to text --- */

static void test_bad_wire(void **state)
{
    static const struct {
        const char *wire;
        size_t len;
    } bad[] = {{"", 0},     {"\1", 1},      {"\1a", 2},      {"\0\0", 2},
               {"\100", 1}, {"\300\14", 2}, {"\3abc\377", 5}};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        uint8_t *wire = exact_copy(bad[i].wire, bad[i].len);
        char *text = malloc(XN_WIRE_TEXT_MAX + 1);
        size_t len = 999;

        assert_int_equal(xn_wire_print(wire, bad[i].len, text, &len), XN_BAD_WIRE);
        assert_int_equal(len, 0);
        assert_string_equal(text, "");
        free(text);
        free(wire);
    }
}

static void expect_round_trip(const uint8_t *wire, size_t wire_len)
{
    uint8_t lower[XN_WIRE_NAME_MAX], again[XN_WIRE_NAME_MAX];
    char *text = malloc(XN_WIRE_TEXT_MAX + 1), plain[XN_WIRE_TEXT_MAX];
    size_t len, again_len;

    assert_int_equal(xn_wire_print(wire, wire_len, text, &len), XN_OK);
    assert_int_equal(strlen(text), len);
    assert_int_equal(xn_wire_to_text(wire, plain), len);
    assert_memory_equal(text, plain, len);
    assert_int_equal(xn_wire_parse(text, len, again, &again_len, NULL), XN_OK);
    xn_wire_lower(lower, wire, wire_len);
    assert_int_equal(again_len, wire_len);
    assert_memory_equal(again, lower, wire_len);
    if (len > 1) { /* without the final dot, too */
        assert_int_equal(xn_wire_parse(text, len - 1, again, &again_len, NULL), XN_OK);
        assert_memory_equal(again, lower, wire_len);
    }
    free(text);
}

static void test_round_trips(void **state)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    uint64_t seed = 20261123;

    (void)state;
    for (unsigned i = 0; i < 100000; i++)
        expect_round_trip(wire, random_name(&seed, wire));
    memset(wire, 0xFF, sizeof wire); /* the longest text */
    wire[0] = wire[64] = wire[128] = 63;
    wire[192] = 61;
    wire[254] = 0;
    expect_round_trip(wire, sizeof wire);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_each_octet),  cmocka_unit_test(test_bad_wire),
        cmocka_unit_test(test_round_trips),
    };

    return cmocka_run_group_tests_name("wiretext", tests, NULL, NULL);
}
