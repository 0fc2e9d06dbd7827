/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that grows. If there is no memory, the command exits with status 2 after a message. */
#ifndef XN_TOOLS_TEXT_BUFFER_H
#define XN_TOOLS_TEXT_BUFFER_H

#include <stddef.h>
#include <string.h>

struct xnm_place;

struct buffer {
    char *data; /* owned; not ended by a NUL */
    size_t len, cap;
};

void buffer_free(struct buffer *buffer);

/* Reports that there is no memory, and exits with status 2. */
_Noreturn void buffer_out_of_memory(void);

/* Returns zeroed memory as calloc does. The caller owns it. */
void *buffer_zeros(size_t count, size_t size);

/* Makes room for `more` octets after the text and returns a pointer to it. The caller writes there
 * and adds the number of octets to buffer->len. */
char *buffer_reserve(struct buffer *buffer, size_t more);

void buffer_add(struct buffer *buffer, const void *data, size_t len);
static inline void buffer_text(struct buffer *buffer, const char *text)
{
    buffer_add(buffer, text, strlen(text));
}
void buffer_format(struct buffer *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds a NUL, which counts in len, and returns the text, which the buffer still owns. */
char *buffer_string(struct buffer *buffer);

/* Adds UTF-8 text so that it is safe on a terminal: with `\u{…}` for characters that are not
 * visible (core/idna/unicode.h: xn_unicode_is_visible) and `\DDD` for octets that are not UTF-8. */
void buffer_visible(struct buffer *buffer, const char *text, size_t len);

/* Does the same for names: `\u{…}` for every character outside the display set. */
void buffer_shown(struct buffer *buffer, const char *text, size_t len);

/* Returns how many octets of a text to keep for at most `max` without cutting a UTF-8 character. */
size_t buffer_fitting(const char *text, size_t len, size_t max);

/* Adds "file:line:column: message" as buffer_visible does. */
void buffer_message(struct buffer *buffer, const struct xnm_place *place, const char *message);

/* Adds UTF-8 text as a JSON string with its quotes: `\uXXXX` for controls and for every character
 * outside the display set, U+FFFD for an octet that is not UTF-8. */
void buffer_json(struct buffer *buffer, const char *text, size_t len);

#endif
