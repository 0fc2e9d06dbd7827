/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that calls one function at a fixed interval until it is closed. */
#ifndef XNM_MODULE_RUN_TICKER_H
#define XNM_MODULE_RUN_TICKER_H

#include "module/base/thread.h"

struct xnm_ticker;

/* The function that is called. It marks calls that may not return as apart by `stop`
 * (module/base/thread.h). */
typedef void xnm_tick(void *arg, struct xnm_stop *stop);

/* Calls tick every `seconds` (at most a million) from a thread with all signals blocked, the first
 * time after that interval. With 0 it calls tick once, at once. Returns NULL if there is no memory
 * or no thread. The caller owns the result. */
struct xnm_ticker *xnm_ticker_open(unsigned seconds, xnm_tick *tick, void *arg);

/* Lets it end, without waiting for that. NULL is allowed. */
void xnm_ticker_tell(struct xnm_ticker *ticker);

/* Stops the ticker after the call in progress, if any. Returns false if that call was apart and did
 * not return within XNM_STOP_HANG_MS after the ticker was told; its thread is then left behind.
 * NULL is allowed, and the result is true. */
bool xnm_ticker_close(struct xnm_ticker *ticker);

#endif
