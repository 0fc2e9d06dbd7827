/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and removes refused answers that Unbound's module cachedb, if it is there, has read from
 * its backend. cachedb stores them in Unbound's message cache at once, expired or not, and tells no
 * other module. */
#ifndef XNM_MODULE_UNBOUND_CACHEDB_H
#define XNM_MODULE_UNBOUND_CACHEDB_H

#include "module/unbound/action.h"

/* Runs the modules after this one as Unbound would, until cachedb has looked at its backend or one
 * of them stops, and removes from the message cache what the policy refuses. Call it last, for a
 * query that operate() has passed on. */
void xnm_cachedb_run(struct xnm_work *work);

/* The same before an upstream is asked: dns64 begins sub-queries at itself, and subnetcache begins
 * queries again, after this module. */
void xnm_cachedb_query(struct xnm_state *state, struct module_qstate *qstate, int id);

#endif
