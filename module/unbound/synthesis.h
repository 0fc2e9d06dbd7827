/* SPDX-License-Identifier: BSD-3-Clause */
/* What Unbound's dns64 makes of other records, so that rules about these hold for it: AAAA of A,
 * and the PTR of an IPv6 address of that of the IPv4 address in it. dns64 asks for these itself,
 * for no client, and no rule decides them. */
#ifndef XNM_MODULE_UNBOUND_SYNTHESIS_H
#define XNM_MODULE_UNBOUND_SYNTHESIS_H

#include "module/policy/policy.h"

struct module_env;
struct packed_rrset_data;
struct query_info;
struct reply_info;

/* Looks whether dns64 is in module-config, and with which prefix. To be called by init(), before
 * there are other threads. */
void xnm_synthesis_open(const struct module_env *env);

/* May dns64 answer such a query with records that it has made? */
bool xnm_synthesis_answers(uint16_t qtype);

/* Are the AAAA records of an RRset made of A records? */
bool xnm_synthesis_is_made(const struct packed_rrset_data *data);

/* What the policy decides of a query, and of its answer (NULL: there is none yet). *looked_up is
 * where the name may be written that dns64 looks up in its place. */
struct xnm_question xnm_synthesis_question(const struct query_info *info,
                                           const struct reply_info *rep,
                                           struct xnm_wirename *looked_up);

#endif
