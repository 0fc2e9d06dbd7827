/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a query's aliases lead, as Unbound's iterator and its caches know while it resolves; and
 * how it is told to ask nothing more. All memory is of the query's region. */
#ifndef XNM_MODULE_UNBOUND_ALIAS_H
#define XNM_MODULE_UNBOUND_ALIAS_H

#include "module/answer/chaincache.h"

#include <stdbool.h>

struct dns_msg;
struct module_qstate;

/* Writes the aliases of the query name that the caches have, with relative TTLs. */
void xnm_alias_from_caches(struct module_qstate *qstate, struct xnm_alias_chain *chain);

/* Writes those that the iterator has followed so far, those of a response that it has just got, and
 * those that the caches have of the last target. Does it go on to that target? Not where the
 * response has its answer, or is for a name above the one that the iterator is after (RFC 9156,
 * QNAME minimisation). */
bool xnm_alias_from_response(struct module_qstate *qstate, const struct dns_msg *response,
                             struct xnm_alias_chain *chain);

/* Does the iterator ask forwarders, which answer for zones that are not theirs? */
bool xnm_alias_is_forwarded(const struct module_qstate *qstate);

/* Has the iterator end with what it now has: it takes the response for YXDOMAIN, which is final and
 * which nobody validates or caches. To be called with a response that the iterator has just got; it
 * is changed. Returns what it was. NULL: no memory, nothing was done. */
struct dns_msg *xnm_alias_end(struct module_qstate *qstate, struct dns_msg *response);

#endif
