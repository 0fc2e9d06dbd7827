/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts replies, and writes the counters to a file in Prometheus' text format. They survive a
 * reload. Each thread counts in its own memory. */
#ifndef XNM_MODULE_RUN_METRICS_H
#define XNM_MODULE_RUN_METRICS_H

#include "core/idna/finding.h"
#include "module/load/reload.h"
#include "module/log/logreply.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct xnm_policy;
struct xnm_metrics;

/* All counters are 0. NULL: no memory. The caller owns it. */
struct xnm_metrics *xnm_metrics_new(void);
void xnm_metrics_free(struct xnm_metrics *metrics); /* NULL is fine */

/* Counts one reply. `idn` is what was found about a name with A-labels; NULL: it has none. Any
 * thread may call it. */
void xnm_metrics_count_reply(struct xnm_metrics *metrics, const struct xnm_reply *reply,
                             const xn_reasons *idn);

/* Counts a reply that was withheld from its client as it left. Any thread may call it. */
void xnm_metrics_count_withheld(struct xnm_metrics *metrics);

/* Counts a reload of the configuration: good, if it was accepted; else the last good one was kept.
 */
void xnm_metrics_count_reload(struct xnm_metrics *metrics, bool good);

/* Adds the lines that a closed log writer wrote and lost. */
void xnm_metrics_add_lines(struct xnm_metrics *metrics, uint64_t written, uint64_t lost);

/* Writes the host's own metrics, in the same format. Any thread may call it. */
struct xnm_metrics_more {
    void (*put)(void *arg, FILE *text); /* NULL: there are none */
    void *arg;
};

/* The figures of the file that are counted elsewhere. */
struct xnm_metrics_extra {
    uint64_t written, lost;          /* lines of the log writer that is open */
    const struct xnm_policy *policy; /* in force; NULL: none, and the file has no policy metrics */
    bool enforced;                   /* policy-mode */
    struct xnm_policyhandle_counts reload;
    struct xnm_metrics_more more;
};

/* Formats all counters as text. The caller owns the result, which has a NUL after its *len octets;
 * NULL: no memory. Of a policy with more than XNM_METRICS_RULES_MAX rules, only those that have
 * matched are written. */
enum { XNM_METRICS_RULES_MAX = 10000 };
char *xnm_metrics_text(const struct xnm_metrics *metrics, const struct xnm_metrics_extra *extra,
                       size_t *len);

/* Writes the value of a label, without its quotes. */
void xnm_metrics_put_label(FILE *text, const char *value);

/* Replaces the file (0644) by the text. It is written beside it, then renamed, so that a reader
 * sees either the old or the new one as a whole. A file with another text is left. Its folder is
 * opened as module/file/folder.h says. False: it failed; *error is the reason. */
bool xnm_metrics_write(const char *path, const char *text, size_t len, const char **error);

/* Returns whether the file has another text, or may not be read, so that xnm_metrics_write would
 * not replace it, with the error xnm_metrics_foreign. */
bool xnm_metrics_is_foreign(const char *path);
extern const char xnm_metrics_foreign[];

#endif
