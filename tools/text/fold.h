/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines for a terminal of 80 columns. Texts are UTF-8 without control characters. */
#ifndef XN_TOOLS_TEXT_FOLD_H
#define XN_TOOLS_TEXT_FOLD_H

#include "tools/text/buffer.h"

enum { FOLD_COLUMNS = 80 };

/* Columns that a text takes: marks none, wide characters two. */
size_t fold_width(const char *text, size_t len);
/* … and that the unfinished line at the end of a buffer takes. */
size_t fold_column(const struct buffer *out);

void fold_indent(struct buffer *out, size_t columns);

/* Adds words to the line at the end of a buffer and ends it; words that find no room begin another
 * one, `indent` columns in. No word is cut. */
void fold_words(struct buffer *out, const char *text, size_t len, size_t indent);

/* The same on a line of its own, and empties `line`. */
void fold_line(struct buffer *out, size_t indent, struct buffer *line);

#endif
