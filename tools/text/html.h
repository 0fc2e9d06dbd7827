/* SPDX-License-Identifier: BSD-3-Clause */
/* HTML in a buffer. What stands in the page as markup is written by buffer_text and buffer_format,
 * and is ours; all else goes through html_text. */
#ifndef XN_TOOLS_TEXT_HTML_H
#define XN_TOOLS_TEXT_HTML_H

#include "tools/text/buffer.h"

/* Adds UTF-8 text as text, or as the inside of an attribute in double quotes: with references for
 * `&`, `<`, `>`, `"` and `'`; what a reader would not see, or what would move what stands beside
 * it, as buffer_shown writes it. */
void html_text(struct buffer *out, const char *text, size_t len);

/* The same for one character of a name: `\u{…}` where display would not print it. */
void html_character(struct buffer *out, uint32_t cp);

/* "1,234,567"; "12 %", "0.3 %". */
void html_number(struct buffer *out, uint64_t number);
void html_share(struct buffer *out, uint64_t part, uint64_t whole);

/* A name in wire format: label by label in Unicode as core/idna/display.h shows it, each in a
 * <bdi>, so that labels keep their order; it may be broken behind each dot. html_a_labels: the same
 * name in ASCII. */
bool html_name(struct buffer *out, const struct xn_unicode *unicode, const uint8_t *wire,
               size_t len);
void html_a_labels(struct buffer *out, const uint8_t *wire);

/* A cell with a number, and below it a bar as long as its share of the largest. */
void html_bar_cell(struct buffer *out, uint64_t number, uint64_t largest);
void html_number_cell(struct buffer *out, uint64_t number);

#endif
