/* SPDX-License-Identifier: BSD-3-Clause */
/* Unbound's own configuration file: the few settings that decide about the module. */
#ifndef XN_TOOLS_CHECK_UNBOUNDCONF_H
#define XN_TOOLS_CHECK_UNBOUNDCONF_H

#include "module/base/diagnostics.h"

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

/* A file that is read as if this were its text, whether it is there or not. */
struct unboundconf_draft {
    const char *path; /* absolute */
    const char *text; /* NULL: as if it were not there */
    bool is_included; /* the result: it was read, or would have been */
};

/* Reads a file and what it includes, as Unbound's util/configlexer.lex does: a relative path of an
 * include begins at the working directory, or at `directory` from where that is set. What this does
 * not understand is left to unbound-checkconf; reported are files that cannot be read and quotes
 * that are not closed. Returns whether there was none of these. To be freed in either case.
 * draft NULL: all files are as they are. One that is not there yet is found by a pattern that has
 * `*`, `?` and `[` in its last part alone. */
bool unboundconf_read(const char *file, struct unboundconf *conf, struct unboundconf_draft *draft,
                      const struct xnm_diagnostics *diagnostics);
void unboundconf_free(struct unboundconf *conf);

struct xnm_place unboundconf_place(const struct unboundconf_value *value);

#endif
