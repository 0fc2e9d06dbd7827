/* SPDX-License-Identifier: BSD-3-Clause */
/* The extended error of each client: clients that wait for the same answer may
 * understand different ones. */
#ifndef XNM_MODULE_UNBOUND_REASON_H
#define XNM_MODULE_UNBOUND_REASON_H

#include "module/unbound/callback.h"
#include "module/unbound/qstate.h"

/* Makes the extended error of the call's decision, and for those of the waiting clients that ask
 * for structured errors, theirs. `rep` is the answer; NULL: it has no records. Call it just before
 * the query is done, between xnm_policyhandle_enter and xnm_policyhandle_leave. */
void xnm_reason_make(struct xnm_qstate_work *work, struct reply_info *rep);

/* Replaces the extended error of a reply that leaves, if its client asks for structured ones. */
void xnm_reason_give(const struct xnm_qstate *query, const struct xnm_callback *call);

/* Adds the extended error of the call's decision to a reply that is withheld. A structured one has
 * no text, since the client asks again. */
void xnm_reason_add(const struct xnm_qstate_work *work, const struct xnm_callback *call);

#endif
