/* SPDX-License-Identifier: BSD-3-Clause */
/* A chain of aliases that may lead to a refused name. Host-free. */
#ifndef XNM_MODULE_ANSWER_CHAINCACHE_H
#define XNM_MODULE_ANSWER_CHAINCACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { XNM_ALIAS_LINKS_MAX = 32 }; /* of a chain; where it is longer the rest is not in it */

/* One CNAME or DNAME RRset of a chain: a single record, without its signatures. */
struct xnm_alias_link {
    const uint8_t *owner;
    size_t owner_len;
    uint16_t type;
    uint32_t ttl; /* seconds */
    const uint8_t *rdata;
    size_t rdata_len;
};

/* What leads to a refused name. The links point elsewhere. */
struct xnm_alias_chain {
    struct xnm_alias_link links[XNM_ALIAS_LINKS_MAX];
    size_t count;
    size_t next; /* private: of the walk */
};

/* Gives the targets of the chain's CNAMEs in their order; false at the end, and the next call
 * begins again. An xnm_chain_next. */
bool xnm_alias_chain_next(void *chain, const uint8_t **target, size_t *len);

/* Leaves of the chain what comes before the n-th target (counted from 1), and the CNAME that leads
 * to it; nothing for 0. False: it has not as many. */
bool xnm_alias_chain_cut(struct xnm_alias_chain *chain, unsigned target);

#endif
