/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of a log, back in wire format. */
#include "tests/unit/vectors.h"

#include "core/wire/wire.h"
#include "tests/unit/exact.h"
#include "tools/logs/logname.h"

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
     "b\\195\\188cher.example.", false},
    {"p\\u{430}ypal.com", "pu{430}ypal.com.", false},
    {"\xFF\xFE", "\\255\\254.", false},
};

TEST_ROWS(reads_a_name, rows, text)
{
    const struct row *row = *state;
    size_t len = strlen(row->text);
    char *text = exact_copy(row->text, len), got[XN_WIRE_TEXT_MAX + 1];
    uint8_t *wire = malloc(XN_WIRE_NAME_MAX);
    bool idn;

    size_t wire_len = logs_name_read(text, len, wire, &idn);
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

/* The longest name, and one octet more. */
TEST(reads_the_longest, "the longest name, and an octet more")
{
    char text[1100];
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = 0;
    bool idn;

    for (size_t i = 0; i < 253; i++)
        len += (size_t)sprintf(text + len, i % 64 == 63 ? "." : "\\200");
    assert_int_equal(logs_name_read(text, len, wire, &idn), 255);
    assert_int_equal(logs_name_read(text, len + (size_t)sprintf(text + len, "a"), wire, &idn), 0);
    memset(text, 'a', 64);
    assert_int_equal(logs_name_read(text, 63, wire, &idn), 65);
    assert_int_equal(logs_name_read(text, 64, wire, &idn), 0);
}

TEST_MAIN
