/* SPDX-License-Identifier: BSD-3-Clause */
/* An alias chain that may lead to a refused name. Host-free. */
#ifndef XNM_MODULE_ANSWER_ALIASCHAIN_H
#define XNM_MODULE_ANSWER_ALIASCHAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XNM_ALIASCHAIN_MAX = 32 }; /* links of a chain; any more are left out */

/* One CNAME or DNAME RRset of a chain: its single record, without signatures. */
struct xnm_aliaschain_link {
    const uint8_t *owner;
    size_t owner_len;
    uint16_t type;
    uint32_t ttl; /* seconds */
    const uint8_t *rdata;
    size_t rdata_len;
};

/* The aliases that lead to a refused name. The links borrow their memory. */
struct xnm_aliaschain {
    struct xnm_aliaschain_link links[XNM_ALIASCHAIN_MAX];
    size_t count;
    size_t next; /* private: position of the walk */
};

/* Returns the targets of the chain's CNAMEs in order; false at the end, after which the next call
 * begins again. An xnm_chain_next. */
bool xnm_aliaschain_next(void *chain, const uint8_t **target, size_t *len);

/* Cuts the chain after the CNAME that leads to the n-th target, counted from 1; 0 empties it.
 * False: the chain has fewer targets. */
bool xnm_aliaschain_cut(struct xnm_aliaschain *chain, unsigned target);

#endif
