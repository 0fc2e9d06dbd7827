/* SPDX-License-Identifier: BSD-3-Clause */
/* Wire names: which octets are one, and that its text says what it is. */
#include "tests/fuzz/target.h"

#include "core/idna/name.h"
#include "core/wire/wire.h"

/* RFC 1035, section 3.1, from the other end: labels are taken off until the root is left. */
static bool is_name(const uint8_t *wire, size_t len)
{
    size_t left = len;

    if (len > 255)
        return false;
    while (left > 1 && wire[0] >= 1 && wire[0] <= 63 && wire[0] < left) {
        left -= wire[0] + 1u;
        wire += wire[0] + 1u;
    }
    return left == 1 && wire[0] == 0;
}

static uint8_t lower(uint8_t octet)
{
    return octet >= 'A' && octet <= 'Z' ? (uint8_t)(octet - 'A' + 'a') : octet;
}

static void expect_lower(const uint8_t *text, size_t len)
{
    uint8_t *dst = malloc(len), *same = exact_copy(text, len);

    xn_wire_lower(dst, text, len);
    xn_wire_lower(same, same, len);
    for (size_t i = 0; i < len; i++) {
        assert_int_equal(dst[i], lower(text[i]));
        assert_int_equal(same[i], dst[i]);
    }
    free(same);
    free(dst);
}

/* Reads text up to a dot or its end; every octet of it must be visible ASCII. Returns the octets
 * read, and *len of the label. */
static size_t read_label(const char *text, size_t text_len, uint8_t *label, size_t *len)
{
    size_t at = 0;

    for (*len = 0; at < text_len && text[at] != '.'; ++*len) {
        assert_in_range(text[at], 0x21, 0x7E);
        assert_int_not_equal(text[at], '"');
        assert_in_range(*len, 0, 62);
        if (text[at] != '\\') {
            label[*len] = (uint8_t)text[at++];
            continue;
        }
        assert_true(text_len - at >= 4);
        unsigned value = 0;
        for (size_t digit = 1; digit <= 3; digit++) {
            assert_in_range(text[at + digit], '0', '9');
            value = 10 * value + (unsigned)(text[at + digit] - '0');
        }
        assert_in_range(value, 0, 255);
        label[*len] = (uint8_t)value;
        at += 4;
    }
    return at;
}

static void expect_text(const uint8_t *wire)
{
    struct xn_wire_cursor cursor = {wire};
    char *text = malloc(XN_WIRE_TEXT_MAX), *label_text = malloc(4 * XN_WIRE_LABEL_MAX);
    const uint8_t *label;
    size_t len = xn_wire_to_text(wire, text), label_len, at = 0;

    assert_in_range(len, 1, XN_WIRE_TEXT_MAX);
    while (xn_wire_next(&cursor, &label, &label_len)) {
        uint8_t octets[XN_WIRE_LABEL_MAX];
        size_t read_len, start = at;

        at += read_label(text + at, len - at, octets, &read_len);
        assert_int_equal(read_len, label_len);
        for (size_t i = 0; i < label_len; i++)
            assert_int_equal(octets[i], lower(label[i]));
        expect_octets(label_text, xn_wire_label_to_text(label, label_len, label_text), text + start,
                      at - start);
        assert_true(at < len && text[at] == '.');
        at++;
    }
    if (wire[0] == 0)
        assert_int_equal(text[at++], '.');
    assert_int_equal(at, len);
    free(label_text);
    free(text);
}

static void expect_walk(const uint8_t *wire, size_t len, struct xn_wire_cursor *cursor)
{
    const uint8_t *label;
    size_t label_len, at = 0, count = 0;

    while (xn_wire_next(cursor, &label, &label_len)) {
        assert_ptr_equal(label, wire + at + 1);
        assert_int_equal(label_len, wire[at]);
        assert_int_equal(xn_wire_has_ace_prefix(label, label_len),
                         label_len >= 4 && lower(label[0]) == 'x' && lower(label[1]) == 'n' &&
                             label[2] == '-' && label[3] == '-');
        at += label_len + 1;
        count++;
    }
    assert_int_equal(at + 1, len);
    assert_in_range(count, 0, XN_WIRE_LABELS_MAX);
    assert_false(xn_wire_next(cursor, &label, &label_len));
}

/* Read for the log, a name's labels are those of the wire. */
static void expect_labels(const uint8_t *wire, size_t size)
{
    struct xn_name *name = malloc(sizeof *name);
    xn_status status = xn_name_read(target_unicode(), wire, size, 0, name);
    size_t at = 0, cps = 0;

    expect_status(status, is_name(wire, size) ? XN_OK : XN_BAD_WIRE);
    for (size_t i = 0; status == XN_OK && i < name->label_count; i++) {
        const struct xn_label *label = &name->labels[i];
        assert_int_equal(label->at, at + 1);
        assert_int_equal(label->len, wire[at]);
        assert_int_equal(label->cps_at, cps);
        at += label->len + 1u;
        cps += label->cps_len;
    }
    if (status == XN_OK)
        assert_int_equal(at + 1, size);
    assert_in_range(cps, 0, XN_NAME_CODE_POINTS_MAX);
    free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct xn_wire_cursor cursor;
    uint8_t *wire = exact_copy(data, size);

    expect_status(xn_wire_open(&cursor, wire, size), is_name(wire, size) ? XN_OK : XN_BAD_WIRE);
    if (is_name(wire, size)) {
        expect_walk(wire, size, &cursor);
        expect_text(wire);
    }
    expect_labels(wire, size);
    expect_lower(wire, size);
    free(wire);
    return 0;
}
