/* SPDX-License-Identifier: BSD-3-Clause */
/* Punycode both ways: the fast codec, the plain one that traces, and RFC 3492's own
 * pseudo code agree, and what one way made comes back by the other. XN_CPU=generic in the
 * environment: of the variant that every processor has. */
#include "tests/fuzz/target.h"

#include "core/punycode/punylabel.h"
#include "core/punycode/trace.h"
#include "core/text/utf8.h"
#include "tests/bench/rfc3492.h"

enum { LEN_MAX = 300, ROOM = 8 * LEN_MAX };

/* --- decoding --- */

static void expect_fast_decoding(const uint8_t *src, size_t len, xn_status status,
                                 const uint32_t *cps, size_t count)
{
    uint32_t *fast = malloc((len + 1) * sizeof *fast);
    size_t fast_count;

    if (len <= XN_PUNYLABEL_MAX && xn_punylabel_decode(src, len, fast, &fast_count)) {
        assert_int_equal(status, XN_OK);
        expect_octets(fast, fast_count * sizeof *fast, cps, count * sizeof *cps);
    }
    free(fast);
}

static void expect_rfc_decoding(const uint8_t *src, size_t len, xn_status status,
                                const uint32_t *cps, size_t count)
{
    uint32_t theirs[LEN_MAX + 1];
    size_t their_count;

    assert_int_equal(rfc3492_decode(src, len, theirs, LEN_MAX, &their_count), status == XN_OK);
    if (status == XN_OK)
        expect_octets(theirs, their_count * sizeof *theirs, cps, count * sizeof *cps);
}

/* The trace tells as many insertions as there are, and whose digits are side by side. */
static void expect_traced_decoding(const uint8_t *src, size_t len, xn_status status,
                                   const uint32_t *cps, size_t count)
{
    uint32_t traced[LEN_MAX + 1];
    struct xn_punycode_step steps[LEN_MAX + 1];
    struct xn_punycode_notes notes = {.steps = steps};
    size_t traced_count, inserted = 0;

    expect_status(xn_punycode_decode_traced(src, len, traced, LEN_MAX, &traced_count, &notes),
                  status);
    expect_octets(traced, traced_count * sizeof *traced, cps, count * sizeof *cps);
    for (size_t i = 0; i < count; i++)
        inserted += cps[i] >= 0x80;
    if (status == XN_OK)
        assert_int_equal(notes.step_count, inserted);
    for (size_t i = 0; i < notes.step_count; i++) {
        size_t end = steps[i].digits_at + steps[i].digits_len;
        assert_in_range(end, 1, len);
        assert_in_range(steps[i].index, 0, len);
        if (i + 1 < notes.step_count)
            assert_int_equal(steps[i + 1].digits_at, end);
    }
}

static bool same_but_case(const uint8_t *a, const uint8_t *b, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (a[i] != b[i] && ((a[i] ^ b[i]) != 0x20 || (uint8_t)((a[i] | 0x20) - 'a') > 25))
            return false;
    return true;
}

/* A string has one Punycode but for case. */
static void expect_encoded_again(const uint8_t *src, size_t len, const uint32_t *cps, size_t count)
{
    uint8_t again[LEN_MAX + 1];
    size_t again_len;

    assert_int_equal(xn_punycode_encode(cps, count, again, LEN_MAX, &again_len), XN_OK);
    assert_int_equal(again_len, len);
    assert_true(same_but_case(again, src, len));
}

