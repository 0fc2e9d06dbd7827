/* SPDX-License-Identifier: BSD-3-Clause */
/* Log lines from any number of threads to one target, by one writer: a thread that gives a line
 * copies it into a ring of its own and goes on. Host-free: Unbound's log is a function that the
 * caller gives. */
#ifndef XNM_MODULE_LOG_WRITER_H
#define XNM_MODULE_LOG_WRITER_H

#include "module/base/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_logwriter;

/* Writes one line of len octets, without its end, to the host's log. */
typedef void xnm_log_sink(const char *line, size_t len);

struct xnm_logwriter_options {
    const char *target; /* see module/log/target.h; NULL: the host's log */
    xnm_log_sink *host_log;
    const struct xnm_diagnostics *diagnostics; /* used by the writer's thread as well */
    bool threads;       /* false: no thread is made, and each line is written by who gives it */
    bool target_needed; /* what cannot be opened is tried again; until then lines are lost */
};

/* Opens the target, whose path is copied, and starts the writer. The diagnostics and the host's log
 * must live as long as the process: a thread whose write does not return is left behind with them.
 * Errors are reported, and NULL is returned; the caller owns the result. */
struct xnm_logwriter *xnm_logwriter_open(const struct xnm_logwriter_options *options);

/* Lines since the writer was opened. Those neither written nor lost are on their way. */
struct xnm_logwriter_counts {
    uint64_t written, lost;
};
struct xnm_logwriter_counts xnm_logwriter_counts(struct xnm_logwriter *writer);

/* Waits at most one second for lines to be taken, and is not held up by a target that does not
 * return for longer than two; no thread may give lines any more. Returns the last counts. NULL is
 * fine. */
struct xnm_logwriter_counts xnm_logwriter_close(struct xnm_logwriter *writer);

/* Do the lines of this target need their own time? The host's log has one already. */
bool xnm_logwriter_needs_time(const struct xnm_logwriter *writer);

/* Octets of the longest line that the target takes without cutting or splitting it. */
enum { XNM_LOGWRITER_HOST_LINE_MAX = 10000 }; /* Unbound's is 10,239 */
size_t xnm_logwriter_line_max(const struct xnm_logwriter *writer);

/* Takes one whole line of len octets: line[len] is the caller's room for its end. Never waits: a
 * line for which there is no room is lost, counted, and reported once a minute. */
void xnm_logwriter_write(struct xnm_logwriter *writer, char *line, size_t len);

#endif
