/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "core/wire/wire.h"
#include "tests/unit/exact.h"

#define OCTETS(literal) literal, sizeof literal - 1
#define WIRE(literal) literal, sizeof literal /* the NUL that C adds is the root label */

/* Labels of so many octets, with their length. */
#define X10 "xxxxxxxxxx"
#define X60 X10 X10 X10 X10 X10 X10
#define L61 "\x3D" X60 "x"
#define L62 "\x3E" X60 "xx"
#define L63 "\x3F" X60 "xxx"
#define L64 "\x40" X60 "xxxx"
#define A1 "\1a"
#define A3 A1 A1 A1
#define A7 A3 A3 A1
#define A15 A7 A7 A1
#define A31 A15 A15 A1
#define A63 A31 A31 A1
#define A127 A63 A63 A1

/* --- the border --- */

static struct name {
    const char *name;
    const char *wire;
    size_t len;
    int labels; /* -1: refused */
} names[] = {
    {"the root", WIRE(""), 0},
    {"one label", WIRE("\3com"), 1},
    {"three labels", WIRE("\3www\7example\3com"), 3},
    {"NUL, dots and high octets in a label", WIRE("\5\0.\0\xFF\x80\1."), 2},
    {"a label of 63 octets", WIRE(L63), 1},
    {"a name of 255 octets", WIRE(L63 L63 L63 L61), 4},
    {"127 labels, 255 octets", WIRE(A127), 127},

    {"nothing", OCTETS(""), -1},
    {"a label of 64 octets", WIRE(L64), -1},
    {"a name of 256 octets", WIRE(L63 L63 L63 L62), -1},
    {"128 labels, 257 octets", WIRE(A127 A1), -1},
    {"a length octet alone", OCTETS("\1"), -1},
    {"no root label", OCTETS("\3com"), -1},
    {"no root label after 254 octets", OCTETS(L63 L63 L63 L61), -1},
    {"no root label after 255 octets", OCTETS(L63 L63 L63 L62), -1},
    {"a label beyond the end", OCTETS("\4com"), -1},
    {"a label whose last octet is the end", OCTETS("\4com\0"), -1},
    {"an octet behind the root", OCTETS("\3com\0x"), -1},
    {"a second root label", OCTETS("\0\0"), -1},
    {"a name behind the name", OCTETS("\3com\0\3net\0"), -1},
    {"a compression pointer", OCTETS("\xC0\x0C"), -1},
    {"a compression pointer behind a label", OCTETS("\3www\xC0\x0C"), -1},
    {"the first octet of a compression pointer", OCTETS("\3www\xC0"), -1},
    {"label type 01", WIRE("\x41" X60 "xxxxx"), -1},
    {"label type 10", WIRE("\x80" X60), -1},
    {"length 255", WIRE("\xFF" X60), -1},
    {"text instead of wire format", WIRE("www.example.com."), -1},
};

static xn_status open_name(const void *wire, size_t len)
{
    struct xn_wire_cursor cursor;
    uint8_t *exact = exact_copy(wire, len);
    xn_status status = xn_wire_open(&cursor, exact, len);

    free(exact);
    return status;
}

/* The walk over a good name gives every octet of it once. */
static void expect_walk(const struct name *row)
{
    uint8_t *wire = exact_copy(row->wire, row->len);
    const uint8_t *label;
    struct xn_wire_cursor cursor;
    size_t at = 0, len;
    int labels = 0;

    assert_int_equal(xn_wire_open(&cursor, wire, row->len), XN_OK);
    for (; xn_wire_next(&cursor, &label, &len); labels++) {
        assert_int_equal(len, wire[at]);
        assert_ptr_equal(label, wire + at + 1);
        at += len + 1;
    }
    assert_int_equal(labels, row->labels);
    assert_int_equal(at + 1, row->len);
    assert_false(xn_wire_next(&cursor, &label, &len));
    free(wire);
}

