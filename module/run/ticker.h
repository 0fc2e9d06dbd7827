/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that calls one function at a fixed interval until it is closed. */
#ifndef XNM_MODULE_RUN_TICKER_H
#define XNM_MODULE_RUN_TICKER_H

struct xnm_ticker;

/* The function that is called. */
typedef void xnm_tick(void *arg);

/* Calls tick every `seconds` (1 to a million) from a thread with all signals blocked, the first
 * time after that interval. Returns NULL if there is no memory or no thread. The caller owns the
 * result. */
struct xnm_ticker *xnm_ticker_open(unsigned seconds, xnm_tick *tick, void *arg);

/* Stops the ticker after the call in progress, if any, however long that takes. NULL is allowed. */
void xnm_ticker_close(struct xnm_ticker *ticker);

#endif
