/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the module's own, beside Unbound's. */
#ifndef XNM_MODULE_THREAD_H
#define XNM_MODULE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts run(arg) in a thread with all signals blocked: they are the daemon's, and its own threads
 * must get them. False: there is no thread. The caller joins it. */
bool xnm_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
