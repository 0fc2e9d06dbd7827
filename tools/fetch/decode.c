/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/fetch/decode.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include <zstd.h>

enum {
    PIECE = 1 << 18,
    ZSTD_WINDOW_LOG = 23, /* 8 MiB, the most that HTTP allows (RFC 9659) */
    GZIP_ONLY = 16 + MAX_WBITS
};

static const char damaged[] = "its compressed data is damaged";
static const char cut_off[] = "its compressed data is cut off";
static const char stopped[] = "stopped by a signal";
static const char too_large[] = "it is too large once it is decompressed (--size-max)";

/* Returns the octets that may still be written, and makes room for them. */
static size_t room_in(struct buffer *text, size_t max)
{
    size_t room = max - text->len < PIECE ? max - text->len : PIECE;

    buffer_reserve(text, room + 1);
    return room + 1; /* one more shows that there is too much */
}

/* A file may have several members, one after the other (RFC 1952, section 2.2). */
static const char *inflate_all(z_stream *stream, struct buffer *text, size_t max,
                               const atomic_bool *stop)
{
    int result = Z_OK;

    while (result != Z_STREAM_END || stream->avail_in > 0) {
        if (atomic_load(stop))
            return stopped;
        if (result == Z_STREAM_END && inflateReset(stream) != Z_OK)
            return damaged;
        size_t room = room_in(text, max);
        stream->next_out = (Bytef *)text->data + text->len;
        stream->avail_out = (uInt)room;
        result = inflate(stream, Z_NO_FLUSH);
        text->len += room - stream->avail_out;
        if (result == Z_BUF_ERROR)
            return cut_off;
        if (result != Z_OK && result != Z_STREAM_END)
            return damaged;
        if (text->len > max)
            return too_large;
    }
    return NULL;
}

static const char *gunzip(const struct buffer *body, struct buffer *text, size_t max,
                          const atomic_bool *stop)
{
    z_stream stream = {.next_in = (Bytef *)body->data, .avail_in = (uInt)body->len};

    if (inflateInit2(&stream, GZIP_ONLY) != Z_OK)
        buffer_out_of_memory();
    const char *trouble = inflate_all(&stream, text, max, stop);
    inflateEnd(&stream);
    return trouble;
}

/* Does a frame of RFC 8878 begin here, or what is too short for any? A library may also know the
 * formats of before that RFC, which nobody sends who means well. */
static bool is_zstd_frame(const ZSTD_inBuffer *in)
{
    const uint8_t *at = (const uint8_t *)in->src + in->pos;
    uint32_t magic = 0;

    if (in->size - in->pos < 4)
        return true;
    for (unsigned i = 0; i < 4; i++)
        magic |= (uint32_t)at[i] << 8 * i;
    return magic == ZSTD_MAGICNUMBER || (magic & 0xFFFFFFF0) == 0x184D2A50; /* a skippable one */
}

static const char *unzstd_all(ZSTD_DCtx *context, const struct buffer *body, struct buffer *text,
                              size_t max, const atomic_bool *stop)
{
    ZSTD_inBuffer in = {body->data, body->len, 0};
    size_t left = 0; /* 0 at the end of a frame */
    bool is_full = false;

    while (in.pos < in.size || is_full) {
        if (atomic_load(stop))
            return stopped;
        if (left == 0 && !is_zstd_frame(&in))
            return damaged;
        ZSTD_outBuffer out = {NULL, room_in(text, max), 0};
        out.dst = text->data + text->len;
        left = ZSTD_decompressStream(context, &out, &in);
        if (ZSTD_isError(left))
            return damaged;
        text->len += out.pos;
        is_full = out.pos == out.size && left != 0;
        if (text->len > max)
            return too_large;
    }
    return left == 0 ? NULL : cut_off;
}

static const char *unzstd(const struct buffer *body, struct buffer *text, size_t max,
                          const atomic_bool *stop)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();

    if (!context ||
        ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG)))
        buffer_out_of_memory();
    const char *trouble = unzstd_all(context, body, text, max, stop);
    ZSTD_freeDCtx(context);
    return trouble;
}

const char *decode_body(const char *encoding, struct buffer *body, size_t max,
                        const atomic_bool *stop)
{
    const char *(*decode)(const struct buffer *, struct buffer *, size_t, const atomic_bool *) =
        NULL;
    struct buffer text = {0};

    if (encoding[0] == '\0' || strcasecmp(encoding, "identity") == 0)
        return NULL;
    if (strcasecmp(encoding, "gzip") == 0 || strcasecmp(encoding, "x-gzip") == 0)
        decode = gunzip;
    else if (strcasecmp(encoding, "zstd") == 0)
        decode = unzstd;
    if (!decode)
        return "it has a content encoding that was not asked for";
    if (body->len == 0)
        return cut_off;
    const char *trouble = decode(body, &text, max, stop);
    buffer_free(body);
    *body = text;
    return trouble;
}
