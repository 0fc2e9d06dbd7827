/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of the module's own, beside Unbound's, and how they are stopped. */
#ifndef XNM_MODULE_BASE_THREAD_H
#define XNM_MODULE_BASE_THREAD_H

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
    bool apart, left_behind;
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

/* Around calls that may never return, such as those to a file system that hangs. Between the two
 * the thread uses only what nobody else frees or changes, struct xnm_stop with it. xnm_stop_return
 * is false where the thread was left behind meanwhile: then all else may be gone, and the thread
 * frees what is its own and ends. NULL: nobody stops it, and it was not left behind. */
void xnm_stop_depart(struct xnm_stop *stop);
bool xnm_stop_return(struct xnm_stop *stop);

/* Sets it, and joins the thread that looks at it. False: after so many milliseconds the thread was
 * apart, and is left behind with all that it uses. A thread that is not apart is waited for as long
 * as it takes. */
enum { XNM_STOP_HANG_MS = 1000 };
bool xnm_stop_thread(struct xnm_stop *stop, pthread_t thread, unsigned ms);

#endif
