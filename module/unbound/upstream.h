/* SPDX-License-Identifier: BSD-3-Clause */
/* What the servers say that Unbound asks: what of it may be cached, and whether more is to be
 * asked. */
#ifndef XNM_MODULE_UNBOUND_UPSTREAM_H
#define XNM_MODULE_UNBOUND_UPSTREAM_H

#include "module/run/state.h"

struct dns_msg;
struct module_qstate;

/* An upstream is about to be asked. */
void xnm_upstream_query(struct module_qstate *qstate, int id);

/* An upstream's answer came in. One that leads to a refused name is kept out of the cache, but for
 * its records; a query that only clients wait for ends with it. response may be NULL: a timeout. */
void xnm_upstream_response(struct xnm_state *state, struct module_qstate *qstate, int id,
                           struct dns_msg *response);

#endif
