/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/thread.h"

#include <signal.h>

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
    if (pthread_mutex_init(&stop->lock, NULL) != 0)
        return false;
    if (make_condition(&stop->was_set))
        return true;
    pthread_mutex_destroy(&stop->lock);
    return false;
}

void xnm_stop_free(struct xnm_stop *stop)
{
    pthread_cond_destroy(&stop->was_set);
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
           pthread_cond_timedwait(&stop->was_set, &stop->lock, &end) == 0)
        continue;
    pthread_mutex_unlock(&stop->lock);
    return atomic_load(&stop->is_set);
}

bool xnm_stop_is_set(const atomic_bool *is_set)
{
    return is_set && atomic_load_explicit(is_set, memory_order_relaxed);
}

void xnm_stop_thread(struct xnm_stop *stop, pthread_t thread)
{
    pthread_mutex_lock(&stop->lock);
    atomic_store(&stop->is_set, true);
    pthread_cond_signal(&stop->was_set);
    pthread_mutex_unlock(&stop->lock);
    pthread_join(thread, NULL);
}
