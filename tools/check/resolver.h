/* SPDX-License-Identifier: BSD-3-Clause */
/* The resolver that an unbound.conf is of: its daemon, and where it finds files. */
#ifndef XN_TOOLS_CHECK_RESOLVER_H
#define XN_TOOLS_CHECK_RESOLVER_H

#include "module/file/textfile.h"
#include "tools/check/check.h"
#include "tools/check/privileges.h"
#include "tools/check/unboundconf.h"

enum { RESOLVER_PROBE_MAX = 64 /* the modules, the configuration, what it writes */ };

/* What is left to try as the daemon's user. */
struct resolver_probes {
    struct privileges_probe all[RESOLVER_PROBE_MAX]; /* their paths are owned */
    struct xnm_place places[RESOLVER_PROBE_MAX];     /* where to report each */
    size_t count;
};

struct resolver {
    struct checker *checker;
    struct unboundconf conf;
    struct xnm_place place;       /* unbound.conf as a whole */
    const char *daemon;           /* its path; NULL: none was found */
    struct xnm_textfile program;  /* … and its file */
    struct buffer root;           /* the chroot without a final slash, and a NUL; "": none */
    struct buffer folder;         /* what a relative path inside it begins with, and a NUL */
    const char *user;             /* "": the one that runs it */
    const struct passwd *account; /* of the user; NULL: none */
    struct resolver_probes probes;
};

#define RESOLVER_FAIL(resolver, place, ...)                                                        \
    xnm_diagnose(&(resolver)->checker->diagnostics, XNM_ERROR, (place), __VA_ARGS__)
#define RESOLVER_WARN(resolver, place, ...)                                                        \
    xnm_diagnose(&(resolver)->checker->diagnostics, XNM_WARNING, (place), __VA_ARGS__)

struct xnm_place resolver_place(const struct resolver *resolver,
                                const struct unboundconf_value *value);

/* Looks for the daemon (NULL: the first in the usual places), its chroot and its folder, and
 * reports what is wrong with them. */
void resolver_find(struct resolver *resolver, const char *daemon);

/* The name by which the daemon knows a path, and the name by which we do what it knows. Owned by
 * the caller. */
char *resolver_inside(const struct resolver *resolver, const char *path);
char *resolver_outside(const struct resolver *resolver, const char *inside_path);

/* Frees what a resolver has, the configuration with it. */
void resolver_free(struct resolver *resolver);

#endif
