/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/run/ticker.h"

#include "module/base/thread.h"

#include <stdlib.h>

struct xnm_ticker {
    unsigned seconds;
    xnm_tick *tick;
    void *arg;
    pthread_t thread;
    struct xnm_stop stop;
};

static void free_ticker(struct xnm_ticker *ticker)
{
    xnm_stop_free(&ticker->stop);
    free(ticker);
}

static void *run(void *arg)
{
    struct xnm_ticker *ticker = arg;

    while (!xnm_stop_wait(&ticker->stop, ticker->seconds * 1000))
        ticker->tick(ticker->arg);
    return NULL;
}

struct xnm_ticker *xnm_ticker_open(unsigned seconds, xnm_tick *tick, void *arg)
{
    struct xnm_ticker *ticker = calloc(1, sizeof *ticker);

    if (!ticker || !xnm_stop_init(&ticker->stop)) {
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
    xnm_stop_thread(&ticker->stop, ticker->thread);
    free_ticker(ticker);
}
