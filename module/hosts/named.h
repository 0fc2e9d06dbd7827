/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin for BIND's named: what named.c, which opens policies, gives namedquery.c, which decides queries. */
#ifndef XNM_MODULE_HOSTS_NAMED_H
#define XNM_MODULE_HOSTS_NAMED_H

#include "module/engine/idnpolicy.h"

#include <ns/hooks.h>

/* One idn.conf, opened. The views that name the same file share it. */
struct named_policy;

struct idnp *named_policy_handle(const struct named_policy *policy);

/* libidnpolicy, loaded when the first view asks for it. */
#define NAMED_LIBRARY(F)                                                                           \
    F(idnp_version)                                                                                \
    F(idnp_version_text)                                                                           \
    F(idnp_open)                                                                                   \
    F(idnp_close)                                                                                  \
    F(idnp_generation)                                                                             \
    F(idnp_verdict_new)                                                                            \
    F(idnp_verdict_free)                                                                           \
    F(idnp_decide)                                                                                 \
    F(idnp_decide_answer)                                                                          \
    F(idnp_report)

struct named_library {
#define MEMBER(name) __typeof__(&(name)) name;
    NAMED_LIBRARY(MEMBER)
#undef MEMBER
};

extern struct named_library named_library;

/* Has a view's queries decided by the policy, which must live as long as the table. */
void named_query_hook(ns_hooktable_t *hooks, isc_mem_t *mctx, struct named_policy *policy);

#endif
