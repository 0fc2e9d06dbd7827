/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters since the daemon started, and their file in Prometheus' text format. They outlive a
 * reload of the module. Counting is an addition in memory of the thread's own. */
#ifndef XNM_MODULE_RUN_METRICS_H
#define XNM_MODULE_RUN_METRICS_H

#include "core/idna/name.h"
#include "module/base/diagnostics.h"
#include "module/load/reload.h"
#include "module/log/reply.h"
#include "module/policy/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One reply was given. By any thread. */
void xnm_metrics_count_reply(const struct xnm_reply *reply, const struct xn_name *name);

/* The module was loaded again, with its configuration taken (good) or the last good one kept. */
void xnm_metrics_count_reload(bool good);

/* Lines that a log writer, closed by now, wrote and lost. */
void xnm_metrics_add_lines(uint64_t written, uint64_t lost);

/* No thread that counts is left: those to come take the places of those that were. */
void xnm_metrics_retire_threads(void);

/* What the file says of things that are not counted here. */
struct xnm_metrics_extra {
    uint64_t written, lost;          /* lines of the log writer that is open */
    const struct xnm_policy *policy; /* in force; NULL: none, and nothing is said of policies */
    bool enforced;                   /* policy-mode */
    struct xnm_reload_counts reload;
};

/* Writes all counters as text. Returns it, which the caller owns, with a NUL behind its *len
 * octets; NULL: no memory. A policy of more than XNM_METRICS_RULES_MAX rules is shown by those of
 * its rules that ever matched. */
enum { XNM_METRICS_RULES_MAX = 10000 };
char *xnm_metrics_text(const struct xnm_metrics_extra *extra, size_t *len);

/* Replaces the file (0644) by the text: written beside it, then renamed, so that a reader sees the
 * whole of one or the other. Its folder is opened as module/file/folder.h says. False: it could not
 * be; *error is the reason. */
bool xnm_metrics_write(const char *path, const char *text, size_t len, const char **error);

#endif
