/* SPDX-License-Identifier: BSD-3-Clause */
/* UTS 46 of whole names: into whatever room there is, and a name that is valid is the same name in
 * ASCII and in Unicode, back and forth, and label by label. */
#include "tests/fuzz/names.h"

#include "core/idna/label.h"

typedef xn_status converter(const struct xn_unicode *unicode, const uint8_t *name, size_t len,
                            uint8_t *dst, size_t dst_cap, size_t *dst_len, xn_reasons *reasons);

struct converted {
    uint8_t *octets; /* as many as there are */
    size_t len;
    xn_reasons reasons;
};

/* U+FDFA is mapped to eleven times its octets. */
static size_t room_for(size_t len)
{
    return 16 * len + 64;
}

/* With all the room, with just enough, and with less. */
static struct converted convert_name(converter *convert, const uint8_t *name, size_t len)
{
    struct converted converted;
    uint8_t *roomy = malloc(room_for(len));
    size_t tight_len;
    xn_reasons reasons;

    expect_status(convert(target_unicode(), name, len, roomy, room_for(len), &converted.len,
                          &converted.reasons),
                  XN_OK);
    converted.octets = malloc(converted.len + 1);
    expect_status(
        convert(target_unicode(), name, len, converted.octets, converted.len, &tight_len, &reasons),
        XN_OK);
    expect_octets(converted.octets, tight_len, roomy, converted.len);
    assert_int_equal(reasons, converted.reasons);
    if (converted.len > 0)
        expect_status(
            convert(target_unicode(), name, len, roomy, converted.len - 1, &tight_len, &reasons),
            XN_NO_SPACE);
    assert_true(xn_utf8_is_valid(converted.octets, converted.len));
    free(roomy);
    return converted;
}

static void expect_converted(converter *convert, const struct converted *from,
                             const struct converted *want)
{
    struct converted got = convert_name(convert, from->octets, from->len);

    assert_int_equal(got.reasons, 0);
    expect_octets(got.octets, got.len, want->octets, want->len);
    free(got.octets);
}

/* But for what ICU takes and UTS 46 does not any more: see tests/fuzz/fuzz_label.c. */
static void expect_labels(const struct converted *ascii)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t count;

    for (size_t at = 0, end; at < ascii->len; at = end + 1) {
        for (end = at; end < ascii->len && ascii->octets[end] != '.'; end++)
            assert_true(ascii->octets[end] < 0x80);
        assert_in_range(end - at, 1, XN_WIRE_LABEL_MAX);
        if (!xn_wire_has_ace_prefix(ascii->octets + at, end - at))
            continue;
        xn_reasons reasons =
            xn_label_decode(target_unicode(), ascii->octets + at, end - at, cps, &count);
        assert_int_equal(reasons & XN_INVALID_REASONS & ~xn_reason_bit(XN_ASCII_ONLY), 0);
    }
}

static void expect_name(const uint8_t *name, size_t len)
{
    struct converted ascii = convert_name(xn_unicode_to_ascii, name, len);
    struct converted unicode = convert_name(xn_unicode_to_unicode, name, len);

    if (ascii.reasons == 0) {
        assert_int_equal(unicode.reasons, 0);
        expect_labels(&ascii);
        expect_converted(xn_unicode_to_ascii, &ascii, &ascii);
        expect_converted(xn_unicode_to_ascii, &unicode, &ascii);
        expect_converted(xn_unicode_to_unicode, &ascii, &unicode);
        expect_converted(xn_unicode_to_unicode, &unicode, &unicode);
    }
    free(unicode.octets);
    free(ascii.octets);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t dst[1], *name = exact_copy(data, size);
    xn_reasons reasons;
    size_t len;

    if (xn_utf8_is_valid(name, size))
        expect_name(name, size);
    else
        expect_status(
            xn_unicode_to_ascii(target_unicode(), name, size, dst, sizeof dst, &len, &reasons),
            XN_BAD_UTF8);
    free(name);
    return 0;
}
