/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the loader, by ldd(1), whether it could load a module. */
#ifndef XN_TOOLS_CHECK_LIBRARY_H
#define XN_TOOLS_CHECK_LIBRARY_H

struct xnm_diagnostics;
struct xnm_place;

/* Reports errors at `place` if the module at `path` is incomplete or needs a library that is not
 * there. root "": no chroot; else each library must be below that folder, too, except those that
 * the daemon (NULL: unknown), which is started outside, has loaded by then. */
void library_check(const struct xnm_diagnostics *diagnostics, const struct xnm_place *place,
                   const char *path, const char *daemon, const char *root);

#endif
