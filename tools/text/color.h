/* SPDX-License-Identifier: BSD-3-Clause */
/* Colors in the text that a command writes to standard output, if that is a terminal. */
#ifndef XN_TOOLS_TEXT_COLOR_H
#define XN_TOOLS_TEXT_COLOR_H

#include "tools/text/buffer.h"

#include <stdbool.h>

typedef enum { COLOR_NONE, COLOR_ERROR, COLOR_WARNING } color;

/* Decides whether the process writes colors, by a word: "always", "never", or "auto" (NULL is the
 * same), which means on a terminal, unless NO_COLOR is set and not empty (no-color.org) or TERM is
 * dumb. Returns false if the word is none of these. Without a call there are no colors. */
bool color_choose(const char *when);

/* Begin and end a stretch of text in a color; fold_width does not count them. COLOR_NONE, and all
 * if there are no colors, add nothing. */
void color_begin(struct buffer *out, color which);
void color_end(struct buffer *out, color which);

#endif
