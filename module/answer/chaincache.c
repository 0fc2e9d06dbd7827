/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/answer/chaincache.h"

#include "module/base/rrtype.h"

bool xnm_alias_chain_next(void *chain_, const uint8_t **target, size_t *len)
{
    struct xnm_alias_chain *chain = chain_;

    while (chain->next < chain->count) {
        const struct xnm_alias_link *link = &chain->links[chain->next++];

        *target = link->rdata;
        *len = link->rdata_len;
        if (link->type == XNM_TYPE_CNAME)
            return true;
    }
    return false;
}

bool xnm_alias_chain_cut(struct xnm_alias_chain *chain, unsigned target)
{
    size_t kept = 0;

    while (target > 0 && kept < chain->count)
        target -= chain->links[kept++].type == XNM_TYPE_CNAME;
    chain->count = kept;
    chain->next = 0;
    return target == 0;
}
