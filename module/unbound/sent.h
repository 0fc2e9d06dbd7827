/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a reply will say, for the log. */
#ifndef XNM_MODULE_UNBOUND_SENT_H
#define XNM_MODULE_UNBOUND_SENT_H

#include "module/unbound/host.h"

/* Call it once before the first reply: it keeps Unbound's settings. */
void xnm_sent_open(const struct module_env *env);

/* Fills in a reply's flags, security, error and next_answer; reply->when is set. `query_flags` are
 * those of the query's header. TC is only set if the message or the policy sets it, not if the
 * reply turns out to be too long. An error of Unbound's own is found if Unbound has added it before
 * the callbacks, or adds it for a bogus or an expired answer; its text may be missing. Pointers in
 * *reply are valid as long as the call. */
void xnm_sent_read(const struct xnm_host_call *call, uint16_t query_flags, struct xnm_reply *reply);

#endif
