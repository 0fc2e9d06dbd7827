/* SPDX-License-Identifier: BSD-3-Clause */
/* ToASCII and ToUnicode of UTS 46: what each flag finds, and what it leaves alone. The results with
 * every test are those of UTS 46's own test file (test_conformance.c). */
#include "tests/unit/limits.h"

#include "core/idna/uts46.h"
#include "core/punycode/punycode.h"
#include "core/wire/size.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

enum { ROOM = 1024, ALL = XN_UTS46_STRICT };

static struct xn_unicode *unicode;

/* For each name: the flag whose absence makes it good, and the finding with that flag. */
static const struct {
    const char *name, *ascii;
    int flag;
    xn_reasons reasons;
} flags[] = {
    {"_dmarc.example", "_dmarc.example", XN_UTS46_STD3, BIT(XN_DISALLOWED)},
    {"b\u00FC_cher", "xn--b_cher-3ya", XN_UTS46_STD3, BIT(XN_DISALLOWED)},
    {"\u2260", "xn--1ch", XN_UTS46_STD3, BIT(XN_DISALLOWED)},
    {"-a.example", "-a.example", XN_UTS46_HYPHENS, BIT(XN_HYPHEN)},
    {"\u00FC-", "xn----dha", XN_UTS46_HYPHENS, BIT(XN_HYPHEN)},
    {"r3---sn-x", "r3---sn-x", XN_UTS46_HYPHENS, BIT(XN_HYPHEN)},
    {"\u05D0.1a", "xn--4db.1a", XN_UTS46_BIDI, BIT(XN_BIDI)},
    {"a\u05D0", "xn--a-0hc", XN_UTS46_BIDI, BIT(XN_BIDI)},
    {"a\u200Db", "xn--ab-m1t", XN_UTS46_JOINERS, BIT(XN_CONTEXTJ)},
    {"a..b", "a..b", XN_UTS46_DNS_LENGTH, BIT(XN_EMPTY)},
    {"", "", XN_UTS46_DNS_LENGTH, BIT(XN_EMPTY)},
    {A64, A64, XN_UTS46_DNS_LENGTH, BIT(XN_TOO_LONG)},
    {"a.example.", "a.example.", XN_UTS46_DNS_LENGTH, BIT(XN_EMPTY)},
};

static xn_reasons to_ascii(const char *name, int with, char *dst)
{
    size_t len = 999;
    xn_reasons reasons = 999;

    assert_int_equal(
        xn_uts46_to_ascii(unicode, name, strlen(name), with, dst, ROOM, &len, &reasons), XN_OK);
    assert_int_equal(len, strlen(dst));
    return reasons;
}

TEST(test_flags, "flags")
{
    char dst[ROOM];

    for (size_t i = 0; i < COUNT(flags); i++) {
        if (strcmp(flags[i].name, "\u2260") == 0 && !is_before_unicode(15.1))
            continue; /* valid since then, whatever the flag */
        assert_int_equal(to_ascii(flags[i].name, ALL, dst), flags[i].reasons);
        assert_int_equal(to_ascii(flags[i].name, flags[i].flag, dst), flags[i].reasons);
        if (to_ascii(flags[i].name, ALL & ~flags[i].flag, dst) != 0 ||
            strcmp(dst, flags[i].ascii) != 0)
            fail_msg("'%s': '%s'", flags[i].name, dst);
        assert_int_equal(to_ascii(flags[i].name, 0, dst), 0);
    }
}

/* No flag allows these names. */
TEST(test_always, "always")
{
    static const char *const bad[] = {"a\u202Eb", "xn--9",    "xn--\u00FC",
                                      "\u0301a",  "xn--zca-", "a.xn--example-2z6c"};
    char dst[ROOM];

    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_not_equal(to_ascii(bad[i], 0, dst), 0);
}

TEST(test_root_dot, "root dot")
{
    char dst[ROOM];

    assert_int_equal(to_ascii("a.", ALL | XN_UTS46_ROOT_DOT, dst), 0);
    assert_string_equal(dst, "a.");
    assert_int_equal(to_ascii("a..", ALL | XN_UTS46_ROOT_DOT, dst), BIT(XN_EMPTY));
    assert_int_equal(to_ascii("a.", XN_UTS46_CURL, dst), 0);
    assert_int_equal(to_ascii("_a.b\u00FC.", XN_UTS46_CURL, dst), 0);
    assert_string_equal(dst, "_a.xn--b-eha.");
    assert_int_equal(to_ascii("-a", XN_UTS46_CURL, dst), BIT(XN_HYPHEN));
    assert_int_equal(to_ascii("-a..", XN_UTS46_WHATWG, dst), 0);
    assert_int_equal(to_ascii("a\u05D0", XN_UTS46_WHATWG, dst), BIT(XN_BIDI));
}

