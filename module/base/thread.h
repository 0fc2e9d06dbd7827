/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and stops the module's own threads, which run beside Unbound's. */
#ifndef XNM_MODULE_BASE_THREAD_H
#define XNM_MODULE_BASE_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

/* Starts run(arg) in a thread with all signals blocked: signals belong to the daemon, whose own
 * threads must get them. Returns false if no thread was started. The caller joins the thread. */
bool xnm_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg);

/* The stop flag of a thread that repeats its work. Waiting uses CLOCK_MONOTONIC, so that setting
 * the system's clock does not disturb it. */
struct xnm_stop {
    atomic_bool is_set; /* may be read at any time; all else is private */
    pthread_mutex_t lock;
    pthread_cond_t was_set;
};

/* Returns false if it could not be made; then there is nothing to free. */
bool xnm_stop_init(struct xnm_stop *stop);
void xnm_stop_free(struct xnm_stop *stop);

/* Returns the time of CLOCK_MONOTONIC `ms` milliseconds from now. */
struct timespec xnm_stop_time(unsigned ms);

/* Waits for `ms` milliseconds, or until the flag is set. Returns whether it is set. */
bool xnm_stop_wait(struct xnm_stop *stop, unsigned ms);

/* Returns whether the flag is set, for code that has only its is_set; NULL: it is not. */
bool xnm_stop_is_set(const atomic_bool *is_set);

/* Sets the flag and joins the thread, however long that takes. */
void xnm_stop_thread(struct xnm_stop *stop, pthread_t thread);

#endif
