/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/thread.h"

#include <signal.h>
#include <time.h>

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

bool xnm_thread_condition(pthread_mutex_t *lock, pthread_cond_t *condition)
{
    if (pthread_mutex_init(lock, NULL) != 0)
        return false;
    if (make_condition(condition))
        return true;
    pthread_mutex_destroy(lock);
    return false;
}

/* A new thread inherits the mask of the one that makes it. */
bool xnm_thread_start(pthread_t *thread, void *(*run)(void *arg), void *arg)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(thread, NULL, run, arg) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
