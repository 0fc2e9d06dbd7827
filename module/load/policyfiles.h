/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the policy from the files that idn.conf names: rule files, and the lists and RPZ zones that
 * their rules name. Host-free. */
#ifndef XNM_MODULE_LOAD_POLICYFILES_H
#define XNM_MODULE_LOAD_POLICYFILES_H

#include "core/idna/unicode.h"
#include "module/base/diagnostics.h"
#include "module/base/thread.h"
#include "module/config/config.h"
#include "module/file/sources.h"
#include "module/policy/policy.h"

#include <stdbool.h>
#include <stddef.h>

struct xnm_policyfiles_options {
    const struct xnm_config *config;
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    const struct xnm_policy *before; /* what a list that is lost held; NULL: nothing */
    /* The files as they were last looked at: a list that is being written to then keeps what it
     * held `before`. NULL: all are read. */
    const struct xnm_sources *looked;
    struct xnm_stop
        *stop; /* set by another thread: it is not wanted any more. The thread is apart
                  by it (module/base/thread.h) while files are read. NULL: nobody sets it */
    /* Which rules become part of the policy; a list of another one is not read. NULL: all do. */
    bool (*takes)(void *arg, const struct xnm_rule *rule);
    void *takes_arg;
    bool no_lists; /* only what decides whether there is a policy: lists and zones, whose errors
                      stop nothing, are not read */
    bool any_ttl;  /* policy-ttl is no more than its default: a compiled policy may have any */
    const char *no_compiled; /* why a line `compiled` is an error here; NULL: it is none */
};

struct xnm_policyfiles {
    struct xnm_policy *policy;  /* NULL: none. Owned by the caller. */
    struct xnm_sources sources; /* every file that was read or could not be. As policy is. */
    const char *compiled;       /* path of the compiled policy that it is; in sources, NULL: none */
    struct timespec compiled_at;  /* … when that was, */
    struct xnm_place compiled_in; /* … and the rule that names it; its file's path is in sources */
    size_t bad_lists; /* lists and zones with bad lines, unreadable, or shrunk too much; zones with
                         triggers that do nothing */
    size_t bad_lines, skipped_lines; /* … of all of them */
    bool no_memory; /* there is no policy, and perhaps not all sources: it may be there another time
                     */
};

/* Reads the files. Every error is reported. Those of lists and RPZ zones stop nothing: a list keeps
 * what is good of it, and one that cannot be read, an RPZ zone with an error, a list without
 * entries, one that has lost more of them than shrink= lets it and one for which policy-memory has
 * no room keep what they held `before`. A line `compiled` is the only one: what it names is the
 * policy, and has no errors of its own. Returns false, and there is no policy but sources, where a
 * rule file has an error, where a compiled policy is refused, where there is no memory (reported,
 * too), and after *stop. Where the configuration names no file, there is none either, and that is
 * true. Of what is pointed to only `stop`, the configuration and `unicode` are used where the
 * thread was left behind. */
bool xnm_policyfiles_read(const struct xnm_policyfiles_options *options,
                          struct xnm_policyfiles *result);

/* Do both configurations ask for the same policy: the same rule files by the same names in the same
 * order, and all else that is compiled into it (TTL and SOA)? Not by policy-mode, which is no
 * property of a policy. Where policy-memory differs, lists may have been left out. */
bool xnm_policyfiles_same(const struct xnm_config *a, const struct xnm_config *b);

#endif
