/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes HTML to a buffer. buffer_text and buffer_format write our own markup only; all other text
 * goes through html_text. */
#ifndef XN_TOOLS_TEXT_HTML_H
#define XN_TOOLS_TEXT_HTML_H

#include "core/idna/finding.h"
#include "tools/text/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xn_unicode;

/* Adds UTF-8 text as text, or as the value of an attribute in double quotes: with references for
 * `&`, `<`, `>`, `"` and `'`, and escaped as buffer_shown does. */
void html_text(struct buffer *out, const char *text, size_t len);

/* Add a number as "1,234,567", and a share as "12 %" or "0.3 %". */
void html_number(struct buffer *out, uint64_t number);
void html_share(struct buffer *out, uint64_t part, uint64_t whole);

/* html_name adds a name in wire format as core/names/display.h shows it, with each label in a
 * <bdi>, so that labels keep their order, and a possible line break after each dot. A-labels have
 * `reasons` beside their own: with that of XN_LOOKALIKE, letters that are not ASCII are shown as
 * numbers. Returns whether that differs from the ASCII form, which html_a_labels adds. */
bool html_name(struct buffer *out, const struct xn_unicode *unicode, const uint8_t *wire,
               size_t len, xn_reasons reasons);
void html_a_labels(struct buffer *out, const uint8_t *wire);

/* Add a table cell with a number; html_bar_cell adds a bar below it, as long as the number's share
 * of the largest. */
void html_bar_cell(struct buffer *out, uint64_t number, uint64_t largest);
void html_number_cell(struct buffer *out, uint64_t number);

#endif
