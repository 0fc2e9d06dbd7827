/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/answer/aliaschain.h"

#include "module/base/rrtype.h"

bool xnm_aliaschain_next(void *chain_, const uint8_t **target, size_t *len)
{
    struct xnm_aliaschain *chain = chain_;

    while (chain->next < chain->count) {
        const struct xnm_aliaschain_link *link = &chain->links[chain->next++];

        *target = link->rdata;
        *len = link->rdata_len;
        if (link->type == XNM_TYPE_CNAME)
            return true;
    }
    return false;
}

bool xnm_aliaschain_cut(struct xnm_aliaschain *chain, unsigned target)
{
    size_t kept = 0;

    while (target > 0 && kept < chain->count)
        target -= chain->links[kept++].type == XNM_TYPE_CNAME;
    chain->count = kept;
    chain->next = 0;
    return target == 0;
}
