/* SPDX-License-Identifier: BSD-3-Clause */
/* UTS 46 of whole names: into whatever room there is, and a name that is valid is the same name in
 * ASCII and in Unicode, back and forth, and label by label. */
#include "tests/fuzz/names.h"

#include "core/idna/label.h"
#include "core/idna/uts46.h"

typedef xn_status converter(const struct xn_unicode *unicode, const char *name, size_t len,
                            int flags, char *dst, size_t dst_cap, size_t *dst_len,
                            xn_reasons *reasons);

struct converted {
    char *text; /* as much as there is, and a NUL */
    size_t len;
    xn_reasons reasons;
};

/* U+FDFA is mapped to eleven times its octets. */
static size_t room_for(size_t len)
{
    return 16 * len + 64;
}

/* Converts with ample room, with exactly enough, and with less. */
static struct converted convert_name(converter *convert, const char *name, size_t len, int flags)
{
    struct converted converted;
    char *roomy = malloc(room_for(len));
    size_t tight_len;
    xn_reasons reasons;

    expect_status(convert(target_unicode(), name, len, flags, roomy, room_for(len), &converted.len,
                          &converted.reasons),
                  XN_OK);
    converted.text = malloc(converted.len + 1);
    expect_status(convert(target_unicode(), name, len, flags, converted.text, converted.len + 1,
                          &tight_len, &reasons),
                  XN_OK);
    expect_octets((uint8_t *)converted.text, tight_len + 1, (uint8_t *)roomy, converted.len + 1);
    assert_int_equal(converted.text[converted.len], 0);
    assert_int_equal(reasons, converted.reasons);
    expect_status(
        convert(target_unicode(), name, len, flags, roomy, converted.len, &tight_len, &reasons),
        XN_NO_SPACE);
    assert_true(xn_utf8_is_valid((uint8_t *)converted.text, converted.len));
    free(roomy);
    return converted;
}

static void expect_converted(converter *convert, const struct converted *from,
                             const struct converted *want)
{
    struct converted got = convert_name(convert, from->text, from->len, XN_UTS46_STRICT);

    assert_int_equal(got.reasons, 0);
    expect_octets((uint8_t *)got.text, got.len, (uint8_t *)want->text, want->len);
    free(got.text);
}

/* ICU agrees, except about what UTS 46 no longer takes: see tests/fuzz/fuzz_label.c. */
static void expect_labels(const struct converted *ascii)
{
    const uint8_t *octets = (const uint8_t *)ascii->text;
    uint32_t cps[XN_ULABEL_MAX];
    size_t count;

    for (size_t at = 0, end; at < ascii->len; at = end + 1) {
        for (end = at; end < ascii->len && octets[end] != '.'; end++)
            assert_true(octets[end] < 0x80);
        assert_in_range(end - at, 1, XN_WIRE_LABEL_MAX);
        if (!xn_wire_has_ace_prefix(octets + at, end - at))
            continue;
        xn_reasons reasons = xn_label_decode(target_unicode(), octets + at, end - at, cps, &count);
        assert_int_equal(reasons & XN_INVALID_REASONS & ~xn_reason_bit(XN_ASCII_ONLY), 0);
    }
}

/* Fewer tests find nothing more. If they find nothing, the result is the same. */
static void expect_flags(const char *name, size_t len, const struct converted *strict)
{
    int flags = len > 0 ? name[len - 1] & 31 : 0; /* all but transitional */
    struct converted other = convert_name(xn_uts46_to_ascii, name, len, flags);

    if (flags & XN_UTS46_STD3)
        assert_int_equal(other.reasons & ~strict->reasons, 0);
    if (strict->reasons == 0) {
        assert_int_equal(other.reasons, 0);
        expect_octets((uint8_t *)other.text, other.len, (uint8_t *)strict->text, strict->len);
    }
    free(other.text);
}

static void expect_name(const char *name, size_t len)
{
    struct converted ascii = convert_name(xn_uts46_to_ascii, name, len, XN_UTS46_STRICT);
    struct converted unicode = convert_name(xn_uts46_to_unicode, name, len, XN_UTS46_STRICT);

    if (ascii.reasons == 0) {
        assert_int_equal(unicode.reasons, 0);
        expect_labels(&ascii);
        expect_converted(xn_uts46_to_ascii, &ascii, &ascii);
        expect_converted(xn_uts46_to_ascii, &unicode, &ascii);
        expect_converted(xn_uts46_to_unicode, &ascii, &unicode);
        expect_converted(xn_uts46_to_unicode, &unicode, &unicode);
    }
    expect_flags(name, len, &ascii);
    free(unicode.text);
    free(ascii.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char dst[1], *name = exact_copy(data, size);
    xn_reasons reasons;
    size_t len;

    if (xn_utf8_is_valid(data, size))
        expect_name(name, size);
    else
        expect_status(xn_uts46_to_ascii(target_unicode(), name, size, XN_UTS46_STRICT, dst,
                                        sizeof dst, &len, &reasons),
                      XN_BAD_UTF8);
    free(name);
    return 0;
}
