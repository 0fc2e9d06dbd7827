/* SPDX-License-Identifier: BSD-3-Clause */
/* What unbound-checkconf(8) says of an unbound.conf: the program of the daemon's own build is
 * asked, so that nothing here knows how Unbound reads its configuration. */
#ifndef XN_TOOLS_CHECK_CHECKCONF_H
#define XN_TOOLS_CHECK_CHECKCONF_H

#include "module/base/diagnostics.h"
#include "tools/text/buffer.h"

#include <stdbool.h>

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

/* Whether it accepts the file of a place, here or in the `directory` that the file names; what it
 * says otherwise is reported there, as one error with its exit status. */
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
