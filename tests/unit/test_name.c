/* SPDX-License-Identifier: BSD-3-Clause */
/* label, name and display: what is found in wire names, and how they are shown. */
#include "tests/unit/vectors.h"

#include "core/idna/label.h"
#include "core/names/display.h"
#include "core/punycode/punycode.h"
#include "core/text/utf8.h"
#include "tests/unit/exact.h"
#include "tests/unit/wirenames.h"

static struct xn_unicode *unicode;

/* xn_name borrows the wire name: the caller frees name->wire. */
static void read_name(const char *dotted, xn_reasons ignored, struct xn_name *name)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = wire_of(dotted, wire);

    assert_int_equal(xn_name_read(unicode, exact_copy(wire, len), len, ignored, name), XN_OK);
}

static void free_name(struct xn_name *name)
{
    free((void *)(uintptr_t)name->wire);
}

static void expect_shown(const struct xn_name *name, const char *expected)
{
    char *text = malloc(XN_DISPLAY_NAME_MAX);
    size_t len = xn_display_name(name, text);

    assert_int_equal(len, strlen(expected));
    assert_memory_equal(text, expected, len);
    free(text);
}

static void findings_text(xn_reasons reasons, char *dst, size_t cap)
{
    size_t len = 0;

    if (reasons == 0)
        snprintf(dst, cap, "-");
    for (xn_reason reason = 0; reason < XN_REASON_COUNT; reason++) {
        if (!(reasons & xn_reason_bit(reason)))
            continue;
        const char *before = len == 0 ? xn_label_status_word(xn_reasons_status(reasons)) : "";
        len += (size_t)snprintf(dst + len, cap - len, "%s%s%s", before, len == 0 ? ":" : ",",
                                xn_reason_word(reason));
    }
}

/* The same by the text that the log has made already, of which no octet may be an escape. */
static void expect_shown_by_text(const struct xn_name *name, const char *expected)
{
    char wire_text[XN_WIRE_TEXT_MAX], text[XN_DISPLAY_NAME_MAX] = "";
    size_t len = xn_wire_to_text(name->wire, wire_text);

    if (name->label_count == 0 || len != xn_display_text_len(name))
        return;
    char *exact = exact_copy(wire_text, len);
    assert_int_equal(xn_display_name_by_text(name, exact, text), strlen(expected));
    assert_memory_equal(text, expected, strlen(expected));
    assert_int_equal(xn_display_differs(name), strncmp(exact, expected, len - 1) != 0);
    free(exact);
}

static void test_label(void **state)
{
    const struct vector *row = *state;
    struct xn_name name;
    char findings[256];

    read_name(row->fields[0], 0, &name);
    assert_int_equal(name.label_count, 1);
    assert_int_equal(name.ace_count, 1);
    findings_text(name.labels[0].reasons, findings, sizeof findings);
    assert_string_equal(findings, row->fields[1]);
    assert_int_equal(name.reasons, name.labels[0].reasons);
    expect_shown(&name, row->fields[2]);
    assert_int_equal(xn_display_differs(&name), strncmp(row->fields[1], "invalid", 7) != 0);
    free_name(&name);
}

/* --- whole names --- */

struct shown {
    const char *dotted, *shown;
    xn_reasons ignored;
};

