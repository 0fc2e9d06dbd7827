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

/* The settings that decide about the module: the file's or, where it has none, those that the
 * daemon was built with. Each is a text with its NUL, "" for none. */
struct checkconf {
    struct buffer module_config, chroot, username, directory;
    struct buffer python_script; /* its first, "" for none */
    struct buffer dynlib_files;  /* one text after another */
    size_t dynlib_file_count;
};

/* Returns the program: the one given, else the one in the daemon's folder (NULL: no daemon), else
 * the first in the usual places; NULL if there is none. The caller frees it. */
char *checkconf_find(const char *given, const char *daemon);

/* Returns whether the program accepts the file of a place, from the current folder or from the
 * `directory` that the file names. If not, reports what it printed and its exit status, as one
 * error at that place. */
bool checkconf_accepts(const char *program, const struct xnm_place *place,
                       const struct xnm_diagnostics *diagnostics);

/* Reads all settings of the file of a place. Returns false, and reports why, if the program does
 * not print them. *conf must be freed in either case. */
bool checkconf_read(const char *program, const struct xnm_place *place,
                    const struct xnm_diagnostics *diagnostics, struct checkconf *conf);

/* Returns the n-th dynlib-file entry, the first being number 0; NULL after the last. */
const char *checkconf_dynlib_file(const struct checkconf *conf, size_t n);

void checkconf_free(struct checkconf *conf);

#endif
