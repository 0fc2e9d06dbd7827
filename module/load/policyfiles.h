/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the policy from the files that idn.conf names: rule files, and the lists and RPZ zones that
 * their rules name. Host-free. */
#ifndef XNM_MODULE_LOAD_POLICYFILES_H
#define XNM_MODULE_LOAD_POLICYFILES_H

#include "module/base/diagnostics.h"
#include "module/file/sources.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct xnm_config;
struct xnm_counters;
struct xnm_list_watch;
struct xnm_policy;
struct xnm_rule;
struct xn_unicode;

/* The abilities that a host lacks: LACKS_CLIENTS: it may send one client's answer to another.
 * LACKS_TRANSPORT: it does not know a client's transport, so it can neither drop nor truncate. A
 * rule with client=, or with tcp-only, is then left out, which is reported as an error but does not
 * stop the reading. A rule that drops refuses instead, with a warning. */
enum { XNM_LACKS_CLIENTS = 1, XNM_LACKS_TRANSPORT = 2 };

struct xnm_policyfiles_options {
    const struct xnm_config *config;
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    struct xnm_counters *counters; /* the counters of its rules; NULL: none */
    const struct xnm_policy
        *before; /* the previous policy, whose entries a lost list keeps; NULL: none */
    /* The files as they were last looked at: a list that was being written to then keeps its
     * entries in `before`. NULL: read all files. */
    const struct xnm_sources *looked;
    const atomic_bool
        *stop; /* another thread sets it when the policy is no longer wanted; NULL: none does */
    const struct xnm_list_watch
        *watch; /* called as the reading of each list proceeds; NULL: none */
    /* Decides which rules become part of the policy; lists of the others are not read. NULL: all
       rules do. */
    bool (*takes)(void *arg, const struct xnm_rule *rule);
    void *takes_arg;
    bool for_everybody; /* read the rules as if none had client= or when= */
    bool no_lists;      /* read no lists and zones, whose errors stop nothing */
    unsigned lacks;     /* XNM_LACKS_CLIENTS and so on */
};

struct xnm_policyfiles {
    struct xnm_policy *policy; /* NULL: none. Owned by the caller. */
    struct xnm_sources
        sources;      /* all files that were read or could not be read; owned by the caller */
    size_t bad_lists; /* lists and zones that have bad lines, cannot be read or shrank too much, and
                         zones with unsupported triggers */
    size_t bad_lines, skipped_lines; /* sums over all lists and zones */
    bool no_memory; /* there is no policy because memory ran out, and `sources` may be incomplete;
                       another attempt may succeed */
};

/* Reads the files. Every error is reported. Errors in lists and RPZ zones stop nothing: a list
 * keeps its good lines. A list keeps its entries in `before` if it cannot be read, has no entries,
 * has lost more than shrink= allows, or finds no room in policy-memory; so does an RPZ zone with an
 * error. Returns false, with sources but without a policy, after an error in a rule file, when out
 * of memory (also reported), or if *stop was set. If the configuration names no file, there is no
 * policy and the result is true. */
bool xnm_policyfiles_read(const struct xnm_policyfiles_options *options,
                          struct xnm_policyfiles *result);

#endif
