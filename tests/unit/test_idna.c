/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole names in one call: what becomes of them in the DNS and in Unicode, and what people see. */
#include "tests/unit/limits.h"

#include "core/idna/property.h"
#include "core/idna/unicode.h"
#include <limits.h>
#include <unicode/uclean.h>

#include "core/names/display.h"
#include "core/names/idna.h"
#include "core/names/toplevel.h"
#include "core/text/utf8.h"
#include "tests/unit/wirenames.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define A63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A61 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static struct xn_unicode *unicode;

/* --- to the DNS and back --- */

static const struct {
    const char *name, *ascii, *unicode; /* "": no form in the DNS */
    xn_reasons reasons;
} names[] = {
    {"example", "example", "example", 0},
    {".", ".", ".", 0},
    {"", "", "", BIT(XN_EMPTY)},
    {"..", "", "", BIT(XN_EMPTY)},
    {"a..b", "", "", BIT(XN_EMPTY)},
    {".a", "", "", BIT(XN_EMPTY)},
    {"_dmarc.b\u00FCcher.example", "_dmarc.xn--bcher-kva.example", "_dmarc.b\u00FCcher.example", 0},
    {"_dmarc.B\u00DCcher.EXAMPLE.", "_dmarc.xn--bcher-kva.example.", "_dmarc.b\u00FCcher.example.",
     0},
    {"XN--BCHER-KVA.example", "xn--bcher-kva.example", "b\u00FCcher.example", 0},
    {"stra\u00DFe\u3002example\uFF61", "xn--strae-oqa.example.", "stra\u00DFe.example.", 0},
    {"*.b\u00FCcher", "*.xn--bcher-kva", "*.b\u00FCcher", 0},
    {"a\\.b.example", "a\\046b.example", "a\\046b.example", 0},
    {"\\065\\255.example", "a\\255.example", "a\\255.example", 0},
    {"\\120n--bcher-kva", "xn--bcher-kva", "b\u00FCcher", 0},
    {"r3---sn-x.example", "r3---sn-x.example", "r3---sn-x.example", 0},
    /* Restricted, but valid. */
    {"p\u0430ypal.com", "xn--pypal-4ve.com", "p\u0430ypal.com", 0},
    {"\U0001F600.example", "xn--e28h.example", "\U0001F600.example", 0},
    /* No A-labels, and written all the same. */
    {"xn--9.example", "xn--9.example", "xn--9.example", BIT(XN_PUNYCODE)},
    {"xn--abc-.example", "xn--abc-.example", "xn--abc-.example", BIT(XN_ASCII_ONLY)},
    {"xn--.b\u00FCcher", "xn--.xn--bcher-kva", "xn--.b\u00FCcher", BIT(XN_ASCII_ONLY)},
    {"a\\007b", "a\\007b", "a\\007b", BIT(XN_DISALLOWED)},
    /* No form in the DNS. */
    {"b\u00FC\u202Echer.example", "", "", BIT(XN_DISALLOWED)},
    {"b\u00FC_x.example", "", "", BIT(XN_DISALLOWED)},
    {"p\\u{430}ypal.com", "", "", BIT(XN_DISALLOWED)},
    {"a\\", "", "", BIT(XN_DISALLOWED)},
    {"-\u00FC.\u05D0a", "", "", BIT(XN_HYPHEN) | BIT(XN_BIDI)},
    {A63 "a.example", "", "", BIT(XN_TOO_LONG)},
    {A63 "." A63 "." A63 "." A61, A63 "." A63 "." A63 "." A61, A63 "." A63 "." A63 "." A61, 0},
    {A63 "." A63 "." A63 "." A61 ".", A63 "." A63 "." A63 "." A61 ".",
     A63 "." A63 "." A63 "." A61 ".", 0},
    {A63 "." A63 "." A63 "." A61 "a", "", "", BIT(XN_TOO_LONG)},
    {A63 "." A63 "." A63 "." A61 ".a", "", "", BIT(XN_TOO_LONG)},
};