/* Without its last octets, or with more of them, a good name is none. */
static void expect_no_other_length(const struct name *row)
{
    uint8_t longer[XN_WIRE_NAME_MAX + 1];

    for (size_t len = 0; len < row->len; len++)
        assert_int_equal(open_name(row->wire, len), XN_BAD_WIRE);
    memcpy(longer, row->wire, row->len);
    for (int octet = 0; octet < 256; octet++) {
        longer[row->len] = (uint8_t)octet;
        assert_int_equal(open_name(longer, row->len + 1), XN_BAD_WIRE);
    }
}

TEST_ROWS(test_name, names, name)
{
    const struct name *row = *state;

    assert_int_equal(open_name(row->wire, row->len), row->labels < 0 ? XN_BAD_WIRE : XN_OK);
    if (row->labels >= 0) {
        expect_walk(row);
        expect_no_other_length(row);
    }
}

/* --- the ACE prefix --- */

static struct prefix {
    const char *name;
    const char *label;
    size_t len;
    bool expected;
} prefixes[] = {
    {"prefix xn--", OCTETS("xn--"), true},
    {"prefix Xn--", OCTETS("Xn--"), true},
    {"prefix xN--", OCTETS("xN--"), true},
    {"prefix XN--", OCTETS("XN--"), true},
    {"prefix xn-- and more", OCTETS("xn--bcher-kva"), true},
    {"prefix xN-- and more", OCTETS("xN--bcher-kva"), true},
    {"prefix xn--- counts", OCTETS("xn---"), true},
    {"prefix xn-- and 59 octets", OCTETS("xn--" X10 X10 X10 X10 X10 "xxxxxxxxx"), true},
    {"no prefix: empty", OCTETS(""), false},
    {"no prefix: x", OCTETS("x"), false},
    {"no prefix: xn", OCTETS("xn"), false},
    {"no prefix: xn-", OCTETS("xn-"), false},
    {"no prefix: xn-a", OCTETS("xn-a"), false},
    {"no prefix: nx--", OCTETS("nx--"), false},
    {"no prefix: axn--", OCTETS("axn--"), false},
    {"no prefix: xn\xAD-", OCTETS("xn\xAD-"), false},
    {"no prefix: fullwidth hyphens", OCTETS("xn\xEF\xBC\x8D\xEF\xBC\x8D"), false},
};

TEST_ROWS(test_prefix, prefixes, name)
{
    const struct prefix *row = *state;
    uint8_t *label = exact_copy(row->label, row->len);

    assert_int_equal(xn_wire_has_ace_prefix(label, row->len), row->expected);
    free(label);
}

/* No other octet in any of the four places is taken for the right one. */
TEST(test_prefix_octets, "each octet in each place of the prefix")
{
    static const char right[4][3] = {"xX", "nN", "-", "-"};

    for (size_t at = 0; at < 4; at++) {
        for (int octet = 0; octet < 256; octet++) {
            uint8_t *label = exact_copy("xn--", 4);
            label[at] = (uint8_t)octet;
            assert_int_equal(xn_wire_has_ace_prefix(label, 4),
                             octet != 0 && strchr(right[at], octet) != NULL);
            free(label);
        }
    }
}

/* Cuts octets into labels of label_len, the last as long as is left. False: that is no name. */
static bool cut_into_labels(uint8_t *name, size_t len, size_t label_len)
{
    struct xn_wire_cursor cursor;

    for (size_t label = 0; label + 1 < len; label += name[label] + 1u) {
        size_t left = len - label - 2;
        name[label] = (uint8_t)(left < label_len + 2 ? left : label_len);
    }
    name[len - 1] = 0;
    return xn_wire_open(&cursor, name, len) == XN_OK;
}

static bool any_label_has_prefix(const uint8_t *name)
{
    for (; *name != 0; name += *name + 1)
        if (xn_wire_has_ace_prefix(name + 1, *name))
            return true;
    return false;
}

/* Names of every length and of labels of every length, with a prefix, or with what is like one, at
 * each place. */
