/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that grows. Without memory the command says so and ends with status 2. */
#ifndef XN_TOOLS_TEXT_BUFFER_H
#define XN_TOOLS_TEXT_BUFFER_H

#include "core/idna/unicode.h"
#include "module/base/diagnostics.h"

struct buffer {
    char *data; /* owned; not ended by a NUL */
    size_t len, cap;
};

void buffer_free(struct buffer *buffer);

/* Says that there is no memory, and ends the command. */
_Noreturn void buffer_out_of_memory(void);

/* Memory as calloc's, owned by the caller. */
void *buffer_zeros(size_t count, size_t size);

/* Makes room for `more` octets behind the text and returns the place; the caller adds what it
 * writes there to buffer->len. */
char *buffer_reserve(struct buffer *buffer, size_t more);

void buffer_add(struct buffer *buffer, const void *data, size_t len);
void buffer_text(struct buffer *buffer, const char *text);
void buffer_format(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the text with a NUL, which counts, and returns it: the buffer's. */
char *buffer_string(struct buffer *buffer);

/* Adds UTF-8 text so that a terminal shows it and does nothing else: `\u{…}` for what draws nothing
 * (core/idna/unicode.h: xn_unicode_is_visible), `\DDD` for octets that are no UTF-8. */
void buffer_visible(struct buffer *buffer, const char *text, size_t len);

/* The same for names: `\u{…}` for all that the display set does not hold. */
void buffer_shown(struct buffer *buffer, const char *text, size_t len);

/* Octets of a text that are `max` at most, and of UTF-8 whole characters. */
size_t buffer_fitting(const char *text, size_t len, size_t max);

/* Adds "file:line:column: message" as buffer_visible does. */
void buffer_message(struct buffer *buffer, const struct xnm_place *place, const char *message);

/* Adds "U+0062 U+00FC": the code points of UTF-8 text, U+FFFD for an octet that is none. */
void buffer_code_points(struct buffer *buffer, const char *text, size_t len);

/* Adds UTF-8 text as a JSON string with its quotes: `\uXXXX` for controls and for all that the
 * display set does not hold, U+FFFD for an octet that is no UTF-8. */
void buffer_json(struct buffer *buffer, const char *text, size_t len);

/* Adds reasons as a JSON array of their words. */
void buffer_reasons(struct buffer *buffer, xn_reasons reasons);

#endif