TEST(converts_names, "converts names")
{
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t len = strlen(names[i].name), ascii_len, unicode_len, wire_len, parsed_len;
        char *name = exact_copy(names[i].name, len), *ascii = malloc(XN_IDNA_TEXT_MAX),
             *text = malloc(XN_IDNA_TEXT_MAX);
        uint8_t *wire = malloc(XN_WIRE_NAME_MAX), parsed[XN_WIRE_NAME_MAX];
        struct xn_findings findings;

        assert_int_equal(xn_idna_to_ascii(unicode, name, len, ascii, &ascii_len, &findings), XN_OK);
        if (findings.reasons != names[i].reasons || strcmp(ascii, names[i].ascii) != 0)
            fail_msg("'%s': '%s' %x", names[i].name, ascii, findings.reasons);
        assert_int_equal(ascii_len, strlen(ascii));
        assert_int_equal(xn_idna_to_unicode(unicode, name, len, text, &unicode_len, &findings),
                         XN_OK);
        assert_int_equal(findings.reasons, names[i].reasons);
        assert_string_equal(text, names[i].unicode);
        assert_int_equal(unicode_len, strlen(text));
        assert_int_equal(xn_idna_to_wire(unicode, name, len, wire, &wire_len, &findings), XN_OK);
        assert_int_equal(findings.reasons, names[i].reasons);
        assert_int_equal(wire_len > 0, ascii_len > 0);
        assert_int_equal(xn_idna_to_wire(unicode, ascii, ascii_len, parsed, &parsed_len, &findings),
                         XN_OK);
        assert_int_equal(wire_len, parsed_len);
        assert_memory_equal(wire, parsed, wire_len);
        free(wire);
        free(text);
        free(ascii);
        free(name);
    }
}

TEST(reports_findings_of_labels, "reports findings of labels")
{
    static const char name[] = "a.xn--9.-\u00FC..\u05D0a.example";
    static const xn_reasons wanted[] = {
        0, BIT(XN_PUNYCODE), BIT(XN_HYPHEN), BIT(XN_EMPTY), BIT(XN_BIDI), 0};
    struct xn_findings findings;
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len;

    assert_int_equal(xn_idna_to_wire(unicode, name, strlen(name), wire, &len, &findings), XN_OK);
    assert_int_equal(len, 0);
    assert_int_equal(findings.label_count, COUNT(wanted));
    assert_memory_equal(findings.labels, wanted, sizeof wanted);
}

TEST(rejects_malformed_utf8, "rejects malformed utf8")
{
    struct xn_findings findings;
    char dst[XN_IDNA_TEXT_MAX] = "x";
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = 9;

    assert_int_equal(xn_idna_to_ascii(unicode, "a.b\xFC.c", 6, dst, &len, &findings), XN_BAD_UTF8);
    assert_int_equal(len, 0);
    assert_string_equal(dst, "");
    len = 9;
    assert_int_equal(xn_idna_to_unicode(unicode, "a.b\xFC.c", 6, dst, &len, &findings),
                     XN_BAD_UTF8);
    assert_int_equal(len, 0);
    assert_int_equal(xn_idna_to_wire(unicode, "\xFC", 1, wire, &len, &findings), XN_BAD_UTF8);
    assert_int_equal(len, 0);
    assert_int_equal(xn_idna_to_wire(unicode, NULL, 0, wire, &len, &findings), XN_OK);
    assert_int_equal(findings.reasons, BIT(XN_EMPTY));
    assert_int_equal(findings.label_count, 0);
}

/* Input of any length is safe: dots, one label, and labels that fit no name. */
TEST(accepts_any_length, "accepts any length")
{
    static const size_t sizes[] = {127, 128, 253, 254, 255, 256, 257, 1024, 1025, 100000, 1000000};

    for (size_t i = 0; i < COUNT(sizes); i++)
        for (unsigned kind = 0; kind < 4; kind++) {
            char *name = (char *)octets_of(kind == 0 ? '.' : 'a', sizes[i]);
            char dst[XN_IDNA_TEXT_MAX], shown[XN_IDNA_DISPLAY_MAX];
            struct xn_findings findings;
            size_t len;
            for (size_t at = 1; kind == 1 && at < sizes[i]; at += 2)
                name[at] = '.';
            for (size_t at = 0; kind == 3 && at + 3 < sizes[i]; at += 3)
                memcpy(name + at, "\u00FC.", 3);
            assert_int_equal(xn_idna_to_unicode(unicode, name, sizes[i], dst, &len, &findings),
                             XN_OK);
            assert_true(findings.label_count <= XN_WIRE_LABELS_MAX);
            bool fits = kind == 1 && sizes[i] <= 254;
            assert_int_equal(len > 0, fits);
            assert_int_equal(findings.reasons == 0, fits);
            xn_status status =
                xn_idna_display_text(unicode, name, sizes[i], shown, sizeof shown, &len, &findings);
            assert_int_equal(status, sizes[i] > 3300 ? XN_NO_SPACE : XN_OK);
            assert_int_equal(strlen(shown), len);
            free(name);
        }
}

