/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks unbound-checkconf(8) about an unbound.conf. It is of the daemon's own build, so that nothing
 * here needs to know how Unbound reads its configuration. */
#ifndef XN_TOOLS_CHECK_CHECKCONF_H
#define XN_TOOLS_CHECK_CHECKCONF_H

#include "tools/text/buffer.h"

#include <stdbool.h>

struct xnm_diagnostics;
struct xnm_place;

enum { CHECKCONF_SECONDS = 20 /* for each question; 70 MB take one of them */ };

/* The settings that decide about the module; where the file says nothing, what the daemon was built
 * with. */
struct checkconf {
    const char *module_config, *chroot, *username, *directory; /* "": none */
    const char **dynlib_files;                                 /* owned, in their order */
    size_t dynlib_file_count;
    struct buffer answers[5]; /* private: what these are texts of */
};

/* The program: the one given, else the one in the daemon's folder (NULL: no daemon), else the first
 * in the usual places. NULL: there is none. Owned by the caller. */
char *checkconf_find(const char *given, const char *daemon);

/* Returns whether the program accepts the file of a place, from the current folder or from the
 * `directory` that the file names. If not, reports what it printed and its exit status, as one
 * error at that place. */
bool checkconf_accepts(const char *program, const struct xnm_place *place,
                       const struct xnm_diagnostics *diagnostics);

/* Asks for all settings of the file of a place. False, and that is reported: it does not tell. To
 * be freed in either case. */
bool checkconf_read(const char *program, const struct xnm_place *place,
                    const struct xnm_diagnostics *diagnostics, struct checkconf *conf);
/* Has two entries stand before the others, as a file would that is included first. */
void checkconf_put_first(struct checkconf *conf, const char *module, const char *config);

void checkconf_free(struct checkconf *conf);

#endif
