/* SPDX-License-Identifier: BSD-3-Clause */
/* Unbound's messages: read for their chains, made of a policy's response. All memory is of the
 * query's region. */
#ifndef XNM_MODULE_UNBOUND_MESSAGE_H
#define XNM_MODULE_UNBOUND_MESSAGE_H

#include "module/answer/chaincache.h"
#include "module/answer/response.h"

struct dns_msg;
struct module_qstate;
struct regional;
struct reply_info;
struct ub_packed_rrset_key;

/* --- reading --- */

/* Of a message's aliases: begins with next 0. rep NULL: there is no message. */
struct xnm_message_walk {
    const struct reply_info *rep;
    size_t next;
};

/* Gives the targets of the answer section's CNAMEs, in their order; those without a valid target
 * are passed over. False at the end. An xnm_chain_next; writes nothing to the message. */
bool xnm_message_next_target(void *walk, const uint8_t **target, size_t *len);

bool xnm_message_has_chain(const struct reply_info *rep);

/* The CNAME and DNAME records of the answer section, the first XNM_ALIAS_LINKS_MAX of them. They
 * point into the message, whose TTLs are relative. */
void xnm_message_chain(const struct reply_info *rep, struct xnm_alias_chain *chain);

/* Appends one, if the RRset is of such a type and there is room. */
void xnm_message_add_link(struct xnm_alias_chain *chain, const struct ub_packed_rrset_key *rrset);

/* Is it an answer of the query that validation has found bogus, and does Unbound withhold it from
 * those who wait for it (who have not set CD)? */
bool xnm_message_is_bogus(const struct reply_info *rep);
bool xnm_message_is_withheld(const struct module_qstate *qstate, const struct reply_info *rep);

/* Is it a referral to other servers? Unbound stores its records, under no name that was asked for.
 */
bool xnm_message_is_referral(const struct reply_info *rep);

/* Has it an additional section that clients would get? */
bool xnm_message_shows_additional(const struct module_qstate *qstate, const struct reply_info *rep);

/* Takes the RRsets of names that are refused by `policy` out of the additional section. Returns how
 * many. */
size_t xnm_message_drop_additional(const struct xnm_policy *policy, struct reply_info *rep);

/* --- making --- */

/* NULL: no memory. */
struct ub_packed_rrset_key *xnm_message_make_rrset(struct regional *region,
                                                   const struct xnm_response_set *set);

/* The answer of the query, AD clear: the response's records, and behind them the answer and
 * authority sections of `target` (NULL: none), whose rcode it then has. NULL: no memory. */
struct dns_msg *xnm_message_make(struct module_qstate *qstate, const struct xnm_response *response,
                                 const struct reply_info *target);

/* The flags, answer and authority sections of a message, in other memory. NULL: no memory. */
struct reply_info *xnm_message_copy(const struct reply_info *rep, struct regional *region);

#endif
