/* SPDX-License-Identifier: BSD-3-Clause */
/* Written names that are names: what they are in wire format, and where warnings are. */
#include "tests/unit/vectors.h"

#include <jansson.h>

#include "core/idna/label.h"
#include "core/idna/unicode.h"
#include "core/names/presentation.h"
#include "core/names/written.h"
#include "core/text/utf8.h"
#include "core/wire/wire.h"
#include "module/name/rulename.h"
#include "tests/unit/exact.h"
#include "tests/unit/places.h"

#define OCTETS(literal) literal, sizeof(literal) - 1

#define NOTHING ""
#define NONE NULL

#define A4 "aaaa"
#define A16 A4 A4 A4 A4
#define L63 A16 A16 A16 A4 A4 A4 "aaa"

#define DOTTED_4 "a.a.a.a."
#define DOTTED_16 DOTTED_4 DOTTED_4 DOTTED_4 DOTTED_4
#define DOTTED_63 DOTTED_16 DOTTED_16 DOTTED_16 DOTTED_4 DOTTED_4 DOTTED_4 "a.a.a."
#define DOTTED_127 DOTTED_63 DOTTED_63 "a."

struct written_row {
    const char *name;
    const char *text;
    size_t len;
    const char *wire;   /* as text, with `*.` before it for a wildcard; NONE: no name */
    const char *places; /* offsets of what is reported (places.h) */
};

enum { REPORTS_MAX = 1 << 16 };

static struct xn_unicode *unicode;

static void collect(void *arg, xnm_severity severity, size_t at, const char *message)
{
    char *reports = arg;
    size_t len = strlen(reports);

    assert_null(strchr(message, '\n'));
    snprintf(reports + len, REPORTS_MAX - len, "%s %zu: %s\n",
             severity == XNM_ERROR ? "error" : "warning", at, message);
}

/* Whether something is said makes no difference to what is read. Returns whether it is a name. */
static bool read_name(const char *text, size_t len, struct xnm_wirename *name, bool *wildcard,
                      char *reports)
{
    struct xnm_wirename quiet;
    char *exact = exact_copy(text, len);
    struct xn_wire_cursor cursor;
    bool quiet_wildcard;

    reports[0] = '\0';
    bool good = xnm_rulename_read(unicode, exact, len, name, wildcard, collect, reports);
    assert_int_equal(xnm_rulename_read(unicode, exact, len, &quiet, &quiet_wildcard, NULL, NULL),
                     good);
    assert_int_equal(quiet.len, name->len);
    assert_int_equal(good, strstr(reports, "error ") == NULL);
    if (good) {
        assert_int_equal(quiet_wildcard, *wildcard);
        assert_memory_equal(quiet.octets, name->octets, name->len);
        assert_int_equal(xn_wire_open(&cursor, name->octets, name->len), XN_OK);
    } else {
        assert_int_equal(name->len, 0);
    }
    free(exact);
    return good;
}

static void test_written(void **state)
{
    const struct written_row *row = *state;
    char reports[REPORTS_MAX], shown[2 + XN_WIRE_TEXT_MAX + 1] = "";
    struct xnm_wirename name;
    bool wildcard;
    bool good = read_name(row->text, row->len, &name, &wildcard, reports);

    assert_string_equal(places_of(reports), row->places);
    assert_int_equal(good, row->wire != NULL);
    if (!good)
        return;
    if (wildcard)
        strcpy(shown, "*.");
    char *text = shown + strlen(shown);
    text[xn_wire_to_text(name.octets, text)] = '\0';
    assert_string_equal(shown, row->wire);
}

static struct written_row good_names[] = {
    /* --- what everyone expects --- */

