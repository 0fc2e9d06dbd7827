/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/file/textline.h"

#include "core/text/utf8char.h"
#include "module/base/budget.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { MESSAGE_MAX = 1024 };

void xnm_textline_open(struct xnm_textline *line, const char *file, const char *text, size_t len,
                       const struct xnm_diagnostics *diagnostics)
{
    bool marked = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;

    *line = (struct xnm_textline){.file = file,
                                  .next = marked ? text + 3 : text,
                                  .text_end = text + len,
                                  .diagnostics = diagnostics};
}

bool xnm_textline_next(struct xnm_textline *line)
{
    if (line->next == line->text_end)
        return false;
    const char *newline = memchr(line->next, '\n', (size_t)(line->text_end - line->next));
    line->at = line->next;
    line->end = newline ? newline : line->text_end;
    line->next = newline ? newline + 1 : line->text_end;
    if (line->end > line->at && line->end[-1] == '\r')
        line->end--;
    line->number++;
    return true;
}

/* --- places and reports --- */

static unsigned column_of(const struct xnm_textline *line, const char *at)
{
    unsigned column = 1;

    for (const char *c = line->at; c < at; column++) {
        uint32_t cp;
        size_t len = xn_utf8_read((const uint8_t *)c, (size_t)(line->end - c), &cp);
        c += len > 0 ? len : 1;
    }
    return column;
}

struct xnm_place xnm_textline_place(const struct xnm_textline *line, const char *at)
{
    return (struct xnm_place){line->file, line->number, column_of(line, at)};
}

void xnm_textline_diagnose(struct xnm_textline *line, xnm_severity severity, const char *at,
                           const char *message)
{
    struct xnm_place place = xnm_textline_place(line, at);

    line->errors += severity == XNM_ERROR;
    xnm_diagnostics_add(line->diagnostics, severity, &place, "%s", message);
}

static void report(struct xnm_textline *line, xnm_severity severity, const char *at,
                   const char *format, va_list args)
{
    char message[MESSAGE_MAX];

    vsnprintf(message, sizeof message, format, args);
    xnm_textline_diagnose(line, severity, at, message);
}

void xnm_textline_error(struct xnm_textline *line, const char *at, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(line, XNM_ERROR, at, format, args);
    va_end(args);
}

void xnm_textline_no_memory(struct xnm_textline *line, const char *at)
{
    const char *why = xnm_budget_trouble();

    line->no_memory |= why == xnm_budget_no_memory;
    xnm_textline_diagnose(line, XNM_ERROR, at, why);
}

void xnm_textline_warning(struct xnm_textline *line, const char *at, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(line, XNM_WARNING, at, format, args);
    va_end(args);
}

bool xnm_textline_goes_on(struct xnm_textline *line, unsigned errors_max, const char *expected)
{
    if (!xnm_textline_next(line))
        return false;
    if (line->errors < errors_max)
        return true;
    xnm_textline_error(line, line->at,
                       "%u errors so far, and the rest of the file was not read: expected %s",
                       line->errors, expected);
    return false;
}

/* Returns the probable reason for an octet that is not UTF-8. */
static const char *suspicion(const struct xnm_textline *line, const char *c)
{
    bool begins = line->number == 1 && c == line->at && line->end - c > 1;

    return begins && (memcmp(c, "\xFF\xFE", 2) == 0 || memcmp(c, "\xFE\xFF", 2) == 0)
               ? "the file is in UTF-16; convert it by iconv -f UTF-16 -t UTF-8"
               : "is the file in Latin-1?";
}

bool xnm_textline_is_text(struct xnm_textline *line)
{
    for (const char *c = line->at; c < line->end;) {
        uint32_t cp;
        size_t len = xn_utf8_read((const uint8_t *)c, (size_t)(line->end - c), &cp);

        if (len == 0) {
            xnm_textline_error(line, c, "octet 0x%02X is not UTF-8: expected UTF-8 (%s)",
                               (unsigned char)*c, suspicion(line, c));
            return false;
        }
        if ((cp < 0x20 && cp != '\t') || (cp >= 0x7F && cp < 0xA0)) {
            xnm_textline_error(line, c, "control character U+%04X: expected text%s", (unsigned)cp,
                               cp == 0 ? " (is the file in UTF-16?)" : "");
            return false;
        }
        c += len;
    }
    return true;
}

/* --- words --- */

bool xnm_textline_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

const char *xnm_textline_skip_blanks(const char *at, const char *end)
{
    while (at < end && xnm_textline_is_blank(*at))
        at++;
    return at;
}