/* --- what people see --- */

static const struct {
    const char *text, *shown;
    xn_reasons reasons;
} texts[] = {
    {"b\u00FCcher.example", "b\u00FCcher.example", 0},
    {"B\u00DCCHER\u3002EXAMPLE.", "b\u00FCcher.example", 0},
    {"xn--bcher-kva.example", "b\u00FCcher.example", 0},
    {"p\u0430ypal.com", "p\\u{430}ypal.com", BIT(XN_SCRIPT_MIX)},
    {"xn--pypal-4ve.com", "p\\u{430}ypal.com", BIT(XN_SCRIPT_MIX)},
    {"p\\u{430}ypal.com", "p\\092u{430}ypal.com", BIT(XN_DISALLOWED)},
    {"\u0646\u0627\u0645\u0647\u200C\u0627\u06CC", "\u0646\u0627\u0645\u0647\\u{200C}\u0627\u06CC",
     0},
    {"a\x1B[2Jb.example", "a\\027[2jb.example", BIT(XN_DISALLOWED)},
    {"a\\027b", "a\\027b", BIT(XN_DISALLOWED)},
    {"a\rb\nc", "a\\013b\\010c", BIT(XN_DISALLOWED)},
    {"a b\"c", "a\\032b\\034c", 0},
    {"\u202Egro.elpmaxe", "\\u{202E}gro.elpmaxe", BIT(XN_DISALLOWED)},
    {"b\u00FC\u200Bcher", "b\\u{FC}\\u{200B}cher", BIT(XN_DISALLOWED)},
    {"a\xC3.\xFF\x1B\u00FC", "a\\195.\\255\\027\\u{FC}", BIT(XN_DISALLOWED)},
    {"\u00FC\\\u00FC", "\\u{FC}\\092\\u{FC}", BIT(XN_DISALLOWED)},
    {"a..b", "a..b", BIT(XN_EMPTY)},
    {".a", ".a", BIT(XN_EMPTY)},
    {".", ".", 0},
    {"", "", BIT(XN_EMPTY)},
    {"xn--9.example", "xn--9.example", BIT(XN_PUNYCODE)},
};

TEST(shows_texts, "shows texts")
{
    for (size_t i = 0; i < COUNT(texts); i++) {
        size_t len = strlen(texts[i].text), room = strlen(texts[i].shown) + 1, shown_len;
        char *text = exact_copy(texts[i].text, len);
        struct xn_findings findings;

        for (size_t cap = 0; cap <= room; cap++) {
            char *shown = malloc(cap);
            xn_status status =
                xn_idna_display_text(unicode, text, len, shown, cap, &shown_len, &findings);
            assert_int_equal(status, cap < room ? XN_NO_SPACE : XN_OK);
            if (cap > 0) {
                assert_int_equal(strlen(shown), shown_len);
                if (memcmp(shown, texts[i].shown, shown_len) != 0)
                    fail_msg("'%s': '%s'", texts[i].text, shown);
            }
            free(shown);
        }
        if (findings.reasons != texts[i].reasons || shown_len != room - 1)
            fail_msg("'%s': %x, %zu", texts[i].text, findings.reasons, shown_len);
        free(text);
    }
}

/* An isolate is never left open. */
TEST(cuts_after_whole_labels, "cuts after whole labels")
{
    static const char text[] = "a.\u05D0\u05D1", wanted[] = "a.\u05D0\u05D1";
    struct xn_findings findings;
    char shown[sizeof wanted];
    size_t len;

    for (size_t cap = 1; cap <= sizeof wanted; cap++) {
        xn_status status =
            xn_idna_display_text(unicode, text, strlen(text), shown, cap, &len, &findings);
        assert_int_equal(status, cap < sizeof wanted ? XN_NO_SPACE : XN_OK);
        assert_string_equal(shown, cap == sizeof wanted ? wanted
                                   : cap > 2            ? "a."
                                   : cap > 1            ? "a"
                                                        : "");
    }
}

static bool is_safe(const char *text, size_t len)
{
    uint32_t cp;

    for (size_t at = 0, step; at < len; at += step) {
        step = xn_utf8_read((const uint8_t *)text + at, len - at, &cp);
        if (step == 0 || !xn_unicode_is_visible(cp) || cp == ' ' || cp == '"' ||
            !xn_unicode_is_shown(cp))
            return false;
    }
    return true;
}

