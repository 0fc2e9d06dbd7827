/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries out a decision: answers, drops the client, or passes the query on. */
#ifndef XNM_MODULE_UNBOUND_ACTION_H
#define XNM_MODULE_UNBOUND_ACTION_H

#include "module/answer/chaincache.h"
#include "module/base/address.h"
#include "module/policy/match.h"
#include "module/run/state.h"

#include <util/module.h>

struct mesh_reply;
struct respip_action_info;
struct sockaddr_storage;

/* The state of a query from one call to the next. It is in qstate->minfo[id], and its memory is the
 * query's region. */
struct xnm_query {
    enum {
        XNM_STAGE_BELOW,
        XNM_STAGE_WAITING,
        XNM_STAGE_ARRIVED
    } stage;                  /* the last two: of an alias's target */
    bool is_new;              /* no sub-query: the next module begins it so */
    bool decided, had_answer; /* … before and after the modules behind ours */
    uint64_t generation;      /* of the policy that decided */
    bool matched;             /* … by a rule */
    bool personal;            /* … or another client might get another answer */
    struct xnm_match *match;  /* NULL: no rule matched, or it is not to be had */
    const struct respip_action_info *truncation; /* that was set here; NULL: none */
    bool kept_out, chain_kept_out; /* no_cache_store was set here: for this response, for good */
    bool from_a;                   /* the answer, or a response, is made of A records */
    bool ended;                    /* the iterator was: at a refused chain's alias */
    struct xnm_alias_chain *chain; /* … which is this one; or that before the policy's alias */
    struct query_info target;
    int target_rcode;
    struct reply_info *target_rep; /* NULL: it has no answer */
    struct dns_msg *records;       /* of the response it was ended at, to be stored; NULL: not */
    bool made;                     /* the answer is the policy's */
    bool replaced;                 /* … in place of the resolver's, which was: */
    int original_rcode;
    struct dns_msg *original;
    bool dropped;
    size_t clients_left;                      /* … of the mesh, when the dropped ones are gone */
    const struct reply_info *refused_expired; /* an expired message that was refused; NULL: none */
    const struct reply_info *expired;         /* … its flags and counts before that */
};

/* The state of one call. */
struct xnm_work {
    struct xnm_state *state;
    struct module_qstate *qstate;
    int id;
    struct xnm_query *query;
    struct sockaddr_storage *asker; /* the client's address; NULL: none */
    struct xnm_client client;       /* … as the policy reads it */
    const struct xnm_policy *policy;
    uint64_t generation;
    struct xnm_alias_chain chain; /* of the answer, or as far as it is known */
    struct xnm_decision decision;
};

/* The clients that wait for the answer; NULL: the query is internal. */
const struct mesh_reply *xnm_work_clients(const struct module_qstate *qstate);

/* Carries out a decision that changes answers. work->chain ends with the CNAME that leads to the
 * refused name; it is empty if the query name is refused. Call it between xnm_reload_enter and
 * xnm_reload_leave. */
void xnm_action_do(struct xnm_work *work);

/* Copies work->chain, whose links borrow their memory, for a later call. False: no memory. */
bool xnm_action_keep_chain(struct xnm_work *work);

/* Can the action be carried out before the refused target is looked up? */
bool xnm_action_needs_no_target(const struct xnm_work *work);

/* Passes the query on to the next module, or its answer back. */
void xnm_action_leave(struct xnm_work *work);

/* Makes the modules after this one resolve the query once more: its iterator was ended, so there is
 * no answer, and now one is wanted. */
void xnm_action_begin_anew(struct xnm_work *work);

/* Answers SERVFAIL. */
void xnm_action_fail(struct xnm_work *work);

/* A sub-query has ended. If *query, of `super`, waits for it, keeps its answer, which nothing has
 * decided. */
void xnm_action_inform(const struct module_qstate *sub, const struct module_qstate *super,
                       struct xnm_query *query);

/* Frees what a finished query holds. */
void xnm_action_clear(struct module_qstate *qstate, const struct xnm_query *query);

#endif