static void decode(const uint8_t *octets, size_t len)
{
    uint8_t *src = exact_copy(octets, len);
    uint32_t *cps = malloc((len + 1) * sizeof *cps);
    size_t count;
    xn_status status = xn_punycode_decode(src, len, cps, len, &count);

    assert_int_not_equal(status, XN_NO_SPACE);
    if (status != XN_OK)
        assert_int_equal(count, 0);
    expect_fast_decoding(src, len, status, cps, count);
    expect_rfc_decoding(src, len, status, cps, count);
    expect_traced_decoding(src, len, status, cps, count);
    if (status == XN_OK)
        expect_encoded_again(src, len, cps, count);
    if (status == XN_OK && count > 0) { /* just enough room, and one element less */
        uint32_t *tight = malloc(count * sizeof *tight);
        size_t tight_count;
        assert_int_equal(xn_punycode_decode(src, len, tight, count, &tight_count), XN_OK);
        expect_octets(tight, tight_count * sizeof *tight, cps, count * sizeof *cps);
        assert_int_equal(xn_punycode_decode(src, len, tight, count - 1, &tight_count), XN_NO_SPACE);
        free(tight);
    }
    free(cps);
    free(src);
}

/* --- encoding --- */

static void expect_decoded_again(const uint8_t *octets, size_t len, const uint32_t *cps,
                                 size_t count)
{
    uint32_t again[LEN_MAX + 1];
    size_t again_count;

    assert_int_equal(xn_punycode_decode(octets, len, again, LEN_MAX, &again_count), XN_OK);
    expect_octets(again, again_count * sizeof *again, cps, count * sizeof *cps);
}

/* The fast encoder gives the same if the result fits a label; also with less room. */
static void expect_fast_encoding(const uint32_t *src, size_t count, xn_status status,
                                 const uint8_t *octets, size_t len)
{
    for (size_t cap = len > 2 ? len - 2 : 0; cap <= len + 2; cap++) {
        uint8_t *tight = malloc(cap + 1);
        size_t tight_len;
        if (count <= XN_PUNYLABEL_MAX && xn_punylabel_encode(src, count, tight, cap, &tight_len)) {
            assert_int_equal(status, XN_OK);
            expect_octets(tight, tight_len, octets, len);
        }
        xn_status tight_status = xn_punycode_encode(src, count, tight, cap, &tight_len);
        if (status == XN_OK)
            assert_int_equal(tight_status, cap < len ? XN_NO_SPACE : XN_OK);
        if (tight_status == XN_OK)
            expect_octets(tight, tight_len, octets, len);
        free(tight);
    }
}

static void encode(const uint32_t *cps, size_t count)
{
    uint32_t *src = exact_copy(cps, count * sizeof *cps);
    uint8_t octets[ROOM], others[ROOM];
    struct xn_punycode_step steps[LEN_MAX + 1];
    struct xn_punycode_notes notes = {.steps = steps};
    size_t len, other_len;
    xn_status status = xn_punycode_encode(src, count, octets, sizeof octets, &len);

    expect_status(xn_punycode_encode_traced(src, count, others, sizeof others, &other_len, &notes),
                  status);
    expect_octets(others, other_len, octets, len);
    assert_int_equal(rfc3492_encode(src, count, others, sizeof others, &other_len),
                     status == XN_OK);
    if (status == XN_OK) {
        expect_octets(others, other_len, octets, len);
        expect_decoded_again(octets, len, src, count);
    }
    expect_fast_encoding(src, count, status, octets, len);
    free(src);
}

/* Code points of UTF-8, octets that are none of it as surrogates and what is no code point. */
static size_t read_text(const uint8_t *data, size_t size, uint32_t *cps)
{
    size_t count = 0;

    for (size_t at = 0; at < size && count < LEN_MAX; count++) {
        size_t len = xn_utf8_read(data + at, size - at, &cps[count]);
        if (len == 0)
            cps[count] = data[at] < 0xC0 ? 0xD7F0u + data[at] : 0x10FF20u + data[at];
        at += len ? len : 1;
    }
    return count;
}

static size_t read_words(const uint8_t *data, size_t size, uint32_t *cps)
{
    size_t count = size / sizeof *cps;

    if (count > LEN_MAX)
        count = LEN_MAX;
    if (count > 0)
        memcpy(cps, data, count * sizeof *cps);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t cps[LEN_MAX];

    if (size > LEN_MAX)
        return 0;
    decode(data, size);
    encode(cps, read_text(data, size, cps));
    encode(cps, read_words(data, size, cps));
    return 0;
}
