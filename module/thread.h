/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the module's own, beside Unbound's. */
#ifndef XNM_MODULE_THREAD_H
#define XNM_MODULE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Makes a lock and a condition that is waited for by CLOCK_MONOTONIC, since a clock that is set
 * must not stop the waiting. False: neither was made. */
bool xnm_thread_condition(pthread_mutex_t *lock, pthread_cond_t *condition);

/* Starts run(arg) in a thread with all signals blocked: they are the daemon's, and its own threads
 * must get them. False: there is no thread. The caller joins it. */
bool xnm_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

#endif
