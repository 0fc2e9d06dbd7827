/* SPDX-License-Identifier: BSD-3-Clause */
/* Unbound's own configuration file: the few settings that decide about the module. */
#ifndef XN_TOOLS_UNBOUNDCONF_H
#define XN_TOOLS_UNBOUNDCONF_H

#include "module/report.h"

#include <stdbool.h>

/* A setting and where it stands. */
struct unboundconf_value {
    char *text; /* owned; NULL: not set */
    char *file; /* owned */
    unsigned line, column;
};

struct unboundconf {
    struct unboundconf_value module_config, chroot, username, directory; /* of server: */
    struct unboundconf_value *dynlib_files;                              /* of dynlib:, in order */
    size_t dynlib_file_count;
};

/* Reads a file and what it includes, as Unbound's util/configlexer.lex does: a relative path of an
 * include begins at the working directory, or at `directory` from where that is set. What this does
 * not understand is left to unbound-checkconf; reported are files that cannot be read and quotes
 * that are not closed. Returns whether there was none of these. To be freed in either case. */
bool unboundconf_read(const char *file, struct unboundconf *conf,
                      const struct xnm_reporter *reporter);
void unboundconf_free(struct unboundconf *conf);

struct xnm_place unboundconf_place(const struct unboundconf_value *value);

#endif