TEST(test_name_prefix, "a name with a prefix, or what is like one")
{
    static const char *const parts[] = {"xn--", "XN--", "xn-", "n--", "--"};
    size_t with = 0, without = 0;

    for (size_t len = 1; len <= XN_WIRE_NAME_MAX; len++) {
        for (size_t at = 0; at + 4 < len; at++) {
            const char *part = parts[at % (sizeof parts / sizeof *parts)];
            uint8_t name[XN_WIRE_NAME_MAX];
            memset(name, 'a', len);
            memcpy(name + at, part, strlen(part));
            if (!cut_into_labels(name, len, 1 + (len + at) % XN_WIRE_LABEL_MAX))
                continue;
            bool has = any_label_has_prefix(name);
            uint8_t *copy = exact_copy(name, len);
            assert_int_equal(xn_wire_has_ace(copy, len), has);
            free(copy);
            *(has ? &with : &without) += 1;
        }
    }
    assert_true(with > 500 && without > 10000);
}

/* --- text --- */

static struct text {
    const char *name;
    const char *wire;
    size_t len;
    const char *text;
} texts[] = {
    {"text of the root", WIRE(""), "."},
    {"text of one label", WIRE("\3com"), "com."},
    {"text of labels", WIRE("\3www\7example\3com"), "www.example.com."},
    {"text of capitals", WIRE("\3WWW\7eXaMpLe"), "www.example."},
    {"text of an A-label", WIRE("\xDXN--BCHER-KVA\2de"), "xn--bcher-kva.de."},
    {"text of UTF-8", WIRE("\3b\xC3\xBC"), "b\\195\\188."},
    {"text of what looks like an escape", WIRE("\4\\032"), "\\092032."},
    {"text of an escape sequence", WIRE("\4\x1B[2J"), "\\027[2j."},
};

TEST_ROWS(test_text, texts, name)
{
    const struct text *row = *state;
    uint8_t *wire = exact_copy(row->wire, row->len);
    char *dst = malloc(XN_WIRE_TEXT_MAX + 1);
    size_t len = xn_wire_to_text(wire, dst);

    assert_int_equal(len, strlen(row->text));
    assert_memory_equal(dst, row->text, len);
    free(wire);
    free(dst);
}

TEST(test_each_octet_as_text, "text of each octet")
{
    for (int octet = 0; octet < 256; octet++) {
        char expected[8], dst[4];
        uint8_t *label = exact_copy(&(uint8_t){(uint8_t)octet}, 1);

        if (octet >= 'A' && octet <= 'Z')
            snprintf(expected, sizeof expected, "%c", octet - 'A' + 'a');
        else if (octet > ' ' && octet <= '~' && !strchr("\".\\", octet))
            snprintf(expected, sizeof expected, "%c", octet);
        else
            snprintf(expected, sizeof expected, "\\%03d", octet);
        assert_int_equal(xn_wire_label_to_text(label, 1, dst), strlen(expected));
        assert_memory_equal(dst, expected, strlen(expected));
        free(label);
    }
}

TEST(test_lower, "lower case of each octet, elsewhere and in its place")
{
    uint8_t src[256], dst[256];

    for (int octet = 0; octet < 256; octet++)
        src[octet] = (uint8_t)octet;
    xn_wire_lower(dst, src, sizeof src);
    for (int octet = 0; octet < 256; octet++)
        assert_int_equal(dst[octet], octet >= 'A' && octet <= 'Z' ? octet - 'A' + 'a' : octet);
    xn_wire_lower(src, src, sizeof src);
    assert_memory_equal(src, dst, sizeof src);
    uint8_t *none = exact_copy(dst, 0);
    xn_wire_lower(none, none, 0);
    free(none);
}

/* Octets are looked at in groups: of every length, in buffers of exactly that, with what is odd in
 * every place. */
