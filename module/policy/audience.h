/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a client, at a time, one of those that a rule is for? Host-free. */
#ifndef XNM_MODULE_POLICY_AUDIENCE_H
#define XNM_MODULE_POLICY_AUDIENCE_H

#include "module/policy/data.h"

/* Tells whether an audience, by its number from 1, has the client at a time. client NULL: the
 * client is not known, and client= never has it. `when` is in seconds since 1970; its day and
 * minute are those of the server's local time. */
bool xnm_audience_has(const struct xnm_policy *policy, unsigned audience,
                      const struct xnm_client *client, time_t when);

/* The first group of the audience's client= that has the client; NULL: none. */
const char *xnm_audience_group(const struct xnm_policy *policy, unsigned audience,
                               const struct xnm_client *client);

#endif
