/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/text/buffer.h"

#include "core/idna/property.h"
#include "core/text/utf16.h"
#include "core/text/utf8char.h"
#include "module/base/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){0};
}

_Noreturn void buffer_out_of_memory(void)
{
    fputs("unbound-idn: out of memory\n", stderr);
    exit(2);
}

void *buffer_zeros(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (!memory)
        buffer_out_of_memory();
    return memory;
}

__attribute__((noinline)) static void grow(struct buffer *buffer, size_t more)
{
    size_t cap = (buffer->len + more + 1) * 2;
    char *data = realloc(buffer->data, cap);

    if (!data)
        buffer_out_of_memory();
    buffer->data = data;
    buffer->cap = cap;
}

char *buffer_reserve(struct buffer *buffer, size_t more)
{
    if (!buffer->data || buffer->cap - buffer->len < more)
        grow(buffer, more);
    return buffer->data + buffer->len;
}

void buffer_add(struct buffer *buffer, const void *data, size_t len)
{
    if (len == 0)
        return;
    memcpy(buffer_reserve(buffer, len), data, len);
    buffer->len += len;
}

char *buffer_string(struct buffer *buffer)
{
    buffer_add(buffer, "", 1);
    return buffer->data;
}

void buffer_format(struct buffer *buffer, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    vsnprintf(buffer_reserve(buffer, (size_t)len + 1), (size_t)len + 1, format, again);
    buffer->len += (size_t)len;
    va_end(again);
    va_end(args);
}

/* Reads the next code point of a text and returns its length. Octets that are not UTF-8 are read
 * one at a time, with *good false. */
static size_t next_code_point(const char *text, size_t len, uint32_t *cp, bool *good)
{
    size_t octets = xn_utf8_read((const uint8_t *)text, len, cp);

    *good = octets > 0;
    if (*good)
        return octets;
    *cp = (uint8_t)*text;
    return 1;
}

/* is_safe() returns true for printable ASCII. */
static void add_safe(struct buffer *buffer, bool is_safe(uint32_t cp), const char *text, size_t len)
{
    size_t copied = 0;

    for (size_t at = 0, octets; at < len; at += octets) {
        uint32_t cp;
        bool good;

        octets = 1;
        if ((uint8_t)text[at] - 0x20u < 0x7F - 0x20)
            continue;
        octets = next_code_point(text + at, len - at, &cp, &good);
        if (good && is_safe(cp))
            continue;
        buffer_add(buffer, text + copied, at - copied);
        buffer_format(buffer, good ? "\\u{%X}" : "\\%03u", (unsigned)cp);
        copied = at + octets;
    }
    buffer_add(buffer, text + copied, len - copied);
}

void buffer_visible(struct buffer *buffer, const char *text, size_t len)
{
    add_safe(buffer, xn_unicode_is_visible, text, len);
}

void buffer_shown(struct buffer *buffer, const char *text, size_t len)
{
    add_safe(buffer, xn_unicode_is_shown, text, len);
}

size_t buffer_fitting(const char *text, size_t len, size_t max)
{
    size_t fitting = len < max ? len : max;

    while (fitting < len && fitting > 0 && max - fitting < XN_UTF8_MAX - 1 &&
           ((uint8_t)text[fitting] & 0xC0) == 0x80)
        fitting--;
    return fitting;
}

void buffer_message(struct buffer *buffer, const struct xnm_place *place, const char *message)
{
    size_t cap = strlen(place->file) + strlen(message) + 64;
    struct buffer text = {0};

    xnm_diagnostics_text(place, message, buffer_reserve(&text, cap), cap);
    buffer_visible(buffer, text.data, strlen(text.data));
    buffer_free(&text);
}

void buffer_json(struct buffer *buffer, const char *text, size_t len)
{
    buffer_text(buffer, "\"");
    for (size_t at = 0, octets; at < len; at += octets) {
        uint32_t cp;
        bool good;

        octets = next_code_point(text + at, len - at, &cp, &good);
        if (cp == '"' || cp == '\\') {
            buffer_format(buffer, "\\%c", (char)cp);
        } else if (!good || !xn_unicode_is_shown(cp)) {
            char *end = buffer_reserve(buffer, XN_UTF16_ESCAPE_MAX);
            buffer->len = (size_t)(xn_utf16_escape(good ? cp : 0xFFFD, end) - buffer->data);
        } else {
            buffer_add(buffer, text + at, octets);
        }
    }
    buffer_text(buffer, "\"");
}
