/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of building a policy: entries that say the same become one, and all are put where
 * deciding finds them. */
#ifndef XNM_MODULE_POLICYINDEX_H
#define XNM_MODULE_POLICYINDEX_H

#include "module/policyverdicts.h"

/* Nothing may be added to the policy afterwards. Rules that can never decide are reported. False:
 * no memory; the policy can only be freed. */
bool xnm_policy_index(struct xnm_policy *policy, struct xnm_verdicts *verdicts,
                      const struct xnm_reporter *reporter);

/* Makes the tables of a policy anew, with another seed, where every search ends after limit->max
 * places at most. False: limit->exceeded, or there is no memory; the policy can only be freed. */
bool xnm_policy_reindex(struct xnm_policy *policy, uint64_t seed, struct xnm_run_limit *limit);

#endif
