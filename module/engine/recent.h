/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions that no rule matched a moment ago: most are asked again and again, and finding one here
 * costs a fraction of the decision. A table of fixed size for one verdict, in which a later
 * question takes the place of an earlier one. */
#ifndef XNM_MODULE_ENGINE_RECENT_H
#define XNM_MODULE_ENGINE_RECENT_H

#include "module/policy/policy.h"

enum {
    XNM_RECENT_COUNT = 1024,
    XNM_RECENT_NAME_MAX = 43 /* octets; longer names are not kept */
};

/* Questions of one handle (0: none) and one policy of that handle. A struct of zeros is empty. */
struct xnm_recent {
    struct xnm_recent_question {
        uint64_t generation;
        uint32_t handle;
        uint16_t qtype, qclass;
        uint8_t from_a, qname_len, qname[XNM_RECENT_NAME_MAX];
    } questions[XNM_RECENT_COUNT];
};

void xnm_recent_add(struct xnm_recent *recent, uint32_t handle, uint64_t generation,
                    const struct xnm_question *question);

/* Was it added, with its name in the same case? */
bool xnm_recent_has(const struct xnm_recent *recent, uint32_t handle, uint64_t generation,
                    const struct xnm_question *question);

#endif
