/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that does one thing again and again until it is closed. */
#ifndef XNM_MODULE_BASE_TICKER_H
#define XNM_MODULE_BASE_TICKER_H

#include "module/base/thread.h"

struct xnm_ticker;

/* What is done: apart by `stop` (module/base/thread.h) while it makes calls that may not return. */
typedef void xnm_tick(void *arg, struct xnm_stop *stop);

/* Calls tick every `seconds` (a million at most), from a thread with all signals blocked, the first
 * time after as many; 0: once, at once. Returns NULL without memory or thread; the caller owns the
 * result. */
struct xnm_ticker *xnm_ticker_open(unsigned seconds, xnm_tick *tick, void *arg);

/* Waits for the call in hand, if there is one. False: it did not return for XNM_STOP_HANG_MS while
 * it was apart, and its thread is left behind. NULL is fine, and true. */
bool xnm_ticker_close(struct xnm_ticker *ticker);

#endif
