/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks all names that a policy's rules about names mention, including those of lists, and
 * all names above these: each once, in canonical order (RFC 4034, section 6.1). Host-free. */
#ifndef XN_TOOLS_RULES_POLICYNAMES_H
#define XN_TOOLS_RULES_POLICYNAMES_H

#include "core/wire/size.h"
#include "module/base/arena.h"

struct xnm_policy;

/* All fields are private. The caller owns it; the policy must outlive it. */
struct policynames {
    struct xnm_arena entries; /* of pointers to all entries of the policy, in order */
    size_t count, next;
    const uint8_t *octets; /* of the current entry */
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    unsigned labels, returned; /* labels of that name, and how many of its last ones have been
                                  returned as names */
    bool begun;
};

/* Sorts the names. Returns false when out of memory; nothing needs to be freed then. */
bool policynames_open(struct policynames *names, const struct xnm_policy *policy);

/* Writes the next name: the root first, if there is any name, and every name after the name above
 * it. It is in wire format, lower case, in the policy's memory. Returns false at the end. */
bool policynames_next(struct policynames *names, const uint8_t **name, size_t *len);

void policynames_free(struct policynames *names);

#endif
