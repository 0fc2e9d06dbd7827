/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of HTTP answers with a content encoding, as lists are fetched. The first octet says which
 * encoding, the second how much may come out. What comes out is what the libraries' other calls
 * say, is refused with an octet less of room and when it is to stop, and no part of the body passes
 * for all of it. */
#include "tests/fuzz/target.h"

#include "tools/fetch/decode.h"

#include <zlib.h>
#include <zstd.h>

static const char *const encodings[] = {"gzip", "zstd", "x-gzip", "ZSTD", "identity", "", "br"};
enum { ENCODINGS = sizeof encodings / sizeof *encodings, SMALL = 1 << 12, LARGE = 1 << 20 };

static atomic_bool stop;

static bool is_gzip(const char *encoding)
{
    return strstr(encoding, "gzip") != NULL;
}

static bool is_zstd(const char *encoding)
{
    return strcasecmp(encoding, "zstd") == 0;
}

/* NULL: *text, which is to be freed, is what the octets stand for. */
static const char *decoded(const char *encoding, const uint8_t *data, size_t size, size_t max,
                           struct buffer *text)
{
    *text = (struct buffer){.data = exact_copy(data, size), .len = size, .cap = size};
    const char *trouble = decode_body(encoding, text, max, &stop);
    if (trouble)
        assert_true(strlen(trouble) > 0);
    else
        assert_true(text->len <= max || !(is_gzip(encoding) || is_zstd(encoding)));
    return trouble;
}

/* The octets, of one member or frame, stand for this text. */
static void expect_gunzipped(const uint8_t *data, size_t size, const struct buffer *text)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)data, .avail_in = (uInt)size};
    uint8_t *made = malloc(text->len + 1);

    assert_int_equal(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
    stream.next_out = made;
    stream.avail_out = (uInt)text->len + 1;
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_true(stream.total_out <= text->len);
    if (stream.avail_in == 0)
        assert_int_equal(stream.total_out, text->len);
    assert_memory_equal(made, text->len > 0 ? text->data : "", stream.total_out);
    inflateEnd(&stream);
    free(made);
}

/* All frames in one call. */
static void expect_unzstded(const uint8_t *data, size_t size, const struct buffer *text)
{
    uint8_t *made = malloc(text->len + 1);
    size_t len = ZSTD_decompress(made, text->len + 1, data, size);

    assert_false(ZSTD_isError(len));
    expect_octets(made, len, text->data, text->len);
    free(made);
}

static void expect_refused(const char *encoding, const uint8_t *data, size_t size, size_t max)
{
    struct buffer text;

    assert_non_null(decoded(encoding, data, size, max, &text));
    buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *encoding = encodings[take_octet(&data, &size) % ENCODINGS];
    uint8_t how = take_octet(&data, &size);
    size_t max = how < 128 ? LARGE : SMALL + how;
    struct buffer text;

    bool good = !decoded(encoding, data, size, max, &text);
    if (good && is_gzip(encoding))
        expect_gunzipped(data, size, &text);
    else if (good && is_zstd(encoding))
        expect_unzstded(data, size, &text);
    else if (good)
        expect_octets(text.data, text.len, data, size);
    if (good && (is_gzip(encoding) || is_zstd(encoding))) {
        expect_refused(encoding, data, size - 1, max);
        if (text.len > 0)
            expect_refused(encoding, data, size, text.len - 1);
        stop = true;
        expect_refused(encoding, data, size, max);
        stop = false;
    }
    buffer_free(&text);
    return 0;
}
