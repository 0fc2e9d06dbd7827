/* SPDX-License-Identifier: BSD-3-Clause */
/* One query of Unbound's: its state from one call to the next, how it is decided, and how a
 * decision is carried out. */
#ifndef XNM_MODULE_UNBOUND_QUERY_H
#define XNM_MODULE_UNBOUND_QUERY_H

#include "module/answer/chaincache.h"
#include "module/base/address.h"
#include "module/policy/match.h"
#include "module/run/state.h"

#include <util/module.h>

struct mesh_reply;
struct sockaddr_storage;

/* --- state --- */

typedef enum {
    XNM_QUERY_NEW,    /* the modules after this one do not have it */
    XNM_QUERY_BELOW,  /* they have it; their answer will be decided */
    XNM_QUERY_ENDED,  /* they have it, but the iterator was ended at an alias to a refused name */
    XNM_QUERY_TARGET, /* it waits for the target of the policy's own alias */
    XNM_QUERY_DONE    /* it has an answer */
} xnm_query_state;
enum { XNM_QUERY_STATES = XNM_QUERY_DONE + 1 };

/* Who made the answer of a query that is done. */
typedef enum {
    XNM_ANSWER_RESOLVERS, /* the modules after this one */
    XNM_ANSWER_POLICYS,
    XNM_ANSWER_DROPPED
} xnm_query_answer;

/* It is in qstate->minfo[id], and its memory is the query's region. All 0: a new query. */
struct xnm_query {
    xnm_query_state state;
    xnm_query_state before; /* the state in which the policy gave its answer or its alias */
    xnm_query_answer answer;
    bool is_first;    /* Unbound began it here, so the next module begins it, too */
    bool is_personal; /* another client, or this one at another time, might get another answer */
    bool is_from_a;   /* the answer, or a response, is made of A records: see dns64 */
    bool has_target;  /* the sub-query for `target` has ended */
    uint64_t
        unmatched_by; /* generation of the policy that has no rule for it, whoever asks; 0: none */
    const struct reply_info *settled; /* the answer that needed no decision by it; NULL: none */
    struct xnm_match *match;          /* for the log line; NULL: no rule matched, or no memory */
    struct xnm_alias_chain *chain; /* at which it was ended; its links are in the query's memory */
    struct dns_msg *records; /* of the response at which it was ended, to be stored; NULL: none */
    struct query_info target;
    int target_rcode;
    struct reply_info *target_rep; /* NULL: it has no answer */
    int original_rcode;            /* the resolver's answer that the policy's has replaced */
    struct dns_msg *original;      /* NULL: it had no message */
    size_t clients_left;           /* of the mesh, when the dropped ones are gone */
    struct xnm_reason *reasons;    /* for clients that ask for structured errors; NULL: none */
};

/* The state of one call. */
struct xnm_work {
    struct xnm_state *state;
    struct module_qstate *qstate;
    int id;
    struct xnm_query *query;
    const struct sockaddr_storage *asker; /* the address that the query came from; NULL: none */
    const struct edns_data *edns;         /* of the query; NULL: none */
    struct xnm_prefix client;             /* the client, as the policy reads it */
    const struct xnm_policy *policy;
    uint64_t generation;
    struct xnm_alias_chain chain; /* of the answer, or as far as it is known */
    struct xnm_decision decision;
};

/* Begins a call for the first client that waits (qstate may be NULL: none); work->query and
 * work->policy are NULL afterwards. */
void xnm_query_begin_call(struct xnm_work *work, struct xnm_state *state,
                          struct module_qstate *qstate, int id);

/* Returns the state of a query, made if there is none yet. NULL: no memory. */
struct xnm_query *xnm_query_of(struct module_qstate *qstate, int id);

/* Returns the clients that wait for the answer; NULL: the query is internal. Callbacks of Unbound
 * itself (trust anchors, zone transfers) are no clients. */
const struct mesh_reply *xnm_query_clients(const struct module_qstate *qstate);

/* --- deciding: call these between xnm_policyhandle_enter and xnm_policyhandle_leave --- */

/* decide_answer decides the question `info` with the aliases of an answer (rep NULL: none);
 * decide_chain decides the call's query with work->chain. Both return whether any rule matches. */
bool xnm_query_decide_answer(struct xnm_work *work, const struct query_info *info,
                             const struct reply_info *rep);
bool xnm_query_decide_chain(struct xnm_work *work);

/* Returns whether policy-mode is log-only: the policy changes no answer. */
bool xnm_query_is_log_only(const struct xnm_work *work);

/* Returns whether the call's decision changes the answer, and is enforced. */
bool xnm_query_is_refused(const struct xnm_work *work);

/* Notes the call's decision in the query: what the log line says, and whether it is personal. */
void xnm_query_note(struct xnm_work *work, bool matched);

/* Notes only whether it is personal: its answer may be a refusal that other clients do not get. */
void xnm_query_note_personal(struct xnm_work *work);

/* Returns whether no rule of the policy of `generation` matches the query, whoever asks, and an
 * answer `rep` (NULL: none) holds nothing else that could be decided. True for most queries. */
bool xnm_query_is_settled(const struct xnm_query *query, const struct query_info *info,
                          const struct reply_info *rep, uint64_t generation);

/* Returns whether the call's decision can be carried out before the refused target is looked up:
 * tcp-only gives the target's own answer to clients that do not use UDP. */
bool xnm_query_needs_no_target(const struct xnm_work *work);

/* --- carrying out: each leaves the query in the state that it names --- */

/* Carries out a decision that changes answers. work->chain ends with the CNAME that leads to the
 * refused name; it is empty if the query name is refused. If several clients wait and the decision
 * is one client's, the resolver answers, and the gate decides for each. DONE, TARGET, or BELOW. */
void xnm_query_act(struct xnm_work *work);

/* Passes the query on to the next module. BELOW. */
void xnm_query_pass_down(struct xnm_work *work);

/* Passes the resolver's answer back. DONE. */
void xnm_query_pass_up(struct xnm_work *work);

/* Answers SERVFAIL. DONE. */
void xnm_query_fail(struct xnm_work *work);

/* Makes the modules after this one resolve the query once more, from the beginning. BELOW. */
void xnm_query_restart(struct xnm_work *work);

/* A sub-query has ended. If `super` waits for it as its target, keeps its answer, which nothing has
 * decided. */
void xnm_query_take_target(const struct module_qstate *sub, const struct module_qstate *super,
                           int id);

/* Gives back the places that the mesh keeps for clients who were dropped. */
void xnm_query_clear(struct module_qstate *qstate, int id);

#endif
