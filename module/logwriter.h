/* SPDX-License-Identifier: BSD-3-Clause */
/* Where log lines go: Unbound's own log, a file, or standard output or error. Host-free: Unbound's
 * log is a function that the caller gives. */
#ifndef XNM_MODULE_LOGWRITER_H
#define XNM_MODULE_LOGWRITER_H

#include "module/report.h"

#include <stdbool.h>
#include <stddef.h>

struct xnm_logwriter;

/* Writes one line of len octets, without its end, to the host's log. */
typedef void xnm_log_sink(const char *line, size_t len);

/* Opens a target: NULL for the host's log, /dev/stdout, /dev/stderr, or the path of a regular file,
 * which is made (mode 0640) if it is missing and appended to. A symbolic link and anything that is
 * no regular file is an error, which is reported. Returns NULL then; the caller owns the result. */
struct xnm_logwriter *xnm_logwriter_open(const char *target, xnm_log_sink *host_log,
                                         const struct xnm_reporter *reporter);
void xnm_logwriter_close(struct xnm_logwriter *writer); /* NULL is fine */

/* Do the lines of this target need their own time? The host's log has one already. */
bool xnm_logwriter_needs_time(const struct xnm_logwriter *writer);

/* Writes one whole line of len octets: line[len] is the caller's room for its end. May be called by
 * any number of threads at a time. A line that the target does not take at once is lost. */
void xnm_logwriter_write(struct xnm_logwriter *writer, char *line, size_t len);

#endif
