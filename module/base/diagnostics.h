/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports errors and warnings about the operator's files to the daemon's log or the command's
 * terminal. */
#ifndef XNM_MODULE_BASE_DIAGNOSTICS_H
#define XNM_MODULE_BASE_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

/* A place in a text file. line and column count from 1; the column counts characters, or octets if
 * the text is not UTF-8. Line 0: the whole file. */
struct xnm_place {
    const char *file;
    unsigned line, column;
};

typedef enum { XNM_ERROR, XNM_WARNING } xnm_severity;

/* message is one line without a full stop: the error, and what was expected. It is valid only
 * during the call. */
struct xnm_diagnostics {
    void (*report)(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message);
    void *arg;
};

/* The host's log, which takes one line of len octets, without its end. Any thread may call it. */
struct xnm_log_sink {
    void (*write)(void *arg, const char *line, size_t len);
    void *arg;
    bool adds_no_time; /* lines carry their own */
};

/* Ignores all reports: for text that is read again, with reports, later. */
extern const struct xnm_diagnostics xnm_diagnostics_ignored;

/* Formats the message as printf does and reports it. */
void xnm_diagnostics_add(const struct xnm_diagnostics *diagnostics, xnm_severity severity,
                         const struct xnm_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes len octets of a file so that they are harmless to a terminal: printable ASCII
 * stays as it is, any other octet becomes `\xHH`. If dst_cap characters, including the NUL, are too
 * few, the text is cut and ends with "...". Returns dst. */
const char *xnm_diagnostics_quote(const char *text, size_t len, char *dst, size_t dst_cap);

/* Writes "file:line:column: message", as compilers do, or for line 0 "file: message", to dst.
 * Returns dst. */
const char *xnm_diagnostics_text(const struct xnm_place *place, const char *message, char *dst,
                                 size_t dst_cap);

#endif
