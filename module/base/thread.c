/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/thread.h"

#include <signal.h>

enum { JOIN_MS = 1 }; /* from one check whether a thread has ended to the next */

/* A new thread inherits the signal mask of its creator. */
bool xnm_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, NULL, run, arg) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static bool make_condition(pthread_cond_t *condition)
{
    pthread_condattr_t monotonic;

    if (pthread_condattr_init(&monotonic) != 0)
        return false;
    bool made = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
                pthread_cond_init(condition, &monotonic) == 0;
    pthread_condattr_destroy(&monotonic);
    return made;
}

bool xnm_stop_init(struct xnm_stop *stop)
{
    atomic_init(&stop->is_set, false);
    stop->apart = stop->left_behind = false;
    if (pthread_mutex_init(&stop->lock, NULL) != 0)
        return false;
    if (make_condition(&stop->told))
        return true;
    pthread_mutex_destroy(&stop->lock);
    return false;
}

void xnm_stop_free(struct xnm_stop *stop)
{
    pthread_cond_destroy(&stop->told);
    pthread_mutex_destroy(&stop->lock);
}

struct timespec xnm_stop_time(unsigned ms)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += ms / 1000;
    time.tv_nsec += (long)(ms % 1000) * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

bool xnm_stop_wait(struct xnm_stop *stop, unsigned ms)
{
    struct timespec end = xnm_stop_time(ms);

    pthread_mutex_lock(&stop->lock);
    while (!atomic_load(&stop->is_set) &&
           pthread_cond_timedwait(&stop->told, &stop->lock, &end) == 0)
        continue;
    pthread_mutex_unlock(&stop->lock);
    return atomic_load(&stop->is_set);
}

bool xnm_stop_is_set(const atomic_bool *is_set)
{
    return is_set && atomic_load_explicit(is_set, memory_order_relaxed);
}

void xnm_stop_depart(struct xnm_stop *stop)
{
    if (!stop)
        return;
    pthread_mutex_lock(&stop->lock);
    stop->apart = true;
    pthread_mutex_unlock(&stop->lock);
}

bool xnm_stop_return(struct xnm_stop *stop)
{
    if (!stop)
        return true;
    pthread_mutex_lock(&stop->lock);
    stop->apart = false;
    bool left_behind = stop->left_behind;
    pthread_mutex_unlock(&stop->lock);
    return !left_behind;
}

/* Leaves the thread behind if it is apart: its xnm_stop_return will be false. */
static bool leave_behind(struct xnm_stop *stop)
{
    pthread_mutex_lock(&stop->lock);
    bool left_behind = stop->left_behind = stop->apart;
    pthread_mutex_unlock(&stop->lock);
    return left_behind;
}

void xnm_stop_tell(struct xnm_stop *stop)
{
    pthread_mutex_lock(&stop->lock);
    if (!atomic_load(&stop->is_set))
        stop->told_at = xnm_stop_time(0);
    atomic_store(&stop->is_set, true);
    pthread_cond_signal(&stop->told);
    pthread_mutex_unlock(&stop->lock);
}

static long ms_since(struct timespec then)
{
    struct timespec now = xnm_stop_time(0);

    return ((now.tv_sec - then.tv_sec) * 1000000000 + now.tv_nsec - then.tv_nsec) / 1000000;
}

/* Polls, because pthread_timedjoin_np uses a clock that may be set meanwhile. */
bool xnm_stop_thread(struct xnm_stop *stop, pthread_t thread, unsigned ms)
{
    xnm_stop_tell(stop);
    while (pthread_tryjoin_np(thread, NULL) != 0) {
        if (ms_since(stop->told_at) >= (long)ms && leave_behind(stop)) {
            pthread_detach(thread);
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = JOIN_MS * 1000000L}, NULL);
    }
    return true;
}