    {"upper case and a final dot", OCTETS("Example.COM."), "example.com.", ""},
    {"an ideographic final dot", OCTETS("example。"), "example.", ""},
    {"upper case of Unicode", OCTETS("BÜCHER.example"), "xn--bcher-kva.example.", ""},
    {"a combining mark", OCTETS("bu\u0308cher.example"), "xn--bcher-kva.example.", ""},
    {"fullwidth letters and dot", OCTETS("ｅｘａｍｐｌｅ．ｃｏｍ"), "example.com.", ""},
    {"halfwidth dot", OCTETS("a｡b"), "a.b.", ""},
    {"the Kelvin sign", OCTETS("Kelvin.example"), "kelvin.example.", ""},
    {"a wildcard, and a dot of its own kind", OCTETS("*.例え。jp"), "*.xn--r8jz45g.jp.", ""},
    {"a wildcard with an ideographic dot", OCTETS("*。例え.jp"), "*.xn--r8jz45g.jp.", ""},
    {"a top-level domain of its own script", OCTETS("рф"), "xn--p1ai.", ""},
    {"a label of Han characters without another form", OCTETS("例.jp"), "xn--fsq.jp.", ""},
    {"an A-label beside Unicode", OCTETS("xn--bcher-kva.例え"), "xn--bcher-kva.xn--r8jz45g.", ""},
    {"an A-label in upper case", OCTETS("XN--BCHER-KVA.example"), "xn--bcher-kva.example.", ""},
    {"an underscore beside Unicode", OCTETS("_dmarc.bücher.example"),
     "_dmarc.xn--bcher-kva.example.", ""},
    {"hyphens where IDNA has none", OCTETS("r3---sn-4g5.-a.b-"), "r3---sn-4g5.-a.b-.", ""},
    {"a restricted label", OCTETS("pаypal.example"), "xn--pypal-4ve.example.", ""},
    {"a restricted label as A-label", OCTETS("xn--pypal-4ve.example"), "xn--pypal-4ve.example.",
     ""},
    {"the root", OCTETS("."), ".", ""},
    {"the root, ideographic", OCTETS("。"), ".", ""},
    {"everything below the root", OCTETS("*"), "*..", ""},
    {"everything below the root, with a dot", OCTETS("*."), "*..", ""},
    {"escapes", OCTETS("a\\046b.\\C\\\\\\065.\\000"), "a\\046b.c\\092a.\\000.", ""},
    {"an escaped star", OCTETS("\\042.example"), "*.example.", ""},
    {"an escaped space and slash", OCTETS("a\\032b\\/c"), "a\\032b/c.", ""},
    {"fullwidth letters of an A-label", OCTETS("ｘｎ－－bcher-kva.com"), "xn--bcher-kva.com.", ""},
    {"an emoji and its presentation selector", OCTETS("😀\uFE0F.example"), "xn--e28h.example.", ""},
    {"keycaps and their presentation selectors", OCTETS("1\uFE0F\u20E32\uFE0F\u20E3.example"),
     "xn--12-ykub.example.", ""},
    {"40 Cyrillic letters", OCTETS("жжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжжж.example"),
     "xn--f1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example.", ""},
    {"a middle dot between two l", OCTETS("l·l.cat"), "xn--ll-0ea.cat.", ""},
    {"kana and a Katakana middle dot", OCTETS("ア・イ.jp"), "xn--ccke4x.jp.", ""},
    {"a service before a right-to-left label", OCTETS("_dmarc.שלום.example"),
     "_dmarc.xn--9dbne9b.example.", ""},

    /* --- warnings --- */

