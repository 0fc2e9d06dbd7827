/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the alias chains of Unbound's messages, and makes messages from a policy's response. All
 * memory is from the query's region. */
#ifndef XNM_MODULE_UNBOUND_MESSAGE_H
#define XNM_MODULE_UNBOUND_MESSAGE_H

#include "module/answer/aliaschain.h"
#include "module/answer/response.h"

#include <util/data/msgreply.h>

struct dns_msg;
struct module_env;
struct module_qstate;
struct regional;
struct ub_packed_rrset_key;

/* --- reading --- */

/* A walk over the aliases of a message. */
struct xnm_message_walk {
    const struct reply_info *rep;
    size_t next;
    const uint8_t *name; /* where the chain is */
    size_t name_len;
};

/* Begins a walk at the query's name; rep NULL: there is no message. */
static inline struct xnm_message_walk xnm_message_walk(const struct reply_info *rep,
                                                       const struct query_info *info)
{
    return (struct xnm_message_walk){rep, 0, info->qname, info->qname_len};
}

/* Returns the targets of the answer section's CNAMEs in order, and skips those without a valid
 * target. An RRset whose owner is not where the chain is counts as a target, too: respip may leave
 * out the aliases before it. False at the end. An xnm_chain_next. */
bool xnm_message_next_target(void *walk, const uint8_t **target, size_t *len);

/* Returns whether an answer to that query has any target. */
bool xnm_message_has_chain(const struct reply_info *rep, const struct query_info *info);

/* Writes the first XNM_ALIASCHAIN_MAX CNAME and DNAME records of the answer section. They point
 * into the message; TTLs must be relative. */
void xnm_message_chain(const struct reply_info *rep, struct xnm_aliaschain *chain);

/* Empties a chain. */
static inline void xnm_message_begin_chain(struct xnm_aliaschain *chain)
{
    chain->count = chain->next = 0;
}

/* Appends a link, if the RRset is a CNAME or DNAME and the chain is not full. */
void xnm_message_add_link(struct xnm_aliaschain *chain, const struct ub_packed_rrset_key *rrset);

/* Returns whether validation found the answer bogus, so that Unbound withholds it from the clients
 * that wait (none of which has set CD). */
bool xnm_message_is_withheld(const struct module_qstate *qstate, const struct reply_info *rep);

/* Returns the NS records of a referral to other servers; NULL: the message is none. */
const struct ub_packed_rrset_key *xnm_message_referral(const struct reply_info *rep);

/* Removes the messages for a query from the cache, with CD and without. */
void xnm_message_remove_from_cache(struct module_env *env, const struct query_info *info);

/* RRsets of the additional section that are decided: a response has room for some 1,500, each of
 * which may cost as much as a hostile query. */
enum { XNM_MESSAGE_ADDITIONAL_MAX = 64 };

/* is_additional returns whether an RRset outside the answer section is decided by its owner;
 * has_additional, whether there is one. drop_additional removes those that `policy` refuses to
 * any client and those beyond XNM_MESSAGE_ADDITIONAL_MAX, and returns whether there were any.
 * Even with `minimal-responses: yes`, Unbound sends that section beside NS records, and beside
 * answers of other types than the query's. */
bool xnm_message_is_additional(const struct reply_info *rep, size_t i);
bool xnm_message_has_additional(const struct reply_info *rep);
bool xnm_message_drop_additional(const struct xnm_policy *policy, struct reply_info *rep);

/* --- making --- */

/* entry.hash is left 0: only caches read it, and no answer of the policy is cached. Returns NULL if
 * there is no memory. */
struct ub_packed_rrset_key *xnm_message_make_rrset(struct regional *region,
                                                   const struct xnm_response_set *set);

/* The query's answer, AD clear: the response's records, then the answer and authority sections of
 * `target` (NULL: none), whose rcode it takes. NULL: no memory. */
struct dns_msg *xnm_message_make(struct module_qstate *qstate, const struct xnm_response *response,
                                 const struct reply_info *target);

/* Copies a message's members before `ref`: Unbound allocates no more of it for a message with at
 * most one RRset. NULL: no memory. */
struct reply_info *xnm_message_members(const struct reply_info *rep, struct regional *region);

/* Copies the flags, answer and authority sections of a message. NULL: no memory. */
struct reply_info *xnm_message_copy(const struct reply_info *rep, struct regional *region);

#endif
