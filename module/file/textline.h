/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of the operator's text files and the words in them, with the place of whatever is said
 * about them. Common to idn.conf and rule files: a `#` at the start of a line or after white space
 * begins a comment; a word may stand in double quotes, with `\"` and `\\`; a byte-order mark, CRLF
 * and a missing last line end are fine. */
#ifndef XNM_MODULE_FILE_TEXTLINE_H
#define XNM_MODULE_FILE_TEXTLINE_H

#include "module/base/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>

/* The caller owns it and reads all but what is marked private. The text, the file's name and the
 * diagnostics must outlive it. */
struct xnm_textline {
    const char *file;
    const char *at, *end;        /* the line in hand, without its end */
    unsigned number;             /* … counted from 1 */
    unsigned errors;             /* reported so far through this walk */
    bool no_memory;              /* one of them was that */
    const char *next, *text_end; /* private */
    const struct xnm_diagnostics *diagnostics;
};

/* Starts a walk; xnm_textline_next gives each line, the first too; false at the end. */
void xnm_textline_open(struct xnm_textline *line, const char *file, const char *text, size_t len,
                       const struct xnm_diagnostics *diagnostics);
bool xnm_textline_next(struct xnm_textline *line);

/* The same; false, too, where so many errors were reported and there is another line. That is one
 * error more, which says what was `expected`: of a file that was taken for one of another kind
 * every line is wrong, and there may be a million. */
bool xnm_textline_goes_on(struct xnm_textline *line, unsigned errors_max, const char *expected);

/* Where `at`, which points into the line in hand or to its end, stands: columns count characters
 * (octets where the text is not UTF-8). */
struct xnm_place xnm_textline_place(const struct xnm_textline *line, const char *at);

/* Reports, at that place. An error is counted. */
void xnm_textline_diagnose(struct xnm_textline *line, xnm_severity severity, const char *at,
                           const char *message);
void xnm_textline_error(struct xnm_textline *line, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void xnm_textline_warning(struct xnm_textline *line, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports that there is no memory for what stands there, an error that is gone another time. */
void xnm_textline_no_memory(struct xnm_textline *line, const char *at);

/* Is the line UTF-8 without control characters but TAB? If not, reports the first that is wrong. */
bool xnm_textline_is_text(struct xnm_textline *line);

/* A space or a tab? */
bool xnm_textline_is_blank(char c);

/* The first that is no blank, and the first that is one, at or behind `at`; or `end`. */
const char *xnm_textline_skip_blanks(const char *at, const char *end);
const char *xnm_textline_skip_word(const char *at, const char *end);

/* The end of what stands between `at` and `end`, without the white space behind it. */
const char *xnm_textline_trim(const char *at, const char *end);

/* The first comment's `#` at or behind `at` (which begins a line or follows anything), or `end`.
 * Quotes are not looked at. */
const char *xnm_textline_comment(const char *line_start, const char *at, const char *end);

/* A word of a line. `at` and `written_len` are what stands in the file, quotes and all; `text` and
 * `len` what it means: they point into the line, or, where an escape had to be undone, into a
 * buffer of the caller's. */
struct xnm_word {
    const char *at;
    size_t written_len;
    const char *text;
    size_t len;
    bool quoted;     /* wholly, or its end */
    size_t bare_len; /* octets of text before its quoted part */
};

typedef enum { XNM_WORD_NONE, XNM_WORD_FOUND, XNM_WORD_BAD } xnm_word_result;

/* Reads the next word at or behind *pos and moves *pos behind it. A bare word ends at white space,
 * or in a quoted part that begins behind a `=` or a `:` (tag="x"); what is quoted must be followed
 * by white space or the line's end. `buffer` has room for the whole line. XNM_WORD_NONE: only white
 * space or a comment is left. XNM_WORD_BAD: the error was reported, and nothing more of this line
 * can be read. */
xnm_word_result xnm_textline_word(struct xnm_textline *line, const char **pos, char *buffer,
                                  struct xnm_word *word);

/* Where in the line the octet of a word's text at `offset` stands; its end, for word->len. */
const char *xnm_word_place(const struct xnm_word *word, size_t offset);

bool xnm_word_is(const struct xnm_word *word, const char *text);

/* `path` as it is where it is absolute, else in the folder of the file that names it. The caller
 * owns the result; NULL: no memory. */
char *xnm_textline_path(const char *file, const char *path, size_t len);

#endif