    {"sharp s", OCTETS("faß.de"), "xn--fa-hia.de.", "2w"},
    {"sharp s before a final dot", OCTETS("faß.de."), "xn--fa-hia.de.", "2w"},
    {"sharp s in two labels", OCTETS("STRAßE.faß.de"), "xn--strae-oqa.xn--fa-hia.de.", "4w"},
    {"sharp s in a wildcard", OCTETS("*.faß.de"), "*.xn--fa-hia.de.", "4w"},
    {"final sigma", OCTETS("σίσυφος.gr"), "xn--kxa6ajbbmh.gr.", "12w"},
    {"sigma at the end", OCTETS("οδοσ"), "xn--pxavbq.", ""},
    {"ZWJ", OCTETS("ක\u0DCA\u200Dෂ.lk"), "xn--3zc4fxa418p.lk.", "6w"},
    {"ZWNJ", OCTETS("نامه\u200Cای.example"), "xn--mgba3gch31f060k.example.", "8w"},
    {"sharp s, and sigma in another label", OCTETS("faß.ας.gr"), "xn--fa-hia.xn--mxa8a.gr.", "2w"},
    {"A-labels are taken at their word", OCTETS("xn--fa-hia.de"), "xn--fa-hia.de.", ""},
    {"no Punycode", OCTETS("xn--a_.com"), "xn--a_.com.", "0w"},
    {"ASCII alone", OCTETS("a.xn--abc-.com"), "a.xn--abc-.com.", "2w"},
    {"a leading hyphen in an A-label", OCTETS("xn----eha.com"), "xn----eha.com.", "0w"},
    {"an A-label of what would be mapped", OCTETS("xn--example-nka"), "xn--example-nka.", "0w"},
    {"two bad A-labels", OCTETS("xn--a_.xn--b_"), "xn--a_.xn--b_.", "0w"},
    {"a bad A-label of escapes", OCTETS("xn--a\\000"), "xn--a\\000.", "0w"},
    {"1024 octets that are one label, decomposed",
     OCTETS("xa\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a"
            "\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301a\u0301"),
     "xn--x-ufaaaaaaaaaaaaaaaaaaaa.", ""},
    {"63 octets, one of them an escape",
     OCTETS("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\000.com"),
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\\000.com.", ""},
    {"255 octets",
     OCTETS(L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
     L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.", ""},
    {"a wildcard of 255 octets",
     OCTETS("*." L63 "." L63 "." L63
            ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
     "*." L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.", ""},
    {"253 octets and a final dot",
     OCTETS(L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb."),
     L63 "." L63 "." L63 ".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb.", ""},
    {"127 labels", OCTETS(DOTTED_63 DOTTED_63 "a"), DOTTED_127, ""},
    {"an address is a name", OCTETS("192.0.2.1"), "192.0.2.1.", ""},
};

ADD_ROWS(test_written, good_names, name)

/* --- errors --- */

#define U16 "üüüüüüüüüüüüüüüü"
#define U80 U16 U16 U16 U16 U16

static struct written_row bad_names[] = {
    {"no more than 1024 octets are looked at",
     OCTETS(U80 U80 U80 U80 U80 U80 "üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü"), NONE, "0"},
    {"as many of ASCII",
     OCTETS(L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 L63 "aaaaaaaaaaaaaaaaa"),
     NONE, "0"},
    {"a tab",
     OCTETS("a\x09"
            "b"),
     NONE, "1"},
    {"an escape character", OCTETS("a\x1B[2J"), NONE, "1"},
    {"DEL", OCTETS("a\x7F"), NONE, "1"},
    {"Latin-1", OCTETS("caf\xE9.com"), NONE, "3"},
    {"Latin-1 behind an underscore", OCTETS("_caf\xE9.com"), NONE, "4"},
    {"cut UTF-8", OCTETS("a.\xE6\x97"), NONE, "2"},
    {"a lone surrogate",
     OCTETS("a\xED\xA0\x80"
            "b"),
     NONE, "1"},
    {"an overlong dot",
     OCTETS("a\xC0\xAE"
            "b"),
     NONE, "1"},
    {"above U+10FFFF", OCTETS("\xF4\x90\x80\x80"), NONE, "0"},
    {"NUL",
     OCTETS("a\x00"
            "b"),
     NONE, "1"},
    {"NUL alone", OCTETS("\x00"), NONE, "0"},
};

ADD_ROWS(test_written, bad_names, name)

static void expect_places(const char *text, size_t len, const char *places)
{
    char said[REPORTS_MAX] = "";
    struct xnm_wirename name;

    assert_false(xnm_rulename_read(unicode, text, len, &name, NULL, collect, said));
    assert_string_equal(places_of(said), places);
}

TEST(test_no_wildcard, "a star where none may be")
{
    expect_places(OCTETS("*.a.example"), "0");
    expect_places(OCTETS("*"), "0");
    expect_places(OCTETS("ü.a*"), "4");
}

/* --- long ones --- */

/* `count` times the same. The caller frees it. */
static char *repeat(const char *unit, size_t unit_len, size_t count)
{
    char *text = malloc(unit_len * count);

    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * unit_len, unit, unit_len);
    return text;
}

static void expect_of_many(const char *unit, size_t unit_len, size_t count, const char *places)
{
    char *text = repeat(unit, unit_len, count);

    expect_places(text, unit_len * count, places);
    free(text);
}

TEST(test_one_label_of_64_kib, "one label of 64 KiB")
{
    expect_of_many(OCTETS("a"), 65536, "0");
    expect_of_many(OCTETS("/"), 65536, "0");
    expect_of_many(OCTETS("\\000"), 16384, "0");
    expect_of_many(OCTETS("\\"), 65537, "0");
    expect_of_many(OCTETS("\0"), 65536, "0");
    expect_of_many(OCTETS("ü"), 32768, "0");
    expect_of_many(OCTETS("\u200D"), 21845, "0");
    expect_of_many(OCTETS("\xFF"), 65536, "0");
}

TEST(test_10000_labels, "10,000 labels")
{
    expect_of_many(OCTETS("a."), 10000, "254");
    expect_of_many(OCTETS("ü."), 10000, "93");
    expect_of_many(OCTETS("."), 10000, "0 1 2 3 4 5 6 7");
    expect_of_many(OCTETS("。"), 10000, "0 3 6 9 12 15 18 21");
}

/* UTS 46 allows it from Unicode 15.1 on. */
TEST(test_not_equal_to, "a character of some versions of Unicode")
{
    struct xnm_wirename name;

    if (is_before_unicode(15.1))
        expect_places(OCTETS("a≠b.com"), "1");
    else
        assert_true(xnm_rulename_read(unicode, OCTETS("a≠b.com"), &name, NULL, NULL, NULL));
}

/* --- A-label and U-label --- */

static bool read_label(const char *text, size_t len, struct xnm_wirename *name)
{
    char reports[REPORTS_MAX];
    bool wildcard;

    return read_name(text, len, name, &wildcard, reports);
}

static bool is_same(const struct xnm_wirename *a, const struct xnm_wirename *b)
{
    return a->len == b->len && memcmp(a->octets, b->octets, a->len) == 0;
}

/* Writes a label as a rule has it: every octet that is not plain is escaped. */
static size_t escape(const char *label, char *dst)
{
    size_t len = 0;

    for (; *label; label++)
        len += (size_t)sprintf(dst + len,
                               xn_presentation_is_plain((uint8_t)*label) ? "%c" : "\\%03d", *label);
    return len;
}

/* An A-label and its U-label are the same name; what an invalid one decodes to is no name, or
 * another. Returns whether it is an A-label. */
static bool expect_one_name(const char *alabel)
{
    struct xnm_wirename by_alabel, by_ulabel;
    uint32_t cps[XN_ULABEL_MAX];
    uint8_t ulabel[XN_UTF8_MAX * XN_ULABEL_MAX];
    size_t cps_len, ulabel_len;
    char written[XN_WRITTEN_ALABEL_MAX + 1];

    assert_true(read_label(written, escape(alabel, written), &by_alabel));
    assert_int_equal(by_alabel.octets[0], strlen(alabel));
    xn_reasons reasons =
        xn_label_decode(unicode, by_alabel.octets + 1, by_alabel.octets[0], cps, &cps_len);
    assert_int_equal(xn_utf8_encode(cps, cps_len, ulabel, sizeof ulabel, &ulabel_len), XN_OK);
    bool read = read_label((char *)ulabel, ulabel_len, &by_ulabel);
    bool valid = !(reasons & XN_INVALID_REASONS);
    if (valid)
        assert_true(read);
    assert_int_equal(read && is_same(&by_alabel, &by_ulabel), valid);
    return valid;
}

static void test_label_vector(void **state)
{
    const struct vector *row = *state;
    bool valid = strncmp(row->fields[1], "invalid", 7) != 0;

    assert_int_equal(expect_one_name(row->fields[0]), valid);
}

/* Among RFC 3492's samples, B, C and similar ones are words; J and the following have punctuation
 * and spaces. */
static void test_sample(void **state)
{
    const struct vector *row = *state;
    char alabel[128];
    struct xnm_wirename name;

    snprintf(alabel, sizeof alabel, "xn--%s", row->fields[2]);
    if (strlen(alabel) > 63 || strpbrk(alabel, " $"))
        assert_false(read_label(alabel, strlen(alabel), &name));
    else
        expect_one_name(alabel);
}

TEST(test_hostile_alabels, "both spellings of hostile labels")
{
    json_t *list = json_load_file("tests/vectors/hostile-alabels.json", 0, NULL), *entry;
    size_t index, valid = 0, count = json_array_size(list);

    assert_true(count > 0);
    json_array_foreach(list, index, entry)
    {
        const char *alabel = json_string_value(json_object_get(entry, "a_label"));
        const char *idn = json_string_value(json_object_get(entry, "idn"));
        bool is_valid = expect_one_name(alabel);
        assert_int_equal(is_valid, !idn || strncmp(idn, "invalid", 7) != 0);
        valid += is_valid;
    }
    assert_in_range(valid, 1, count - 1);
    json_decref(list);
}

/* --- escapes --- */

static void expect_octet(const char *text, size_t len, unsigned octet)
{
    struct xnm_wirename name;

    assert_true(read_label(text, len, &name));
    assert_int_equal(name.len, 5);
    assert_int_equal(name.octets[0], 3);
    assert_int_equal(name.octets[2], octet - 'A' < 26 ? octet | 0x20 : octet);
}

TEST(test_escapes, "every escape")
{
    char text[16];
    struct xnm_wirename name;

    for (unsigned octet = 0; octet < 256; octet++)
        expect_octet(text, (size_t)snprintf(text, sizeof text, "a\\%03uz", octet), octet);
    for (unsigned octet = 256; octet < 1000; octet++)
        assert_false(
            read_label(text, (size_t)snprintf(text, sizeof text, "a\\%03uz", octet), &name));
    for (unsigned octet = 1; octet < 256; octet++) {
        int len = snprintf(text, sizeof text, "a\\%cz", (int)octet);
        if (octet >= 0x20 && octet < 0x7F && (octet < '0' || octet > '9'))
            expect_octet(text, (size_t)len, octet);
        else
            assert_false(read_label(text, (size_t)len, &name));
    }
}

BEFORE_MAIN(rows)
{
    add_vectors("tests/vectors/labels.tsv", "both spellings,", test_label_vector);
    add_vectors("tests/vectors/rfc3492-samples.tsv", "both spellings,", test_sample);
}

TEST_MAIN_WITH_UNICODE(unicode)
