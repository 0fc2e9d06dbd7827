/* SPDX-License-Identifier: BSD-3-Clause */
/* The names that a compiled policy's rules about names are about, lists' with them, and all names
 * above these: each once, in canonical order (RFC 4034, section 6.1). Host-free. */
#ifndef XNM_MODULE_BUILD_NAMES_H
#define XNM_MODULE_BUILD_NAMES_H

#include "module/base/arena.h"
#include "module/policy/policy.h"

/* All fields are private. The caller owns it; the policy must outlive it. */
struct xnm_policy_names {
    const struct xnm_policy *policy;
    struct xnm_arena order; /* eight octets for each entry of the policy */
    size_t next;
    const uint8_t *octets; /* of the entry in hand */
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    unsigned labels, given; /* of them, and how many of the last ones were given as names */
    bool begun;
};

/* Sorts them. False: no memory, and there is nothing to free. */
bool xnm_policy_names_open(struct xnm_policy_names *names, const struct xnm_policy *policy);

/* Gives the next name: the root first, where there is any, and every name behind the one it is
 * below. It is in wire format, in lower case, in the policy's memory. False at the end. */
bool xnm_policy_names_next(struct xnm_policy_names *names, const uint8_t **name, size_t *len);

void xnm_policy_names_free(struct xnm_policy_names *names);

#endif