TEST(test_transitional, "transitional")
{
    static const struct {
        const char *name, *other, *transitional;
    } names[] = {
        {"fa\u00DF.de", "xn--fa-hia.de", "fass.de"},
        {"\u03C3\u03C2", "xn--3xab", "xn--4xaa"},
        {"\u0915\u094D\u200D\u0937", "xn--11b2ezcw70k", "xn--11b2ezc"},
    };
    char dst[ROOM];
    size_t len;
    xn_reasons reasons;

    for (size_t i = 0; i < COUNT(names); i++)
        for (int with = 0; with <= ALL; with++) {
            if (to_ascii(names[i].name, with, dst) != 0 || strcmp(dst, names[i].other) != 0)
                fail_msg("'%s': '%s'", names[i].name, dst);
            if (to_ascii(names[i].name, with | XN_UTS46_TRANSITIONAL, dst) != 0 ||
                strcmp(dst, names[i].transitional) != 0)
                fail_msg("'%s', transitional: '%s'", names[i].name, dst);
            /* ToUnicode has no such thing. */
            assert_int_equal(xn_uts46_to_unicode(unicode, names[i].name, strlen(names[i].name),
                                                 with | XN_UTS46_TRANSITIONAL, dst, ROOM, &len,
                                                 &reasons),
                             XN_OK);
            assert_int_equal(reasons, 0);
            assert_string_equal(dst, names[i].name);
        }
}

TEST(test_to_unicode, "to unicode")
{
    static const char name[] = "_A.xn--bcher-kva..XN--FA-HIA.";
    char dst[ROOM];
    size_t len;
    xn_reasons reasons;

    assert_int_equal(xn_uts46_to_unicode(unicode, name, strlen(name), XN_UTS46_WHATWG, dst, ROOM,
                                         &len, &reasons),
                     XN_OK);
    assert_int_equal(reasons, 0);
    assert_string_equal(dst, "_a.b\u00FCcher..fa\u00DF.");
    assert_int_equal(
        xn_uts46_to_unicode(unicode, name, strlen(name), ALL, dst, ROOM, &len, &reasons), XN_OK);
    assert_int_equal(reasons, BIT(XN_DISALLOWED) | BIT(XN_EMPTY));
}

/* The longest name with nothing wrong, in the room that it needs, and in less. */
TEST(test_room, "room")
{
    enum { LONGEST = 254, STRICT = ALL | XN_UTS46_ROOT_DOT };
    char name[LONGEST + 1], dst[LONGEST + 1];
    size_t len;
    xn_reasons reasons;

    memset(name, 'a', sizeof name);
    for (size_t at = 63; at < LONGEST; at += 64)
        name[at] = '.';
    name[LONGEST - 1] = '.';
    assert_int_equal(
        xn_uts46_to_ascii(unicode, name, LONGEST, STRICT, dst, sizeof dst, &len, &reasons), XN_OK);
    assert_int_equal(reasons, 0);
    assert_int_equal(len, LONGEST);
    assert_int_equal(
        xn_uts46_to_ascii(unicode, name, LONGEST, STRICT, dst, LONGEST, &len, &reasons),
        XN_NO_SPACE);
    assert_int_equal(
        xn_uts46_to_ascii(unicode, name, LONGEST, STRICT, dst, LONGEST - 1, &len, &reasons),
        XN_NO_SPACE);
    /* ICU counts room in an int32_t. */
    assert_int_equal(xn_uts46_to_ascii(unicode, "a", 1, STRICT, dst, SIZE_MAX, &len, &reasons),
                     XN_OK);
    assert_int_equal(len, 1);
}

TEST(test_empty, "empty")
{
    char dst[ROOM];
    size_t len = 1;
    xn_reasons reasons;

    assert_int_equal(xn_uts46_to_ascii(unicode, NULL, 0, ALL, dst, ROOM, &len, &reasons), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(reasons, BIT(XN_EMPTY));
    assert_int_equal(
        xn_uts46_to_unicode(unicode, NULL, 0, XN_UTS46_WHATWG, dst, ROOM, &len, &reasons), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(reasons, 0);
}

/* An "xn--" label of more code points than a label can have is judged like a shorter one, beside
 * one that decodes to ASCII. */
TEST(test_long_alabel, "long alabel")
{
    uint32_t cps[XN_ULABEL_MAX + 2];
    char name[256] = "xn--", dst[ROOM];
    size_t len;

    for (size_t count = 2; count <= COUNT(cps); count++) {
        cps[count - 2] = 'a';
        cps[count - 1] = 0xDC; /* it is mapped to another one */
        assert_int_equal(
            xn_punycode_encode(cps, count, (uint8_t *)name + 4, sizeof name - 16, &len), XN_OK);
        memcpy(name + 4 + len, ".xn--abc-", sizeof ".xn--abc-");
        assert_int_equal(to_ascii(name, XN_UTS46_STD3, dst),
                         BIT(XN_NOT_CANONICAL) | BIT(XN_ASCII_ONLY));
    }
}

/* Without XN_UTS46_STD3 a NUL is a character like others, also in the result. */
TEST(test_nul, "nul")
{
    static const char name[] = "a\0b.example";
    char dst[ROOM];
    size_t len;
    xn_reasons reasons;

    assert_int_equal(xn_uts46_to_ascii(unicode, name, sizeof name - 1, XN_UTS46_WHATWG, dst, ROOM,
                                       &len, &reasons),
                     XN_OK);
    assert_int_equal(reasons, 0);
    assert_int_equal(len, sizeof name - 1);
    assert_memory_equal(dst, name, sizeof name);
    assert_int_equal(
        xn_uts46_to_ascii(unicode, name, sizeof name - 1, ALL, dst, ROOM, &len, &reasons), XN_OK);
    assert_int_equal(reasons, BIT(XN_DISALLOWED));
    assert_int_equal(to_ascii("\u2100", XN_UTS46_WHATWG, dst), 0);
    assert_string_equal(dst, "a/c");
}

TEST_MAIN_WITH_UNICODE(unicode)
