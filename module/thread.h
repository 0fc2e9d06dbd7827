/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the module's own, beside Unbound's, and how they are stopped. */
#ifndef XNM_MODULE_THREAD_H
#define XNM_MODULE_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

/* Starts run(arg) in a thread with all signals blocked: they are the daemon's, and its own threads
 * must get them. False: there is no thread. The caller joins it. */
bool xnm_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

/* What is told to a thread that does something again and again. It waits by CLOCK_MONOTONIC, since
 * a clock that is set must not stop the waiting. */
struct xnm_stop {
    atomic_bool is_set; /* may be read at any time; all else is private */
    pthread_mutex_t lock;
    pthread_cond_t told;
};

/* False: it was not made, and there is nothing to free. */
bool xnm_stop_init(struct xnm_stop *stop);
void xnm_stop_free(struct xnm_stop *stop);

/* The time by CLOCK_MONOTONIC in so many milliseconds. */
struct timespec xnm_stop_time(unsigned ms);

/* Waits for so many milliseconds, or until it is set. Is it set? */
bool xnm_stop_wait(struct xnm_stop *stop, unsigned ms);

/* Is it set, by whoever may have been given its is_set alone? NULL: nobody can. */
bool xnm_stop_is_set(const atomic_bool *is_set);

/* Sets it, and joins the thread that waits for it. */
void xnm_stop_thread(struct xnm_stop *stop, pthread_t thread);

#endif
