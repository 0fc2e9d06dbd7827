/* SPDX-License-Identifier: BSD-3-Clause */
/* Warns if users other than the administrator may change a rule file. Host-free. */
#ifndef XNM_MODULE_FILE_WRITABLE_H
#define XNM_MODULE_FILE_WRITABLE_H

struct xnm_diagnostics;

/* Warns if everyone, or the user and groups this process runs as, may write to the file, its
 * folder, or the folder that a symbolic link to it leads to: an attacker who takes over the
 * resolver could then change its policy. A file or folder that this user owns counts as writable.
 * There is no warning if the user is root, for a folder of another user with the sticky bit, or for
 * a path that leads nowhere. Call it after privileges were given up. */
void xnm_writable_check(const char *file, const struct xnm_diagnostics *diagnostics);

#endif
