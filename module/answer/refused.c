/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/answer/refused.h"

#include "module/base/rrtype.h"

bool xnm_refused_next_target(void *chain_, const uint8_t **target, size_t *len)
{
    struct xnm_refused_chain *chain = chain_;

    while (chain->next < chain->count) {
        const struct xnm_refused_link *link = &chain->links[chain->next++];

        *target = link->rdata;
        *len = link->rdata_len;
        if (link->type == XNM_TYPE_CNAME)
            return true;
    }
    return false;
}

bool xnm_refused_cut(struct xnm_refused_chain *chain, unsigned target)
{
    size_t kept = 0;

    while (target > 0 && kept < chain->count)
        target -= chain->links[kept++].type == XNM_TYPE_CNAME;
    chain->count = kept;
    chain->next = 0;
    return target == 0;
}
