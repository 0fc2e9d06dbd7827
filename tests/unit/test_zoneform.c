/* SPDX-License-Identifier: BSD-3-Clause */
/* The form of fields in zone files: first and last of what each may have, and one more. */
#include "tests/unit/vectors.h"

#include "module/zone/form.h"

/* --- text --- */

static char longest[513]; /* text of so many octets is made from it */

static struct form_row {
    const char *name;
    bool (*has_form)(const char *text);
    const char *good, *bad; /* texts with spaces between them; "" is bad for all */
} forms[] = {
    {"hexadecimal", xnm_zoneform_hex, "00 fF 0123456789abcdefABCDEF", "0 000 0g 0G 0/ 0: 0@ 0`"},
    {"tag", xnm_zoneform_tag, "issue a 0 azAZ09", "a- a_ a[ a` a{ a@ a/ a:"},
    {"period", xnm_zoneform_period, "0 1s 1S 1m 1h 1d 1w 1w2d3h4m5s 5 2147483647 3550w",
     "s 1y 1hh 1h-1 -1 2147483648 3551w 2147483647s1s"},
    {"8 bits", xnm_zoneform_number8, "0 255", "256 -1 x"},
    {"16 bits", xnm_zoneform_number16, "0 65535", "65536 -1 x"},
    {"32 bits", xnm_zoneform_number32, "0 4294967295", "4294967296 -1 x"},
    {"8 bits or a word", xnm_zoneform_mnemonic8, "0 255 RSASHA1 a Z", "256 -1 [ `"},
    {"a parameter of SVCB", xnm_zoneform_svcparam,
     "port=0 port=\"65535\" ipv6hint=::1,::2 ipv6hint=\"::1\" alpn=h2 alpn=a\\ port portx=99999",
     "port=65536 port=\"65536\" port= port=000000 "
     "ipv6hint=::1,1111:1111:1111:1111:1111:1111:111.111.111.1111"},
};

static void expect_form(const struct form_row *row, const char *texts, bool expected)
{
    size_t len;

    for (; *texts; texts += len + (texts[len] == ' ')) {
        char text[128];
        len = strcspn(texts, " ");
        snprintf(text, sizeof text, "%.*s", (int)len, texts);
        if (row->has_form(text) != expected)
            fail_msg("%s: '%s'", row->name, text);
    }
}

TEST_ROWS(test_form, forms, name)
{
    const struct form_row *row = *state;

    expect_form(row, row->good, true);
    expect_form(row, row->bad, false);
    if (row->has_form != xnm_zoneform_svcparam)
        assert_false(row->has_form(""));
}

static void expect_longest(bool (*has_form)(const char *text), size_t len)
{
    memset(longest, 'a', sizeof longest - 1);
    longest[len] = '\0';
    assert_true(has_form(longest));
    memset(longest + len, 'a', 8); /* no length of the forms below ends after 1, 3 or 6 of these */
    longest[len + 8] = '\0';
    assert_false(has_form(longest));
}

TEST(test_longest, "the longest")
{
    expect_longest(xnm_zoneform_tag, 255);
}

/* --- parameters of SVCB as octets --- */

static struct wire_row {
    const char *name, *octets;
    size_t len;
    bool good;
} wires[] = {
    {"none", "", 0, true},
    {"half a head", "\0\3\0", 3, false},
    {"a port", "\0\3\0\2\1\xBB", 6, true},
    {"a port of one octet", "\0\3\0\1\1", 5, false},
    {"a port that is cut", "\0\3\0\2\1", 5, false},
    {"two keys", "\0\2\0\0\0\3\0\2\1\xBB", 10, true},
    {"… in another order", "\0\3\0\2\1\xBB\0\2\0\0", 10, false},
    {"one key twice", "\0\2\0\0\0\2\0\0", 8, false},
    {"mandatory", "\0\0\0\2\0\3", 6, true},
    {"… of no key", "\0\0\0\0", 4, false},
    {"… of a key and a half", "\0\0\0\3\0\3\0", 7, false},
    {"an address", "\0\4\0\4\300\0\2\1", 8, true},
    {"… and half of one", "\0\4\0\6\300\0\2\1\300\0", 10, false},
    {"a key that nobody knows", "\xFF\xFF\0\0", 4, true},
    {"the first of these", "\0\x08\0\1x", 5, true},
};

TEST_ROWS(test_wire, wires, name)
{
    const struct wire_row *row = *state;

    assert_int_equal(xnm_zoneform_svcparams_wire((const uint8_t *)row->octets, row->len),
                     row->good);
}

TEST_MAIN
