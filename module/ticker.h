/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that does one thing again and again until it is closed. */
#ifndef XNM_MODULE_TICKER_H
#define XNM_MODULE_TICKER_H

struct xnm_ticker;

/* Calls tick(arg) every `seconds` (a million at most), from a thread with all signals blocked, the
 * first time after as many. Returns NULL without memory or thread; the caller owns the result. */
struct xnm_ticker *xnm_ticker_open(unsigned seconds, void (*tick)(void *arg), void *arg);

/* Waits for the call in hand, if there is one. NULL is fine. */
void xnm_ticker_close(struct xnm_ticker *ticker);

#endif
