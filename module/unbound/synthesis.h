/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies rules to what Unbound's dns64 makes from other records: AAAA from A, and the PTR of an
 * IPv6 address from that of the IPv4 address inside. dns64 looks these up itself, for no client,
 * and no rule decides those lookups. */
#ifndef XNM_MODULE_UNBOUND_SYNTHESIS_H
#define XNM_MODULE_UNBOUND_SYNTHESIS_H

#include <stdbool.h>
#include <stdint.h>

struct xnm_question;
struct xnm_wirename;

struct module_env;
struct query_info;
struct reply_info;

/* Reads whether dns64 is in module-config, and its prefix. To be called by init(), before other
 * threads exist. */
void xnm_synthesis_open(const struct module_env *env);

/* Can dns64 answer this type with records it has made? */
bool xnm_synthesis_answers(uint16_t qtype);

/* The question that the policy decides for a query and its answer (NULL: none yet). *looked_up is
 * storage for the name that dns64 looks up instead. */
struct xnm_question xnm_synthesis_question(const struct query_info *info,
                                           const struct reply_info *rep,
                                           struct xnm_wirename *looked_up);

#endif
