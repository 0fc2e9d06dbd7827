/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where a query's aliases lead, from the iterator and the caches while Unbound resolves, and
 * makes the iterator stop. All memory is from the query's region. */
#ifndef XNM_MODULE_UNBOUND_ALIAS_H
#define XNM_MODULE_UNBOUND_ALIAS_H

#include "module/answer/chaincache.h"

#include <stdbool.h>

struct dns_msg;
struct module_qstate;
struct reply_info;

/* Writes the aliases of the query name that are in the caches, with relative TTLs. */
void xnm_alias_from_caches(struct module_qstate *qstate, struct xnm_alias_chain *chain);

/* Removes expired CNAMEs from the RRset cache that those of a response would replace, and so the
 * messages that they are part of. False: one that would be replaced has not expired. */
bool xnm_alias_make_way(struct module_qstate *qstate, const struct reply_info *rep);

/* Writes the aliases that the iterator has followed, those of the response it has just got, and
 * those that the caches have for the last target. Returns whether the iterator goes on to that
 * target. It does not if the response has the answer for it, or is for a name above the one that
 * the iterator wants (RFC 9156, QNAME minimisation). */
bool xnm_alias_from_response(struct module_qstate *qstate, const struct dns_msg *response,
                             struct xnm_alias_chain *chain);

/* Does the iterator follow it as a referral? Unbound then stores its records, but under no name
 * that was asked for. From a forwarder, and with the NS records of the zone whose servers were
 * asked, it is an answer without records of the type. */
bool xnm_alias_is_referral(const struct module_qstate *qstate, const struct reply_info *rep);

/* Does the iterator ask forwarders, which answer for zones that are not theirs? */
bool xnm_alias_is_forwarded(const struct module_qstate *qstate);

/* Makes the iterator end with what it has: it reads the response as YXDOMAIN, which is final and is
 * neither validated nor cached. Call it for a response that the iterator has just got; the response
 * is changed. Returns a copy of the original. NULL: no memory, and nothing was changed. */
struct dns_msg *xnm_alias_end(struct module_qstate *qstate, struct dns_msg *response);

#endif
