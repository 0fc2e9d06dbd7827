/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/thread.h"

#include <signal.h>

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
