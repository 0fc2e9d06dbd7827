/* SPDX-License-Identifier: BSD-3-Clause */
/* What each thread remembers of the labels that it has logged (core/idna/memo.h). Nothing in it depends
 * on a configuration or a policy, so that it outlives both. */
#ifndef XNM_MODULE_LOG_RECALL_H
#define XNM_MODULE_LOG_RECALL_H

#include "core/idna/memo.h"

/* This thread's, made the first time and freed when the thread ends. NULL: no memory. */
struct xn_memo *xnm_recall_labels(void);

#endif