const char *xnm_textline_skip_word(const char *at, const char *end)
{
    while (at < end && !xnm_textline_is_blank(*at))
        at++;
    return at;
}

const char *xnm_textline_trim(const char *at, const char *end)
{
    while (end > at && xnm_textline_is_blank(end[-1]))
        end--;
    return end;
}

uint64_t xnm_textline_hash(const struct xnm_textline *line)
{
    const char *at = xnm_textline_skip_blanks(line->at, line->end);

    return XXH3_64bits(at, (size_t)(xnm_textline_trim(at, line->end) - at));
}

const char *xnm_textline_comment(const char *line_start, const char *at, const char *end)
{
    for (const char *c = at; c < end; c++)
        if (*c == '#' && (c == line_start || xnm_textline_is_blank(c[-1])))
            return c;
    return end;
}

/* Copies the text between the quotes to `buffer` with its escapes undone. Returns the closing
 * quote. NULL: an error was reported. */
static const char *read_quotes(struct xnm_textline *line, const char *open, char *buffer,
                               size_t *len)
{
    const char *c = open + 1;

    for (*len = 0; c < line->end && *c != '"'; c++) {
        if (*c == '\\' && (++c == line->end || (*c != '"' && *c != '\\'))) {
            xnm_textline_error(line, c - 1, "'\\' inside quotes stands before '\"' or '\\' only");
            return NULL;
        }
        buffer[(*len)++] = *c;
    }
    if (c == line->end) {
        xnm_textline_error(line, open,
                           "this quote is not closed: expected a second '\"' on the line");
        return NULL;
    }
    if (c + 1 < line->end && !xnm_textline_is_blank(c[1])) {
        xnm_textline_error(
            line, c + 1,
            "text follows the closing quote: expected white space or the end of the line");
        return NULL;
    }
    return c;
}

/* Reads a word that is quoted from `open` on. */
static xnm_word_result quoted_word(struct xnm_textline *line, const char **pos, const char *open,
                                   char *buffer, struct xnm_word *word)
{
    size_t unquoted_len = (size_t)(open - *pos), quoted_len;
    const char *close = read_quotes(line, open, buffer + unquoted_len, &quoted_len);

    if (!close)
        return XNM_WORD_BAD;
    memcpy(buffer, *pos, unquoted_len);
    *word = (struct xnm_word){.at = *pos,
                              .written_len = (size_t)(close + 1 - *pos),
                              .text = buffer,
                              .len = unquoted_len + quoted_len,
                              .quoted = true,
                              .unquoted_len = unquoted_len};
    if (unquoted_len == 0 && quoted_len == (size_t)(close - open) - 1)
        word->text = open + 1;
    *pos = close + 1;
    return XNM_WORD_FOUND;
}

xnm_word_result xnm_textline_word(struct xnm_textline *line, const char **pos, char *buffer,
                                  struct xnm_word *word)
{
    const char *c = *pos = xnm_textline_skip_blanks(*pos, line->end);

    if (c == line->end || (*c == '#' && (c == line->at || xnm_textline_is_blank(c[-1]))))
        return XNM_WORD_NONE;
    for (; c < line->end && !xnm_textline_is_blank(*c); c++)
        if (*c == '"' && (c == *pos || c[-1] == '=' || c[-1] == ':'))
            return quoted_word(line, pos, c, buffer, word);
    size_t len = (size_t)(c - *pos);
    *word = (struct xnm_word){*pos, len, *pos, len, false, len};
    *pos = c;
    return XNM_WORD_FOUND;
}

const char *xnm_word_place(const struct xnm_word *word, size_t offset)
{
    if (offset < word->unquoted_len || !word->quoted)
        return word->at + offset;
    const char *c = word->at + word->unquoted_len + 1;
    for (size_t i = word->unquoted_len; i < offset; i++)
        c += *c == '\\' ? 2 : 1;
    return c;
}

bool xnm_word_is(const struct xnm_word *word, const char *text)
{
    return word->len == strlen(text) && memcmp(word->text, text, word->len) == 0;
}

char *xnm_textline_path(const char *file, const char *path, size_t len)
{
    const char *slash = strrchr(file, '/');
    size_t folder_len = (len > 0 && path[0] == '/') || !slash ? 0 : (size_t)(slash - file) + 1;
    char *resolved = malloc(folder_len + len + 1);

    if (resolved) {
        memcpy(resolved, file, folder_len);
        memcpy(resolved + folder_len, path, len);
        resolved[folder_len + len] = '\0';
    }
    return resolved;
}
