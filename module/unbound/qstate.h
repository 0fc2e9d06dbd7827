/* SPDX-License-Identifier: BSD-3-Clause */
/* The module's state of one query of Unbound, from one call to the next, and how it is decided. */
#ifndef XNM_MODULE_UNBOUND_QSTATE_H
#define XNM_MODULE_UNBOUND_QSTATE_H

#include "module/answer/aliaschain.h"
#include "module/base/address.h"
#include "module/policy/match.h"
#include "module/run/state.h"

#include <util/module.h>

struct mesh_reply;
struct sockaddr_storage;

/* --- state --- */

typedef enum {
    XNM_QSTATE_NEW,    /* the modules after this one do not have it */
    XNM_QSTATE_BELOW,  /* they have it; their answer will be decided */
    XNM_QSTATE_ENDED,  /* they have it, but the iterator was ended at an alias to a refused name */
    XNM_QSTATE_TARGET, /* it waits for the target of the policy's own alias */
    XNM_QSTATE_DONE    /* it has an answer */
} xnm_qstate_state;
enum { XNM_QSTATE_STATES = XNM_QSTATE_DONE + 1 };

/* Who made the answer of a query that is done. */
typedef enum {
    XNM_QSTATE_BY_RESOLVER, /* the modules after this one */
    XNM_QSTATE_BY_POLICY,
    XNM_QSTATE_DROPPED
} xnm_qstate_answer;

/* It is in qstate->minfo[id], and its memory is the query's region. All 0: a new query. */
struct xnm_qstate {
    xnm_qstate_state state;
    xnm_qstate_state before; /* the state in which the policy gave its answer or its alias */
    xnm_qstate_answer answer;
    bool is_first;           /* Unbound began it here, so the next module begins it, too */
    bool is_client_specific; /* another client, or this one later, may get another answer */
    bool is_from_a;          /* the answer, or a response, is made of A records: see dns64 */
    bool has_target;         /* the sub-query for `target` has ended */
    uint64_t unmatched_by;   /* generation of the policy that has no rule for it; 0: none */
    const struct reply_info *settled; /* the answer that needed no decision; NULL: none */
    struct xnm_match *match;          /* for the log line; NULL: no rule matched, or no memory */
    struct xnm_aliaschain *chain; /* at which it was ended; its links are in the query's memory */
    struct dns_msg *records; /* of the response at which it was ended, to be stored; NULL: none */
    struct query_info target;
    int target_rcode;
    struct reply_info *target_rep; /* NULL: it has no answer */
    int original_rcode;            /* the resolver's answer that the policy's has replaced */
    struct dns_msg *original;      /* NULL: it had no message */
    size_t clients_left;           /* of the mesh, when the dropped ones are gone */
    struct reply_info *emptied; /* an expired answer that the last client may not have, or NULL */
    struct reply_info *whole;   /* what it was before */
    struct xnm_reason *reasons; /* for clients that ask for structured errors; NULL: none */
};

/* The state of one call. */
struct xnm_qstate_work {
    struct xnm_state *state;
    struct module_qstate *qstate;
    int id;
    struct xnm_qstate *query;
    const struct sockaddr_storage *asker; /* the source address of the query; NULL: none */
    const struct edns_data *edns;         /* of the query; NULL: none */
    struct xnm_prefix client;             /* the client, as the policy reads it */
    const struct xnm_policy *policy;
    uint64_t generation;
    struct xnm_aliaschain chain; /* of the answer, or as far as it is known */
    struct xnm_decision decision;
};

/* Begins a call for the first client that waits (qstate may be NULL: none); work->query and
 * work->policy are NULL afterwards. */
void xnm_qstate_begin_call(struct xnm_qstate_work *work, struct xnm_state *state,
                           struct module_qstate *qstate, int id);

/* Returns the state of a query, made if there is none yet. NULL: no memory. */
struct xnm_qstate *xnm_qstate_of(struct module_qstate *qstate, int id);

/* Returns the clients that wait for the answer; NULL: the query is internal. Callbacks of Unbound
 * itself (trust anchors, zone transfers) are no clients. */
const struct mesh_reply *xnm_qstate_clients(const struct module_qstate *qstate);

/* Returns whether all clients of a query use UDP. */
bool xnm_qstate_is_on_udp(const struct module_qstate *qstate);

/* Reads whether dns64 is in module-config, and its prefix. Call it in init(), before other threads
 * exist. */
void xnm_qstate_open(const struct module_env *env);

/* Returns whether dns64 can answer this type with records that it makes: AAAA from A, and the PTR
 * of an IPv6 address from that of the IPv4 address inside. dns64 looks these up itself, for no
 * client, and no rule decides those lookups, so rules are applied to what it makes. */
bool xnm_qstate_is_synthesized(uint16_t qtype);

/* --- deciding: call these between xnm_policyhandle_enter and xnm_policyhandle_leave --- */

/* decide_answer decides the question `info` with the aliases of an answer (rep NULL: none);
 * decide_chain decides the call's query with work->chain. Both return whether any rule matches. */
bool xnm_qstate_decide_answer(struct xnm_qstate_work *work, const struct query_info *info,
                              const struct reply_info *rep);
bool xnm_qstate_decide_chain(struct xnm_qstate_work *work);

/* Returns whether the call's decision changes the answer, and is enforced. */
bool xnm_qstate_is_refused(const struct xnm_qstate_work *work);

/* Stores the call's decision in the query: the match for the log line, and whether it is
 * client-specific. */
void xnm_qstate_note(struct xnm_qstate_work *work, bool matched);

/* Stores only whether it is client-specific: its answer may be a refusal that other clients do not
 * get. */
void xnm_qstate_note_client_specific(struct xnm_qstate_work *work);

/* Returns whether no rule of the policy of `generation` matches the query for any client, and
 * an answer `rep` (NULL: none) has no other name that could be decided. True for most queries. */
bool xnm_qstate_is_settled(const struct xnm_qstate *query, const struct query_info *info,
                           const struct reply_info *rep, uint64_t generation);

#endif