static struct shown shown_names[] = {
    {"", ".", 0},
    {"example", "example", 0},
    {"WWW.Example", "www.example", 0},
    {"www.xn--bcher-kva.example", "www.bücher.example", 0},
    {"_dmarc.xn--bcher-kva.example", "_dmarc.bücher.example", 0},
    {"r3---sn-4g5e6nzl.googlevideo.com", "r3---sn-4g5e6nzl.googlevideo.com", 0},
    {"-foo.ab--c.example", "-foo.ab--c.example", 0},
    {"*.xn--r8jz45g.jp", "*.例え.jp", 0},
    {"xn--31m-dda.xn--bcher-kva", "xn--31m-dda.bücher", 0},
    {"xn--pypal-4ve.xn--bcher-kva", "p\\u{430}ypal.bücher", 0},
    {"xn--e28h.la", "\\u{1F600}.la", 0},
    {"xn--e28h.la", "😀.la", 1 << XN_EMOJI},
    {"xn--6ii.la", "\\u{2800}.la", 1 << XN_EMOJI}, /* blank: not an emoji */
    {"xn--4dbcd.example", "אבג.example", 0},
    /* All letters look like ASCII: shown where the TLD or its country is of their script. */
    {"xn--80ak6aa92e.com", "\\u{430}\\u{440}\\u{440}\\u{4CF}\\u{435}.com", 0},
    {"xn--80ak6aa92e.example", "\\u{430}\\u{440}\\u{440}\\u{4CF}\\u{435}.example", 0},
    {"xn--80ak6aa92e.gr", "\\u{430}\\u{440}\\u{440}\\u{4CF}\\u{435}.gr", 0},
    {"xn--80ak6aa92e.RU", "аррӏе.ru", 0},
    {"xn--80ak6aa92e.xn--80ak6aa92e.su", "аррӏе.аррӏе.su", 0},
    {"xn--80ak6aa92e.eu", "аррӏе.eu", 0},
    {"xn--80ak6aa92e.XN--P1AI", "аррӏе.рф", 0},
    {"www.xn--80ak6aa92e.xn--p1acf", "www.аррӏе.рус", 0},
    {"xn--80ak6aa92e.xn--qxam", "\\u{430}\\u{440}\\u{440}\\u{4CF}\\u{435}.ελ", 0},
    {"xn--80ak6aa92e.xn--bcher-kva", "\\u{430}\\u{440}\\u{440}\\u{4CF}\\u{435}.bücher", 0},
    {"xn--80ak6aa92e", "аррӏе", 0}, /* the TLD itself */
    {"xn--80ak6aa92e.com", "аррӏе.com", 1 << XN_WHOLESCRIPT},
    {"xn--d4be.com", "\\u{966}\\u{968}.com", 0}, /* digits alone, too */
    {"xn--d4be.ru", "\\u{966}\\u{968}.ru", 0},
    {"xn--yucg.com", "\\u{CE6}\\u{CE9}.com", 0},
    {"xn--yucg.in", "೦೩.in", 0},
    {"xn----s6db.com", "\\u{9E7}-\\u{9E6}.com", 0},
    {"xn----s6db.bd", "১-০.bd", 0},
    {"xn--embcd.com", "\\u{6F1}\\u{6F2}\\u{6F3}.com", 0},
    {"xn--embcd.ir", "۱۲۳.ir", 0},
    {"xn--d4be.in", "०२.in", 0},
    {"xn--d4be.NP", "०२.np", 0},
    {"xn--d4be.xn--h2brj9c", "०२.भारत", 0},
    {"xn--d4be", "०२", 0},
    {"xn--2-gzd.in", "\\u{966}2.in", 0},   /* of two kinds: nowhere */
    {"xn--e1afmkfd.com", "пример.com", 0}, /* one letter unlike ASCII is enough */
    {"xn--07baub.com", "\\u{9E6}\\u{9ED}\\u{9E6}\\u{9ED}.com", 0},
    {"xn--e1ari3f61c.net", "\\u{455}\\u{441}\\u{43E}\\u{517}\\u{435}.net", 0},
    {"xn--mbbkpm.am", "ոսւօ.am", 0},
    {"xn--mbbkpm.ru", "\\u{578}\\u{57D}\\u{582}\\u{585}.ru", 0},
    {"a b.\"q\\.\x01\xFF", "a\\032b.\\034q\\092.\\001\\255", 0},
};

TEST_ROWS(test_shown, shown_names, shown)
{
    const struct shown *row = *state;
    struct xn_name name;

    read_name(row->dotted, row->ignored, &name);
    expect_shown(&name, row->shown);
    expect_shown_by_text(&name, row->shown);
    free_name(&name);
}

