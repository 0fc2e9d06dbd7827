/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds lines for a terminal of 80 columns. Texts are UTF-8 without control characters, except
 * colors (tools/text/color.h). */
#ifndef XN_TOOLS_TEXT_FOLD_H
#define XN_TOOLS_TEXT_FOLD_H

#include "tools/text/buffer.h"

enum { FOLD_COLUMNS = 80 };

/* Returns the columns that a text takes: marks and colors take none, wide characters two. */
size_t fold_width(const char *text, size_t len);
/* Returns the columns of the unfinished line at the end of a buffer. */
size_t fold_column(const struct buffer *out);

void fold_indent(struct buffer *out, size_t columns);

/* Adds words to the line at the end of a buffer, and a line feed. Words that do not fit begin
 * another line, indented by `indent` columns. No word is cut. */
void fold_words(struct buffer *out, const char *text, size_t len, size_t indent);

/* Writes `line` on a line of its own in the same way, and empties it. */
void fold_line(struct buffer *out, size_t indent, struct buffer *line);

#endif
