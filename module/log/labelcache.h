/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread's label cache (core/idna/labelcache.h). It depends on no configuration or policy, and
 * outlives both. */
#ifndef XNM_MODULE_LOG_LABELCACHE_H
#define XNM_MODULE_LOG_LABELCACHE_H

struct xn_label_cache;

/* This thread's cache, made at the first call and freed when the thread ends. NULL: no memory. */
struct xn_label_cache *xnm_thread_labels(void);

#endif