TEST(test_findings_of_labels, "findings label by label")
{
    struct xn_name name;

    read_name("www.xn--31m-dda.xn--bcher-kva.XN--PYPAL-4VE.example", 0, &name);
    assert_int_equal(name.label_count, 5);
    assert_int_equal(name.ace_count, 3);
    assert_int_equal(name.labels[0].reasons, 0);
    assert_false(name.labels[0].ace);
    assert_int_equal(name.labels[1].reasons, xn_reason_bit(XN_DISALLOWED));
    assert_int_equal(name.labels[2].reasons, 0);
    assert_true(name.labels[2].ace);
    assert_int_equal(name.labels[2].cps_len, 6);
    assert_int_equal(name.code_points[name.labels[2].cps_at + 1], 0xFC);
    assert_int_equal(name.labels[3].reasons, xn_reason_bit(XN_SCRIPT_MIX));
    assert_int_equal(name.reasons, xn_reason_bit(XN_DISALLOWED) | xn_reason_bit(XN_SCRIPT_MIX));
    assert_int_equal(xn_reasons_status(name.reasons), XN_LABEL_INVALID);
    free_name(&name);
}

TEST(test_bad_wire, "no whole wire name, and octets behind one")
{
    const uint8_t truncated[] = {3, 'x', 'n'}, longer[] = {1, 'a', 0, 0};
    const uint8_t octets_256[256] = {[0] = 63, [64] = 63, [128] = 63, [192] = 62};
    struct xn_name name;

    assert_int_equal(xn_name_read(unicode, truncated, 0, 0, &name), XN_BAD_WIRE);
    assert_int_equal(xn_name_read(unicode, truncated, sizeof truncated, 0, &name), XN_BAD_WIRE);
    assert_int_equal(xn_name_read(unicode, longer, sizeof longer, 0, &name), XN_BAD_WIRE);
    assert_int_equal(xn_name_read(unicode, octets_256, sizeof octets_256, 0, &name), XN_BAD_WIRE);
}

/* --- the largest --- */

/* Makes an A-label of exactly `octets` octets by repeating cp. Returns the number of code points.
 */
static size_t largest_alabel(uint32_t cp, size_t octets, uint8_t *label)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t len, count;

    memcpy(label, "xn--", 4);
    for (count = 0; count < XN_ULABEL_MAX; count++) {
        cps[count] = cp;
        if (xn_punycode_encode(cps, count + 1, label + 4, octets - 4, &len) == XN_OK &&
            len == octets - 4)
            return count + 1;
    }
    fail_msg("no A-label of %zu octets", octets);
    return 0;
}

/* Four labels that fill a name, of the code points that UTF-8 and the escapes make most of. */
TEST(test_largest, "the largest names")
{
    static const uint32_t cps[] = {0xFC, 0x4E00, 0x10000, 0x1F600, 0x10FFFF};
    static const uint8_t sizes[] = {63, 63, 63, 61};

    for (size_t i = 0; i < sizeof cps / sizeof *cps; i++) {
        uint8_t wire[XN_WIRE_NAME_MAX];
        size_t len = 0, count = 0;
        struct xn_name name;
        char *text = malloc(XN_DISPLAY_NAME_MAX);

        for (size_t j = 0; j < 4; j++) {
            wire[len] = sizes[j];
            count += largest_alabel(cps[i], sizes[j], wire + len + 1);
            len += (size_t)sizes[j] + 1;
        }
        wire[len++] = 0;
        assert_int_equal(len, XN_WIRE_NAME_MAX);
        assert_int_equal(xn_name_read(unicode, wire, len, 0, &name), XN_OK);
        assert_int_equal(name.labels[3].cps_at + name.labels[3].cps_len, count);
        assert_true(xn_display_name(&name, text) <= XN_DISPLAY_NAME_MAX);
        free(text);
    }
}

/* Any payload: 59 octets of the digit that decodes to the most code points. */
TEST(test_most_code_points, "the most code points a label holds")
{
    uint8_t label[XN_WIRE_LABEL_MAX];
    uint32_t cps[XN_ULABEL_MAX];
    size_t len;

    memset(label, 'a', sizeof label);
    memcpy(label, "xn--", 4);
    xn_reasons reasons = xn_label_decode(unicode, label, sizeof label, cps, &len);
    assert_int_equal(len, XN_ULABEL_MAX);
    assert_int_equal(reasons, xn_reason_bit(XN_DISALLOWED)); /* U+0080 */
}

BEFORE_MAIN(labels)
{
    add_vectors("tests/vectors/labels.tsv", "label", test_label);
}

TEST_MAIN_WITH_UNICODE(unicode)
