/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where a query's aliases lead, from the iterator and the caches while Unbound resolves, and
 * makes the iterator stop. All memory is from the query's region. */
#ifndef XNM_MODULE_UNBOUND_CHAIN_H
#define XNM_MODULE_UNBOUND_CHAIN_H

#include "module/answer/chaincache.h"

#include <stdbool.h>

struct dns_msg;
struct module_env;
struct module_qstate;
struct reply_info;

/* Writes the CNAMEs of the query name that are in the cache of records, with relative TTLs. */
void xnm_chain_from_caches(struct module_qstate *qstate, struct xnm_alias_chain *chain);

/* Writes the aliases that the iterator has followed, those of the response it has just got, and
 * the CNAMEs in the cache of records for the last target. Returns whether the iterator goes on to
 * that target. It does not if the response has the answer for it, or is for a name above the one
 * that the iterator wants (RFC 9156, QNAME minimisation). */
bool xnm_chain_from_response(struct module_qstate *qstate, const struct dns_msg *response,
                             struct xnm_alias_chain *chain);

/* Returns whether the iterator follows it as a referral. Unbound then stores its records, but under
 * no name that was asked for. From a forwarder, and with the NS records of the zone whose servers
 * were asked, it is an answer without records of the type. */
bool xnm_chain_is_referral(const struct module_qstate *qstate, const struct reply_info *rep);

/* Makes the iterator end with what it has: it reads the response as YXDOMAIN, which is final and is
 * neither validated nor cached. Call it for a response that the iterator has just got; the response
 * is changed. Returns a copy of the original. NULL: no memory, and nothing was changed. */
struct dns_msg *xnm_chain_end(struct module_qstate *qstate, struct dns_msg *response);

#endif
