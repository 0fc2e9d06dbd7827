/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the daemon that an unbound.conf is for, and the paths by which it knows its files. */
#ifndef XN_TOOLS_CHECK_RESOLVER_H
#define XN_TOOLS_CHECK_RESOLVER_H

#include "module/file/textfile.h"
#include "tools/check/check.h"
#include "tools/check/checkconf.h"
#include "tools/check/privileges.h"

enum { RESOLVER_PROBE_MAX = 64 /* the modules, the configuration, what it writes */ };

/* The accesses that are still to be tried as the daemon's user. */
struct resolver_probes {
    struct privileges_probe all[RESOLVER_PROBE_MAX]; /* their paths are owned */
    size_t count;
};

struct resolver {
    struct checker *checker;
    struct checkconf conf;
    struct xnm_place place; /* unbound.conf as a whole: of what stands in it no line is known */
    const char *daemon;     /* its path; NULL: none was found */
    struct xnm_textfile program;  /* … and its file */
    struct buffer root;           /* the chroot without a final slash, and a NUL; "": none */
    struct buffer folder;         /* what a relative path inside it begins with, and a NUL */
    const char *user;             /* "": the one that runs it */
    const struct passwd *account; /* of the user; NULL: none */
    struct resolver_probes probes;
};

/* Report an error, or a warning, about unbound.conf or about what it names. */
#define RESOLVER_FAIL(resolver, ...)                                                               \
    xnm_diagnose(&(resolver)->checker->diagnostics, XNM_ERROR, &(resolver)->place, __VA_ARGS__)
#define RESOLVER_WARN(resolver, ...)                                                               \
    xnm_diagnose(&(resolver)->checker->diagnostics, XNM_WARNING, &(resolver)->place, __VA_ARGS__)

/* Looks for the daemon (NULL: the first in the usual places), and reports what is wrong with it.
 * Returns its path, whatever is there, or NULL. */
const char *resolver_find_daemon(struct resolver *resolver, const char *daemon);

/* Finds the daemon's chroot and folder in its configuration, and reports what is wrong with them.
 */
void resolver_find_root(struct resolver *resolver);

/* Return the name by which the daemon knows a path of ours, and our name for a path of the
 * daemon's. The caller frees it. */
char *resolver_inside(const struct resolver *resolver, const char *path);
char *resolver_outside(const struct resolver *resolver, const char *inside_path);

/* Frees what a resolver has, the configuration with it. */
void resolver_free(struct resolver *resolver);

#endif
