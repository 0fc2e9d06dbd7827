/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/recent.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static size_t place_of(const struct xnm_question *question)
{
    return XXH3_64bits_withSeed(question->qname, question->qname_len, question->qtype) %
           XNM_RECENT_COUNT;
}

void xnm_recent_add(struct xnm_recent *recent, uint32_t handle, uint64_t generation,
                    const struct xnm_question *question)
{
    if (question->qname_len > XNM_RECENT_NAME_MAX)
        return;
    struct xnm_recent_question *kept = &recent->questions[place_of(question)];
    kept->generation = generation;
    kept->handle = handle;
    kept->qtype = question->qtype;
    kept->qclass = question->qclass;
    kept->from_a = question->from_a;
    kept->qname_len = (uint8_t)question->qname_len;
    memcpy(kept->qname, question->qname, question->qname_len);
}

bool xnm_recent_has(const struct xnm_recent *recent, uint32_t handle, uint64_t generation,
                    const struct xnm_question *question)
{
    if (question->qname_len > XNM_RECENT_NAME_MAX)
        return false;
    const struct xnm_recent_question *kept = &recent->questions[place_of(question)];
    return kept->generation == generation && kept->handle == handle &&
           kept->qtype == question->qtype && kept->qclass == question->qclass &&
           kept->from_a == question->from_a && kept->qname_len == question->qname_len &&
           memcmp(kept->qname, question->qname, question->qname_len) == 0;
}
