/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of `unbound-idn check` share: how they report, and the look at idn.conf. */
#ifndef XN_TOOLS_CHECK_H
#define XN_TOOLS_CHECK_H

#include "module/config.h"
#include "module/report.h"
#include "tools/buffer.h"

struct checker {
    struct xnm_reporter reporter; /* writes to standard output, and counts */
    struct xn_unicode *unicode;
    bool json;
    unsigned errors, warnings; /* of the file in hand */
    bool failed;               /* there was an error in any file */
    struct buffer line;
};

/* What is neither: why something was not checked, what was compared with what. */
void check_note(struct checker *checker, const struct xnm_place *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Ends a file: writes "file: fine" or "file: 2 errors, 1 warning" and begins to count anew. */
void check_finish_file(struct checker *checker, const char *file);

/* Files that a configuration has the module write. Owned by the caller; NULL: none. */
struct check_written {
    char *log, *metrics;
};

/* Reads a configuration as the module does and reports what the module reports. Where `is_default`,
 * the file may be missing. The paths it gives are those that the module has, which knows the file
 * by the name `inside`. */
struct check_written check_config(struct checker *checker, const char *file, const char *inside,
                                  bool is_default);
void check_written_free(struct check_written *written);

/* Where a module without a third dynlib-file finds its configuration. */
const char *check_default_config(bool *is_default);

/* An unbound.conf, and all that must fit for its daemon to load the module with its configuration.
 * daemon NULL: the first in the usual places. user NULL: as unbound.conf has it. */
void check_unbound(struct checker *checker, const char *file, const char *daemon, const char *user);

#endif
