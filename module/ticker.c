/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/ticker.h"

#include "module/thread.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

struct xnm_ticker {
    unsigned seconds;
    void (*tick)(void *arg);
    void *arg;
    pthread_t thread;
    pthread_mutex_t lock; /* over stop */
    pthread_cond_t stopped;
    bool stop;
};

/* Waits for the next tick. Returns false where the ticker is to stop instead. */
static bool wait_for_tick(struct xnm_ticker *ticker)
{
    struct timespec next;

    clock_gettime(CLOCK_MONOTONIC, &next);
    next.tv_sec += ticker->seconds;
    pthread_mutex_lock(&ticker->lock);
    while (!ticker->stop && pthread_cond_timedwait(&ticker->stopped, &ticker->lock, &next) == 0)
        continue;
    bool stop = ticker->stop;
    pthread_mutex_unlock(&ticker->lock);
    return !stop;
}

static void *run(void *arg)
{
    struct xnm_ticker *ticker = arg;

    while (wait_for_tick(ticker))
        ticker->tick(ticker->arg);
    return NULL;
}

static void free_ticker(struct xnm_ticker *ticker)
{
    pthread_cond_destroy(&ticker->stopped);
    pthread_mutex_destroy(&ticker->lock);
    free(ticker);
}

struct xnm_ticker *xnm_ticker_open(unsigned seconds, void (*tick)(void *arg), void *arg)
{
    struct xnm_ticker *ticker = calloc(1, sizeof *ticker);

    if (!ticker || !xnm_thread_condition(&ticker->lock, &ticker->stopped)) {
        free(ticker);
        return NULL;
    }
    ticker->seconds = seconds;
    ticker->tick = tick;
    ticker->arg = arg;
    if (xnm_thread_start(&ticker->thread, run, ticker))
        return ticker;
    free_ticker(ticker);
    return NULL;
}

void xnm_ticker_close(struct xnm_ticker *ticker)
{
    if (!ticker)
        return;
    pthread_mutex_lock(&ticker->lock);
    ticker->stop = true;
    pthread_cond_signal(&ticker->stopped);
    pthread_mutex_unlock(&ticker->lock);
    pthread_join(ticker->thread, NULL);
    free_ticker(ticker);
}
