/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where a query's aliases lead, from the iterator and the caches while Unbound resolves, and
 * makes the iterator stop. All memory is from the query's region. */
#ifndef XNM_MODULE_UNBOUND_ALIAS_H
#define XNM_MODULE_UNBOUND_ALIAS_H

#include "module/answer/chaincache.h"

#include <stdbool.h>

struct dns_msg;
struct module_env;
struct module_qstate;
struct reply_info;
struct xnm_policy;

/* Writes the aliases of the query name that are in the caches, with relative TTLs. */
void xnm_alias_from_caches(struct module_qstate *qstate, struct xnm_alias_chain *chain);

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

/* Cached messages share a CNAME of the cache, so a new one would change what they say without
 * anybody deciding it. Call it before an answer's records are stored: it removes the CNAMEs that
 * they would replace by others, and with them the messages. */
void xnm_alias_renew(const struct module_env *env, const struct reply_info *rep);

/* Another module may have stored the query's answer at once, though nothing of it may be in the
 * cache. Then the messages that share its CNAMEs are removed; the CNAMEs stay. */
void xnm_alias_unshare(struct module_qstate *qstate);

/* Would the cache keep a CNAME of its own, which leads elsewhere, in place of one of the answer's?
 * Then what Unbound stores is not the message that was decided. rep may be NULL. */
bool xnm_alias_is_displaced(const struct module_qstate *qstate, const struct reply_info *rep);

/* Prepares the cache for an allowed response and the aliases that the iterator has followed, before
 * Unbound stores them. Does as xnm_alias_renew for each alias whose target is refused by itself, or
 * for another type: another name's message, or another type's, may share it. Returns whether one is
 * displaced. */
bool xnm_alias_prepare(struct module_qstate *qstate, const struct xnm_policy *policy,
                       const struct reply_info *rep);

/* Does the iterator ask forwarders, which answer for zones that are not theirs? */
bool xnm_alias_is_forwarded(const struct module_qstate *qstate);

/* Makes the iterator end with what it has: it reads the response as YXDOMAIN, which is final and is
 * neither validated nor cached. Call it for a response that the iterator has just got; the response
 * is changed. Returns a copy of the original. NULL: no memory, and nothing was changed. */
struct dns_msg *xnm_alias_end(struct module_qstate *qstate, struct dns_msg *response);

#endif
