/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of a log, back in wire format; and that what the module writes comes back as it was. */
#include "tests/unit/vectors.h"

#include "core/names/display.h"
#include "tests/unit/exact.h"
#include "tests/unit/wirenames.h"
#include "tools/logs/name.h"

static struct xn_unicode *unicode;

/* Names as xn_wire_to_text writes them; NULL: no name. */
static const struct row {
    const char *text, *wire;
    bool idn;
} rows[] = {
    {"www.example", "www.example.", false},
    {"WWW.Example", "www.example.", false},
    {"www.example.", NULL, false},
    {".", ".", false},
    {"", NULL, false},
    {"..", NULL, false},
    {"a..b", NULL, false},
    {".a", NULL, false},
    {"a\\.b", "a\\046b.", false},
    {"a\\046b", "a\\046b.", false},
    {"\\000\\255", "\\000\\255.", false},
    {"\\256", "\\092256.", false},
    {"a\\", "a\\092.", false},
    {"a b<c>&\"", "a\\032b<c>&\\034.", false},
    {"XN--BCHER-KVA.example", "xn--bcher-kva.example.", true},
    {"xn--", "xn--.", true},
    {"b\xC3\xBC"
     "cher.example",
     "xn--bcher-kva.example.", true},
    {"_dmarc.b\xC3\xBC"
     "cher.example",
     "_dmarc.xn--bcher-kva.example.", true},
    {"\xE2\x81\xA8\xD7\xA9\xD7\x9C\xE2\x81\xA9.example", "xn--hebz.example.", true},
    {"\xD8\xA7\xD9\x87\\u{200C}\xD8\xA7\xDB\xB1", "xn--mgba9gv4ay78g.", true},
    {"a\\u{FFFFFF}b", NULL, false},
    {"\xFF\xFE", NULL, false},
    {"\xC3", NULL, false},
    {"\xE2\x80\xAE"
     "a",
     NULL, false},
};

static void reads_a_name(void **state)
{
    const struct row *row = *state;
    size_t len = strlen(row->text);
    char *text = exact_copy(row->text, len), got[XN_WIRE_TEXT_MAX + 1];
    uint8_t *wire = malloc(XN_WIRE_NAME_MAX);
    bool idn;

    size_t wire_len = report_name_read(unicode, text, len, wire, &idn);
    assert_int_equal(wire_len > 0, row->wire != NULL);
    if (wire_len > 0) {
        struct xn_wire_cursor cursor;
        assert_int_equal(xn_wire_open(&cursor, wire, wire_len), XN_OK);
        got[xn_wire_to_text(wire, got)] = '\0';
        assert_string_equal(got, row->wire);
        assert_int_equal(idn, row->idn);
    }
    free(wire);
    free(text);
}

/* Any octets: a wire name, or none. */
static void reads_anything(void **state)
{
    uint64_t seed = 4;
    uint8_t *wire = malloc(XN_WIRE_NAME_MAX);
    unsigned names = 0;

    (void)state;
    for (unsigned round = 0; round < 100000; round++) {
        size_t len = below(&seed, round % 10 == 0 ? 1200 : 60);
        char *text = malloc(len);
        struct xn_wire_cursor cursor;
        bool idn;

        for (size_t i = 0; i < len; i++)
            text[i] = round & 1 ? (char)below(&seed, 256)
                                : "ab.-\\u{20c}1xn\xE2\x81\xA8\xA9\xC3\xBC"[below(&seed, 21)];
        size_t wire_len = report_name_read(unicode, text, len, wire, &idn);
        if (wire_len > 0) {
            names++;
            assert_int_equal(xn_wire_open(&cursor, wire, wire_len), XN_OK);
        }
        free(text);
    }
    assert_true(names > 1000);
    free(wire);
}

/* Reads back each name that the module writes into the column for names. */
static void reads_what_is_written(void **state)
{
    static const char *const names[] = {"xn--bcher-kva.example", "_x.xn--mgba9gv4ay78g",
                                        "xn--hebz.xn--4dbrk0ce", "a b.\"\\.example",
                                        "xn--p1ai.xn--p1ai"};
    const int forms[] = {0, XN_DISPLAY_ISOLATES};

    (void)state;
    for (size_t i = 0; i < COUNT(names) * COUNT(forms); i++) {
        uint8_t wire[XN_WIRE_NAME_MAX], again[XN_WIRE_NAME_MAX];
        char text[XN_DISPLAY_NAME_MAX];
        size_t len = wire_of(names[i / COUNT(forms)], wire);
        struct xn_name name;
        bool idn;

        assert_int_equal(xn_name_read(unicode, wire, len, 0, &name), XN_OK);
        assert_int_equal(name.reasons, 0);
        size_t text_len = xn_display_name(&name, forms[i % COUNT(forms)], text);
        assert_int_equal(report_name_read(unicode, text, text_len, again, &idn), len);
        assert_memory_equal(again, wire, len);
    }
}

/* The longest name, and one octet more. */
static void reads_the_longest(void **state)
{
    char text[1100];
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = 0;
    bool idn;

    (void)state;
    for (size_t i = 0; i < 253; i++)
        len += (size_t)sprintf(text + len, i % 64 == 63 ? "." : "\\200");
    assert_int_equal(report_name_read(unicode, text, len, wire, &idn), 255);
    assert_int_equal(
        report_name_read(unicode, text, len + (size_t)sprintf(text + len, "a"), wire, &idn), 0);
    memset(text, 'a', 64);
    assert_int_equal(report_name_read(unicode, text, 63, wire, &idn), 65);
    assert_int_equal(report_name_read(unicode, text, 64, wire, &idn), 0);
}

int main(void)
{
    struct test_group group = {0};

    assert_int_equal(xn_unicode_open(&unicode), XN_OK);
    for (size_t i = 0; i < COUNT(rows); i++)
        add_test(&group, rows[i].text[0] ? rows[i].text : "nothing", reads_a_name,
                 (void *)(uintptr_t)&rows[i]);
    add_test(&group, "any octets are a wire name, or none", reads_anything, NULL);
    add_test(&group, "what the module writes is read as the name that was asked",
             reads_what_is_written, NULL);
    add_test(&group, "the longest name, and an octet more", reads_the_longest, NULL);
    int failed = run_group("reportname", &group);
    xn_unicode_close(unicode);
    return failed;
}
