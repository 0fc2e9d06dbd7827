/* SPDX-License-Identifier: BSD-3-Clause */
/* Where errors and warnings about the operator's files go: the daemon's log, or the command's
 * terminal. */
#ifndef XNM_MODULE_BASE_DIAGNOSTICS_H
#define XNM_MODULE_BASE_DIAGNOSTICS_H

#include <stddef.h>

/* A place in a text file. line and column count from 1, the column in characters (octets where the
 * text is not UTF-8); line 0 stands for the file as a whole. */
struct xnm_place {
    const char *file;
    unsigned line, column;
};

typedef enum { XNM_ERROR, XNM_WARNING } xnm_severity;

/* message is one line without a final stop: what is wrong, and what was expected. Valid for the
 * call alone. */
struct xnm_diagnostics {
    void (*report)(void *arg, xnm_severity severity, const struct xnm_place *place,
                   const char *message);
    void *arg;
};

/* Takes reports and says nothing: for a look at what is read again, and reported then. */
extern const struct xnm_diagnostics xnm_diagnose_silently;

/* Formats the message as printf does and reports it. */
void xnm_diagnose(const struct xnm_diagnostics *diagnostics, xnm_severity severity,
                  const struct xnm_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes len octets of somebody's file so that a terminal shows them and does nothing else:
 * printable ASCII as it is, anything else as `\xHH`; cut with "..." where dst_cap characters, the
 * NUL with them, do not hold it. Returns dst. */
const char *xnm_quote(const char *text, size_t len, char *dst, size_t dst_cap);

/* "file:line:column: message" or "file: message", as the compiler world writes it, into dst.
 * Returns dst. */
const char *xnm_diagnostic_text(const struct xnm_place *place, const char *message, char *dst,
                                size_t dst_cap);

#endif