TEST(rejects_bad_wire, "rejects bad wire")
{
    struct xn_findings findings;
    char shown[XN_IDNA_DISPLAY_MAX] = "x";
    size_t len = 9;

    assert_int_equal(xn_idna_display_wire(unicode, NULL, 0, shown, &len, &findings), XN_BAD_WIRE);
    assert_int_equal(len, 0);
    assert_string_equal(shown, "");
    assert_int_equal(findings.label_count, 0);
    assert_int_equal(
        xn_idna_display_wire(unicode, (const uint8_t *)"\2a", 3, shown, &len, &findings),
        XN_BAD_WIRE);
}

/* --- parts of names --- */

TEST(escapes_by_reason, "escapes by reason")
{
    static const struct {
        xn_reasons reasons;
        uint32_t cp;
        bool escapes;
    } rows[] = {{0, 'a', false},
                {0, 0xFC, false},
                {0, 0x200D, true},
                {BIT(XN_CHARSET), 'a', false},
                {BIT(XN_CHARSET), 0xFC, true}};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct xn_label label = {.ace = true, .reasons = rows[i].reasons};
        assert_int_equal(xn_display_escapes(&label, rows[i].cp), rows[i].escapes);
    }
}

/* A name that has no labels has no TLD; and a wire without a label is none. */
TEST(finds_no_toplevel, "finds no toplevel")
{
    struct xn_toplevel tld = {0};
    struct xn_name name;
    uint8_t wire[XN_TOPLEVEL_WIRE_MAX] = {1, 'a', 'x'};

    xn_toplevel_find(unicode, (const uint8_t *)".", 1, &tld);
    assert_int_equal(tld.len, 0);
    assert_int_equal(xn_toplevel_append(&tld, wire), 3);
    assert_memory_equal(wire, "\1a", 3);
    wire[0] = 0;
    assert_int_equal(xn_toplevel_read(unicode, (const uint8_t *)".", 1, &tld, wire, &name),
                     XN_BAD_WIRE);
}

/* --- ICU without memory --- */

static unsigned allowed = UINT_MAX; /* this often more */

static bool has_icu_memory(void)
{
    allowed -= allowed > 0 && allowed < UINT_MAX;
    return allowed > 0;
}

static void *U_CALLCONV allocate(const void *context, size_t len)
{
    (void)context;
    return has_icu_memory() ? malloc(len) : NULL;
}

static void *U_CALLCONV reallocate(const void *context, void *memory, size_t len)
{
    (void)context;
    return has_icu_memory() ? realloc(memory, len) : NULL;
}

static void U_CALLCONV release(const void *context, void *memory)
{
    (void)context;
    free(memory);
}

/* A name is refused, never written otherwise than with memory; what is shown is safe even so. */
TEST(refuses_names_without_memory, "refuses names without memory")
{
    static const char name[] = /* with a character that only ICU maps, U+095C, and longer than what
                                  ICU has on its stack */
        "\u0915\u094D\u095C\u0937\u0928\u093E\u092E\u0939\u0927\u092F\u0930\u0932\u0935\u0938"
        "\u0915\u0916\u0917\u0918\u0919\u091A\u091B\u091C\u091D\u091E\u091F\u0920\u0921\u0922"
        "\u0923\u0924\u0925.example";
    char dst[XN_IDNA_TEXT_MAX], again[XN_IDNA_TEXT_MAX], shown[XN_IDNA_DISPLAY_MAX];
    size_t len, shown_len;
    struct xn_findings findings, others;

    assert_int_equal(xn_idna_to_ascii(unicode, name, strlen(name), again, &len, &findings), XN_OK);
    assert_int_equal(findings.reasons, 0);
    for (unsigned times = 1; times <= 8; times++) {
        allowed = times;
        xn_status status = xn_idna_to_ascii(unicode, name, strlen(name), dst, &len, &findings);
        bool worse = findings.reasons != 0;
        allowed = times;
        xn_status display = xn_idna_display_text(unicode, name, strlen(name), shown, sizeof shown,
                                                 &shown_len, &others);
        allowed = UINT_MAX;
        assert_int_equal(status, XN_OK);
        assert_int_equal(display, XN_OK);
        assert_true(worse || times > 3);
        assert_string_equal(dst, worse ? "" : again);
        assert_true(is_safe(shown, shown_len));
    }
}

int main(void)
{
    UErrorCode error = U_ZERO_ERROR;

    u_setMemoryFunctions(NULL, allocate, reallocate, release, &error);
    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    int failed = run_unit();
    xn_unicode_close(unicode);
    return failed;
}
