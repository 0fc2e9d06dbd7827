/* SPDX-License-Identifier: BSD-3-Clause */
/* The destination of log lines: a regular file, standard output or standard error. Nothing here
 * ever waits. */
#ifndef XNM_MODULE_LOG_LOGTARGET_H
#define XNM_MODULE_LOG_LOGTARGET_H

#include <stdbool.h>
#include <stddef.h>

struct xnm_diagnostics;
struct xnm_logtarget;

/* Opens /dev/stdout, /dev/stderr, or the path of a regular file. A missing file is made (mode 0640,
 * less the umask); an existing one is appended to, after ending its last line if that has no end. A
 * symbolic link, a link above it that another user may have made (module/file/folder.h), and
 * anything but a regular file is an error. Errors are reported. Returns NULL then; or, if `needed`,
 * a target that takes nothing until _follow can open it. The caller owns the result. `path` is
 * copied. */
struct xnm_logtarget *xnm_logtarget_open(const char *path, bool needed,
                                         const struct xnm_diagnostics *diagnostics);
void xnm_logtarget_close(struct xnm_logtarget *target); /* NULL is fine */

/* Reopens the path if it now leads to another file, or to none: rotation is a rename. A failure is
 * reported when it first happens; the target takes nothing until it can be opened. */
void xnm_logtarget_follow(struct xnm_logtarget *target, const struct xnm_diagnostics *diagnostics);

/* Writes lines, each with its line feed. Returns how many octets were taken; write the rest again.
 * A file takes whole lines only: a torn line is cut off. */
size_t xnm_logtarget_write(struct xnm_logtarget *target, const char *lines, size_t len);

/* Octets of the longest line, without its end, that is written completely or not at all. */
size_t xnm_logtarget_line_max(const struct xnm_logtarget *target);

/* Returns why the last write took only a part; "" if it took all. */
const char *xnm_logtarget_trouble(const struct xnm_logtarget *target);

#endif
