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
    pthread_cond_t told;
    bool apart, left_behind;
    struct timespec told_at; /* of CLOCK_MONOTONIC; once the flag is set */
};

/* Returns false if it could not be made; then there is nothing to free. */
bool xnm_stop_init(struct xnm_stop *stop);
void xnm_stop_free(struct xnm_stop *stop);

/* The time of CLOCK_MONOTONIC `ms` milliseconds from now. */
struct timespec xnm_stop_time(unsigned ms);

/* Waits for `ms` milliseconds, or until the flag is set. Returns whether it is set. */
bool xnm_stop_wait(struct xnm_stop *stop, unsigned ms);

/* True if the flag is set, for code that has only its is_set. NULL: nobody can set it. */
bool xnm_stop_is_set(const atomic_bool *is_set);

/* Surround calls that may never return, such as those to a file system that hangs. Between the two
 * the thread is apart: it uses only what nobody else frees or changes, including struct xnm_stop.
 * xnm_stop_return returns false if the thread was left behind meanwhile: everything else may then
 * be gone, and the thread frees what it owns and ends. With NULL nobody stops the thread, and it is
 * never left behind. */
void xnm_stop_depart(struct xnm_stop *stop);
bool xnm_stop_return(struct xnm_stop *stop);

/* Sets the flag: threads that are all told before the first is waited for end at the same time. */
void xnm_stop_tell(struct xnm_stop *stop);

/* Sets the flag and joins the thread. A thread that is still apart `ms` milliseconds after it was
 * told is left behind with all that it uses, and the result is false. A thread that is not apart is
 * waited for as long as it takes. */
enum { XNM_STOP_HANG_MS = 1000 };
bool xnm_stop_thread(struct xnm_stop *stop, pthread_t thread, unsigned ms);

#endif
