/* SPDX-License-Identifier: BSD-3-Clause */
/* What each thread remembers of the labels that it has logged (core/idna/labelcache.h). Nothing in
 * it depends on a configuration or a policy, so that it outlives both. */
#ifndef XNM_MODULE_LOG_LABELCACHE_H
#define XNM_MODULE_LOG_LABELCACHE_H

#include "core/idna/labelcache.h"
#include "core/idna/name.h"

/* This thread's, made the first time and freed when the thread ends. NULL: no memory. */
struct xn_label_cache *xnm_thread_labels(void);

#endif
