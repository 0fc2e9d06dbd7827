/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/text/fold.h"

#include "core/idna/property.h"
#include "core/text/utf8char.h"

#include <string.h>

void fold_indent(struct buffer *out, size_t columns)
{
    for (size_t i = 0; i < columns; i++)
        buffer_text(out, " ");
}

size_t fold_width(const char *text, size_t len)
{
    size_t columns = 0;

    for (size_t at = 0; at < len;) {
        uint32_t cp;
        size_t octets = xn_utf8_read((const uint8_t *)text + at, len - at, &cp);
        if (octets == 0)
            return len;
        if (cp == '\033') { /* a color */
            const char *end = memchr(text + at, 'm', len - at);
            at = end ? (size_t)(end - text) + 1 : len;
            continue;
        }
        columns += xn_unicode_is_mark(cp) ? 0 : xn_unicode_is_wide(cp) ? 2 : 1;
        at += octets;
    }
    return columns;
}

size_t fold_column(const struct buffer *out)
{
    size_t start = out->len;

    while (start > 0 && out->data[start - 1] != '\n')
        start--;
    return fold_width(out->data + start, out->len - start);
}

void fold_words(struct buffer *out, const char *text, size_t len, size_t indent)
{
    for (size_t at = 0, end; at < len; at = end + 1) {
        const char *blank = memchr(text + at, ' ', len - at);
        end = blank ? (size_t)(blank - text) : len;
        size_t column = fold_column(out);
        bool begins = column <= indent;
        if (!begins && column + 1 + fold_width(text + at, end - at) > FOLD_COLUMNS) {
            buffer_text(out, "\n");
            fold_indent(out, indent);
        } else if (at > 0) {
            buffer_text(out, " ");
        }
        buffer_add(out, text + at, end - at);
    }
    buffer_text(out, "\n");
}

void fold_line(struct buffer *out, size_t indent, struct buffer *line)
{
    fold_indent(out, indent);
    fold_words(out, line->data, line->len, indent);
    line->len = 0;
}
