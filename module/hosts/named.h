/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface between the files of the plugin for BIND's named: named.c opens policies,
 * namedquery.c decides queries, namedmessage.c reads and changes messages. */
#ifndef XNM_MODULE_HOSTS_NAMED_H
#define XNM_MODULE_HOSTS_NAMED_H

#include "module/engine/idnpolicy.h"

#include <ns/hooks.h>

/* An open idn.conf. All views that name the same file share it. */
struct named_policy;

struct idnp *named_policy_handle(const struct named_policy *policy);

/* libidnpolicy, loaded when the first view asks for it. */
#define NAMED_LIBRARY(F)                                                                           \
    F(idnp_version)                                                                                \
    F(idnp_version_text)                                                                           \
    F(idnp_open)                                                                                   \
    F(idnp_close)                                                                                  \
    F(idnp_generation)                                                                             \
    F(idnp_verdict_new)                                                                            \
    F(idnp_verdict_free)                                                                           \
    F(idnp_decide)                                                                                 \
    F(idnp_decide_answer)                                                                          \
    F(idnp_report)

struct named_library {
#define MEMBER(name) __typeof__(&(name)) name;
    NAMED_LIBRARY(MEMBER)
#undef MEMBER
};

extern struct named_library named_library;

/* Hooks the policy into a view's queries. The policy must live as long as the table. */
void named_query_hook(ns_hooktable_t *hooks, isc_mem_t *mctx, struct named_policy *policy);

/* --- messages --- */

enum { NAMED_CHAIN_MAX = 32 }; /* aliases of an answer that are decided */

/* Copies the aliases of the answer section, in their order, to `chain`; they point into the
 * message. Returns their number; if it is above NAMED_CHAIN_MAX, `chain` has only the first
 * ones. */
uint32_t named_message_chain(const dns_message_t *message,
                             struct idnp_record chain[NAMED_CHAIN_MAX]);

/* Removes all records from the answer, authority and additional sections. */
void named_message_clear(dns_message_t *message);

/* Adds the verdict's records. The verdict owns their data, and must keep them until the message has
 * been sent. */
void named_message_put(dns_message_t *message, const struct idnp_verdict *verdict);

/* Sets the verdict's extended error, or none, in place of named's own. */
void named_message_ede(ns_client_t *client, const struct idnp_verdict *verdict);

/* Returns a copy of a name, which the message owns. */
dns_name_t *named_message_name(dns_message_t *message, const uint8_t *octets, uint32_t len);

typedef bool named_is_refused(const struct named_policy *policy, const ns_client_t *client,
                              const dns_name_t *name, const dns_rdataset_t *set);

/* Removes the records of refused names from the additional section of a client's message. If there
 * are very many records, it also removes those that it did not decide. */
void named_message_sift(ns_client_t *client, const struct named_policy *policy,
                        named_is_refused *is_refused);

#endif
