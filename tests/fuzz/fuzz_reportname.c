/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of logs: a wire name or none, and the text of one is read as the same name. */
#include "tests/fuzz/target.h"

#include "core/wire/wire.h"
#include "tools/logs/logname.h"

static void expect_read_as(const char *octets, size_t len, const uint8_t *wire, size_t wire_len)
{
    char *text = exact_copy(octets, len);
    uint8_t *again = malloc(XN_WIRE_NAME_MAX);
    bool idn;

    expect_octets(again, logs_name_read(text, len, again, &idn), wire, wire_len);
    free(again);
    free(text);
}

/* Expects the names of a log's columns back. */
static void expect_text(const uint8_t *wire, size_t len)
{
    char *text = malloc(XN_WIRE_TEXT_MAX);
    size_t text_len = xn_wire_to_text(wire, text);
    expect_read_as(text, text_len > 1 ? text_len - 1 : text_len, wire, len);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct xn_wire_cursor cursor;
    char *text = exact_copy(data, size);
    uint8_t *wire = malloc(XN_WIRE_NAME_MAX);
    const uint8_t *label;
    size_t label_len, len;
    bool idn, found = false;

    len = logs_name_read(text, size, wire, &idn);
    if (len > 0) {
        assert_int_equal(xn_wire_open(&cursor, wire, len), XN_OK);
        while (xn_wire_next(&cursor, &label, &label_len))
            found |= xn_wire_has_ace_prefix(label, label_len);
        assert_int_equal(idn, found);
        expect_text(wire, len);
    }
    free(wire);
    free(text);
    return 0;
}
