/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of a reply callback: which client gets the reply, and how Unbound will encode it.
 */
#ifndef XNM_MODULE_UNBOUND_CALLBACK_H
#define XNM_MODULE_UNBOUND_CALLBACK_H

#include "module/log/logreply.h"

#include <util/module.h>

struct comm_reply;
struct edns_data;
struct query_info;
struct reply_info;
struct sockaddr_storage;
struct xnm_forwarders;

/* The four lists of reply callbacks: one for each origin of an answer. */
typedef enum { XNM_FROM_RESOLUTION, XNM_FROM_CACHE, XNM_FROM_LOCAL, XNM_FROM_FAILURE } xnm_origin;

/* The arguments that Unbound gives a reply callback, as they are. Any pointer may be NULL. Only
 * module/unbound/gate.c writes to what they point at. */
struct xnm_callback {
    xnm_origin origin;
    struct query_info *qinfo;
    struct module_qstate *qstate;
    struct reply_info *rep;
    int rcode;
    struct comm_reply *repinfo;
    struct timeval *start_time;
    struct edns_option **options; /* to be sent with the reply */
    struct regional *region;
    const struct edns_data *edns; /* of the query, and other options to be sent */
};

/* Call it once before the first reply: it keeps Unbound's settings. */
void xnm_callback_open(const struct module_env *env);

/* Returns whether a client gets the reply. False: it is an internal lookup. */
bool xnm_callback_has_client(const struct xnm_callback *call);

/* Returns whether the reply has no records: a failure, or an error that Unbound encodes without its
 * message. */
static inline bool xnm_callback_is_error(const struct xnm_callback *call)
{
    return !call->rep || call->origin == XNM_FROM_FAILURE ||
           (call->origin == XNM_FROM_RESOLUTION && (call->rcode & 0xF));
}

/* Returns whether the reply is an expired answer, which is served while the query waits or after it
 * has failed: it is not the query's own. */
bool xnm_callback_is_expired(const struct xnm_callback *call);

/* Reads the client of a query that came from the address `peer`: the one that its EDNS Client
 * Subnet option names if that is a forwarder's, else `peer`. forwarders and edns may be NULL.
 * False: it is no IP address. */
bool xnm_callback_client(const struct xnm_forwarders *forwarders,
                         const struct sockaddr_storage *peer, const struct edns_data *edns,
                         struct xnm_prefix *client);

/* Fills in the name, type and class of a reply. Returns false if no client gets it, or the query
 * has no name. Pointers in *reply are valid as long as the call. */
bool xnm_callback_read_question(const struct xnm_callback *call, struct xnm_reply *reply);
/* Fills in the rest of the reply, except match, after xnm_callback_read_question. TC is only set if
 * the message or the policy sets it, not if the reply turns out to be too long. An error of
 * Unbound's own is found if Unbound has added it before the callbacks, or adds it for a bogus or an
 * expired answer; its text may be missing. */
void xnm_callback_read_answer(const struct xnm_forwarders *forwarders,
                              const struct xnm_callback *call, struct xnm_reply *reply);

#endif
