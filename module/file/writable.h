/* SPDX-License-Identifier: BSD-3-Clause */
/* Who but the administrator could change a file of rules. Host-free. */
#ifndef XNM_MODULE_FILE_WRITABLE_H
#define XNM_MODULE_FILE_WRITABLE_H

#include "module/base/diagnostics.h"

/* Warns where the file, the folder it is in, or the folder that a symbolic link to it leads to may
 * be written by everyone, or by the user and groups this process runs as (who also may where the
 * user owns them): whoever takes over the resolver could then change its policy. Of root as that
 * user nothing is said, nor of a folder with the sticky bit that belongs to somebody else. A path
 * that leads nowhere gets no warning. To be called when privileges have been given up. */
void xnm_writable_check(const char *file, const struct xnm_diagnostics *diagnostics);

#endif
