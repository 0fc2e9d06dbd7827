/* SPDX-License-Identifier: BSD-3-Clause */
/* A-labels: valid where ICU's UTS 46 says so, and the findings are those of
 * tests/unit/icureference.h.
 */
#include "tests/fuzz/names.h"

#include "core/idna/icu.h"
#include "core/idna/label.h"
#include "core/idna/mapping.h"
#include "tests/unit/icureference.h"

struct decoded {
    xn_reasons reasons;
    uint32_t cps[XN_ULABEL_MAX];
    size_t len;
};

static void decode(const uint8_t *label, size_t len, struct decoded *decoded)
{
    decoded->reasons = xn_label_decode(target_unicode(), label, len, decoded->cps, &decoded->len);
}

/* Decoding to text gives the same result, and the text is that of the code points. */
static void expect_text(const uint8_t *label, size_t len, const struct decoded *decoded)
{
    uint8_t *text = malloc(XN_ULABEL_TEXT), expected[XN_UTF8_MAX * XN_ULABEL_MAX];
    uint32_t cps[XN_ULABEL_MAX];
    size_t cps_len, text_len, expected_len;

    assert_int_equal(
        xn_label_decode_text(target_unicode(), label, len, cps, &cps_len, text, &text_len),
        decoded->reasons);
    expect_octets(cps, cps_len * sizeof *cps, decoded->cps, decoded->len * sizeof *cps);
    assert_int_equal(
        xn_utf8_encode(decoded->cps, decoded->len, expected, sizeof expected, &expected_len),
        XN_OK);
    expect_octets(text, text_len, expected, expected_len);
    free(text);
}

static bool is_ascii(const uint8_t *label, size_t len)
{
    uint8_t all = 0;

    for (size_t i = 0; i < len; i++)
        all |= label[i];
    return all < 0x80;
}

/* Octets of a wire name that are UTF-8 would be mapped to ASCII first by ICU. */
static void expect_as_icu(const uint8_t *label, size_t len, const struct decoded *ours)
{
    assert_false(ours->reasons & xn_reason_bit(XN_EMPTY)); /* no label of a wire name is */
    if (is_ascii(label, len))
        expect_decoded_as_icu(label, len, ours->reasons, ours->cps, ours->len);
    else
        assert_int_equal(ours->reasons, xn_reason_bit(XN_PUNYCODE));
}

/* The same label as it would be written maps to the same A-label with the table and by ICU alone.
 */
static void expect_same_mapping(const struct decoded *decoded)
{
    uint8_t text[XN_UTF8_MAX * XN_ULABEL_MAX], fast[63], slow[63];
    size_t len, fast_len, slow_len;

    if (decoded->len == 0 ||
        xn_utf8_encode(decoded->cps, decoded->len, text, sizeof text, &len) != XN_OK)
        return;
    xn_reasons reasons = xn_unicode_map_label(target_unicode(), text, len, fast, &fast_len);
    slow_len = 0;
    assert_int_equal(xn_icu_map_label(target_unicode(), text, len, slow, &slow_len), reasons);
    expect_octets(fast, fast_len, slow, slow_len);
}

static void expect_label(const uint8_t *octets, size_t len)
{
    uint8_t *label = exact_copy(octets, len);
    struct decoded fast;

    decode(label, len, &fast);
    if (fast.len > 0)
        assert_int_equal(fast.reasons, icu_check(fast.cps, fast.len));
    assert_int_equal(fast.len == 0, (fast.reasons & (xn_reason_bit(XN_PUNYCODE) |
                                                     xn_reason_bit(XN_ASCII_ONLY))) != 0);
    expect_text(label, len, &fast);
    expect_as_icu(label, len, &fast);
    expect_same_mapping(&fast);
    free(label);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct xn_wire_cursor cursor;
    const uint8_t *label;
    size_t len;

    assert_int_equal(xn_wire_open(&cursor, wire, name_from(data, size, wire)), XN_OK);
    while (xn_wire_next(&cursor, &label, &len))
        if (xn_wire_has_ace_prefix(label, len))
            expect_label(label, len);
    return 0;
}
