/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits the operator's text files into lines and words, and reports errors at their place.
 * idn.conf and rule files share this syntax: a `#` at the start of a line or after white space
 * begins a comment; a word may be in double quotes, with `\"` and `\\`; a byte-order mark, CRLF
 * and a missing final newline are allowed. */
#ifndef XNM_MODULE_FILE_TEXTLINE_H
#define XNM_MODULE_FILE_TEXTLINE_H

#include "module/base/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The caller owns it and may read all that is not marked private. The text, the file's name and the
 * diagnostics must outlive it. */
struct xnm_textline {
    const char *file;
    const char *at, *end;        /* the current line, without its end */
    unsigned number;             /* its number, counted from 1 */
    unsigned errors;             /* errors reported so far in this walk */
    bool no_memory;              /* one of the errors was lack of memory */
    const char *next, *text_end; /* private */
    const struct xnm_diagnostics *diagnostics;
};

/* Starts a walk. xnm_textline_next then goes to each line, the first included, and returns false at
 * the end. */
void xnm_textline_open(struct xnm_textline *line, const char *file, const char *text, size_t len,
                       const struct xnm_diagnostics *diagnostics);
bool xnm_textline_next(struct xnm_textline *line);

/* Does the same as xnm_textline_next, but also returns false, with lines left, after errors_max
 * errors. It then reports one more error, which says what was `expected`: in a file of another kind
 * every line is wrong, and there may be a million. */
bool xnm_textline_goes_on(struct xnm_textline *line, unsigned errors_max, const char *expected);

/* Returns the place of `at`, which points into the current line or to its end. Columns count
 * characters, or octets if the text is not UTF-8. */
struct xnm_place xnm_textline_place(const struct xnm_textline *line, const char *at);

/* Report at the place of `at`. Errors are counted. */
void xnm_textline_diagnose(struct xnm_textline *line, xnm_severity severity, const char *at,
                           const char *message);
void xnm_textline_error(struct xnm_textline *line, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void xnm_textline_warning(struct xnm_textline *line, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports at `at` that memory ran out, or that the budget (module/base/budget.h) has no room. Only
 * the former, which a later attempt may not meet, sets no_memory. */
void xnm_textline_no_memory(struct xnm_textline *line, const char *at);

/* Returns whether the line is UTF-8 without control characters except TAB. If not, reports the
 * first fault. */
bool xnm_textline_is_text(struct xnm_textline *line);

/* Returns whether a character is a space or a tab. */
bool xnm_textline_is_blank(char c);

/* Return the first character that is not blank, and the first blank, at or after `at`; `end` if
 * there is none. */
const char *xnm_textline_skip_blanks(const char *at, const char *end);
const char *xnm_textline_skip_word(const char *at, const char *end);

/* Returns the end of the text from `at` to `end` without its trailing blanks. */
const char *xnm_textline_trim(const char *at, const char *end);

/* Returns a hash of the line without the blanks around it: the same in each process. */
uint64_t xnm_textline_hash(const struct xnm_textline *line);

/* Returns the `#` of the first comment at or after `at`, or `end`. `line_start` is the start of the
 * line that `at` is in. Ignores quotes. */
const char *xnm_textline_comment(const char *line_start, const char *at, const char *end);

/* A word of a line. `at` and `written_len` cover it as written, with quotes. `text` and `len` are
 * its meaning, in the line or, if an escape was undone, in the caller's buffer. */
struct xnm_word {
    const char *at;
    size_t written_len;
    const char *text;
    size_t len;
    bool quoted;         /* all of it, or its end */
    size_t unquoted_len; /* octets of text before its quoted part */
};

typedef enum { XNM_WORD_NONE, XNM_WORD_FOUND, XNM_WORD_BAD } xnm_word_result;

/* Reads the next word at or after *pos and moves *pos past it. A word without quotes ends at white
 * space, or in a quoted part that begins after a `=` or a `:` (tag="x"). White space or the end of
 * the line must follow a closing quote. `buffer` has room for the whole line. XNM_WORD_NONE: only
 * white space or a comment is left. XNM_WORD_BAD: an error was reported, and the rest of the line
 * cannot be read. */
xnm_word_result xnm_textline_word(struct xnm_textline *line, const char **pos, char *buffer,
                                  struct xnm_word *word);

/* Returns the place in the line of the octet at `offset` of a word's text; for word->len that of
 * its end. */
const char *xnm_word_place(const struct xnm_word *word, size_t offset);

bool xnm_word_is(const struct xnm_word *word, const char *text);

/* Returns `path` as it is if absolute, else in the folder of `file`, which names it. The caller
 * owns the result. NULL: out of memory. */
char *xnm_textline_path(const char *file, const char *path, size_t len);

#endif
