/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether two names were read alike: member by member, since compilers leave in a gap between
 * members what was there. */
#ifndef XN_TESTS_UNIT_SAMELABELS_H
#define XN_TESTS_UNIT_SAMELABELS_H

#include "core/idna/name.h"

static inline bool same_labels(const struct xn_name *a, const struct xn_name *b)
{
    bool same = a->label_count == b->label_count;

    for (size_t i = 0; same && i < a->label_count; i++) {
        const struct xn_label *one = &a->labels[i], *other = &b->labels[i];
        same = one->at == other->at && one->len == other->len && one->cps_at == other->cps_at &&
               one->cps_len == other->cps_len && one->ace == other->ace &&
               one->reasons == other->reasons;
    }
    return same;
}

#endif
