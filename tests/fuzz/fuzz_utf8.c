/* SPDX-License-Identifier: BSD-3-Clause */
/* UTF-8 as ICU's macros read and write it. */
#include "tests/fuzz/target.h"

#include "core/text/utf8.h"

#include <unicode/utf8.h>

/* Whole code points, as ICU has them. Returns where the first that is none begins, or size. */
static size_t read_with_icu(const uint8_t *text, size_t size, uint32_t *cps, size_t *count)
{
    int32_t at = 0, start = 0;

    *count = 0;
    while ((size_t)at < size) {
        UChar32 cp;
        start = at;
        U8_NEXT(text, at, (int32_t)size, cp);
        if (cp < 0)
            return (size_t)start;
        cps[(*count)++] = (uint32_t)cp;
    }
    return size;
}

static void expect_as_icu(const uint8_t *text, size_t size)
{
    uint32_t *theirs = malloc((size + 1) * sizeof *theirs);
    uint32_t *ours = malloc((size + 1) * sizeof *ours);
    size_t their_count, count, bad_at = size;
    size_t good = read_with_icu(text, size, theirs, &their_count);
    xn_status status = xn_utf8_decode(text, size, ours, size, &count, &bad_at);

    expect_status(status, good == size ? XN_OK : XN_BAD_UTF8);
    assert_int_equal(bad_at, good);
    expect_octets(ours, count * sizeof *ours, theirs, their_count * sizeof *theirs);
    assert_int_equal(xn_utf8_is_valid(text, size), good == size);
    if (count > 0)
        assert_int_equal(xn_utf8_decode(text, size, ours, count - 1, &count, NULL), XN_NO_SPACE);
    free(ours);
    free(theirs);
}

/* From every octet on, and cut off at every place. */
static void expect_read_as_icu(const uint8_t *text, size_t size)
{
    for (size_t at = 0; at < size; at++)
        for (size_t left = 1; left <= XN_UTF8_MAX + 1 && left <= size - at; left++) {
            uint8_t *exact = exact_copy(text + at, left);
            int32_t len = 0;
            UChar32 theirs;
            uint32_t cp;
            size_t ours = xn_utf8_read(exact, left, &cp);

            U8_NEXT(exact, len, (int32_t)left, theirs);
            assert_int_equal(ours, theirs < 0 ? 0 : len);
            if (ours > 0)
                assert_int_equal(cp, theirs);
            free(exact);
        }
}

static size_t write_with_icu(const uint32_t *cps, size_t count, uint8_t *dst, size_t *bad_at)
{
    int32_t len = 0;

    for (*bad_at = 0; *bad_at < count; ++*bad_at) {
        UBool error = false;
        if (cps[*bad_at] <= 0x10FFFF)
            U8_APPEND(dst, len, INT32_MAX, cps[*bad_at], error);
        if (cps[*bad_at] > 0x10FFFF || error)
            break;
    }
    return (size_t)len;
}

static void expect_written_as_icu(const uint32_t *cps, size_t count)
{
    uint8_t *theirs = malloc(XN_UTF8_MAX * count + 1);
    size_t len, bad_at, their_len = write_with_icu(cps, count, theirs, &bad_at);
    xn_status want = bad_at == count          ? XN_OK
                     : cps[bad_at] > 0x10FFFF ? XN_CP_RANGE
                                              : XN_CP_SURROGATE;

    for (size_t cap = their_len; cap <= their_len + XN_UTF8_MAX; cap++) {
        uint8_t *ours = malloc(cap + 1);
        expect_status(xn_utf8_encode(cps, count, ours, cap, &len), want);
        expect_octets(ours, len, theirs, want == XN_OK ? their_len : 0);
        free(ours);
    }
    if (want == XN_OK && their_len > 0) {
        uint8_t *ours = malloc(their_len - 1);
        expect_status(xn_utf8_encode(cps, count, ours, their_len - 1, &len), XN_NO_SPACE);
        free(ours);
    }
    free(theirs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { SIZE_MAX_READ = 1024 };
    uint32_t cps[SIZE_MAX_READ];
    size_t count;

    if (size > SIZE_MAX_READ)
        return 0;
    uint8_t *text = exact_copy(data, size);
    expect_as_icu(text, size);
    expect_read_as_icu(text, size);
    read_with_icu(text, size, cps, &count);
    expect_written_as_icu(cps, count);
    if (size > 0)
        memcpy(cps, data, size / sizeof *cps * sizeof *cps);
    expect_written_as_icu(cps, size / sizeof *cps);
    free(text);
    return 0;
}
