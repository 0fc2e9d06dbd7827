/* SPDX-License-Identifier: BSD-3-Clause */
/* Warns if others than the administrator could change a rule file. Host-free. */
#ifndef XNM_MODULE_FILE_WRITABLE_H
#define XNM_MODULE_FILE_WRITABLE_H

struct xnm_diagnostics;

/* Warns if everyone, or the user and groups this process runs as, may write to the file, its
 * folder, or the folder that a symbolic link to it leads to: whoever takes over the resolver could
 * then change its policy. What that user owns counts as writable. No warning is given if that user
 * is root, for a folder with the sticky bit that belongs to somebody else, or for a path that leads
 * nowhere. Call it after privileges have been given up. */
void xnm_writable_check(const char *file, const struct xnm_diagnostics *diagnostics);

#endif
