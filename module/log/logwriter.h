/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends log lines from any number of threads to one target. A thread copies its line into a ring of
 * its own and goes on; one writer empties the rings. Unbound's log is a function of the caller's.
 */
#ifndef XNM_MODULE_LOG_LOGWRITER_H
#define XNM_MODULE_LOG_LOGWRITER_H

#include "module/base/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_logwriter;

struct xnm_logwriter_options {
    const char
        *target; /* see module/log/logtarget.h; must outlive the writer. NULL: the host's log */
    struct xnm_log_sink host_log;
    const struct xnm_diagnostics *diagnostics; /* used by the writer's thread as well */
    bool threads;       /* false: no thread is made; the thread that logs a line writes it */
    bool target_needed; /* keep trying to open the target; until then lines are lost */
    bool later;         /* the thread is started by xnm_logwriter_start, before the first line */
    size_t ring_size;   /* of each thread that logs: module/log/logring.h. 0: its default */
};

/* Opens the target and starts the writer. The diagnostics and the host's log must outlive it. NULL:
 * an error, which was reported. The caller owns the result. */
struct xnm_logwriter *xnm_logwriter_open(const struct xnm_logwriter_options *options);

/* Starts the writer's thread if that was put off. If that fails, which is reported, the thread that
 * logs a line writes it. */
void xnm_logwriter_start(struct xnm_logwriter *writer);

/* Lines since the writer was opened. The others are still on their way. */
struct xnm_logwriter_counts {
    uint64_t written, lost;
};
struct xnm_logwriter_counts xnm_logwriter_counts(struct xnm_logwriter *writer);

/* Waits one second at most for the target to take pending lines. No thread may log any more.
 * Returns the final counts. NULL is fine. */
struct xnm_logwriter_counts xnm_logwriter_close(struct xnm_logwriter *writer);

/* Returns whether lines for this target need their own time. The host's log adds one, unless
 * adds_no_time is set. */
bool xnm_logwriter_needs_time(const struct xnm_logwriter *writer);

/* Octets of the longest line that the target takes without cutting or splitting it. */
enum { XNM_LOGWRITER_HOST_LINE_MAX = 10000 }; /* Unbound's is 10,239 */
size_t xnm_logwriter_line_max(const struct xnm_logwriter *writer);

/* Takes one whole line of len octets; line[len] is room for its end. Never waits: a line that does
 * not fit is lost, counted, and reported once a minute. */
void xnm_logwriter_write(struct xnm_logwriter *writer, char *line, size_t len);

#endif
