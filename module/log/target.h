/* SPDX-License-Identifier: BSD-3-Clause */
/* Where lines end up: a regular file, or standard output or error. Nothing here ever waits. */
#ifndef XNM_MODULE_LOG_TARGET_H
#define XNM_MODULE_LOG_TARGET_H

#include "module/base/diagnostics.h"

#include <stdbool.h>
#include <stddef.h>

struct xnm_logtarget;

/* Opens /dev/stdout, /dev/stderr, or the path of a regular file, which is made (mode 0640, less the
 * umask) if it is missing and appended to; a last line without an end is ended. A symbolic link, a
 * link above it that others can have made (module/file/folder.h), and anything that is no regular
 * file is an error, which is reported. Returns NULL then, or, if it is `needed`, a target that
 * takes nothing until _follow can open it. The caller owns the result. `path` is copied. */
struct xnm_logtarget *xnm_logtarget_open(const char *path, bool needed,
                                         const struct xnm_diagnostics *diagnostics);
void xnm_logtarget_close(struct xnm_logtarget *target); /* NULL is fine */

/* If the path leads to another file by now, or to none, opens it anew: rotation is a rename. What
 * cannot be opened is reported when it first happens; the target then takes nothing until it can.
 */
void xnm_logtarget_follow(struct xnm_logtarget *target, const struct xnm_diagnostics *diagnostics);

/* Writes lines, each with its line feed. Returns how many octets the target took: what it did not
 * take is to be given again, from there. A file takes whole lines only: a torn one is cut off. */
size_t xnm_logtarget_write(struct xnm_logtarget *target, const char *lines, size_t len);

/* Octets of the longest line, without its end, that is taken as a whole or not at all. */
size_t xnm_logtarget_line_max(const struct xnm_logtarget *target);

/* Why it last took less than it was given; "" if it took all. */
const char *xnm_logtarget_trouble(const struct xnm_logtarget *target);

#endif