TEST(test_every_length, "labels of every length")
{
    static const char odd[] = "A\"\\. \x7F\x80\xFF\xC1z";

    for (size_t len = 1; len <= XN_WIRE_LABEL_MAX; len++)
        for (size_t i = 0; i < len * (sizeof odd - 1); i++) {
            uint8_t *src = malloc(len), *lowered = malloc(len);
            char *text = malloc(4 * len), octet[4];
            memset(src, 'x', len);
            src[i % len] = (uint8_t)odd[i / len];
            xn_wire_lower(lowered, src, len);
            size_t text_len = xn_wire_label_to_text(src, len, text), at = 0;
            for (size_t j = 0; j < len; j++) {
                size_t octet_len = xn_wire_label_to_text(src + j, 1, octet);
                assert_memory_equal(text + at, octet, octet_len);
                assert_int_equal(lowered[j], src[j] == 'A' ? 'a' : src[j]);
                at += octet_len;
            }
            assert_int_equal(text_len, at);
            free(src);
            free(lowered);
            free(text);
        }
}

/* One octet among others, of every value, at every place of every length. */
TEST(test_has_capitals, "capitals among labels of each length")
{
    for (size_t len = 0; len <= XN_WIRE_LABEL_MAX; len++) {
        uint8_t *label = malloc(len);

        memset(label, '{', len);
        assert_false(xn_wire_has_capitals(label, len));
        for (size_t at = 0; at < len; at++) {
            for (int octet = 0; octet < 256; octet++) {
                label[at] = (uint8_t)octet;
                assert_int_equal(xn_wire_has_capitals(label, len), octet >= 'A' && octet <= 'Z');
            }
            label[at] = at % 2 ? '@' : 0xC1;
        }
        free(label);
    }
}

/* A name of labels of label_len octets, as many as there is room for, the last of what is left. */
static size_t longest_name(uint8_t *wire, size_t label_len)
{
    size_t at = 0;

    while (XN_WIRE_NAME_MAX - 1 - at >= 2) {
        size_t room = XN_WIRE_NAME_MAX - 1 - at - 1;
        size_t len = room < label_len ? room : label_len;
        wire[at++] = (uint8_t)len;
        memset(wire + at, 0xFF, len);
        at += len;
    }
    wire[at++] = 0;
    return at;
}

TEST(test_longest_text, "the longest text is XN_WIRE_TEXT_MAX")
{
    size_t longest = 0;

    for (size_t label_len = 1; label_len <= XN_WIRE_LABEL_MAX; label_len++) {
        uint8_t buffer[XN_WIRE_NAME_MAX];
        size_t wire_len = longest_name(buffer, label_len);
        uint8_t *wire = exact_copy(buffer, wire_len);
        char *dst = malloc(XN_WIRE_TEXT_MAX + 1);

        assert_int_equal(open_name(wire, wire_len), XN_OK);
        size_t len = xn_wire_to_text(wire, dst);
        if (len > longest)
            longest = len;
        free(wire);
        free(dst);
    }
    assert_int_equal(longest, XN_WIRE_TEXT_MAX);
}

/* The text of a name label by label, which names without escapes do not take. */
static size_t joined_labels(const uint8_t *wire, char *dst)
{
    struct xn_wire_cursor cursor = {wire};
    const uint8_t *label;
    size_t len, out = 0;

    while (xn_wire_next(&cursor, &label, &len)) {
        out += xn_wire_label_to_text(label, len, dst + out);
        dst[out++] = '.';
    }
    return out;
}

/* Each octet in each place of names, the ends of eight octets among them. */
TEST(test_octets_of_names, "text of each octet in each place of a name")
{
    static const uint8_t name[] = "\7-aAzZ09\10_~!bBcCd\2xy\1Q";

    for (size_t at = 1; at < sizeof name - 1; at++) {
        for (int octet = 0; octet < 256 && name[at] > 63; octet++) {
            uint8_t wire[sizeof name];
            char expected[XN_WIRE_TEXT_MAX], got[XN_WIRE_TEXT_MAX];

            memcpy(wire, name, sizeof wire);
            wire[at] = (uint8_t)octet;
            size_t len = joined_labels(wire, expected);
            assert_int_equal(xn_wire_to_text(wire, got), len);
            assert_memory_equal(got, expected, len);
        }
    }
}

TEST_MAIN
